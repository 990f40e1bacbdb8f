/* Common part of runs into a file, into memory and into a callback: options of the caller's
 * version, the kernel, progress and the report. */
#include "run/job.h"

#include <limits.h>
#include <omp.h>
#include <stdio.h>

#include "base/cgroup.h"
#include "base/numeric_env.h"
#include "base/sized.h"
#include "manylink/fail.h"

double ml_run_job_last_moment(double limit, double grace)
{
    return limit + (grace > 0.0 ? grace : fmax(1.0, 0.1 * limit));
}

struct ml_ensemble_options ml_run_job_how(const struct ml_run_job *job)
{
    const struct ml_run_options *options = job->options;
    const double limit = options->time_limit;
    return (struct ml_ensemble_options){
        .n_thread = options->n_thread,
        .stop = {options->stop, options->context},
        .deadline = limit > 0.0 ? job->start + limit : 0.0,
        .last_moment =
            limit > 0.0 ? job->start + ml_run_job_last_moment(limit, options->grace) : 0.0,
    };
}

/* Requirements of a kernel for runs that are not computed yet. */
static struct ml_kernel_wish job_wish(const struct ml_run_job *job, int64_t n_run)
{
    const struct ml_run_options *options = job->options;
    const double limit = options->time_limit, left = job->start + limit - omp_get_wtime();
    return (struct ml_kernel_wish){
        .mode = options->kernel,
        .no_native = options->no_native != 0,
        .n_run = n_run,
        .n_thread = options->n_thread > 0 ? options->n_thread : ml_cgroup_threads(),
        .limit = limit > 0.0 ? fmax(left, 0.001) : 0.0,
        .stop = {options->stop, options->context},
    };
}

enum ml_status ml_run_job_check(const struct ml_run_job *job, struct ml_error *err)
{
    const struct ml_kernel_wish wish = job_wish(job, 0);
    if (job->options->accuracy > 0 && job->ensemble.continuation.n_run > 0)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot recompute single runs: " ML_CONTINUED_RUNS
                       "; ask for no accuracy, and compare with a smaller step",
                       job->study->spec.name);
    return ml_kernel_check(&job->study->ensemble, &wish, err);
}

enum ml_status ml_run_job_check_in_memory(const struct ml_run_options *options,
                                          struct ml_error *err)
{
    const struct {
        bool is_set;
        const char *name;
    } of_files[] = {
        {options->output != NULL, "output"},          {options->shards != 0, "shards"},
        {options->restart != 0, "restart"},           {options->wait != 0.0, "wait"},
        {options->strict_space != 0, "strict_space"}, {options->donor != NULL, "donor"},
    };
    for (size_t i = 0; i < sizeof of_files / sizeof *of_files; i++)
        if (of_files[i].is_set)
            return ml_fail(
                err, ML_E_INPUT,
                "struct ml_run_options: cannot take `%s`: no result file is written here",
                of_files[i].name);
    return ML_OK;
}

enum ml_status ml_run_job_choose_kernel(struct ml_run_job *job, int64_t n_run, struct ml_error *err)
{
    const struct ml_kernel_wish wish = job_wish(job, n_run);
    if (wish.mode == ML_KERNEL_ONLY_MADE)
        ml_run_job_begin_phase(job, ML_PHASE_KERNEL);
    const enum ml_status status = ml_run_job_open_device(job, n_run, err);
    return status == ML_OK ? ml_kernel_choose(&job->ensemble, &wish, &job->choice, err) : status;
}

void ml_run_job_settle_kernel(struct ml_run_job *job)
{
    ml_kernel_settle(&job->choice);
    job->report->kernel = ml_kernel_word(job->choice.kind);
    if (*job->choice.note)
        ml_run_job_notice(job, job->choice.note);
    *job->choice.note = '\0';
}

void ml_run_job_kernel_text(const struct ml_run_job *job, size_t size, char *text)
{
    const char *compiler = job->choice.kind == ML_IS_GENERAL ? "" : job->choice.made.compiler;
    int length = snprintf(text, size, "%s%s%s%s", ml_kernel_word(job->choice.kind),
                          *compiler ? " (" : "", compiler, *compiler ? ")" : "");
    for (int i = 0; i < job->gpus.n && length > 0 && (size_t)length < size; i++) {
        const long long n_run = job->gpus.uses[i].n_run;
        if (n_run > 0)
            length += snprintf(text + length, size - (size_t)length, "; %lld runs on %s", n_run,
                               job->gpus.gpus[i].device.name);
    }
}

struct ml_run_block ml_run_job_block(const struct ml_ensemble *ensemble, int n_output,
                                     const struct ml_block *block)
{
    const struct ml_saving *saving = &ensemble->saving;
    const int n_record = ml_saving_records(saving);
    return (struct ml_run_block){
        .size = sizeof(struct ml_run_block),
        .first = block->first,
        .n_run = block->n_run,
        .outcome = block->outcome,
        .steps = block->steps,
        .end_time = block->end_time,
        .n_output = n_output,
        .outputs = (const double *const *)block->summary,
        .n_saved = n_record > 0 ? block->n_saved : 0,
        .first_saved = ml_saving_index(saving, block->first) * saving->run_every,
        .every_saved = saving->run_every,
        .n_record = n_record,
        .records = (const double *const *)block->records,
    };
}

/* A sink that shows the caller each block after writing the block. */
struct job_watch {
    const struct ml_run_job *job;
    const struct ml_sink *sink;
};

static bool job_watch_has(void *context, int64_t block)
{
    const struct job_watch *watch = context;
    return watch->sink->has(watch->sink->context, block);
}

static enum ml_status job_watch_idle(void *context, struct ml_error *err)
{
    const struct job_watch *watch = context;
    return watch->sink->idle(watch->sink->context, err);
}

static enum ml_status job_watch_write(void *context, const struct ml_block *block,
                                      struct ml_error *err)
{
    const struct job_watch *watch = context;
    const struct ml_study *study = watch->job->study;
    const struct ml_run_options *options = watch->job->options;
    const enum ml_status status = watch->sink->put(watch->sink->context, block, err);
    if (status != ML_OK)
        return status;
    const struct ml_run_block out =
        ml_run_job_block(&study->ensemble, study->results.n_output, block);
    options->observe(options->context, &out);
    return ML_OK;
}

enum ml_status ml_run_job_integrate(struct ml_run_job *job, const struct ml_sink *sink,
                                    struct ml_error *err)
{
    const struct ml_run_options *options = job->options;
    struct ml_run_job_relay relay = {.options = options};
    struct ml_ensemble_options how = ml_run_job_how(job);
    how.progress = ml_run_job_relay;
    how.progress_context = &relay;
    how.known = job->known;
    how.gpus = job->gpus.uses;
    how.n_gpu = ml_run_gpus_alive(&job->gpus) ? job->gpus.n : 0;
    struct job_watch watch = {job, sink};
    const struct ml_sink watched = {.context = &watch,
                                    .has = sink->has ? job_watch_has : NULL,
                                    .put = job_watch_write,
                                    .idle = sink->idle ? job_watch_idle : NULL};
    enum ml_status status =
        ml_ensemble_run(&job->ensemble, &how, options->observe ? &watched : sink, err);
    ml_run_job_settle_device(job);
    job->report->member_steps += relay.last.member_steps;
    if (relay.last.n_thread > 0 && how.n_gpu == 0) /* those that serve GPUs are not counted */
        job->report->threads = relay.last.n_thread;
    return status;
}

void ml_run_job_report(struct ml_run_job *job, const struct ml_tally *tally)
{
    job->report->sound = ml_tally_report(tally, job->report->n_outcome, job->report->outcomes);
}

static enum ml_status job_check_options(const struct ml_run_options *o, struct ml_error *err)
{
    return ml_sized_check_numbers(
        ML_SIZED_NUMBERS({"n_thread", o->n_thread, 0, INT_MAX},
                         {"shards", o->shards, 0, ML_RUN_MAX_SHARDS},
                         {"kernel", (int)o->kernel, ML_KERNEL_AUTO, ML_KERNEL_ONLY_MADE},
                         {"accuracy", o->accuracy, -1, ML_RUN_MAX_ACCURACY}),
        "ml_run_options", err);
}

enum ml_status ml_run_job(const struct ml_study *study, const struct ml_run_options *given,
                          struct ml_run_report *report, ml_run_job_fn *run, void *context,
                          struct ml_error *err)
{
    struct ml_run_options options;
    enum ml_status status = ml_sized_read(&options, sizeof options, given, "ml_run_options", err);
    if (status == ML_OK)
        status = job_check_options(&options, err);
    if (status == ML_OK)
        status = ml_run_gpus_check(options.device, err);
    if (status == ML_OK)
        status = ml_sized_check(report, "ml_run_report", err);
    if (status == ML_OK && study->ensemble.time.clock != ML_CLOCK_COMMON &&
        study->ensemble.saving.every > 0)
        status =
            ml_fail(err, ML_E_INPUT,
                    "%s: cannot save trajectories: samples of all runs share their times, but `%s` "
                    "is swept; leave out --set save.trajectory, or compute a single run with --run",
                    study->spec.name, study->spec.numbers.names[study->ensemble.time.slot]);
    if (status != ML_OK)
        return status;
    const struct ml_numeric_env before = ml_numeric_env_set();
    struct ml_run_report own = {
        .threads = options.n_thread > 0 ? options.n_thread : ml_cgroup_threads(),
        .isa = study->ensemble.kernels->isa,
        .kernel = ml_kernel_word(ML_IS_GENERAL),
    };
    ml_sized_begin(&own, offsetof(struct ml_run_report, runs), report);
    struct ml_run_job job = {
        .study = study,
        .options = &options,
        .report = &own,
        .start = omp_get_wtime(),
        .ensemble = study->ensemble,
    };
    status = run(&job, context, err);
    ml_run_job_settle_kernel(&job);
    ml_kernel_choice_end(&job.choice);
    ml_run_gpus_close(&job.gpus);
    own.seconds = omp_get_wtime() - job.start - job.telling;
    if (status == ML_OK)
        ml_run_job_find_causes(&job);
    ml_sized_write(report, &own, sizeof own);
    ml_numeric_env_restore(&before);
    return status;
}
