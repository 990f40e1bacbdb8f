/* Integrates some of a study's runs by any method, and takes the time. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cgroup.h"
#include "base/numeric_env.h"
#include "base/sized.h"
#include "engine/kernels/kernel_choice.h"
#include "engine/team/batch.h"
#include "engine/team/batch_run.h"
#include "manylink/fail.h"
#include "manylink/trial.h"
#include "plan/study.h"
#include "store/accuracy.h"

static const double most_steps = 1e8; /* of a run by tolerance, which fails with more */

/* A kernel for one kind of steps, given or chosen by tolerance. */
struct trial_kernel {
    struct ml_kernel_choice choice;
    struct ml_kernel_place *made; /* as of ml_ensemble */
    bool takes_general;
};

struct ml_trial {
    const struct ml_ensemble *all;  /* the study's, borrowed */
    struct ml_ensemble motion;      /* without runs */
    struct ml_event *events;        /* of the motion; owned */
    struct trial_kernel kernels[2]; /* of given steps, and of steps chosen by tolerance */
    struct ml_trial_info info;
};

/* The runs of one call, in the order of the caller. */
struct trial_runs {
    const struct ml_ensemble *all;
    const int64_t *runs; /* [n_run] */
    int n_run;
};

/* CPU time of this thread, s. */
static double trial_clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The last batch is filled up with runs again. */
static void trial_values(const void *context, int64_t i, double *values)
{
    const struct trial_runs *of = context;
    of->all->numbers.values(of->all->numbers.context, of->runs[i % of->n_run], values);
}

/* Number in ml_methods of an integrator that is no map; -1: not found. */
static int trial_method(const char *name)
{
    for (int i = 0; name && ml_methods[i]; i++)
        if (!ml_methods[i]->is_map && strcmp(ml_methods[i]->name, name) == 0)
            return i;
    return -1;
}

int ml_trial_method(int i, struct ml_trial_method *method)
{
    int k = 0;
    for (; ml_methods[k] && (ml_methods[k]->is_map || i > 0); k++)
        i -= !ml_methods[k]->is_map;
    if (i < 0 || !ml_methods[k])
        return 0;
    const struct ml_trial_method own = {.name = ml_methods[k]->name,
                                        .order = ml_methods[k]->order,
                                        .is_adaptive = ml_methods[k]->embedded_order > 0,
                                        .is_implicit = ml_methods[k]->implicit != NULL,
                                        .step_evaluations = ml_methods[k]->n_step_stage};
    ml_sized_write(method, &own, sizeof own);
    return 1;
}

/* Events that set the state or end runs are part of the motion, others only look at the motion. */
static bool trial_take_events(struct ml_trial *trial)
{
    const struct ml_ensemble *all = trial->all;
    int n = 0;
    trial->events = calloc((size_t)all->n_event + 1, sizeof *trial->events);
    for (int i = 0; trial->events && i < all->n_event; i++)
        if (all->events[i].stops || all->events[i].aligns || all->events[i].n_set > 0)
            trial->events[n++] = all->events[i];
    trial->motion.events = trial->events;
    trial->motion.n_event = n;
    return trial->events;
}

/* A study that looks at its runs on the way has ticks: its own, or as many as usual. */
static void trial_describe(struct ml_trial *trial, double end)
{
    const int64_t usual = 100;
    const struct ml_ensemble *all = trial->all;
    bool is_analysed = false;
    for (int i = 0; all->indicators.settings && all->kernels->registry->indicators[i]; i++)
        is_analysed |= all->indicators.settings[i] != NULL;
    const bool is_end_only = !is_analysed && all->indicators.n_tangent == 0 &&
                             all->model.n_sens == 0 && all->saving.every == 0 &&
                             all->n_event == trial->motion.n_event;
    trial->info = (struct ml_trial_info){
        .start = all->time.start,
        .end = end,
        .ticks = is_end_only             ? 1
                 : all->time.is_adaptive ? all->time.n_step
                                         : usual,
        .n_state = ml_rows_state(all),
        .tangents = all->model.n_column,
        .is_end_only = is_end_only,
        .is_compensated = all->model.is_compensated,
        .carries_tangent = !is_analysed || all->model.system->dynamics.has_tangents,
        .isa = all->kernels->isa,
    };
}

/* Studies whose runs cannot be integrated one by one, and by any method. */
static enum ml_status trial_check_study(const struct ml_study *study, struct ml_error *err)
{
    const struct ml_ensemble *e = &study->ensemble;
    const char *why = NULL;
    if (e->method->is_map)
        why = "a map is iterated, so that no method has an error";
    else if (e->continuation.n_run > 0)
        why = ML_CONTINUED_RUNS "; give the last axis `continue: none`";
    else if (e->feedback.reach > 0.0)
        why = "a controller has a delay, and the room for its past is that of the study's own "
              "steps; compare results of runs with other steps (--set)";
    else if (e->time.clock != ML_CLOCK_COMMON)
        why = "runs end at times of their own, so that their steps differ; fix the time with --set";
    return why ? ml_fail(err, ML_E_INPUT, "%s: cannot integrate its runs by other methods: %s",
                         study->spec.name, why)
               : ML_OK;
}

enum ml_status ml_trial_open(const struct ml_study *study, struct ml_trial **out,
                             struct ml_error *err)
{
    *out = NULL;
    if (trial_check_study(study, err) != ML_OK)
        return ML_E_INPUT;
    struct ml_trial *trial = calloc(1, sizeof *trial);
    if (trial) {
        trial->all = &study->ensemble;
        trial->motion = ml_ensemble_bare(trial->all);
        trial->motion.indicators.left_out = NULL; /* outcomes have the end state and the drift */
        trial->motion.numbers.values = trial_values;
    }
    if (!trial || !trial_take_events(trial)) {
        ml_trial_free(trial);
        return ml_fail(err, ML_E_MEMORY, "no memory for trials of integrators");
    }
    trial_describe(trial, study->spec.time.end);
    *out = trial;
    return ML_OK;
}

void ml_trial_free(struct ml_trial *trial)
{
    for (int k = 0; trial && k < 2; k++)
        ml_kernel_choice_end(&trial->kernels[k].choice);
    if (trial)
        free(trial->events);
    free(trial);
}

void ml_trial_info(const struct ml_trial *trial, struct ml_trial_info *info)
{
    ml_sized_write(info, &trial->info, sizeof trial->info);
}

/* The runs as they are integrated: in whole batches, where the study has that many runs. */
static struct ml_ensemble trial_ensemble(const struct ml_trial *trial,
                                         const struct ml_trial_options *how,
                                         const struct trial_runs *of)
{
    struct ml_ensemble e = trial->motion;
    const struct trial_kernel *kernel = &trial->kernels[how->tolerance > 0.0];
    const int whole = (of->n_run + ML_LANES - 1) / ML_LANES * ML_LANES;
    e.numbers.context = of;
    e.n_run = of->all->n_run < ML_LANES ? of->n_run : whole;
    e.block_runs = whole;
    e.method = ml_methods[trial_method(how->integrator)];
    e.time.is_adaptive = how->tolerance > 0.0;
    e.time.n_step = e.time.is_adaptive ? trial->info.ticks : how->n_step;
    e.time.step = (trial->info.end - e.time.start) / (double)e.time.n_step;
    e.indicators.observe_every = e.time.n_step;
    e.chosen.first = 0.0;
    e.chosen.control = (struct ml_control){.relative = how->tolerance,
                                           .absolute = how->tolerance,
                                           .step_max = (double)INFINITY,
                                           .most_steps = most_steps};
    e.model.is_compensated |= how->is_compensated != 0;
    e.made = kernel->made;
    e.takes_general = kernel->takes_general;
    return e;
}

/* Evaluations of one run. By tolerance the first step is found from two; a first stage that is the
 * last one of the step before costs nothing; a linearly implicit step takes its Jacobian, a number
 * of the state at a time, and one for the derivative by the time. */
static double trial_evaluations(const struct ml_ensemble *e, double steps, double rejected)
{
    const struct ml_method *method = e->method;
    if (!e->time.is_adaptive)
        return steps * method->n_step_stage;
    const double once = method->is_fsal ? 1.0 : 0.0;
    const double jacobian = method->implicit ? 1.0 + ml_rows_state(e) : 0.0;
    return 2.0 + once + (steps + rejected) * (method->n_stage - once + jacobian);
}

/* Copies the numbers of an output of one number to the caller, `otherwise` of an absent output. */
static void trial_take_output(const struct ml_results *results, const struct ml_block *block,
                              const char *name, double otherwise, int n, double *out)
{
    int o = 0;
    while (o < results->n_output && strcmp(results->outputs[o].name, name) != 0)
        o++;
    for (int i = 0; i < n; i++)
        out[i] = o < results->n_output ? block->summary[o][i] : otherwise;
}

/* The end states, of which each quantity is an output "end_...".
 *   end  [n][ml_rows_state] */
static void trial_take_end(const struct ml_ensemble *e, const struct ml_results *results,
                           const struct ml_block *block, int n, double *end)
{
    const size_t n_state = (size_t)ml_rows_state(e);
    size_t first = 0;
    for (int q = 0, o = 0; q < e->model.system->tables.n_state; q++, o++) {
        const size_t rows = (size_t)ml_quantity_rows(&e->model.system->tables.state[q], e->model.n);
        while (strncmp(results->outputs[o].name, "end_", 4) != 0)
            o++;
        for (size_t i = 0; i < (size_t)n; i++)
            memcpy(end + i * n_state + first, block->summary[o] + i * rows, rows * sizeof(double));
        first += rows;
    }
}

/*   scratch  [3][n] steps, rejected steps and residuals, where the caller has no room for them */
static void trial_take(const struct ml_ensemble *e, const struct ml_results *results,
                       const struct ml_block *block, int n, double *scratch,
                       struct ml_trial_outcome *out)
{
    double *steps = out->steps ? out->steps : scratch;
    double *rejected = out->rejected ? out->rejected : scratch + n;
    double *residual = out->residual ? out->residual : scratch + 2 * (size_t)n;
    trial_take_output(results, block, "rejected_steps", 0.0, n, rejected);
    trial_take_output(results, block, ML_SWEEP_RESIDUAL, 0.0, n, residual);
    if (out->drift)
        trial_take_output(results, block, "energy_drift", (double)NAN, n, out->drift);
    if (out->end)
        trial_take_end(e, results, block, n, out->end);
    out->converges = 1;
    for (int i = 0; i < n; i++) {
        steps[i] = (double)block->steps[i];
        out->converges &= residual[i] <= ML_SWEEPS_CONVERGED; /* NaN: not */
        if (out->outcome)
            out->outcome[i] = block->outcome[i];
        if (out->evaluations)
            out->evaluations[i] = trial_evaluations(e, steps[i], rejected[i]);
    }
}

/* Asks the caller whether to stop, and the clock. */
struct trial_watch {
    struct ml_stop stop;
    double end; /* s, of trial_clock */
    bool is_late;
};

static int trial_watch_level(void *context)
{
    const int drop = 2;
    struct trial_watch *watch = context;
    watch->is_late |= trial_clock() > watch->end;
    return watch->is_late ? drop : ml_stop_level(watch->stop);
}

/* Integrates all runs; returns the s that this took, negative if it was stopped. */
static double trial_round(const struct ml_ensemble *e, struct ml_batch *batch,
                          struct ml_block *block)
{
    const double began = trial_clock();
    ml_refill_forget(&batch->refill);
    for (int64_t i = 0; i < e->n_run; i += ML_LANES) {
        const int left = (int)(e->n_run - i);
        if (!ml_refill_ahead(e, batch, i, left))
            return -1.0;
        if (ml_batch_run(e, batch, i, left < ML_LANES ? left : ML_LANES, block) < 0)
            return -1.0;
    }
    return trial_clock() - began;
}

/* The least time of some rounds, s; negative if a round was stopped. */
static double trial_time(const struct ml_ensemble *e, const struct ml_trial_options *how,
                         struct ml_batch *batch, struct ml_block *block, int *is_late)
{
    const double patience = how->patience > 0.0 ? how->patience : (double)INFINITY;
    struct trial_watch watch = {.stop = {how->stop, how->context}, .end = trial_clock() + patience};
    double best = (double)INFINITY;
    batch->stop = (struct ml_stop){trial_watch_level, &watch};
    for (int k = 0; (k < how->rounds || k == 0) && best >= 0.0; k++)
        best = fmin(best, trial_round(e, batch, block)); /* negative of a stopped round */
    batch->stop = (struct ml_stop){0};
    *is_late = watch.is_late;
    return best;
}

static enum ml_status trial_run(const struct ml_ensemble *e, const struct ml_trial_options *how,
                                struct ml_trial_outcome *out, struct ml_error *err)
{
    struct ml_arena arena = {0};
    struct ml_batch batch;
    struct ml_block block;
    struct ml_pool pool = {0};
    struct ml_results results;
    bool has_memory = ml_results_describe(e, &pool, &results);
    double *scratch = ml_pool_take(&pool, 3 * (size_t)how->n_run, sizeof *scratch);
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && (!has_memory || !scratch || !ml_arena_reserve(&arena))) {
            ml_pool_free(&pool);
            return ml_fail(err, ML_E_MEMORY, "no memory for trials of integrators");
        }
        ml_batch_layout(e, &arena, &batch);
        ml_block_layout(e, &arena, &block);
    }
    block.index = block.first = block.n_saved = 0;
    block.n_run = e->n_run;
    const double took = trial_time(e, how, &batch, &block, &out->is_late);
    if (took >= 0.0)
        trial_take(e, &results, &block, how->n_run, scratch, out);
    out->seconds = took / (double)e->n_run;
    ml_arena_free(&arena);
    ml_pool_free(&pool);
    return took >= 0.0 || out->is_late ? ML_OK : ml_fail(err, ML_STOPPED, "stopped before the end");
}

/* Whether runs have the form that splitting methods need: no parameter that is friction is set. */
static enum ml_status trial_check_form(const struct ml_trial *trial,
                                       const struct ml_trial_options *how, struct ml_error *err)
{
    const struct ml_system *system = trial->all->model.system;
    const struct trial_runs of = {trial->all, how->runs, how->n_run};
    double *values = calloc((size_t)trial->all->numbers.n + 1, sizeof *values);
    if (!values)
        return ml_fail(err, ML_E_MEMORY, "no memory for trials of integrators");
    bool is_splittable = system->dynamics.n_position > 0;
    for (int i = 0; is_splittable && i < how->n_run; i++) {
        trial_values(&of, i, values);
        for (int p = 0; p < system->tables.n_param; p++)
            is_splittable &=
                !(system->tables.params[p].flags & ML_FRICTION) || values[ml_slot_param(p)] == 0.0;
    }
    free(values);
    return is_splittable ? ML_OK
                         : ml_fail(err, ML_E_INPUT,
                                   "%s is for systems of the form x'' = F(x, t), without friction, "
                                   "and %s here is no such system",
                                   how->integrator, system->name);
}

static enum ml_status trial_check_integrator(const struct ml_trial_options *how,
                                             struct ml_error *err)
{
    char names[512] = "";
    if (trial_method(how->integrator) >= 0)
        return ML_OK;
    for (int i = 0; ml_methods[i]; i++) {
        const size_t used = strlen(names);
        if (!ml_methods[i]->is_map)
            (void)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "",
                           ml_methods[i]->name);
    }
    return ml_fail(err, ML_E_INPUT, "`%s` is no integrator; there are: %s",
                   how->integrator ? how->integrator : "", names);
}

/* Reads the options; checks all of them. */
static enum ml_status trial_read(const struct ml_trial *trial, const struct ml_trial_options *given,
                                 struct ml_trial_options *how, struct ml_error *err)
{
    const int64_t n_all = trial->all->n_run;
    enum ml_status status = ml_sized_read(how, sizeof *how, given, "ml_trial_options", err);
    if (status == ML_OK)
        status = ml_sized_check_numbers(
            ML_SIZED_NUMBERS({"n_run", how->runs ? how->n_run : 0, 1, INT_MAX - ML_LANES},
                             {"n_step", how->n_step, how->tolerance > 0.0 ? 0 : 1, INT64_MAX}),
            "ml_trial_options", err);
    if (status == ML_OK)
        status = trial_check_integrator(how, err);
    for (int i = 0; status == ML_OK && i < how->n_run; i++)
        if (how->runs[i] < 0 || how->runs[i] >= n_all)
            status = ml_fail(err, ML_E_INPUT, "cannot take run %lld: the study has runs 0 to %lld",
                             (long long)how->runs[i], (long long)n_all - 1);
    const struct ml_method *method =
        status == ML_OK ? ml_methods[trial_method(how->integrator)] : NULL;
    if (method && (how->tolerance > 0.0) != (method->embedded_order > 0))
        status = ml_fail(err, ML_E_INPUT, "%s takes %s", method->name,
                         method->embedded_order > 0 ? "`tolerance`" : "`n_step`, and no tolerance");
    if (method && status == ML_OK && method->splitting)
        status = trial_check_form(trial, how, err);
    return status;
}

enum ml_status ml_trial_check(const struct ml_trial *trial, const struct ml_trial_options *options,
                              struct ml_error *err)
{
    struct ml_trial_options how;
    const struct ml_numeric_env before = ml_numeric_env_set();
    const enum ml_status status = trial_read(trial, options, &how, err);
    ml_numeric_env_restore(&before);
    return status;
}

enum ml_status ml_trial_integrate(const struct ml_trial *trial,
                                  const struct ml_trial_options *options,
                                  struct ml_trial_outcome *out, struct ml_error *err)
{
    struct ml_trial_options how;
    struct ml_trial_outcome own;
    const struct ml_numeric_env before = ml_numeric_env_set();
    enum ml_status status = trial_read(trial, options, &how, err);
    if (status == ML_OK)
        status = ml_sized_read(&own, sizeof own, out, "ml_trial_outcome", err);
    if (status == ML_OK) {
        const struct trial_runs of = {trial->all, how.runs, how.n_run};
        const struct ml_ensemble e = trial_ensemble(trial, &how, &of);
        status = trial_run(&e, &how, &own, err);
        ml_sized_write(out, &own, sizeof own);
    }
    ml_numeric_env_restore(&before);
    return status;
}

enum ml_status ml_trial_choose_kernel(struct ml_trial *trial,
                                      const struct ml_trial_options *options,
                                      enum ml_kernel_mode mode, int no_native, const char **kernel,
                                      struct ml_error *err)
{
    struct ml_trial_options how;
    if ((int)mode < ML_KERNEL_AUTO || mode > ML_KERNEL_ONLY_MADE)
        return ml_fail(err, ML_E_INPUT,
                       "cannot choose a kernel: `mode` is %d, and must be %d .. %d", (int)mode,
                       ML_KERNEL_AUTO, ML_KERNEL_ONLY_MADE);
    const struct ml_numeric_env before = ml_numeric_env_set();
    enum ml_status status = trial_read(trial, options, &how, err);
    if (status == ML_OK) {
        struct trial_kernel *own = &trial->kernels[how.tolerance > 0.0];
        const struct trial_runs of = {trial->all, how.runs, how.n_run};
        const struct ml_kernel_wish wish = {.mode = mode,
                                            .no_native = no_native != 0,
                                            .n_run = trial->all->n_run,
                                            .n_thread = ml_cgroup_threads(),
                                            .waits = true, /* times are compared */
                                            .stop = {how.stop, how.context}};
        ml_kernel_choice_end(&own->choice);
        *own = (struct trial_kernel){0};
        struct ml_ensemble e = trial_ensemble(trial, &how, &of);
        status = ml_kernel_choose(&e, &wish, &own->choice, err);
        own->made = e.made;
        own->takes_general = e.takes_general;
        *kernel = ml_kernel_word(own->choice.kind);
    }
    ml_numeric_env_restore(&before);
    return status;
}
