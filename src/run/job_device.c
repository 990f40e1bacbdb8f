/* The GPU of a run: asked for, opened with the study's kernel, and reported. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "engine/team/batch_run.h"
#include "manylink/fail.h"
#include "run/job.h"

/* Runs on the device at once that fill it, about, and the most threads: so many blocks are there at
 * once, which are fewer runs where blocks are small. Kernels of 128 queues at most run side by side
 * (CUDA C++ Programming Guide, table of technical specifications: resident grids per device). */
enum { DEVICE_RUNS = 1 << 17, DEVICE_MOST_THREADS = 128 };

static const size_t device_most_bytes = (size_t)4 << 30; /* of the host, that these threads take */

enum { DEVICE_LEAST = 7 }; /* compute capability that kernels are compiled for */

/* Number of the device that `gpu` or `gpu:K` means; -1: another word. */
static int job_device_number(const char *word)
{
    int k = 0, n = 0;
    if (strcmp(word, "gpu") == 0)
        return 0;
    return sscanf(word, "gpu:%9d%n", &k, &n) == 1 && word[n] == '\0' && k >= 0 ? k : -1;
}

static bool job_device_is_auto(const char *word) { return strcmp(word, "auto") == 0; }

static bool job_device_is_wanted(const char *word) { return word && strcmp(word, "none") != 0; }

enum ml_status ml_run_job_check_device(const char *word, struct ml_error *err)
{
    if (!job_device_is_wanted(word) || job_device_is_auto(word) || job_device_number(word) >= 0)
        return ML_OK;
    return ml_fail(err, ML_E_INPUT, "the device is `%s`, but must be auto, none, gpu or gpu:K",
                   word);
}

/* The text of a kernel's module, up to its first NUL. To be freed; NULL: it cannot be read. */
static char *job_device_text(const char *path)
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

/* ML_E_INPUT for runs that a GPU cannot compute. */
static enum ml_status job_device_check(const struct ml_run_job *job, struct ml_error *err)
{
    if (job->known)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot use a GPU for runs beside those of another result",
                       job->study->spec.name);
    if (!ml_device_serves(&job->ensemble))
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot use a GPU: the study must have no trajectories, events, delayed "
                       "controllers or "
                       "indicators that observe the motion, which `save: {summary: [end_state]}` "
                       "leaves out, and "
                       "given steps for exponents and for signals that jump",
                       job->study->spec.name);
    return ML_OK;
}

/* Compiles the kernel and opens the device with it. */
static enum ml_status job_device_begin(struct ml_run_job *job, int k, struct ml_error *err)
{
    struct ml_run_device *device = &job->device;
    const struct ml_kernel_wish wish = {.no_native = job->options->no_native != 0,
                                        .stop = {job->options->stop, job->options->context}};
    struct ml_made_kernel made;
    if (k >= ml_gpu_driver_devices(device->driver))
        return ml_fail(err, ML_E_INPUT,
                       "there is no device gpu:%d: the driver has %d, from gpu:0 on", k,
                       ml_gpu_driver_devices(device->driver));
    struct ml_gpu_device found;
    enum ml_status status = ml_gpu_driver_describe(device->driver, k, &found, err);
    if (status == ML_OK && found.major < DEVICE_LEAST)
        return ml_fail(err, ML_E_INPUT,
                       "cannot use %s: its compute capability is %d.%d, but must be %d.0 or more",
                       found.name, found.major, found.minor, DEVICE_LEAST);
    if (status != ML_OK)
        return status;
    ml_run_job_begin_phase(job, ML_PHASE_KERNEL);
    status = ml_kernel_make_window(&job->ensemble, ML_KERNEL_GPU, &wish, &made, err);
    if (status != ML_OK)
        return status;
    char *text = job_device_text(made.path);
    status = text ? ml_gpu_open(device->driver, k, text, "ml_gpu_window", &device->gpu, err)
                  : ml_fail(err, ML_E_FILE, "%s: cannot be read", made.path);
    free(text);
    ml_made_kernel_close(&made);
    return status;
}

static int job_device_threads(const struct ml_ensemble *e)
{
    const int64_t room = (int64_t)(device_most_bytes / ml_ensemble_thread_bytes(e));
    int64_t n = DEVICE_RUNS / e->block_runs;
    n = n < room ? n : room;
    n = n < DEVICE_MOST_THREADS ? n : DEVICE_MOST_THREADS;
    return n < 2 ? 2 : (int)n;
}

static void job_device_notice(const struct ml_run_job *job, const char *what,
                              const struct ml_error *why)
{
    const char *reason = why->text ? why->text : ml_status_text(ML_E_MEMORY);
    char *text = ml_path("%s: %.*s", what, (int)strcspn(reason, "\n"), reason);
    if (text)
        ml_run_job_notice(job, text);
    free(text);
}

enum ml_status ml_run_job_open_device(struct ml_run_job *job, int64_t n_run, struct ml_error *err)
{
    struct ml_run_device *device = &job->device;
    const char *word = job->options->device;
    struct ml_error why = {0};
    if (!job_device_is_wanted(word) || n_run == 0)
        return ML_OK;
    const bool is_auto = job_device_is_auto(word);
    enum ml_status status = job_device_check(job, &why);
    if (status == ML_OK)
        status = ml_gpu_driver_open(&device->driver, &why);
    const bool is_there = status == ML_OK;
    if (is_there)
        status = job_device_begin(job, is_auto ? 0 : job_device_number(word), &why);
    if (status == ML_OK) {
        device->use.gpu = &device->gpu;
        device->use.n_thread = job_device_threads(&job->ensemble);
    } else if (is_auto && status != ML_STOPPED) {
        if (is_there)
            job_device_notice(job, "no GPU is used", &why);
        status = ML_OK;
    } else {
        (void)ml_fail(err, status, "%s", why.text ? why.text : ml_status_text(status));
    }
    ml_error_clear(&why);
    return status;
}

struct ml_gpu_use *ml_run_job_device_use(struct ml_run_job *job)
{
    struct ml_gpu_use *use = &job->device.use;
    use->n_begun = 0;
    return use->gpu && !use->has_failed ? use : NULL;
}

void ml_run_job_settle_device(struct ml_run_job *job)
{
    struct ml_gpu_use *use = &job->device.use;
    if (use->has_failed)
        job_device_notice(job, "the GPU is not used any more, and the rest is computed without it",
                          &use->err);
    ml_error_clear(&use->err);
}

void ml_run_job_close_device(struct ml_run_job *job)
{
    ml_gpu_close(&job->device.gpu);
    ml_gpu_driver_close(job->device.driver);
}
