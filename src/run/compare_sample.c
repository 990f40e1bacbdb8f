/* Integrates a fixed sample of a study's runs by any method, and takes the time. */
#include "run/compare_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fail.h"
#include "engine/batch_layout.h"
#include "engine/batch_run.h"
#include "engine/refill.h"
#include "store/accuracy.h"

static const double most_steps = 1e8; /* of a run by tolerance: it fails then */

/* CPU time of this thread, s. */
static double sample_clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void sample_values(const void *context, int64_t i, double *values)
{
    const struct ml_compare_sample *sample = context;
    sample->all->values(sample->all->context, sample->index[i % sample->n_run], values);
}

/* The i-th run is at the fractional part of i times the golden ratio of the way through all. */
static void sample_choose(struct ml_compare_sample *sample)
{
    const double golden_ratio = 0x1.9e3779b97f4a8p+0;
    const int64_t n = sample->all->n_run;
    sample->n_run = n < ML_COMPARE_RUNS ? (int)n : ML_COMPARE_RUNS;
    for (int i = 0; i < sample->n_run; i++) {
        const double way = (double)i * golden_ratio;
        sample->index[i] = n <= ML_COMPARE_RUNS ? i : (int64_t)((way - floor(way)) * (double)n);
    }
}

/* Events that end runs are part of the motion, others only look at it. */
static bool sample_take_events(struct ml_compare_sample *sample)
{
    const struct ml_ensemble *all = sample->all;
    int n = 0;
    sample->events = calloc((size_t)all->n_event + 1, sizeof *sample->events);
    for (int i = 0; sample->events && i < all->n_event; i++)
        if (all->events[i].stops || all->events[i].aligns || all->events[i].n_set > 0)
            sample->events[n++] = all->events[i];
    sample->motion.events = sample->events;
    sample->motion.n_event = n;
    return sample->events;
}

/* Number of the output; -1 if not found. */
static int sample_output(const struct ml_results *results, const char *name)
{
    for (int o = 0; o < results->n_output; o++)
        if (strcmp(results->outputs[o].name, name) == 0)
            return o;
    return -1;
}

/* A study that looks at its runs on the way has ticks: its own, or as many as one has by default.
 */
static void sample_set_ticks(struct ml_compare_sample *sample)
{
    const int64_t usual = 100;
    const struct ml_ensemble *all = sample->all;
    sample->is_end_only = !sample->is_analysed && all->n_tangent == 0 && all->model.n_sens == 0 &&
                          all->saving.every == 0 && all->n_event == sample->motion.n_event;
    if (sample->is_end_only)
        sample->n_tick = 1;
    else
        sample->n_tick = all->is_adaptive ? all->n_step : usual;
}

/* Whether a parameter that is friction is not 0. */
static bool sample_has_friction(const struct ml_compare_sample *sample, const double *values)
{
    const struct ml_system *system = sample->all->model.system;
    for (int i = 0; i < system->n_param; i++)
        if (system->params[i].flags & ML_FRICTION && values[ml_slot_param(i)] != 0.0)
            return true;
    return false;
}

/* Whether all runs have the form that splitting methods are for; false without memory. */
static bool sample_find_form(struct ml_compare_sample *sample)
{
    double *values = calloc((size_t)sample->all->n_value + 1, sizeof *values);
    const bool has_memory = values;
    sample->is_splittable = sample->all->model.system->n_position > 0;
    for (int i = 0; has_memory && i < sample->n_run; i++) {
        sample_values(sample, i, values);
        sample->is_splittable = sample->is_splittable && !sample_has_friction(sample, values);
    }
    free(values);
    return has_memory;
}

bool ml_compare_sample_init(struct ml_compare_sample *sample, const struct ml_study *study)
{
    const struct ml_ensemble *all = &study->ensemble;
    struct ml_ensemble *motion = &sample->motion;
    *sample = (struct ml_compare_sample){
        .all = all, .motion = ml_ensemble_bare(all), .end = study->spec.end};
    motion->left_out = NULL; /* the end state and the drift are compared */
    sample->n_quantity = all->model.system->n_state;
    for (int i = 0; all->settings && all->kernels->registry->indicators[i]; i++)
        sample->is_analysed |= all->settings[i] != NULL;
    sample_choose(sample);
    motion->values = sample_values;
    sample->first = calloc((size_t)sample->n_quantity + 1, sizeof *sample->first);
    if (!sample->first)
        return false;
    for (int q = 0; q < sample->n_quantity; q++)
        sample->first[q + 1] =
            sample->first[q] + ml_quantity_rows(&all->model.system->state[q], all->model.n);
    sample->n_row = sample->first[sample->n_quantity];
    if (!sample_take_events(sample) || !sample_find_form(sample))
        return false;
    sample_set_ticks(sample);
    return true;
}

void ml_compare_sample_free(struct ml_compare_sample *sample)
{
    free(sample->events);
    free(sample->first);
}

void ml_compare_sample_keep(struct ml_compare_sample *sample, const bool *is_kept)
{
    int n = 0;
    for (int i = 0; i < sample->n_run; i++)
        if (is_kept[i])
            sample->index[n++] = sample->index[i];
    sample->n_run = n;
}

struct ml_ensemble ml_compare_ensemble(const struct ml_compare_sample *sample,
                                       const struct ml_compare_how *how)
{
    struct ml_ensemble e = sample->motion;
    const int whole = (sample->n_run + ML_LANES - 1) / ML_LANES * ML_LANES;
    e.context = sample;
    e.n_run = sample->all->n_run < ML_LANES ? sample->n_run : whole;
    e.block_runs = whole;
    e.i_integrator = how->method;
    e.is_adaptive = how->tolerance > 0.0;
    e.n_step = e.is_adaptive ? sample->n_tick : how->n_step;
    e.step = (sample->end - e.start) / (double)e.n_step;
    e.observe_every = e.n_step;
    e.first_step = 0.0;
    e.control = (struct ml_control){how->tolerance, how->tolerance, (double)INFINITY, most_steps};
    e.model.is_compensated |= how->is_compensated;
    e.made = how->made;
    e.takes_general = how->takes_general;
    return e;
}

bool ml_compare_outcome_init(struct ml_compare_outcome *outcome,
                             const struct ml_compare_sample *sample)
{
    const size_t n = (size_t)sample->n_run;
    *outcome = (struct ml_compare_outcome){
        .end = calloc(n * (size_t)sample->n_row + 1, sizeof *outcome->end),
        .outcome = calloc(n, sizeof *outcome->outcome),
        .evaluations = calloc(n, sizeof *outcome->evaluations),
        .steps = calloc(n, sizeof *outcome->steps),
        .rejected = calloc(n, sizeof *outcome->rejected),
        .residual = calloc(n, sizeof *outcome->residual),
        .drift = calloc(n, sizeof *outcome->drift),
    };
    return outcome->end && outcome->outcome && outcome->evaluations && outcome->steps &&
           outcome->rejected && outcome->residual && outcome->drift;
}

void ml_compare_outcome_free(struct ml_compare_outcome *outcome)
{
    free(outcome->end);
    free(outcome->outcome);
    free(outcome->evaluations);
    free(outcome->steps);
    free(outcome->rejected);
    free(outcome->residual);
    free(outcome->drift);
    *outcome = (struct ml_compare_outcome){0};
}

/* Evaluations of one run. By tolerance the first step is found from two; a first stage that is the
 * last one of the step before costs nothing; a linearly implicit step takes its Jacobian, a number
 * of the state at a time, and one for the derivative by the time. */
static double sample_evaluations(const struct ml_compare_sample *sample,
                                 const struct ml_ensemble *e, double steps, double rejected)
{
    const struct ml_method *method = ml_ensemble_method(e);
    if (!e->is_adaptive)
        return steps * method->n_step_stage;
    const double once = method->is_fsal ? 1.0 : 0.0;
    const double jacobian = method->implicit ? 1.0 + sample->n_row : 0.0;
    return 2.0 + once + (steps + rejected) * (method->n_stage - once + jacobian);
}

/* Takes over what a block says. */
static void sample_take(const struct ml_compare_sample *sample, const struct ml_ensemble *e,
                        const struct ml_results *results, const struct ml_block *block,
                        struct ml_compare_outcome *out)
{
    const int drift = sample_output(results, "energy_drift");
    const int rejected = sample_output(results, "rejected_steps");
    const int residual = sample_output(results, ML_SWEEP_RESIDUAL);
    for (int i = 0; i < sample->n_run; i++) {
        int o = 0;
        out->outcome[i] = block->outcome[i];
        out->steps[i] = (double)block->steps[i];
        out->rejected[i] = rejected >= 0 ? block->summary[rejected][i] : 0.0;
        out->residual[i] = residual >= 0 ? block->summary[residual][i] : 0.0;
        out->drift[i] = drift >= 0 ? block->summary[drift][i] : (double)NAN;
        out->evaluations[i] = sample_evaluations(sample, e, out->steps[i], out->rejected[i]);
        for (int q = 0; q < sample->n_quantity; q++, o++) {
            while (strncmp(results->outputs[o].name, "end_", 4) != 0)
                o++;
            const int rows = sample->first[q + 1] - sample->first[q];
            memcpy(out->end + (size_t)i * (size_t)sample->n_row + sample->first[q],
                   block->summary[o] + (size_t)i * (size_t)rows, (size_t)rows * sizeof(double));
        }
    }
}

/* Asks the caller whether to stop, and the clock. */
struct sample_watch {
    struct ml_stop stop;
    double end; /* s, of sample_clock */
    bool is_late;
};

static int sample_watch_level(void *context)
{
    const int drop = 2;
    struct sample_watch *watch = context;
    watch->is_late |= sample_clock() > watch->end;
    return watch->is_late ? drop : ml_stop_level(watch->stop);
}

/* All runs once; s that it took, negative if it was stopped. */
static double sample_round(const struct ml_ensemble *e, struct ml_batch *batch,
                           struct ml_block *block)
{
    const double began = sample_clock();
    ml_refill_forget(&batch->refill);
    for (int64_t i = 0; i < e->n_run; i += ML_LANES) {
        const int left = (int)(e->n_run - i);
        if (!ml_refill_ahead(e, batch, i, left))
            return -1.0;
        if (ml_batch_run(e, batch, i, left < ML_LANES ? left : ML_LANES, block) < 0)
            return -1.0;
    }
    return sample_clock() - began;
}

/* The least time of some rounds; negative if it was stopped. */
static double sample_time(const struct ml_ensemble *e, const struct ml_compare_how *how,
                          struct ml_batch *batch, struct ml_block *block, bool *is_late)
{
    struct sample_watch watch = {.stop = how->stop, .end = sample_clock() + how->patience};
    double best = (double)INFINITY;
    batch->stop = (struct ml_stop){sample_watch_level, &watch};
    for (int k = 0; (k < how->rounds || k == 0) && best >= 0.0; k++)
        best = fmin(best, sample_round(e, batch, block)); /* one that was stopped is negative */
    batch->stop = (struct ml_stop){0};
    *is_late = watch.is_late;
    return best;
}

enum ml_status ml_compare_integrate(const struct ml_compare_sample *sample,
                                    const struct ml_compare_how *how,
                                    struct ml_compare_outcome *out, struct ml_error *err)
{
    const struct ml_ensemble e = ml_compare_ensemble(sample, how);
    struct ml_arena arena = {0};
    struct ml_batch batch;
    struct ml_block block;
    struct ml_pool pool = {0};
    struct ml_results results;
    const bool has_memory = ml_results_describe(&e, &pool, &results);
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && (!has_memory || !ml_arena_reserve(&arena))) {
            ml_pool_free(&pool);
            return ml_fail(err, ML_E_MEMORY, "no memory to compare integrators");
        }
        ml_batch_layout(&e, &arena, &batch);
        ml_block_layout(&e, &arena, &block);
    }
    block.index = block.first = block.n_saved = 0;
    block.n_run = e.n_run;
    const double took = sample_time(&e, how, &batch, &block, &out->is_late);
    if (took >= 0.0)
        sample_take(sample, &e, &results, &block, out);
    out->seconds = took / (double)e.n_run;
    ml_arena_free(&arena);
    ml_pool_free(&pool);
    return took >= 0.0 || out->is_late ? ML_OK : ml_fail(err, ML_STOPPED, "stopped before the end");
}
