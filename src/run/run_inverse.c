/* Torques of motions into a result file, block by block, as runs of a study go there. */
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <string.h>

#include "base/cgroup.h"
#include "base/numeric_env.h"
#include "base/path.h"
#include "base/sized.h"
#include "inverse/inverse_task.h"
#include "manylink/fail.h"
#include "manylink/run.h"
#include "run/finish.h"
#include "run/job.h"
#include "store/store.h"

/* One call. */
struct inverse_job {
    const struct ml_inverse_options *options; /* of this version's size */
    struct ml_inverse_report *report;         /* the same */
    double start;                             /* s, as of omp_get_wtime */
    struct ml_inverse_task task;
};

/* Passes progress on in the words of the public header. */
static void run_inverse_progress(void *context, const struct ml_progress *progress)
{
    const struct inverse_job *job = context;
    const struct ml_run_progress out = {sizeof out,          progress->n_run,
                                        progress->runs_done, progress->member_steps,
                                        progress->seconds,   ML_PHASE_RUNS};
    job->report->threads = progress->n_thread;
    if (job->options->progress)
        job->options->progress(job->options->context, &out);
}

static enum ml_status run_inverse_compute(struct inverse_job *job, struct ml_store *store,
                                          struct ml_error *err)
{
    const struct ml_inverse_options *o = job->options;
    const struct ml_ensemble *e = &job->task.shape.ensemble;
    const struct ml_inverse_items items = {.task = &job->task, .n = e->n_run};
    const struct ml_computation computation = ml_inverse_task_computation(&items, e->block_runs);
    const double limit = o->time_limit;
    const struct ml_ensemble_options how = {
        .n_thread = o->n_thread,
        .stop = {o->stop, o->context},
        .deadline = limit > 0.0 ? job->start + limit : 0.0,
        .last_moment = limit > 0.0 ? job->start + ml_run_job_last_moment(limit, o->grace) : 0.0,
        .progress = run_inverse_progress,
        .progress_context = job,
    };
    const struct ml_sink sink = ml_store_sink(store);
    return ml_team_run(&computation, &how, &sink, err);
}

static enum ml_status run_inverse_complete(struct inverse_job *job, struct ml_store *store,
                                           struct ml_error *err)
{
    const struct ml_inverse_options *o = job->options;
    const struct ml_study *study = job->task.study;
    char began[ML_TIME_LENGTH];
    ml_provenance_time(began);
    enum ml_status status =
        ml_check_space(store, o->output, o->strict_space, o->notice, o->context, err);
    if (status == ML_OK)
        status = run_inverse_compute(job, store, err);
    return status == ML_OK ? ml_finish(store,
                                       &(struct ml_making){study->spec.name, study->spec.overrides,
                                                           study->ensemble.kernels->isa, NULL,
                                                           job->report->threads, began},
                                       err)
                           : status;
}

static enum ml_status run_inverse_into_store(struct inverse_job *job, struct ml_store *store,
                                             enum ml_store_state state, struct ml_error *err)
{
    struct ml_inverse_report *report = job->report;
    report->results = ml_store_runs(store);
    report->blocks = ml_store_blocks(store);
    report->results_found = ml_store_runs_present(store);
    report->blocks_found = ml_store_blocks_present(store);
    report->was_finished = state == ML_STORE_DONE;
    return report->was_finished ? ML_OK : run_inverse_complete(job, store, err);
}

static enum ml_status run_inverse(struct inverse_job *job, struct ml_error *err)
{
    const struct ml_inverse_options *o = job->options;
    const struct ml_result_kind kind = ml_inverse_result_kind(&job->task);
    const double limit = o->time_limit;
    const struct ml_store_options how = {
        .kind = &kind,
        .shard = o->shards > 0 ? (struct ml_shard){o->shard, o->shards} : ML_UNSHARDED,
        .restart = o->restart,
        .wait = limit > 0.0 ? fmin(o->wait, limit) : o->wait,
        .stop = {o->stop, o->context},
        .notice = o->notice,
        .context = o->context,
    };
    struct ml_store *store;
    enum ml_store_state state;
    if (!ml_shard_is_one(how.shard))
        return ml_fail(err, ML_E_INPUT, "there is no shard %lld of %lld", (long long)o->shard,
                       (long long)o->shards);
    enum ml_status status = ml_store_open(&job->task.shape, o->output, &how, &store, &state, err);
    if (status != ML_OK)
        return status;
    status = run_inverse_into_store(job, store, state, err);
    ml_store_close(store);
    return status;
}

/* Notices about the results. */
static void report_notes(const struct inverse_job *job)
{
    struct ml_inverse_report *report = job->report;
    const struct ml_inverse_task *task = &job->task;
    report->motions = task->motions.n_motion;
    report->samples = task->motions.n_time;
    report->not_finite = task->report.not_finite;
    memcpy(report->notes, task->report.notes, sizeof report->notes);
}

static enum ml_status invert(const struct ml_study *study, const struct ml_inverse_options *options,
                             struct ml_inverse_report *report, struct ml_error *err)
{
    struct inverse_job job = {.options = options, .report = report, .start = omp_get_wtime()};
    report->threads = options->n_thread > 0 ? options->n_thread : ml_cgroup_threads();
    const char *path = options->motion ? options->motion : study->spec.inverse.motion.measured.file;
    const struct ml_inverse_input input = {.path = path, .run = options->run};
    if (!options->output)
        return ml_fail(err, ML_E_INPUT,
                       "struct ml_inverse_options: `output`, the path of the result file, is "
                       "missing");
    if (path && ml_path_is_same(path, options->output))
        return ml_fail(
            err, ML_E_INPUT,
            "cannot write torques to %s: the file is the motion; choose another name with -o",
            options->output);
    enum ml_status status = ml_inverse_task_open(&job.task, study, &input, err);
    if (status == ML_OK)
        status = run_inverse(&job, err);
    report_notes(&job);
    report->seconds = omp_get_wtime() - job.start;
    ml_inverse_task_close(&job.task);
    return status;
}

enum ml_status ml_inverse(const struct ml_study *study, const struct ml_inverse_options *options,
                          struct ml_inverse_report *report, struct ml_error *err)
{
    struct ml_inverse_options own_options;
    struct ml_inverse_report own_report = {0};
    enum ml_status status =
        ml_sized_read(&own_options, sizeof own_options, options, "ml_inverse_options", err);
    if (status == ML_OK)
        status = ml_sized_check_numbers(
            ML_SIZED_NUMBERS({"n_thread", own_options.n_thread, 0, INT_MAX},
                             {"shards", own_options.shards, 0, ML_RUN_MAX_SHARDS}),
            "ml_inverse_options", err);
    if (status == ML_OK)
        status = ml_sized_check(report, "ml_inverse_report", err);
    if (status != ML_OK)
        return status;
    const struct ml_numeric_env before = ml_numeric_env_set();
    status = invert(study, &own_options, &own_report, err);
    ml_numeric_env_restore(&before);
    ml_sized_write(report, &own_report, sizeof own_report);
    return status;
}
