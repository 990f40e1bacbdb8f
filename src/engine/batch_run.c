/* Integrates one batch: takes steps, saves samples and ends with the indicators. */
#include "engine/batch_run.h"

#include <math.h>
#include <string.h>

#include "engine/align.h"
#include "engine/batch_load.h"
#include "engine/derivs_observed.h"
#include "engine/end_in_step.h"
#include "engine/event_watch.h"
#include "engine/event_watch_scan.h"
#include "engine/finalise.h"
#include "engine/line_state.h"
#include "engine/refill.h"
#include "engine/renormalise.h"
#include "engine/sampler.h"

/* Steps at which something happens next. */
struct schedule {
    int64_t observe, renormalise, trace, sample;
};

/* One batch on its way from start to end. */
struct batch_run {
    const struct ml_ensemble *ensemble;
    struct ml_batch *batch;
    struct ml_block *block;
    struct ml_observation observed;
    struct ml_sampler sampler;
    struct schedule next;
    int64_t first;            /* run in lane 0 */
    int n;                    /* runs; lanes from n on repeat the last */
    unsigned alive;           /* lanes whose run goes on */
    struct ml_history window; /* states on the way since the last stop */
    bool is_ahead;            /* its runs have been integrated, and are only to be observed */
    int64_t stop;             /* then: stops that have been looked at */
};

static int64_t batch_least(int64_t a, int64_t b) { return a < b ? a : b; }

/* A run's index among those of its block. */
static int64_t in_block(const struct batch_run *f, int lane)
{
    return f->first + lane * f->batch->line.stride - f->block->first;
}

/* Copies one lane's column of rows [n] to another lane. */
static void copy_lane(int n, double *rows, int from, int to)
{
    for (int i = 0; i < n; i++)
        rows[i * ML_LANES + to] = rows[i * ML_LANES + from];
}

/* Gives failed lanes the constants and state of one that goes on: harmless numbers that cost
 * nothing and cannot fail on their own. */
static void freeze(struct batch_run *f, unsigned failed)
{
    const struct ml_system *system = f->ensemble->system;
    int donor = __builtin_ctz(f->alive);
    for (int lane = 0; lane < ML_LANES; lane++)
        if (failed >> lane & 1) {
            copy_lane(ml_rows_constants(system, &f->ensemble->dims), f->batch->constants, donor,
                      lane);
            copy_lane(ml_rows_x(system, &f->ensemble->dims), f->batch->x, donor, lane);
            copy_lane(1, f->batch->step, donor, lane);
        }
}

/* What one lane's run has come to, of which step k is the last good one. */
static void put_progress(struct batch_run *f, int lane, int64_t k)
{
    const int64_t i = in_block(f, lane);
    const double *step_control = f->batch->step_control;
    f->block->steps[i] =
        step_control ? (int64_t)step_control[ML_STEP_CONTROL_ACCEPTED * ML_LANES + lane] : k;
    f->block->end_time[i] = step_control
                                ? step_control[ML_STEP_CONTROL_TIME * ML_LANES + lane]
                                : ml_batch_times(f->ensemble, f->batch, (double)k).lane[lane];
}

/* s, of step k: that of all runs where something asks for it (config/read_clock.c). */
static double batch_time(const struct batch_run *f, double k)
{
    return ml_batch_times(f->ensemble, f->batch, k).lane[0];
}

/* Ends a run that failed in the step after step k. */
static void end_failed(struct batch_run *f, int lane, enum ml_outcome outcome, int64_t k)
{
    if (lane >= f->n)
        return;
    const struct ml_results *results = &f->batch->results;
    int64_t i = in_block(f, lane);
    for (int o = 0; o < results->n_output; o++) {
        int64_t n_row = ml_output_rows(&results->outputs[o], f->ensemble->dims.n);
        for (int64_t r = 0; r < n_row; r++)
            f->block->summary[o][i * n_row + r] = (double)NAN;
    }
    f->block->outcome[i] = (int8_t)outcome;
    put_progress(f, lane, k);
}

static bool batch_run_is_dropped(const struct batch_run *f)
{
    return ml_stop_level(f->batch->stop) > 1;
}

/* Steps k .. k + n_step - 1. */
static struct ml_lane_faults batch_advance(struct batch_run *f, int64_t k, int64_t n_step)
{
    struct ml_lane_faults faults = ml_batch_advance_noting(
        f->ensemble, f->batch, 1.0, k, n_step, f->alive, f->window.rows ? &f->window : NULL);
    faults.nonfinite &= f->alive;
    faults.singular &= f->alive;
    return faults;
}

static unsigned failed_lanes(struct ml_lane_faults faults)
{
    return faults.nonfinite | faults.singular | faults.too_short | faults.too_many;
}

static size_t state_bytes(const struct ml_ensemble *e)
{
    return (size_t)ml_rows_x(e->system, &e->dims) * ML_LANES * sizeof(double);
}

static enum ml_outcome outcome_of(const struct batch_run *f, struct ml_lane_faults faults, int lane)
{
    if ((f->batch->impossible | f->batch->line.lost) >> lane & 1)
        return ML_IMPOSSIBLE_START;
    if (faults.singular >> lane & 1)
        return ML_SINGULAR_MASS;
    if (faults.too_short >> lane & 1)
        return ML_STEP_TOO_SHORT;
    return faults.too_many >> lane & 1 ? ML_TOO_MANY_STEPS : ML_DIVERGED;
}

/* Ends the runs of the lanes that failed in the step after step k. */
static void end_lanes(struct batch_run *f, struct ml_lane_faults faults, int64_t k)
{
    const unsigned failed = failed_lanes(faults);
    if (!failed)
        return;
    for (int lane = 0; lane < ML_LANES; lane++)
        if (failed >> lane & 1)
            end_failed(f, lane, outcome_of(f, faults, lane), k);
    if (f->sampler.saved)
        ml_sampler_fail(&f->sampler, f->alive, failed);
    f->alive &= ~failed;
    if (f->alive)
        freeze(f, failed);
}

/* Goes through steps k .. end again, one by one, from x_before, and ends each run at its own step.
 * The kernels look for faults only now and then; a fault never goes away by itself. */
static void advance_singly(struct batch_run *f, int64_t k, int64_t end)
{
    size_t size = state_bytes(f->ensemble);
    memcpy(f->batch->x, f->batch->x_before, size);
    for (; k < end && f->alive; k++)
        end_lanes(f, batch_advance(f, k, 1), k);
}

/* The lanes that choose their steps stop where they fail, each by itself. */
static void advance_adaptively(struct batch_run *f, int64_t k, int64_t end)
{
    for (unsigned underway = f->alive; underway && !batch_run_is_dropped(f);) {
        const struct ml_lane_faults faults = batch_advance(f, k, end - k);
        end_lanes(f, faults, k);
        underway = faults.underway & f->alive;
    }
}

/* Derivatives of what is looked at on the way, as far as some indicator asks for them. */
static void measure_derivs(struct batch_run *f, double k)
{
    const struct ml_ensemble *e = f->ensemble;
    const struct ml_batch *b = f->batch;
    if (b->rate_deriv)
        ml_derivs_of_state(e, b, ml_state_quantity(e->system, "rate"), 1, b->rate_deriv);
    if (b->ground_force_deriv)
        ml_derivs_of_record(e, b, batch_time(f, k), ml_record(e->system, ML_GROUND_FORCE),
                            b->ground_force_deriv);
    if (b->kinetic_deriv)
        ml_derivs_of_energy(e, b, b->kinetic_deriv, b->potential_deriv,
                            k == 0.0 ? b->scale_deriv : NULL);
}

/* Measures the batch at step k. */
static void batch_measure_state(struct batch_run *f, double k)
{
    const struct ml_ensemble *e = f->ensemble;
    struct ml_batch *b = f->batch;
    const struct ml_times times = ml_batch_times(e, b, k);
    e->system->record(&e->dims, times.lane, b->constants, b->x, b->work, b->observed);
    if (e->system->energy)
        e->system->energy(&e->dims, b->constants, b->x, b->work, b->kinetic, b->potential,
                          k == 0.0 ? b->scale : NULL);
    measure_derivs(f, k);
    f->observed.step = k;
    f->observed.time = times.lane[0];
}

static void batch_observe(struct batch_run *f, double k)
{
    batch_measure_state(f, k);
    for (int i = 0; ml_ensemble_indicator(f->ensemble, i); i++) {
        const struct ml_indicator *indicator = ml_ensemble_indicator(f->ensemble, i);
        if (f->batch->active >> i & 1 && indicator->observe)
            (k == 0.0 ? indicator->begin : indicator->observe)(&f->batch->use[i], &f->observed,
                                                               f->batch->keep[i]);
    }
}

/* Looks at the states of the window up to step k. */
static void observe_until(struct batch_run *f, int64_t k)
{
    double *x = f->batch->x;
    for (; f->next.observe <= k; f->next.observe += f->ensemble->observe_every) {
        f->batch->x = ml_history_row(f->ensemble, &f->window, f->next.observe);
        batch_observe(f, (double)f->next.observe);
    }
    f->batch->x = x;
}

static void begin_indicators(struct batch_run *f)
{
    const struct ml_batch *b = f->batch;
    for (int i = 0; ml_ensemble_indicator(f->ensemble, i); i++) {
        const struct ml_indicator *indicator = ml_ensemble_indicator(f->ensemble, i);
        if (b->active >> i & 1)
            memset(b->keep[i], 0,
                   (size_t)indicator->keep_rows(&b->use[i]) * ML_LANES * sizeof *b->keep[i]);
    }
    batch_observe(f, 0.0);
    if (f->ensemble->n_tangent > 0)
        ml_renormalise_begin(f->ensemble, f->batch);
}

/* Writes the results of some lanes, whose run ends at step k. */
static void batch_finish(struct batch_run *f, unsigned lanes, double k, enum ml_outcome outcome)
{
    const struct ml_ensemble *e = f->ensemble;
    const struct ml_results *results = &f->batch->results;
    f->observed.step = k;
    f->observed.time = batch_time(f, k);
    ml_finalise(e, f->batch, &f->observed);
    if (e->continuation.n_run > 0)
        ml_line_state_keep_end(e, f->batch, lanes);
    for (int lane = 0; lane < f->n; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        const int64_t run = in_block(f, lane);
        for (int o = 0; o < results->n_output; o++) {
            int64_t n_row = ml_output_rows(&results->outputs[o], e->dims.n);
            for (int64_t r = 0; r < n_row; r++)
                f->block->summary[o][run * n_row + r] = f->batch->out[o][r * ML_LANES + lane];
        }
        f->block->outcome[run] = (int8_t)outcome;
        put_progress(f, lane, (int64_t)ceil(k));
    }
}

/* Ends runs whose indicators know enough; all that happens at step k has happened. */
static void finish_early(struct batch_run *f, int64_t k)
{
    unsigned done = ml_renormalise_done(f->ensemble, f->batch) & f->alive;
    if (!done)
        return;
    batch_finish(f, done, (double)k, ML_FINISHED);
    if (f->sampler.saved)
        ml_sampler_fail(&f->sampler, f->alive, done);
    f->alive &= ~done;
    if (f->alive)
        freeze(f, done);
}

/* Ends the run of a lane at the event that stopped it: what is looked at there is looked at in all
 * lanes, and then forgotten in the others. */
static void finish_at_event(struct batch_run *f, int lane)
{
    const struct ml_ensemble *e = f->ensemble;
    struct ml_batch *b = f->batch;
    const double time = b->watch.stop_time[lane], step = (time - e->start) / b->step[lane];
    const double traced = (double)(f->next.trace - ml_trace_every(e));
    const double renormalised = (double)(f->next.renormalise - e->renormalise_every);
    ml_end_in_step_save(e, b);
    memcpy(b->x, b->watch.x_stop, state_bytes(e));
    if (b->trace)
        ml_trace_add(e, b, step, fmax(step - traced, 0.0));
    if (e->n_tangent > 0 && step > renormalised)
        ml_renormalise(e, b, step, step - renormalised);
    batch_observe(f, step);
    batch_finish(f, 1u << lane, step, ML_ENDED_BY_EVENT);
    if (lane < f->n)
        f->block->end_time[in_block(f, lane)] = time;
    ml_end_in_step_restore(e, b);
}

/* Ends the runs that an event stopped in the last step. */
static void finish_at_events(struct batch_run *f)
{
    const unsigned done = f->batch->watch.stopped & f->alive;
    if (!done)
        return;
    for (int lane = 0; lane < f->n; lane++)
        if (done >> lane & 1)
            finish_at_event(f, lane);
    if (f->sampler.saved)
        ml_sampler_fail(&f->sampler, f->alive, done);
    f->alive &= ~done;
    if (f->alive)
        freeze(f, done);
}

/* One step after the other, with a look for events behind each: with tangent vectors. */
static void advance_watching(struct batch_run *f, int64_t k, int64_t end)
{
    const struct ml_ensemble *e = f->ensemble;
    struct ml_event_watch *watch = &f->batch->watch;
    for (; k < end && f->alive; k++) {
        memcpy(f->batch->x_before, f->batch->x, state_bytes(e));
        const struct ml_times before = ml_batch_times(e, f->batch, (double)k);
        const struct ml_times now = ml_batch_times(e, f->batch, (double)(k + 1));
        memcpy(watch->before, before.lane, sizeof before.lane);
        memcpy(watch->now, now.lane, sizeof now.lane);
        end_lanes(f, batch_advance(f, k, 1), k);
        ml_event_watch_step(e, f->batch, f->alive);
        finish_at_events(f);
    }
}

/* Step k, cut at events that align steps. */
static void advance_aligning(struct batch_run *f, int64_t k)
{
    const struct ml_ensemble *e = f->ensemble;
    struct ml_event_watch *watch = &f->batch->watch;
    const struct ml_times now = ml_batch_times(e, f->batch, (double)k);
    const struct ml_times end = ml_batch_times(e, f->batch, (double)(k + 1));
    memcpy(watch->now, now.lane, sizeof now.lane);
    for (unsigned underway = f->alive; underway && !batch_run_is_dropped(f);) {
        const struct ml_lane_faults faults = ml_align_step(e, f->batch, end.lane, underway);
        end_lanes(f, faults, k);
        ml_event_watch_step(e, f->batch, underway & f->alive);
        finish_at_events(f);
        underway = 0;
        for (int lane = 0; lane < ML_LANES; lane++)
            underway |= (unsigned)(watch->now[lane] < end.lane[lane]) << lane;
        underway &= f->alive;
    }
}

/* Steps that are looked through together. One with sweeps: the kernel adds up residuals of all
 * steps it takes, so those behind the end of a run would be counted. */
static int most_scanned(const struct batch_run *f)
{
    return f->batch->residual ? 1 : ML_WATCH_STEPS;
}

/* At most ML_WATCH_STEPS steps, looked through together; one by one where some run fails. */
static void advance_scanning(struct batch_run *f, int64_t k, int n, int64_t end)
{
    const struct ml_ensemble *e = f->ensemble;
    struct ml_batch *b = f->batch;
    const size_t size = (size_t)e->system->n_x(&e->dims) * ML_LANES;
    const unsigned alive = f->alive;
    double *history = ml_event_watch_history(e, b);
    f->window = (struct ml_history){history, k, 1};
    struct ml_lane_faults faults = ml_batch_advance_noting(e, b, 1.0, k, n, alive, &f->window);
    if (n > 1 && (faults.nonfinite | faults.singular) & alive) {
        memcpy(b->x, history - size, size * sizeof *b->x);
        for (int j = 0; j < n && f->alive; j++)
            advance_scanning(f, k + j, 1, end);
        return;
    }
    faults.nonfinite &= alive;
    faults.singular &= alive;
    end_lanes(f, faults, k);
    ml_event_watch_scan(e, b, k, n);
    for (int j = 0; f->alive && (j = ml_event_watch_scan_next(e, b, j, f->alive)) < n; j++) {
        observe_until(f, k + j);
        ml_event_watch_scan_take(e, b, j);
        ml_event_watch_step(e, b, f->alive);
        finish_at_events(f);
    }
    memcpy(b->x, history + (size_t)(n - 1) * size, size * sizeof *b->x);
    if (f->alive)
        observe_until(f, k + n < end ? k + n : k + n - 1);
    if (f->alive && f->alive != alive)
        freeze(f, ML_ALL_LANES & ~f->alive);
}

/* The same of lanes that choose their steps. */
static void advance_adaptively_watching(struct batch_run *f, int64_t k, int64_t end)
{
    const struct ml_ensemble *e = f->ensemble;
    const struct ml_times until = ml_batch_times(e, f->batch, (double)end);
    struct ml_event_watch *watch = &f->batch->watch;
    const double *now = f->batch->step_control + ML_STEP_CONTROL_TIME * ML_LANES;
    for (unsigned underway = f->alive; underway && !batch_run_is_dropped(f);) {
        unsigned stepped = 0;
        memcpy(f->batch->x_before, f->batch->x, state_bytes(e));
        memcpy(watch->step_control, f->batch->step_control,
               ML_N_STEP_CONTROL * ML_LANES * sizeof *watch->step_control);
        memcpy(watch->before, now, ML_LANES * sizeof *now);
        const struct ml_lane_faults faults = ml_batch_try(e, f->batch, until.lane, 1, underway);
        end_lanes(f, faults, k);
        memcpy(watch->now, now, ML_LANES * sizeof *now);
        for (int lane = 0; lane < ML_LANES; lane++)
            stepped |= (unsigned)(watch->now[lane] > watch->before[lane]) << lane;
        stepped &= f->alive;
        if (stepped)
            ml_event_watch_step(e, f->batch, stepped);
        if (stepped)
            finish_at_events(f);
        underway = faults.underway & f->alive;
    }
}

static void advance_freely(struct batch_run *f, int64_t k, int64_t end)
{
    double *residual = f->batch->residual;
    memcpy(f->batch->x_before, f->batch->x, state_bytes(f->ensemble));
    if (residual)
        memcpy(residual + ML_LANES, residual, ML_LANES * sizeof *residual);
    f->window = (struct ml_history){f->batch->window, k, f->ensemble->observe_every};
    const struct ml_lane_faults faults = batch_advance(f, k, end - k);
    if (faults.nonfinite | faults.singular) {
        if (residual)
            memcpy(residual, residual + ML_LANES, ML_LANES * sizeof *residual);
        advance_singly(f, k, end);
    }
    if (f->alive)
        observe_until(f, end - 1);
}

/* To the next stop of runs that have been integrated ahead. */
static void advance_recorded(struct batch_run *f, int64_t k)
{
    end_lanes(f, ml_refill_take_stop(f->ensemble, f->batch, f->first, f->stop++), k);
    if (f->alive && f->alive != ML_ALL_LANES)
        freeze(f, ML_ALL_LANES & ~f->alive);
}

static void advance_to(struct batch_run *f, int64_t k, int64_t end)
{
    const bool is_watched = f->ensemble->n_event > 0;
    if (f->is_ahead)
        advance_recorded(f, k);
    else if (f->ensemble->is_adaptive && is_watched)
        advance_adaptively_watching(f, k, end);
    else if (f->ensemble->is_adaptive)
        advance_adaptively(f, k, end);
    else if (is_watched && f->batch->watch.align)
        for (; k < end && f->alive; k++)
            advance_aligning(f, k);
    else if (is_watched && !f->batch->watch.history)
        advance_watching(f, k, end);
    else if (is_watched)
        for (; k < end && f->alive; k += most_scanned(f))
            advance_scanning(f, k, (int)batch_least(end - k, most_scanned(f)), end);
    else
        advance_freely(f, k, end);
}

/* Steps to take at once: some milliseconds, between looks at the stop flag. */
static int64_t most_steps(const struct ml_ensemble *ensemble)
{
    if (ensemble->is_adaptive) /* each call of the kernel is short */
        return ensemble->n_step;
    int64_t n = ensemble->dims.n, n_column = ensemble->dims.n_column;
    int64_t most = (1 << 18) / ((n * n + 3) * (1 + n_column));
    return most > 0 ? most : 1;
}

/* Whether something is looked at on the way; runs that choose their steps meet each tick anyway. */
static bool is_observed(const struct batch_run *f)
{
    bool is_observed = f->ensemble->is_adaptive;
    for (int i = 0; ml_ensemble_indicator(f->ensemble, i); i++)
        is_observed |=
            f->batch->active >> i & 1 && ml_ensemble_indicator(f->ensemble, i)->observe != NULL;
    return is_observed;
}

static struct schedule first_schedule(const struct batch_run *f)
{
    const struct ml_ensemble *e = f->ensemble;
    /* Lanes that choose their steps meet the samples of their neighbours in other batches too. */
    const bool is_sampled = e->saving.every > 0 && (f->sampler.saved || e->is_adaptive);
    return (struct schedule){
        .observe = is_observed(f) ? e->observe_every : INT64_MAX,
        .renormalise = e->n_tangent > 0 ? e->renormalise_every : INT64_MAX,
        .trace = f->batch->trace ? ml_trace_every(e) : INT64_MAX,
        .sample = is_sampled ? e->saving.every : INT64_MAX,
    };
}

/* What happens at step k, and when it does again. Wherever a run may end all are observed, so that
 * what is measured on one does not depend on when its neighbours end. */
static void process_due(struct batch_run *f, int64_t k)
{
    const struct ml_ensemble *e = f->ensemble;
    struct schedule *next = &f->next;
    const bool is_last = k == e->n_step, is_renormalised = k == next->renormalise;
    const bool may_end = is_renormalised && e->least_steps > 0 && k >= e->least_steps;
    if (f->batch->trace && (k == next->trace || is_last)) {
        ml_trace_add(e, f->batch, (double)k, (double)(k - next->trace + ml_trace_every(e)));
        next->trace += ml_trace_every(e);
    }
    if (e->n_tangent > 0 && (is_renormalised || is_last)) {
        ml_renormalise(e, f->batch, (double)k,
                       (double)(k - next->renormalise + e->renormalise_every));
        next->renormalise += e->renormalise_every;
    }
    if (k == next->observe || may_end || is_last)
        batch_observe(f, (double)k);
    if (k == next->observe)
        next->observe += e->observe_every;
    if (k == next->sample) {
        if (f->sampler.saved)
            ml_sampler_take(&f->sampler, f->alive);
        next->sample += e->saving.every;
    }
    if (may_end && !is_last)
        finish_early(f, k);
}

/* From start to end; false if it was told to drop the batch. */
static bool batch_run_integrate(struct batch_run *f)
{
    const struct ml_ensemble *e = f->ensemble;
    const bool looks_back = f->batch->window || (e->n_event > 0 && f->batch->watch.history);
    const int64_t most =
        f->batch->window ? batch_least(most_steps(e), ml_batch_window(e)) : most_steps(e);
    f->next = first_schedule(f);
    if (f->batch->residual)
        memset(f->batch->residual, 0, ML_LANES * sizeof *f->batch->residual);
    begin_indicators(f);
    if (e->n_event > 0)
        ml_event_watch_begin(e, f->batch);
    if (e->n_event > 0 && f->batch->watch.align)
        ml_align_begin(e, f->batch);
    if (e->n_event > 0 && f->batch->watch.history)
        ml_event_watch_scan_begin(e, f->batch);
    if (f->sampler.saved)
        ml_sampler_take(&f->sampler, f->alive);
    for (int64_t k = 0; k < e->n_step && f->alive;) {
        if (batch_run_is_dropped(f))
            return false;
        int64_t stop = batch_least(batch_least(e->n_step, k + most), f->next.renormalise);
        stop = batch_least(stop, batch_least(f->next.sample, f->next.trace));
        if (!looks_back)
            stop = batch_least(stop, f->next.observe);
        advance_to(f, k, stop);
        k = stop;
        if (batch_run_is_dropped(f))
            return false;
        if (f->alive)
            process_due(f, k);
    }
    batch_finish(f, f->alive, (double)e->n_step, ML_FINISHED);
    return true;
}

int64_t ml_batch_run(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first,
                     int n, struct ml_block *block)
{
    const struct ml_system *system = ensemble->system;
    const int rate = ml_state_quantity(system, "rate");
    struct batch_run f = {
        .ensemble = ensemble,
        .batch = batch,
        .block = block,
        .observed = {.state = batch->state[0],
                     .records = (const double *const *)batch->observed,
                     .state_deriv = batch->state_deriv,
                     .rate_deriv = batch->rate_deriv,
                     .ground_force_deriv = batch->ground_force_deriv,
                     .kinetic_deriv = batch->kinetic_deriv,
                     .potential_deriv = batch->potential_deriv,
                     .energy_scale_deriv = batch->scale_deriv,
                     .parameters = batch->parameters,
                     .differentiated = batch->differentiated,
                     .derivs = batch->differentiated_deriv},
        .first = first,
        .n = n,
        .alive = ML_ALL_LANES,
        .is_ahead = ml_refill_has(&batch->refill, first),
    };
    if (batch->step_control)
        f.observed.rejected_steps = batch->step_control + ML_STEP_CONTROL_REJECTED * ML_LANES;
    f.observed.sweep_residual = batch->residual;
    if (rate >= 0)
        f.observed.rate = batch->state[rate];
    if (system->energy) {
        f.observed.kinetic = batch->kinetic;
        f.observed.potential = batch->potential;
        f.observed.energy_scale = batch->scale;
    }
    ml_sampler_begin(&f.sampler, ensemble, batch, block, first, n);
    ml_batch_load(ensemble, batch, first, n);
    if (f.is_ahead)
        ml_refill_take_step_control(batch, first);
    if (!batch_run_integrate(&f))
        return -1;

    int64_t steps = 0;
    for (int lane = 0; lane < n; lane++)
        steps += block->steps[in_block(&f, lane)];
    return steps;
}
