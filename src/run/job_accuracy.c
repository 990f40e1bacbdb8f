/* The error that the step leaves, in calls of ml_run and ml_run_memory. */
#include <omp.h>
#include <stdio.h>

#include "manylink/fail.h"
#include "run/accuracy.h"
#include "run/job.h"

/* Runs that the options or the study ask to compute again; 0: the usual number. */
static int64_t job_accuracy_given(const struct ml_run_job *job)
{
    return job->options->accuracy != 0 ? job->options->accuracy
                                       : job->study->spec.indicators.accuracy;
}

static bool job_accuracy_is_possible(const struct ml_run_job *job)
{
    return ml_accuracy_can_refine(&job->ensemble) && job->ensemble.continuation.n_run == 0;
}

/* Whether so few runs of a study are computed again because it has few. */
static bool job_accuracy_is_small(const struct ml_run_job *job)
{
    return job_accuracy_given(job) == 0 && ml_accuracy_count(job->ensemble.n_run) == 0;
}

int ml_run_job_accuracy_count(const struct ml_run_job *job)
{
    const int64_t given = job_accuracy_given(job);
    if (!job_accuracy_is_possible(job))
        return 0;
    if (job_accuracy_is_small(job))
        return ml_accuracy_count_small(&job->ensemble);
    return given == 0 ? ml_accuracy_count(job->ensemble.n_run) : (int)given;
}

double ml_run_job_accuracy_most_steps(const struct ml_run_job *job)
{
    return job_accuracy_is_small(job) ? ml_accuracy_most_steps(&job->ensemble) : (double)INFINITY;
}

static enum ml_status job_accuracy_keep(void *context, const struct ml_accuracy *accuracy,
                                        struct ml_error *err)
{
    return ml_store_keep_accuracy(context, accuracy, err);
}

enum ml_status ml_run_job_accuracy(struct ml_run_job *job, struct ml_store *store,
                                   struct ml_shard shard, struct ml_accuracy *out,
                                   struct ml_error *err)
{
    struct ml_run_job_relay relay = {.options = job->options, .phase = ML_PHASE_ACCURACY};
    struct ml_ensemble_options how = ml_run_job_how(job);
    how.progress = ml_run_job_relay;
    how.progress_context = &relay;
    const int n = ml_run_job_accuracy_count(job);
    const double began = omp_get_wtime();
    *out = (struct ml_accuracy){0};
    if (n <= 0)
        return ML_OK;
    enum ml_status status = ml_accuracy_choose(out, &job->ensemble, n, shard)
                                ? ML_OK
                                : ml_fail(err, ML_E_MEMORY, "no memory for runs of accuracy");
    if (status == ML_OK && store)
        status = ml_store_take_accuracy(store, out);
    if (status == ML_OK)
        status = ml_accuracy_compute(out, &job->ensemble, ml_run_job_accuracy_most_steps(job), &how,
                                     store ? job_accuracy_keep : NULL, store, err);
    if (job_accuracy_is_small(job))
        job->telling = omp_get_wtime() - began;
    if (status == ML_STOPPED) {
        ml_error_clear(err);
        status = ml_fail(err, status,
                         "stopped after all runs, before the end of those that are computed again "
                         "with smaller steps");
    }
    return status;
}

void ml_run_job_report_accuracy(const struct ml_run_job *job, const struct ml_accuracy *accuracy)
{
    struct ml_accuracy_verdict verdict;
    char text[sizeof verdict.brief + 32];
    if (!ml_accuracy_judge(accuracy, &verdict))
        return;
    (void)snprintf(text, sizeof text, "%s%s", verdict.is_large ? "warning: large " : "",
                   verdict.brief);
    if (*verdict.brief)
        ml_run_job_find(job, text);
    if (*verdict.chaos)
        ml_run_job_find(job, verdict.chaos);
}
