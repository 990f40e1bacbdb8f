/* Reports of a job to its caller: phases, progress, notices and findings.
 */
#include "run/job.h"

void ml_run_job_begin_phase(const struct ml_run_job *job, enum ml_run_phase phase)
{
    const struct ml_run_progress out = {.size = sizeof out, .phase = phase};
    if (job->options->progress)
        job->options->progress(job->options->context, &out);
}

void ml_run_job_relay(void *context, const struct ml_progress *progress)
{
    struct ml_run_job_relay *relay = context;
    relay->last = *progress;
    if (relay->options->progress) {
        struct ml_run_progress out = {sizeof out,          progress->n_run,
                                      progress->runs_done, progress->member_steps,
                                      progress->seconds,   relay->phase};
        relay->options->progress(relay->options->context, &out);
    }
}

void ml_run_job_notice(const struct ml_run_job *job, const char *text)
{
    if (job->options->notice)
        job->options->notice(job->options->context, text);
}

void ml_run_job_find(const struct ml_run_job *job, const char *text)
{
    if (job->options->finding)
        job->options->finding(job->options->context, text);
    else
        ml_run_job_notice(job, text);
}
