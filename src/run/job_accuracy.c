/* The error that the step leaves, in calls of ml_run and ml_run_memory. */
#include <omp.h>
#include <stdio.h>

#include "manylink/fail.h"
#include "run/accuracy.h"
#include "run/job.h"

/* Runs that the options or the study ask to compute again; 0: the usual number. */
static int64_t job_accuracy_given(const struct ml_run_job *job)
{
    return job->options->accuracy != 0 ? job->options->accuracy : job->study->spec.accuracy;
}

static bool job_accuracy_is_possible(const struct ml_run_job *job)
{
    return ml_accuracy_can_refine(&job->ensemble) && job->ensemble.continuation.n_run == 0;
}

int ml_run_job_accuracy_count(const struct ml_run_job *job)
{
    const int64_t given = job_accuracy_given(job);
    if (!job_accuracy_is_possible(job))
        return 0;
    return given == 0 ? ml_accuracy_count(job->ensemble.n_run) : (int)given;
}

int ml_run_job_small_count(const struct ml_run_job *job)
{
    return job_accuracy_given(job) == 0 && job_accuracy_is_possible(job)
               ? ml_accuracy_count_small(&job->ensemble)
               : 0;
}

static enum ml_status job_accuracy_keep(void *context, const struct ml_accuracy *accuracy,
                                        struct ml_error *err)
{
    return ml_store_keep_accuracy(context, accuracy, err);
}

enum ml_status ml_run_job_accuracy(const struct ml_run_job *job, struct ml_store *store,
                                   struct ml_shard shard, struct ml_accuracy *out,
                                   struct ml_error *err)
{
    const struct ml_ensemble_options how = ml_run_job_how(job);
    const int n = ml_run_job_accuracy_count(job);
    *out = (struct ml_accuracy){0};
    if (n <= 0)
        return ML_OK;
    enum ml_status status = ml_accuracy_choose(out, &job->ensemble, n, shard)
                                ? ML_OK
                                : ml_fail(err, ML_E_MEMORY, "no memory for runs of accuracy");
    if (status == ML_OK && store)
        status = ml_store_take_accuracy(store, out, err);
    if (status == ML_OK)
        status = ml_accuracy_compute(out, &job->ensemble, &how, store ? job_accuracy_keep : NULL,
                                     store, err);
    if (status == ML_STOPPED) {
        ml_error_clear(err);
        status = ml_fail(err, status,
                         "stopped after all runs, before the end of those that are computed again "
                         "with smaller steps");
    }
    return status;
}

void ml_run_job_tell_accuracy(const struct ml_run_job *job, const struct ml_accuracy *accuracy)
{
    struct ml_accuracy_verdict verdict;
    char text[sizeof verdict.text + 32];
    if (!ml_accuracy_judge(accuracy, &verdict) || !*verdict.text)
        return;
    (void)snprintf(text, sizeof text, "%s%s", verdict.is_large ? "warning: large " : "",
                   verdict.text);
    ml_run_job_find(job, text);
}

void ml_run_job_tell_small(struct ml_run_job *job)
{
    const struct ml_run_options *options = job->options;
    const int n = ml_run_job_small_count(job);
    const struct ml_ensemble_options how = ml_run_job_how(job);
    const double began = omp_get_wtime();
    struct ml_accuracy accuracy;
    struct ml_error unread = {0};
    if (n == 0 || ml_run_job_accuracy_count(job) > 0 || options->shards > 0 ||
        !(options->notice || options->finding))
        return;
    if (ml_accuracy_choose(&accuracy, &job->ensemble, n, ML_UNSHARDED) &&
        ml_accuracy_compute(&accuracy, &job->ensemble, &how, NULL, NULL, &unread) == ML_OK)
        ml_run_job_tell_accuracy(job, &accuracy);
    ml_error_clear(&unread); /* the result is whole without it */
    ml_accuracy_free(&accuracy);
    job->telling = omp_get_wtime() - began;
}
