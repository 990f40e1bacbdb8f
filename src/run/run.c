/* Study, engine and store joined: a study file in, a result file out. */
#include "manylink/run.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>

#include "base/fail.h"
#include "base/float_env.h"
#include "engine/ensemble.h"
#include "engine/kernel_choice.h"
#include "engine/probe.h"
#include "run/finish.h"
#include "store/provenance.h"
#include "store/store.h"
#include "study/study.h"

_Static_assert((int)ML_N_OUTCOME <= (int)ML_RUN_MAX_OUTCOMES,
               "the report has room for every outcome");

/* Passes the engine's progress on in the words of the public header. */
struct relay {
    const struct ml_run_options *options;
    struct ml_progress last;
};

const char *ml_run_outcome(int outcome)
{
    return outcome >= 0 && outcome < ML_N_OUTCOME ? ml_outcome_name((enum ml_outcome)outcome)
                                                  : NULL;
}

static void relay_progress(void *context, const struct ml_progress *progress)
{
    struct relay *relay = context;
    relay->last = *progress;
    if (relay->options->progress) {
        struct ml_run_progress out = {progress->n_run, progress->runs_done, progress->member_steps,
                                      progress->seconds};
        relay->options->progress(relay->options->context, &out);
    }
}

static void notice(const struct ml_run_options *options, const char *text)
{
    if (options->notice)
        options->notice(options->context, text);
}

/* Time from the start [s] after which blocks in flight are dropped, for a time limit [s]. */
static double last_moment(double limit) { return limit + fmax(1.0, 0.1 * limit); }

/* Runs the blocks that are missing, then those that turned out to be damaged. */
static enum ml_status compute(const struct ml_ensemble *ensemble,
                              const struct ml_run_options *options, struct ml_store *store,
                              double start, struct ml_run_report *report, struct ml_error *err)
{
    const struct ml_sink sink = ml_store_sink(store);
    const double limit = options->time_limit;
    enum ml_status status = ML_OK;
    for (int64_t n_damaged = 1; status == ML_OK && n_damaged > 0;) {
        struct relay relay = {.options = options};
        const struct ml_ensemble_options how = {
            .n_thread = options->n_thread,
            .shuffle = options->shuffle,
            .stop = {options->stop, options->context},
            .deadline = limit > 0.0 ? start + limit : 0.0,
            .last_moment = limit > 0.0 ? start + last_moment(limit) : 0.0,
            .progress = relay_progress,
            .progress_context = &relay,
        };
        status = ml_ensemble_run(ensemble, &how, &sink, err);
        report->member_steps += relay.last.member_steps;
        report->threads = relay.last.n_thread > 0 ? relay.last.n_thread : report->threads;
        if (status == ML_OK)
            status = ml_store_check(store, &n_damaged, err);
    }
    return status;
}

/* What is asked of a kernel for runs that are still to be computed. */
static struct ml_kernel_wish wish_of(const struct ml_run_options *options, int64_t n_run,
                                     double start)
{
    const double limit = options->time_limit, left = start + limit - omp_get_wtime();
    return (struct ml_kernel_wish){
        .mode = options->kernel,
        .no_native = options->no_native != 0,
        .n_run = n_run,
        .n_thread = options->n_thread > 0 ? options->n_thread : omp_get_max_threads(),
        .limit = limit > 0.0 ? fmax(left, 0.001) : 0.0,
        .stop = {options->stop, options->context},
    };
}

/* "general", or "made (cc: gcc 14)" */
static void describe_kernel(const struct ml_kernel_choice *choice, size_t size, char *text)
{
    const char *compiler = choice->made.compiler;
    (void)snprintf(text, size, "%s%s%s%s", ml_kernel_word(choice->kind), *compiler ? " (" : "",
                   compiler, *compiler ? ")" : "");
}

/* Runs what is missing, with the kernel that suits it, and makes the final file. */
static enum ml_status complete(const struct ml_study *study, const struct ml_run_options *options,
                               struct ml_store *store, double start, struct ml_run_report *report,
                               struct ml_error *err)
{
    const int64_t left =
        report->blocks_found < report->blocks ? report->runs - report->runs_found : 0;
    const struct ml_kernel_wish wish = wish_of(options, left, start);
    struct ml_ensemble ensemble = study->ensemble;
    struct ml_kernel_choice choice = {0};
    char began[ML_TIME_LENGTH], kernel[320];
    ml_provenance_time(began);
    enum ml_status status = ml_kernel_choose(&ensemble, &wish, &choice, err);
    report->kernel = ml_kernel_word(choice.kind);
    describe_kernel(&choice, sizeof kernel, kernel);
    if (*choice.note)
        notice(options, choice.note);
    if (status == ML_OK)
        status = compute(&ensemble, options, store, start, report, err);
    if (status == ML_OK)
        status = ml_finish(store, study->name, report->isa, kernel, report->threads, began, err);
    ml_kernel_choice_end(&choice);
    report->seconds = omp_get_wtime() - start;
    return status;
}

/* Tells, or refuses, when there is too little room for what is still to be written. */
static enum ml_status check_space(const struct ml_run_options *options, struct ml_store *store,
                                  struct ml_error *err)
{
    const double megabyte = 1e6; /* bytes */
    double needed, available;
    char text[160];
    ml_store_space(store, &needed, &available);
    if (needed <= available)
        return ML_OK;
    (void)snprintf(text, sizeof text, "up to %.0f MB will be written, and %.0f MB are free",
                   needed / megabyte, available / megabyte);
    if (options->strict_space)
        return ml_fail(err, ML_E_FILE, "%s: %s", options->output, text);
    notice(options, text);
    return ML_OK;
}

/* Tells when the time is too short for one block, as far as a moment of computing shows. */
static void check_time(const struct ml_study *study, const struct ml_run_options *options)
{
    const struct ml_ensemble *e = &study->ensemble;
    const double moment = 0.02, limit = options->time_limit; /* s */
    char text[256];
    if (!(limit > 0.0) || !options->notice)
        return;
    const double rate = ml_ensemble_probe(e, moment);
    const double runs = (double)ml_ensemble_runs_of_block(e, 0);
    const double seconds = rate > 0.0 ? runs * (double)e->n_step / rate : 0.0;
    (void)snprintf(
        text, sizeof text,
        "a block of %.0f runs takes about %.2g s here, and the time limit is %.2g s: what "
        "is not done %.2g s after the start is dropped",
        runs, seconds, limit, last_moment(limit));
    if (seconds > limit)
        notice(options, text);
}

static enum ml_status run_store(const struct ml_study *study, const struct ml_run_options *options,
                                struct ml_store *store, double start, struct ml_run_report *report,
                                struct ml_error *err)
{
    report->runs = ml_store_runs(store);
    report->blocks = ml_store_blocks(store);
    report->runs_found = ml_store_runs_present(store);
    report->blocks_found = ml_store_blocks_present(store);
    if (!report->was_finished && report->blocks_found < report->blocks)
        check_time(study, options);
    enum ml_status status = check_space(options, store, err);
    if (status == ML_OK && !report->was_finished)
        status = complete(study, options, store, start, report, err);
    if (status != ML_OK)
        return status;
    const struct ml_tally tally = ml_store_tally(store);
    for (int i = 0; i < ML_N_OUTCOME; i++) {
        report->outcomes[i] = tally.count[i];
        report->first_run[i] = tally.first_run[i];
        report->first_time[i] = tally.first_time[i];
    }
    return ML_OK;
}

static enum ml_status run_study(const struct ml_study *study, const struct ml_run_options *options,
                                struct ml_run_report *report, struct ml_error *err)
{
    const double start = omp_get_wtime(), limit = options->time_limit;
    const struct ml_store_options how = {
        .shard =
            options->shards > 0 ? (struct ml_shard){options->shard, options->shards} : ML_UNSHARDED,
        .restart = options->restart,
        .wait = limit > 0.0 ? fmin(options->wait, limit) : options->wait,
        .stop = {options->stop, options->context},
        .notice = options->notice,
        .context = options->context,
    };
    struct ml_store *store;
    enum ml_store_state state;
    *report = (struct ml_run_report){
        .threads = options->n_thread > 0 ? options->n_thread : omp_get_max_threads(),
        .isa = study->ensemble.kernels->isa,
    };
    const struct ml_kernel_wish wish = wish_of(options, 0, start);
    report->kernel = ml_kernel_word(ML_IS_GENERAL);
    if (!ml_shard_is_one(how.shard))
        return ml_fail(err, ML_E_INPUT, "there is no shard %lld of %lld", (long long)options->shard,
                       (long long)options->shards);
    if (ml_shard_blocks(how.shard, ml_ensemble_blocks(&study->ensemble)) == 0)
        return ML_OK;
    enum ml_status status = ml_kernel_check(&study->ensemble, &wish, err);
    if (status == ML_OK)
        status = ml_store_open(study, options->output, &how, &store, &state, err);
    if (status != ML_OK)
        return status;
    report->was_finished = state == ML_STORE_DONE;
    status = run_store(study, options, store, start, report, err);
    ml_store_close(store);
    return status;
}

enum ml_status ml_run(const struct ml_study *study, const struct ml_run_options *options,
                      struct ml_run_report *report, struct ml_error *err)
{
    const fenv_t before = ml_float_env_set();
    const enum ml_status status = run_study(study, options, report, err);
    ml_float_env_restore(&before);
    return status;
}
