/* The GPUs of a run: asked for, opened with the study's kernel, and reported. */
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "manylink/fail.h"
#include "run/job.h"

static void job_device_notice(const struct ml_run_job *job, const char *what,
                              const struct ml_error *why)
{
    const char *reason = why->text ? why->text : ml_status_text(ML_E_MEMORY);
    char *text = ml_path("%s: %.*s", what, (int)strcspn(reason, "\n"), reason);
    if (text)
        ml_run_job_notice(job, text);
    free(text);
}

static enum ml_status job_device_begin(struct ml_run_job *job, struct ml_error *err)
{
    const struct ml_kernel_wish wish = {.no_native = job->options->no_native != 0,
                                        .stop = {job->options->stop, job->options->context}};
    if (job->known)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot use a GPU for runs beside those of another result",
                       job->study->spec.name);
    ml_run_job_begin_phase(job, ML_PHASE_KERNEL);
    return ml_run_gpus_open(&job->gpus, job->study->spec.name, &job->ensemble, job->options->device,
                            &wish, err);
}

enum ml_status ml_run_job_open_device(struct ml_run_job *job, int64_t n_run, struct ml_error *err)
{
    const char *word = job->options->device;
    struct ml_error why = {0};
    if (!ml_run_gpus_are_wanted(word) || n_run == 0)
        return ML_OK;
    enum ml_status status = job_device_begin(job, &why);
    if (status != ML_OK && ml_run_gpus_are_optional(word) && status != ML_STOPPED) {
        if (job->gpus.driver)
            job_device_notice(job, "no GPU is used", &why);
        status = ML_OK;
    } else if (status != ML_OK) {
        (void)ml_fail(err, status, "%s", why.text ? why.text : ml_status_text(status));
    }
    ml_error_clear(&why);
    return status;
}

void ml_run_job_settle_device(struct ml_run_job *job)
{
    for (int i = 0; i < job->gpus.n; i++) {
        struct ml_gpu_use *use = &job->gpus.uses[i];
        if (use->has_failed && !use->is_told)
            job_device_notice(job,
                              "the GPU is not used any more, and the rest is computed without it",
                              &use->err);
        use->is_told = use->has_failed;
        ml_error_clear(&use->err);
    }
}
