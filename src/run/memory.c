/* Runs into memory, and block by block into a function of the caller. */
#include "store/memory.h"

#include "engine/team/team.h"
#include "manylink/fail.h"
#include "run/finish.h"
#include "run/job.h"
#include "store/result.h"

/* Everything but the sink's own part: options, kernel, integration. */
static enum ml_status memory_integrate(struct ml_run_job *job, const struct ml_sink *sink,
                                       struct ml_error *err)
{
    job->report->runs = job->ensemble.n_run;
    job->report->blocks = ml_ensemble_blocks(&job->ensemble);
    enum ml_status status = ml_run_job_choose_kernel(job, job->ensemble.n_run, err);
    return status == ML_OK ? ml_run_job_integrate(job, sink, err) : status;
}

/* Makes a result of the blocks in memory. */
static enum ml_status memory_finish(struct ml_run_job *job, struct ml_memory *memory,
                                    const char *began, struct ml_result **out, struct ml_error *err)
{
    char kernel[448];
    struct ml_maker maker;
    ml_run_job_settle_kernel(job);
    ml_run_job_begin_phase(job, ML_PHASE_STATISTICS);
    ml_run_job_kernel_text(job, sizeof kernel, kernel);
    ml_maker_init(&maker,
                  &(struct ml_making){job->study->spec.name, job->study->spec.overrides,
                                      job->report->isa, kernel, job->report->threads, began});
    const enum ml_status status = ml_memory_finish(memory, &maker.provenance, out, err);
    const struct ml_tally tally = ml_memory_tally(memory);
    ml_run_job_report(job, &tally);
    ml_maker_free(&maker);
    return status;
}

static enum ml_status memory_run(struct ml_run_job *job, void *context, struct ml_error *err)
{
    struct ml_result **out = context;
    struct ml_memory memory;
    char began[ML_TIME_LENGTH];
    ml_provenance_time(began);
    struct ml_accuracy accuracy = {0};
    enum ml_status status = ml_run_job_check_in_memory(job->options, err);
    if (status == ML_OK)
        status = ml_run_job_check(job, err);
    if (status != ML_OK)
        return status;
    status = ml_memory_begin(&memory, job->study, err);
    if (status == ML_OK) {
        const struct ml_sink sink = ml_memory_sink(&memory);
        status = memory_integrate(job, &sink, err);
    }
    if (status == ML_OK)
        status = ml_run_job_accuracy(job, NULL, ML_UNSHARDED, &accuracy, err);
    memory.file.accuracy = status == ML_OK ? &accuracy : NULL;
    if (status == ML_OK || status == ML_STOPPED) {
        const enum ml_status end = memory_finish(job, &memory, began, out, err);
        status = end == ML_OK ? status : end;
    }
    if (status == ML_OK)
        ml_run_job_report_doubts(job, &accuracy, *out, NULL);
    ml_accuracy_free(&accuracy);
    ml_memory_end(&memory);
    return status;
}

enum ml_status ml_run_memory(const struct ml_study *study, const struct ml_run_options *options,
                             struct ml_result **out, struct ml_run_report *report,
                             struct ml_error *err)
{
    *out = NULL;
    return ml_run_job(study, options, report, memory_run, out, err);
}

/* Blocks on their way to the caller's function. */
struct memory_relay {
    ml_run_block_fn *take;
    void *context;
    const struct ml_ensemble *ensemble;
    int n_output;
    struct ml_tally tally;
    bool is_stopped; /* by the function */
};

static enum ml_status memory_relay_write(void *context, const struct ml_block *block,
                                         struct ml_error *err)
{
    struct memory_relay *relay = context;
    const struct ml_run_block out = ml_run_job_block(relay->ensemble, relay->n_output, block);
    for (int64_t i = 0; i < block->n_run; i++)
        ml_tally_add(&relay->tally, block->outcome[i], block->first + i, block->end_time[i]);
    relay->is_stopped = relay->take(relay->context, &out) != 0;
    return relay->is_stopped
               ? ml_fail(err, ML_STOPPED, "stopped by the function that takes the blocks")
               : ML_OK;
}

static enum ml_status memory_run_blocks(struct ml_run_job *job, void *context, struct ml_error *err)
{
    struct memory_relay *relay = context;
    relay->n_output = job->study->results.n_output;
    relay->ensemble = &job->study->ensemble;
    const struct ml_sink sink = {.context = relay, .put = memory_relay_write};
    enum ml_status status = ml_run_job_check_in_memory(job->options, err);
    if (status == ML_OK)
        status = ml_run_job_check(job, err);
    if (status == ML_OK)
        status = memory_integrate(job, &sink, err);
    ml_run_job_report(job, &relay->tally);
    return status;
}

enum ml_status ml_run_blocks(const struct ml_study *study, const struct ml_run_options *options,
                             ml_run_block_fn *take, void *context, struct ml_run_report *report,
                             struct ml_error *err)
{
    struct memory_relay relay = {.take = take, .context = context};
    return ml_run_job(study, options, report, memory_run_blocks, &relay, err);
}
