/* Study, engine and store joined: a study file in, a result file out. */
#include "manylink/run.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>

#include "base/fail.h"
#include "engine/speed.h"
#include "engine/team.h"
#include "run/finish.h"
#include "run/job.h"
#include "store/provenance.h"
#include "store/store.h"

/* Runs the blocks that are missing, then those that turned out to be damaged. */
static enum ml_status run_compute(struct ml_run_job *job, struct ml_store *store,
                                  struct ml_error *err)
{
    const struct ml_sink sink = ml_store_sink(store);
    enum ml_status status = ML_OK;
    for (int64_t n_damaged = 1; status == ML_OK && n_damaged > 0;) {
        status = ml_run_job_integrate(job, &sink, err);
        if (status == ML_OK)
            status = ml_store_check(store, &n_damaged, err);
    }
    return status;
}

static struct ml_shard run_shard(const struct ml_run_options *options)
{
    return options->shards > 0 ? (struct ml_shard){options->shard, options->shards} : ML_UNSHARDED;
}

/* Computes missing runs, with the kernel that suits their number, and makes the final file. */
static enum ml_status run_complete(struct ml_run_job *job, struct ml_store *store,
                                   struct ml_error *err)
{
    const struct ml_run_report *report = job->report;
    const int64_t left =
        report->blocks_found < report->blocks ? report->runs - report->runs_found : 0;
    char began[ML_TIME_LENGTH], kernel[320];
    struct ml_accuracy accuracy = {0};
    ml_provenance_time(began);
    enum ml_status status = ml_run_job_choose_kernel(job, left, err);
    ml_run_job_kernel_text(job, sizeof kernel, kernel);
    if (status == ML_OK)
        status = run_compute(job, store, err);
    if (status == ML_OK)
        status = ml_run_job_accuracy(job, store, run_shard(job->options), &accuracy, err);
    ml_store_set_accuracy(store, &accuracy);
    if (status == ML_OK)
        status = ml_finish(store, job->study->spec.name, job->study->spec.overrides, report->isa,
                           kernel, report->threads, began, err);
    if (status == ML_OK)
        ml_run_job_tell(job, &accuracy, NULL, job->options->output);
    ml_store_set_accuracy(store, NULL);
    ml_accuracy_free(&accuracy);
    return status;
}

/* A notice where the time limit is too short for one block, as measured in a moment. */
static void run_check_time(const struct ml_run_job *job)
{
    const struct ml_ensemble *e = &job->study->ensemble;
    const double moment = 0.02, limit = job->options->time_limit; /* s */
    char text[256];
    if (!(limit > 0.0) || !job->options->notice)
        return;
    const double rate =
        ml_ensemble_speed(e, moment, (struct ml_stop){job->options->stop, job->options->context})
            .rate;
    const double runs = (double)ml_ensemble_runs_of_block(e, 0);
    const double seconds = rate > 0.0 ? runs * (double)e->n_step / rate : 0.0;
    (void)snprintf(text, sizeof text,
                   "a block of %.0f runs takes about %.2g s here, and the time limit is %.2g s: "
                   "blocks not finished %.2g s after the start are dropped",
                   runs, seconds, limit, ml_run_job_last_moment(limit, job->options->grace));
    if (seconds > limit)
        ml_run_job_notice(job, text);
}

static enum ml_status run_into_store(struct ml_run_job *job, struct ml_store *store,
                                     struct ml_error *err)
{
    struct ml_run_report *report = job->report;
    report->runs = ml_store_runs(store);
    report->blocks = ml_store_blocks(store);
    report->runs_found = ml_store_runs_present(store);
    report->blocks_found = ml_store_blocks_present(store);
    if (!report->was_finished && report->blocks_found < report->blocks)
        run_check_time(job);
    const struct ml_run_options *o = job->options;
    enum ml_status status = ml_check_space(store, ml_run_job_accuracy_count(job), o->output,
                                           o->strict_space, o->notice, o->context, err);
    if (status == ML_OK && !report->was_finished)
        status = run_complete(job, store, err);
    if (status != ML_OK)
        return status;
    const struct ml_tally tally = ml_store_tally(store);
    ml_run_job_report(job, &tally);
    return ML_OK;
}

static struct ml_store_options run_store_options(const struct ml_run_options *options)
{
    const double limit = options->time_limit;
    return (struct ml_store_options){
        .shard = run_shard(options),
        .restart = options->restart,
        .wait = limit > 0.0 ? fmin(options->wait, limit) : options->wait,
        .stop = {options->stop, options->context},
        .notice = options->notice,
        .context = options->context,
    };
}

static enum ml_status run_into_file(struct ml_run_job *job, void *context, struct ml_error *err)
{
    const struct ml_run_options *options = job->options;
    const struct ml_store_options how = run_store_options(options);
    struct ml_store *store;
    enum ml_store_state state;
    (void)context;
    if (!options->output)
        return ml_fail(err, ML_E_INPUT,
                       "struct ml_run_options: `output`, the path of the result "
                       "file, is missing");
    if (!ml_shard_is_one(how.shard))
        return ml_fail(err, ML_E_INPUT, "there is no shard %lld of %lld", (long long)options->shard,
                       (long long)options->shards);
    enum ml_status status = ml_run_job_check(job, err);
    if (status == ML_OK)
        status = ml_store_open(job->study, options->output, &how, &store, &state, err);
    if (status != ML_OK)
        return status;
    job->report->was_finished = state == ML_STORE_DONE;
    status = run_into_store(job, store, err);
    ml_store_close(store);
    return status;
}

enum ml_status ml_run(const struct ml_study *study, const struct ml_run_options *options,
                      struct ml_run_report *report, struct ml_error *err)
{
    return ml_run_job(study, options, report, run_into_file, NULL, err);
}
