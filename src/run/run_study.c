/* Study, engine and store joined: a study file in, a result file out. */
#include "manylink/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/path.h"
#include "engine/assess/speed.h"
#include "engine/team/team.h"
#include "manylink/fail.h"
#include "run/donor.h"
#include "run/finish.h"
#include "run/job.h"
#include "store/result.h"
#include "store/store.h"

static struct ml_shard run_shard(const struct ml_run_options *options)
{
    return options->shards > 0 ? (struct ml_shard){options->shard, options->shards} : ML_UNSHARDED;
}

/* Runs the blocks that are missing, then those that turned out to be damaged. */
static enum ml_status run_compute(struct ml_run_job *job, struct ml_store *store,
                                  struct ml_error *err)
{
    const struct ml_sink sink = ml_store_sink(store);
    enum ml_status status = ML_OK;
    for (int64_t n_damaged = 1; status == ML_OK && n_damaged > 0;) {
        status = ml_run_job_integrate(job, &sink, err);
        if (status == ML_OK)
            status = ml_store_check(store, &n_damaged);
    }
    return status;
}

static bool run_replaces_donor(const struct ml_run_options *options)
{
    return options->donor && ml_path_is_same(options->donor, options->output);
}

/* Compares runs that were computed again with their numbers in the donor. */
static enum ml_status run_compare(const struct ml_run_job *job, const struct ml_store *store,
                                  struct ml_donor *donor, struct ml_error *err)
{
    const struct ml_run_options *o = job->options;
    char *differences, *text = NULL;
    int64_t n;
    enum ml_status status = ml_donor_compare(donor, store, run_shard(o), &n, &differences, err);
    if (status != ML_OK)
        return status;
    if (differences && run_replaces_donor(o))
        status =
            ml_fail(err, ML_E_INPUT,
                    "%s: cannot replace this result: computed again, other bits have %s. To "
                    "keep both results, rename %s.parts to NEW.h5.parts and repeat the command "
                    "with -o NEW.h5",
                    o->donor, differences, o->donor);
    else if (differences)
        text = ml_path("warning: computed again, other bits than in %s have %s", o->donor,
                       differences);
    else
        text = ml_path("all numbers that %s has are the same, bit for bit", o->donor);
    if (text)
        ml_run_job_find(job, text);
    free(text);
    free(differences);
    return status;
}

/* Part of the steps of a run taken from a donor that need not be integrated. */
static double run_taken_share(const struct ml_run_job *job)
{
    const int64_t n_done = job->known ? job->known->n_step : 0;
    return n_done > 0 ? (double)n_done / (double)job->study->ensemble.time.n_step : 1.0;
}

/* Computes missing runs, with the kernel that suits their number, and makes the final file. */
static enum ml_status run_complete(struct ml_run_job *job, struct ml_store *store,
                                   struct ml_donor *donor, struct ml_error *err)
{
    const struct ml_run_report *report = job->report;
    const int64_t found = /* taken ones may be found */
        report->runs_found + (int64_t)(run_taken_share(job) * (double)report->runs_taken);
    const int64_t left =
        report->blocks_found < report->blocks && found < report->runs ? report->runs - found : 0;
    char began[ML_TIME_LENGTH], kernel[448];
    struct ml_accuracy accuracy = {0};
    ml_provenance_time(began);
    enum ml_status status = ml_run_job_choose_kernel(job, left, err);
    if (status == ML_OK)
        status = run_compute(job, store, err);
    if (status == ML_OK && donor && donor->compares && !donor->takes)
        status = run_compare(job, store, donor, err);
    if (status == ML_OK)
        status = ml_run_job_accuracy(job, store, run_shard(job->options), &accuracy, err);
    ml_store_set_accuracy(store, &accuracy);
    ml_run_job_settle_kernel(job);
    ml_run_job_begin_phase(job, ML_PHASE_STATISTICS);
    ml_run_job_kernel_text(job, sizeof kernel, kernel);
    if (status == ML_OK)
        status = ml_finish(store,
                           &(struct ml_making){job->study->spec.name, job->study->spec.overrides,
                                               report->isa, kernel, report->threads, began},
                           err);
    if (status == ML_OK)
        ml_run_job_report_doubts(job, &accuracy, NULL, job->options->output);
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
    const bool are_taken = job->report->runs_taken == job->report->runs;
    const double share = are_taken ? 1.0 - run_taken_share(job) : 1.0;
    const double seconds = rate > 0.0 ? share * runs * (double)e->time.n_step / rate : 0.0;
    (void)snprintf(text, sizeof text,
                   "a block of %.0f runs takes about %.2g s here, and the time limit is %.2g s: "
                   "blocks not finished %.2g s after the start are dropped",
                   runs, seconds, limit, ml_run_job_last_moment(limit, job->options->grace));
    if (seconds > limit)
        ml_run_job_notice(job, text);
}

static enum ml_status run_into_store(struct ml_run_job *job, struct ml_store *store,
                                     struct ml_donor *donor, struct ml_error *err)
{
    struct ml_run_report *report = job->report;
    report->runs = ml_store_runs(store);
    report->blocks = ml_store_blocks(store);
    report->runs_found = ml_store_runs_present(store);
    report->blocks_found = ml_store_blocks_present(store);
    if (!report->was_finished && report->blocks_found < report->blocks)
        run_check_time(job);
    const struct ml_run_options *o = job->options;
    enum ml_status status =
        ml_check_space(store, o->output, o->strict_space, o->notice, o->context, err);
    if (status == ML_OK && !report->was_finished)
        status = run_complete(job, store, donor, err);
    if (status != ML_OK)
        return status;
    const struct ml_tally tally = ml_store_tally(store);
    ml_run_job_report(job, &tally);
    return ML_OK;
}

static struct ml_store_options run_store_options(const struct ml_run_job *job)
{
    const struct ml_run_options *options = job->options;
    const double limit = options->time_limit;
    return (struct ml_store_options){
        .shard = run_shard(options),
        .restart = options->restart,
        .replaces_partial = run_replaces_donor(options),
        .replaces_others = run_replaces_donor(options),
        .n_accuracy = ml_run_job_accuracy_count(job),
        .wait = limit > 0.0 ? fmin(options->wait, limit) : options->wait,
        .stop = {options->stop, options->context},
        .notice = options->notice,
        .context = options->context,
    };
}

static enum ml_status run_check_output(const struct ml_run_options *options, struct ml_error *err)
{
    if (!options->output)
        return ml_fail(err, ML_E_INPUT,
                       "struct ml_run_options: `output`, the path of the result "
                       "file, is missing");
    if (!ml_shard_is_one(run_shard(options)))
        return ml_fail(err, ML_E_INPUT, "there is no shard %lld of %lld", (long long)options->shard,
                       (long long)options->shards);
    if (run_replaces_donor(options) && options->shards > 0)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot replace this result with a shard; give another file with -o",
                       options->output);
    return ML_OK;
}

/* A notice why no run is taken, or from where runs are continued. */
static void run_report_use(const struct ml_run_job *job, const struct ml_donor *donor)
{
    const struct ml_ensemble *e = &job->study->ensemble;
    char *text = donor->n_step > 0
                     ? ml_path("runs that finished are continued from step %lld of %lld",
                               (long long)donor->n_step, (long long)e->time.n_step)
                     : ml_path("all runs are computed again: %s", donor->why);
    if (text)
        ml_run_job_notice(job, text);
    free(text);
}

/* Opens the result and makes it.
 *   donor  NULL: none */
static enum ml_status run_from(struct ml_run_job *job, struct ml_donor *donor, struct ml_error *err)
{
    const struct ml_run_options *options = job->options;
    const struct ml_store_options how = run_store_options(job);
    struct ml_store *store;
    enum ml_store_state state;
    enum ml_status status = ml_store_open(job->study, options->output, &how, &store, &state, err);
    if (status != ML_OK)
        return status;
    job->report->was_finished = state == ML_STORE_DONE;
    if (donor && (*donor->why || donor->n_step > 0) && !job->report->was_finished)
        run_report_use(job, donor);
    status = run_into_store(job, store, donor, err);
    ml_store_close(store);
    return status;
}

static enum ml_status run_extend(struct ml_run_job *job, struct ml_error *err)
{
    const struct ml_run_options *options = job->options;
    const struct ml_restoring how = {.study = job->study->spec.name,
                                     .plugin = options->donor_plugin,
                                     .no_native = options->no_native != 0};
    struct ml_donor donor;
    enum ml_status status =
        ml_donor_open(&donor, options->donor, job->study, &how, options->n_thread, err);
    if (status == ML_OK && run_replaces_donor(options))
        status = ml_donor_check_replaced(&donor, err);
    if (status == ML_OK) {
        job->report->runs_taken = ml_donor_taken(&donor, run_shard(options));
        job->known = donor.takes ? &donor.known : NULL;
        status = run_from(job, &donor, err);
        job->known = NULL;
    }
    ml_donor_close(&donor);
    return status;
}

static enum ml_status run_into_file(struct ml_run_job *job, void *context, struct ml_error *err)
{
    (void)context;
    enum ml_status status = run_check_output(job->options, err);
    if (status == ML_OK)
        status = ml_run_job_check(job, err);
    if (status != ML_OK)
        return status;
    return job->options->donor ? run_extend(job, err) : run_from(job, NULL, err);
}

enum ml_status ml_run(const struct ml_study *study, const struct ml_run_options *options,
                      struct ml_run_report *report, struct ml_error *err)
{
    return ml_run_job(study, options, report, run_into_file, NULL, err);
}
