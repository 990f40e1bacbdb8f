/* GPUs that compute runs of an ensemble beside the processor. */
#include "run/gpus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "engine/team/batch_run.h"
#include "manylink/fail.h"

/* Runs on the device at once that fill it, about, and the most threads: so many blocks are there at
 * once, which are fewer runs where blocks are small. Kernels of 128 queues at most run side by side
 * (CUDA C++ Programming Guide, table of technical specifications: resident grids per device). */
enum { GPU_RUNS = 1 << 17, GPU_MOST_THREADS = 128, GPU_LEAST_THREADS = 2 };

/* Bytes of the host, at most, for blocks and batches of these threads, and for their queues. */
static const double gpu_most_blocks = 0x1p32, gpu_most_queues = 0x1p34;

enum { GPU_LEAST = 7 }; /* compute capability that kernels are compiled for */

/* Numbers of the devices that `gpu`, `gpu:K`, `gpu:K,L,..` or `auto` means, each once; returns how
 * many; 0: another word. */
static int gpus_numbers(const char *word, int numbers[ML_MOST_GPUS])
{
    int n = 0;
    if (ml_run_gpus_are_optional(word) || strcmp(word, "gpu") == 0)
        word = "gpu:0";
    if (strncmp(word, "gpu:", 4) != 0)
        return 0;
    for (const char *at = word + 3; *at; n++) {
        int k = 0, length = 0;
        if (n == ML_MOST_GPUS || at[1] < '0' || at[1] > '9' ||
            sscanf(at + 1, "%9d%n", &k, &length) != 1)
            return 0;
        for (int i = 0; i < n; i++)
            if (numbers[i] == k)
                return 0;
        numbers[n] = k;
        at += 1 + length;
        if (*at && *at != ',')
            return 0;
    }
    return n;
}

bool ml_run_gpus_are_wanted(const char *word) { return word && strcmp(word, "none") != 0; }

bool ml_run_gpus_are_optional(const char *word) { return strcmp(word, "auto") == 0; }

enum ml_status ml_run_gpus_check(const char *word, struct ml_error *err)
{
    int numbers[ML_MOST_GPUS];
    if (!ml_run_gpus_are_wanted(word) || gpus_numbers(word, numbers) > 0)
        return ML_OK;
    return ml_fail(err, ML_E_INPUT,
                   "the device is `%s`, but must be auto, none, gpu or gpu:K, or gpu:K,L,... for "
                   "%d devices at most, each once",
                   word, ML_MOST_GPUS);
}

/* The text of a kernel's module, up to its first NUL. To be freed; NULL: it cannot be read. */
static char *gpus_kernel_text(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    if (getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    (void)fclose(file);
    return text;
}

/* ML_E_INPUT for a device that is not there or cannot run kernels of manylink. */
static enum ml_status gpus_check_device(const struct ml_gpu_driver *driver, int k,
                                        struct ml_error *err)
{
    struct ml_gpu_device found;
    if (k >= ml_gpu_driver_devices(driver))
        return ml_fail(err, ML_E_INPUT,
                       "there is no device gpu:%d: the driver has %d, from gpu:0 on", k,
                       ml_gpu_driver_devices(driver));
    const enum ml_status status = ml_gpu_driver_describe(driver, k, &found, err);
    if (status == ML_OK && found.major < GPU_LEAST)
        return ml_fail(err, ML_E_INPUT,
                       "cannot use %s: its compute capability is %d.%d, but must be %d.0 or more",
                       found.name, found.major, found.minor, GPU_LEAST);
    return status;
}

/* Bytes that this process may use: its control group's, or those of the machine. */
static double gpus_host_memory(void)
{
    const double group = ml_cgroup_memory("");
    const double all = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return group > 0.0 ? fmin(group, all) : all;
}

enum ml_status ml_run_gpus_find_room(const struct ml_ensemble *ensemble, int n_gpu, double memory,
                                     struct ml_run_gpus_room *out, struct ml_error *err)
{
    const double part = memory / 4.0; /* for blocks and batches, and as much for queues */
    const double blocks = fmin(gpu_most_blocks, part) / n_gpu;
    const double queues = fmin(gpu_most_queues, part) / n_gpu;
    const double of_thread = (double)ml_ensemble_thread_bytes(ensemble);
    const double of_batch = (double)ml_device_group(ensemble, 1).batch_bytes;
    const double room = fmin(blocks / of_thread, queues / of_batch);
    if (!(of_batch > 0.0))
        return ML_E_MEMORY;
    if (room < 1.0)
        return ml_fail(err, ML_E_MEMORY,
                       "cannot use a GPU: a thread for it needs %.3g MB of the host's memory, and "
                       "may take %.3g MB: raise the memory limit of the process, or keep less of "
                       "each run",
                       (of_thread + of_batch) / 1e6, 2.0 * part / n_gpu / 1e6);
    const int64_t n_block = GPU_RUNS / ensemble->block_runs; /* that fill a device */
    double n = fmin(GPU_MOST_THREADS, (double)n_block);
    n = fmin(fmax(n, GPU_LEAST_THREADS), ceil((double)ml_ensemble_blocks(ensemble) / n_gpu));
    n = fmin(n, floor(room));
    const struct ml_device_group group = ml_device_group(ensemble, (size_t)(queues / n));
    const int64_t runs = group.n_batch * ML_LANES;
    *out = (struct ml_run_gpus_room){.n_thread = (int)n,
                                     .group = runs < ensemble->n_run ? runs : ensemble->n_run};
    out->queue_bytes = (double)(group.batch_bytes * (size_t)group.n_batch);
    out->bytes = n_gpu * n * (of_thread + out->queue_bytes);
    return ML_OK;
}

/* Opens a device with the text of the kernel.
 *   is_single  the only device, whose name stays without its number */
static enum ml_status gpus_add(struct ml_run_gpus *gpus, const char *text, int k, bool is_single,
                               struct ml_error *err)
{
    struct ml_gpu *gpu = &gpus->gpus[gpus->n];
    struct ml_gpu_use *use = &gpus->uses[gpus->n];
    const enum ml_status status = ml_gpu_open(gpus->driver, k, text, "ml_gpu_window", gpu, err);
    if (status != ML_OK)
        return status;
    const size_t length = strlen(gpu->device.name), left = sizeof gpu->device.name - length;
    if (!is_single)
        (void)snprintf(gpu->device.name + length, left, " gpu:%d", k);
    use->gpu = gpu;
    use->n_thread = gpus->room.n_thread;
    use->queue_bytes = (size_t)gpus->room.queue_bytes;
    gpus->n++;
    return ML_OK;
}

/* Compiles the kernel and opens n devices with it. */
static enum ml_status gpus_begin(struct ml_run_gpus *gpus, const struct ml_ensemble *e,
                                 const int *numbers, int n, const struct ml_kernel_wish *wish,
                                 struct ml_error *err)
{
    struct ml_made_kernel made;
    enum ml_status status = ML_OK;
    for (int i = 0; i < n && status == ML_OK; i++)
        status = gpus_check_device(gpus->driver, numbers[i], err);
    if (status == ML_OK)
        status = ml_kernel_make_window(e, ML_KERNEL_GPU, wish, &made, err);
    if (status != ML_OK)
        return status;
    char *text = gpus_kernel_text(made.path);
    if (!text)
        status = ml_fail(err, ML_E_FILE, "%s: cannot be read", made.path);
    for (int i = 0; i < n && status == ML_OK; i++)
        status = gpus_add(gpus, text, numbers[i], n == 1, err);
    free(text);
    ml_made_kernel_close(&made);
    return status;
}

enum ml_status ml_run_gpus_open(struct ml_run_gpus *gpus, const char *study,
                                const struct ml_ensemble *ensemble, const char *word,
                                const struct ml_kernel_wish *wish, struct ml_error *err)
{
    int numbers[ML_MOST_GPUS];
    const int n = gpus_numbers(word, numbers);
    if (!ml_device_serves(ensemble))
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot use a GPU: the study must have no trajectories, events, delayed "
                       "controllers or "
                       "indicators that observe the motion, which `save: {summary: [end_state]}` "
                       "leaves out, and "
                       "given steps for exponents and for signals that jump",
                       study);
    enum ml_status status = ml_gpu_driver_open(&gpus->driver, err);
    if (status == ML_OK)
        status = ml_run_gpus_find_room(ensemble, n, gpus_host_memory(), &gpus->room, err);
    return status == ML_OK ? gpus_begin(gpus, ensemble, numbers, n, wish, err) : status;
}

bool ml_run_gpus_alive(const struct ml_run_gpus *gpus)
{
    for (int i = 0; i < gpus->n; i++)
        if (!gpus->uses[i].has_failed)
            return true;
    return false;
}

/* The last first: each device sets the context that its opening thread had before. */
void ml_run_gpus_close(struct ml_run_gpus *gpus)
{
    while (gpus->n > 0)
        ml_gpu_close(&gpus->gpus[--gpus->n]);
    ml_gpu_driver_close(gpus->driver);
    gpus->driver = NULL;
}
