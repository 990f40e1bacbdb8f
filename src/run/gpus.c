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

/* Number of the device that `gpu` or `gpu:K` means; -1: another word. */
static int gpus_number(const char *word)
{
    int k = 0, n = 0;
    if (strcmp(word, "gpu") == 0)
        return 0;
    return sscanf(word, "gpu:%9d%n", &k, &n) == 1 && word[n] == '\0' && k >= 0 ? k : -1;
}

bool ml_run_gpus_are_wanted(const char *word) { return word && strcmp(word, "none") != 0; }

bool ml_run_gpus_are_optional(const char *word) { return strcmp(word, "auto") == 0; }

enum ml_status ml_run_gpus_check(const char *word, struct ml_error *err)
{
    if (!ml_run_gpus_are_wanted(word) || ml_run_gpus_are_optional(word) || gpus_number(word) >= 0)
        return ML_OK;
    return ml_fail(err, ML_E_INPUT, "the device is `%s`, but must be auto, none, gpu or gpu:K",
                   word);
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

/* Compiles the kernel and opens the device with it. */
static enum ml_status gpus_begin(struct ml_run_gpus *gpus, const struct ml_ensemble *e, int k,
                                 const struct ml_kernel_wish *wish, struct ml_error *err)
{
    struct ml_made_kernel made;
    enum ml_status status = gpus_check_device(gpus->driver, k, err);
    if (status == ML_OK)
        status = ml_kernel_make_window(e, ML_KERNEL_GPU, wish, &made, err);
    if (status != ML_OK)
        return status;
    char *text = gpus_kernel_text(made.path);
    status = text ? ml_gpu_open(gpus->driver, k, text, "ml_gpu_window", &gpus->gpu, err)
                  : ml_fail(err, ML_E_FILE, "%s: cannot be read", made.path);
    free(text);
    ml_made_kernel_close(&made);
    return status;
}

/* Bytes that this process may use: its control group's, or those of the machine. */
static double gpus_host_memory(void)
{
    const double group = ml_cgroup_memory("");
    const double all = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return group > 0.0 ? fmin(group, all) : all;
}

enum ml_status ml_run_gpus_find_room(const struct ml_ensemble *ensemble, double memory,
                                     struct ml_run_gpus_room *out, struct ml_error *err)
{
    const double part = memory / 4.0; /* for blocks and batches, and as much for queues */
    const double blocks = fmin(gpu_most_blocks, part), queues = fmin(gpu_most_queues, part);
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
                       (of_thread + of_batch) / 1e6, 2.0 * part / 1e6);
    double n = fmin(GPU_MOST_THREADS, (double)(GPU_RUNS / ensemble->block_runs));
    n = fmin(fmax(n, GPU_LEAST_THREADS), (double)ml_ensemble_blocks(ensemble));
    n = fmin(n, floor(room));
    const struct ml_device_group group = ml_device_group(ensemble, (size_t)(queues / n));
    const int64_t runs = group.n_batch * ML_LANES;
    *out = (struct ml_run_gpus_room){.n_thread = (int)n,
                                     .group = runs < ensemble->n_run ? runs : ensemble->n_run};
    out->queue_bytes = (double)(group.batch_bytes * (size_t)group.n_batch);
    out->bytes = out->n_thread * (of_thread + out->queue_bytes);
    return ML_OK;
}

enum ml_status ml_run_gpus_open(struct ml_run_gpus *gpus, const char *study,
                                const struct ml_ensemble *ensemble, const char *word,
                                const struct ml_kernel_wish *wish, struct ml_error *err)
{
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
        status = ml_run_gpus_find_room(ensemble, gpus_host_memory(), &gpus->room, err);
    if (status == ML_OK)
        status = gpus_begin(gpus, ensemble, ml_run_gpus_are_optional(word) ? 0 : gpus_number(word),
                            wish, err);
    if (status != ML_OK)
        return status;
    gpus->use.gpu = &gpus->gpu;
    gpus->use.n_thread = gpus->room.n_thread;
    gpus->use.queue_bytes = (size_t)gpus->room.queue_bytes;
    return ML_OK;
}

void ml_run_gpus_close(struct ml_run_gpus *gpus)
{
    ml_gpu_close(&gpus->gpu);
    ml_gpu_driver_close(gpus->driver);
    gpus->driver = NULL;
}
