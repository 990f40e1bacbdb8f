/* Study, engine and store joined: a study file in, a result file out. */
#include "manylink/run.h"

#include <omp.h>

#include "engine/ensemble.h"
#include "manylink/version.h"
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

/* Runs the blocks that are missing and makes the final file. */
static enum ml_status complete(const struct ml_study *study, const struct ml_run_options *options,
                               struct ml_store *store, struct ml_run_report *report,
                               struct ml_error *err)
{
    struct relay relay = {.options = options};
    char began[ML_TIME_LENGTH], ended[ML_TIME_LENGTH], host[ML_HOST_LENGTH];
    struct ml_ensemble_options how = {
        .n_thread = options->n_thread,
        .shuffle = options->shuffle,
        .stop = options->stop,
        .progress = relay_progress,
        .progress_context = &relay,
    };
    struct ml_sink sink = ml_store_sink(store);
    ml_provenance_time(began);
    ml_provenance_host(host);
    double start = omp_get_wtime();
    enum ml_status status = ml_ensemble_run(&study->ensemble, &how, &sink, err);
    report->member_steps = relay.last.member_steps;
    if (status == ML_OK) {
        ml_provenance_time(ended);
        struct ml_provenance provenance = {
            .version = ML_VERSION,
            .compiler = ml_provenance_compiler(),
            .isa = report->isa,
            .host = host,
            .threads = report->threads,
            .start_time = began,
            .end_time = ended,
        };
        status = ml_store_finish(store, &provenance, err);
    }
    report->seconds = omp_get_wtime() - start;
    return status;
}

/* Runs of the blocks that are there. */
static int64_t runs_found(const struct ml_ensemble *ensemble, struct ml_store *store)
{
    struct ml_sink sink = ml_store_sink(store);
    int64_t n = 0;
    for (int64_t b = 0; b < ml_ensemble_blocks(ensemble); b++)
        if (sink.has(sink.context, b))
            n += ml_ensemble_runs_of_block(ensemble, b);
    return n;
}

enum ml_status ml_run(const struct ml_study *study, const struct ml_run_options *options,
                      struct ml_run_report *report, struct ml_error *err)
{
    struct ml_store *store;
    enum ml_store_state state;
    *report = (struct ml_run_report){
        .runs = study->ensemble.n_run,
        .threads = options->n_thread > 0 ? options->n_thread : omp_get_max_threads(),
        .isa = study->ensemble.kernels->isa,
    };
    enum ml_status status = ml_store_open(study, options->output, &store, &state, err);
    if (status != ML_OK)
        return status;
    if (state == ML_STORE_DONE) {
        report->runs_found = report->runs;
        report->was_finished = 1;
    } else {
        report->runs_found = state == ML_STORE_RESUMED ? runs_found(&study->ensemble, store) : 0;
        status = complete(study, options, store, report, err);
    }
    if (status == ML_OK) {
        struct ml_tally tally = ml_store_tally(store);
        for (int i = 0; i < ML_N_OUTCOME; i++)
            report->outcomes[i] = tally.count[i];
    }
    ml_store_close(store);
    return status;
}
