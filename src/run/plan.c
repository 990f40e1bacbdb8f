/* The plan of a study: sizes, memory, disk, kernel and time. */
#include "manylink/plan.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "base/cgroup.h"
#include "base/numeric_env.h"
#include "base/sized.h"
#include "engine/assess/device_speed.h"
#include "engine/assess/speed.h"
#include "engine/assess/stability.h"
#include "engine/kernels/kernel_choice.h"
#include "engine/team/batch.h"
#include "engine/team/batch_run.h"
#include "manylink/run.h"
#include "plan/indexed.h"
#include "plan/layout.h"
#include "plan/plausibility.h"
#include "run/accuracy.h"
#include "run/gpus.h"
#include "run/job.h"
#include "store/bands.h"
#include "store/result.h"
#include "store/sample_statistics.h"

/* Threads that there will be, of those that were asked for: each takes a block at a time. */
static int plan_threads(const struct ml_ensemble *e, int asked)
{
    const int64_t blocks = ml_ensemble_blocks(e);
    const int most = omp_get_thread_limit(), wanted = asked > 0 ? asked : ml_cgroup_threads();
    const int n = wanted < most ? wanted : most;
    return n < blocks ? n : (int)blocks;
}

static void plan_study(const struct ml_study *study, struct ml_plan *plan)
{
    const struct ml_ensemble *e = &study->ensemble;
    plan->system.name = e->model.system->name;
    plan->system.n_segment = study->spec.segment_names ? e->model.n : 0;
    plan->system.part =
        study->spec.segment_names ? ml_system_part(e->model.system, e->model.n) : NULL;
    plan->system.n_force = e->n_force;
    plan->system.takes_forces =
        e->model.system->forces.joint_terms != NULL || e->model.system->tables.arrays != NULL;
    plan->system.integrator = e->method->name;
    plan->system.solver = e->model.system->terms.write && !e->model.system->has_formulas
                              ? e->kernels->solvers[e->model.solver].name
                              : NULL;
    plan->kernel.isa = e->kernels->isa;
    plan->time.start = e->time.start;
    plan->time.end = e->time.start + (double)e->time.n_step * e->time.step;
    plan->time.step = e->time.step;
    plan->time.relative = e->time.is_adaptive ? e->chosen.control.relative : 0.0;
    plan->time.absolute = e->time.is_adaptive ? e->chosen.control.absolute : 0.0;
    plan->runs = e->n_run;
    plan->time.steps = e->time.n_step;
    plan->room.blocks = ml_ensemble_blocks(e);
    plan->room.block_runs = e->block_runs;
    plan->room.line_runs = e->continuation.n_run;
    plan->system.jacobian_is_differenced =
        e->method->implicit && !e->model.system->dynamics.has_tangents;
    plan->time.clock =
        e->time.clock == ML_CLOCK_COMMON ? NULL : study->spec.numbers.names[e->time.slot];
    plan->room.runs_at_once = ML_LANES;
    plan->tangents.n = e->indicators.n_tangent;
    plan->tangents.renormalise =
        e->indicators.n_tangent > 0 ? (double)e->indicators.renormalise_every * e->time.step : 0.0;
    plan->tangents.renormalise_is_given =
        e->indicators.n_tangent > 0 && !study->derived.growth_is_given;
    plan->tangents.growth = study->derived.growth;
}

/* Runs that are computed again with smaller steps.
 *   steps  of a run, as far as known; 0: of few enough steps */
static int plan_accuracy(const struct ml_study *study, double steps)
{
    const struct ml_run_options options = {.size = sizeof options};
    const struct ml_run_job job = {
        .study = study, .options = &options, .ensemble = study->ensemble};
    return steps > ml_run_job_accuracy_most_steps(&job) ? 0 : ml_run_job_accuracy_count(&job);
}

/* Time of computing them, s. */
static double plan_accuracy_time(const struct ml_study *study, const struct ml_plan *plan)
{
    const int64_t n = plan_accuracy(study, (double)plan->time.steps);
    const int64_t batches = (n + ML_LANES - 1) / ML_LANES;
    const int64_t lanes = plan->runs < ML_LANES ? plan->runs : ML_LANES;
    const int64_t threads = plan->room.n_thread < batches ? plan->room.n_thread : batches;
    if (n <= 0)
        return 0.0;
    return (double)(ml_accuracy_batches(n) * lanes) * (double)plan->time.steps / plan->speed.rate /
           (double)threads;
}

static enum ml_status plan_room(const struct ml_study *study, struct ml_plan *plan,
                                struct ml_error *err)
{
    struct ml_layout layout;
    struct ml_indexed indexed;
    struct ml_result_bytes bytes;
    ml_layout_init(&layout, study);
    plan->room.memory = (double)ml_ensemble_thread_bytes(&study->ensemble) * plan->room.n_thread;
    if (study->spec.runs.sample && ml_sample_is_stored(study->spec.runs.sample))
        plan->room.points = (double)sizeof(double) * study->spec.runs.sample->n_input *
                            (double)ml_study_spec_sample(&study->spec)->count;
    plan->room.memory += plan->room.points;
    plan->room.memory_limit = ml_cgroup_memory("");
    plan->room.statistics = fmax(ml_sample_statistics_bytes(&layout), ml_bands_bytes(&layout));
    if (ml_indexed_find(&indexed, &layout)) /* one after the other */
        plan->room.statistics = fmax(plan->room.statistics, indexed.bytes);
    const enum ml_status status = ml_result_sketch(&layout, plan_accuracy(study, 0.0), &bytes, err);
    plan->room.disk = bytes.about;
    if (!(plan->room.disk > 0.0))
        plan->room.disk = ml_space_of_numbers(&layout) + ml_space_of_trajectories(&layout);
    plan->room.disk_more = ml_space_of_parts(&layout, plan->room.disk);
    ml_layout_free(&layout);
    return status;
}

/* The bound of steps, of the runs with the largest eigenvalues. */
static void plan_stability(const struct ml_study *study, struct ml_plan *plan)
{
    const struct ml_ensemble *e = &study->ensemble;
    int64_t runs[ML_MOST_CORNERS];
    struct ml_instability found;
    const int n = ml_corners(&study->spec, runs);
    if (ml_ensemble_stiffest(e, n, runs, &found, NULL) == ML_OK && found.is_there) {
        plan->stability.step = found.largest;
        plan->stability.rate = found.product / found.step;
        plan->stability.force = found.force >= 0 ? e->forces[found.force].name : NULL;
        plan->stability.run = found.run;
    }
}

/* Runs of the study, or of a shard of it, about. */
static int64_t plan_runs(const struct ml_ensemble *e, const struct ml_plan_options *options)
{
    return options->shards > 0 ? e->n_run / options->shards + 1 : e->n_run;
}

/* Which kernel computes the steps. Without a rate it is asked whether one could be made, at a rate
 * at which nothing is saved, so that none is measured. */
static void plan_kernel(const struct ml_ensemble *e, const struct ml_plan_options *options,
                        struct ml_plan *plan)
{
    const bool is_open = options->kernel == ML_KERNEL_AUTO && !(plan->speed.rate > 0.0);
    const struct ml_kernel_wish wish = {.mode = is_open ? ML_KERNEL_ONLY_MADE : options->kernel,
                                        .no_native = options->no_native != 0,
                                        .n_run = plan_runs(e, options),
                                        .n_thread = plan->room.n_thread,
                                        .rate =
                                            plan->speed.rate > 0.0 ? plan->speed.rate : HUGE_VAL};
    const struct ml_kernel_outlook outlook = ml_kernel_foresee(e, &wish);
    plan->kernel.name = is_open && outlook.kind == ML_IS_MADE ? NULL : ml_kernel_word(outlook.kind);
    plan->kernel.reason = outlook.why;
    plan->kernel.is_cached = outlook.is_cached;
    plan->kernel.saves = outlook.saves;
}

static void plan_time(const struct ml_study *study, const struct ml_plan_options *options,
                      struct ml_plan *plan)
{
    const struct ml_ensemble *e = &study->ensemble;
    const double moment = 0.4; /* s */
    struct ml_speed speed = {.rate = options->rate, .taken = options->taken};
    if (options->measures && !(speed.rate > 0.0))
        speed = ml_ensemble_speed(e, moment, (struct ml_stop){0});
    plan->speed.rate = speed.rate;
    plan->speed.taken = speed.taken > 0.0 ? speed.taken : 1.0;
    plan->speed.is_at_most = speed.is_at_most;
    plan_kernel(e, options, plan);
    if (!(plan->speed.rate > 0.0))
        return;
    plan->speed.seconds = (double)plan_runs(e, options) * (double)e->time.n_step /
                          plan->speed.rate / plan->room.n_thread;
    const double late = plan->kernel.is_cached ? 0.0 : ml_kernel_compiling;
    if (plan->kernel.name && strcmp(plan->kernel.name, ml_kernel_word(ML_IS_MADE)) == 0)
        plan->speed.seconds -=
            options->kernel == ML_KERNEL_ONLY_MADE
                ? plan->kernel.saves - late
                : plan->kernel.saves * fmax(0.0, 1.0 - late / plan->speed.seconds);
    if (options->shards == 0)
        plan->speed.seconds += plan_accuracy_time(study, plan);
}

/* Time of all runs on open GPUs, by that of the first: the device's part over the number of GPUs,
 * and the host's part over the threads of the processor. */
static enum ml_status plan_device_time(const struct ml_study *study,
                                       const struct ml_plan_options *options,
                                       const struct ml_run_gpus *gpus, struct ml_plan *plan,
                                       struct ml_error *err)
{
    const double moment = 0.1; /* s */
    const struct ml_run_gpus_room *room = &gpus->room;
    const double n = gpus->n;
    const double n_step = (double)study->ensemble.time.n_step;
    struct ml_device_speed speed;
    const enum ml_status status = ml_ensemble_device_speed(
        &study->ensemble, &gpus->gpus[0], room->n_thread * room->group,
        (size_t)room->n_thread * (size_t)room->queue_bytes, moment, &speed, err);
    if (status != ML_OK)
        return status;
    const double host = (speed.start + speed.host_step * (n_step - 1.0)) / plan->room.n_thread;
    const double runs = (double)plan_runs(&study->ensemble, options);
    plan->device.runs = speed.n_run;
    plan->device.steps = speed.n_step;
    plan->device.seconds = runs / (double)speed.n_run * (host + speed.step * (n_step - 1.0) / n);
    plan->device.rate = runs * n_step / plan->device.seconds;
    if (options->shards == 0 && plan->speed.rate > 0.0)
        plan->device.seconds += plan_accuracy_time(study, plan);
    return ML_OK;
}

/* A GPU that cannot be used is no failure of the plan. */
static void plan_device(const struct ml_study *study, const struct ml_plan_options *options,
                        struct ml_plan *plan)
{
    const struct ml_kernel_wish wish = {.no_native = options->no_native != 0};
    struct ml_run_gpus gpus = {0};
    struct ml_error why = {0};
    enum ml_status status =
        ml_run_gpus_open(&gpus, study->spec.name, &study->ensemble, options->device, &wish, &why);
    if (status == ML_OK && options->measures)
        status = plan_device_time(study, options, &gpus, plan, &why);
    if (status == ML_OK) {
        (void)snprintf(plan->device.name, sizeof plan->device.name, "%s", gpus.gpus[0].device.name);
        plan->device.n = gpus.n;
        plan->device.n_thread = gpus.room.n_thread;
        plan->device.group = gpus.room.group;
        plan->device.memory = gpus.room.n_thread * gpus.room.queue_bytes;
        plan->room.memory += gpus.room.bytes;
    } else {
        const char *reason = why.text ? why.text : ml_status_text(status);
        (void)snprintf(plan->device.reason, sizeof plan->device.reason, "%.*s",
                       (int)strcspn(reason, "\n"), reason);
    }
    ml_error_clear(&why);
    ml_run_gpus_close(&gpus);
}

enum ml_status ml_study_plan(const struct ml_study *study, const struct ml_plan_options *given,
                             struct ml_plan *out, struct ml_error *err)
{
    struct ml_plan_options options;
    struct ml_plan plan = {0};
    enum ml_status status = ml_sized_read(&options, sizeof options, given, "ml_plan_options", err);
    if (status == ML_OK)
        status = ml_sized_check_numbers(
            ML_SIZED_NUMBERS({"n_thread", options.n_thread, 0, INT_MAX},
                             {"kernel", options.kernel, ML_KERNEL_AUTO, ML_KERNEL_ONLY_MADE},
                             {"shards", options.shards, 0, ML_RUN_MAX_SHARDS}),
            "ml_plan_options", err);
    if (status == ML_OK)
        status = ml_run_gpus_check(options.device, err);
    if (status == ML_OK)
        status = ml_sized_check(out, "ml_plan", err);
    if (status != ML_OK)
        return status;
    const struct ml_numeric_env before = ml_numeric_env_set();
    plan.room.n_thread = plan_threads(&study->ensemble, options.n_thread);
    plan_study(study, &plan);
    status = plan_room(study, &plan, err);
    plan_stability(study, &plan);
    plan_time(study, &options, &plan);
    if (ml_run_gpus_are_wanted(options.device))
        plan_device(study, &options, &plan);
    ml_numeric_env_restore(&before);
    ml_sized_write(out, &plan, sizeof plan);
    return status;
}
