/* Takes windows of steps: given, chosen by lanes, cut at events, or integrated ahead. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "engine/events/event_watch.h"
#include "engine/steps/device.h"
#include "engine/steps/switches.h"
#include "engine/team/batch_run.h"

/* Steps that are searched for events together. Calls of the kernel and of the search cost a tenth
 * of the time of a bare double pendulum with 32, a twentieth with 128. */
enum { WINDOW_WATCHED = 128 };

/* Bytes of the states that are kept: half of an L1 cache of 32 kB. */
enum { WINDOW_BYTES = 16 * 1024 };

/* Steps to take at once: some milliseconds, between looks at the stop flag. */
static int64_t window_most_steps(const struct ml_ensemble *ensemble)
{
    const int64_t n = ensemble->model.n, n_column = ensemble->model.n_column;
    const int64_t most = (1 << 18) / ((n * n + 3) * (1 + n_column));
    return most > 0 ? most : 1;
}

/* States that are kept, of every `every`-th step; 0: none are, as nothing or derivatives too are
 * looked at, lanes have steps of their own, or two states do not fit. Events want neither tangent
 * vectors nor remainders of compensated sums, which are not kept. */
static int64_t window_states(const struct ml_ensemble *e, int64_t every)
{
    const bool is_watched = ml_ensemble_is_watched(e);
    const int64_t row = ML_LANES * (int64_t)sizeof(double);
    const int64_t n = WINDOW_BYTES / (row * ml_n_x(&e->model));
    if (e->time.is_adaptive || e->model.n_sens > 0 || e->feedback.n_break > 0)
        return 0;
    if (is_watched && (ml_align_is_needed(e) || e->model.n_column > 0 || e->model.is_compensated))
        return 0;
    if (is_watched)
        return WINDOW_WATCHED;
    return n < 2 || every == INT64_MAX ? 0 : n;
}

static size_t window_size(const struct ml_ensemble *e)
{
    return (size_t)ml_n_x(&e->model) * ML_LANES;
}

void ml_window_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena, int64_t every,
                      struct ml_window *window)
{
    const struct ml_ensemble *e = ensemble;
    const bool is_watched = ml_ensemble_is_watched(e);
    const bool has_sweeps = e->method->n_sweep_stage > 0;
    const int64_t n_state = window_states(e, every);
    *window = (struct ml_window){
        .every = is_watched ? 1 : every,
        .meet_every = ml_ensemble_meet_every(e),
        .has_states = n_state > 0,
        .most = window_most_steps(e),
    };
    if (e->time.is_adaptive) /* each call of the kernel is short */
        window->most = e->time.n_step;
    else if ((is_watched && (n_state == 0 || has_sweeps)) || e->feedback.n_break > 0)
        window->most = 1; /* no residuals behind a run's end; feedback rows stay this step's */
    else if (n_state > 0 && n_state * window->every < window->most)
        window->most = n_state * window->every;
    window->before = ml_rows_take(arena, 1);
    window->now = ml_rows_take(arena, 1);
    window->step_control = ml_rows_take(arena, e->time.is_adaptive ? ML_N_STEP_CONTROL : 0);
    double *rows = ml_arena_take(arena, n_state > 0 ? (size_t)(2 + n_state) * window_size(e) : 0,
                                 sizeof *rows);
    window->states = n_state > 0 && rows ? rows + 2 * window_size(e) : NULL;
}

void ml_window_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first)
{
    struct ml_window *w = &batch->window;
    w->first = w->end = w->singly_until = 0;
    w->n_state = 0;
    w->underway = 0;
    w->run = ml_refill_has(&batch->refill, first) ? first : -1;
    w->n_stop = 0;
    w->device_run = ml_device_has(&batch->device, first) ? first : -1;
    if (w->run >= 0)
        ml_refill_take_step_control(batch, first);
    for (int lane = 0; lane < ML_LANES; lane++) {
        w->before[lane] = w->now[lane] = w->tick[lane] = ensemble->time.start;
        w->n_tick[lane] = 1.0;
    }
    if (batch->step_control)
        memcpy(w->step_control, batch->step_control,
               ML_N_STEP_CONTROL * ML_LANES * sizeof *batch->step_control);
    if (batch->residual)
        memset(batch->residual, 0, ML_LANES * sizeof *batch->residual);
    if (w->states)
        memcpy(w->states - 2 * window_size(ensemble), batch->x,
               window_size(ensemble) * sizeof *batch->x);
}

/* Copies all of the state. */
static void window_copy(const struct ml_ensemble *e, const double *from, double *to)
{
    memcpy(to, from, (size_t)ml_rows_x(&e->model) * ML_LANES * sizeof *to);
}

/* Makes room for the states of a window: events want those before the last two steps too. */
static void window_open(const struct ml_ensemble *e, struct ml_batch *b)
{
    struct ml_window *w = &b->window;
    const size_t size = window_size(e);
    if (!w->states || e->n_event == 0)
        return;
    memmove(w->states - 2 * size, w->states + (w->n_state - 2) * (ptrdiff_t)size,
            size * sizeof *b->x);
    memcpy(w->states - size, b->x, size * sizeof *b->x);
    w->n_state = 0;
}

/* Given steps, by all lanes at once. */
static struct ml_lane_faults window_advance(const struct ml_ensemble *e, struct ml_batch *b,
                                            unsigned alive)
{
    struct ml_window *w = &b->window;
    struct ml_lane_faults faults =
        ml_batch_advance_noting(e, b, 1.0, w->first, w->end - w->first, alive, w);
    faults.nonfinite &= alive;
    faults.singular &= alive;
    return faults;
}

/* The kernels look for faults only now and then, and a fault never goes away by itself: where some
 * run fails in a window, its steps are taken again one by one. */
static struct ml_lane_faults window_given(const struct ml_ensemble *e, struct ml_batch *b,
                                          unsigned alive)
{
    struct ml_window *w = &b->window;
    double residual[ML_LANES];
    window_copy(e, b->x, b->x_before);
    if (b->residual)
        memcpy(residual, b->residual, sizeof residual);
    window_open(e, b);
    struct ml_lane_faults faults = window_advance(e, b, alive);
    if ((faults.nonfinite | faults.singular) && w->end > w->first + 1) {
        window_copy(e, b->x_before, b->x);
        if (b->residual)
            memcpy(b->residual, residual, sizeof residual);
        w->singly_until = w->end;
        w->end = w->first + 1;
        faults = window_advance(e, b, alive);
    }
    const struct ml_times before = ml_batch_times(e, b, (double)w->first);
    const struct ml_times now = ml_batch_times(e, b, (double)w->end);
    memcpy(w->before, before.lane, sizeof before.lane);
    memcpy(w->now, now.lane, sizeof now.lane);
    w->n_state = (int)(w->end - w->first);
    w->stepped = alive;
    return faults;
}

/* Ends steps that lanes have chosen at events that set the state; the lanes that are not at `end`
 * [1], s, for that. */
static unsigned window_cut(const struct ml_ensemble *e, struct ml_batch *b, const double *end,
                           struct ml_lane_faults *faults)
{
    struct ml_window *w = &b->window;
    double control[ML_N_STEP_CONTROL * ML_LANES], reached[ML_LANES];
    unsigned cut = 0, short_of_end = 0;
    memcpy(control, b->step_control, sizeof control);
    memcpy(reached, w->now, sizeof reached);
    faults->too_short |= ml_align_to_events(e, b, w->stepped);
    for (int lane = 0; lane < ML_LANES; lane++) {
        cut |= (unsigned)(w->now[lane] != reached[lane]) << lane;
        short_of_end |= (unsigned)(w->now[lane] < end[lane]) << lane;
    }
    ml_lanes_copy(ML_N_STEP_CONTROL, control, ~cut, b->step_control);
    return cut & short_of_end;
}

/* Where lanes that choose their steps meet a tick next, s: each its own, and at `end` [1] at the
 * latest. */
static struct ml_times window_next_ticks(const struct ml_ensemble *e, struct ml_batch *b,
                                         const double *end)
{
    struct ml_window *w = &b->window;
    struct ml_times next;
    for (int lane = 0; lane < ML_LANES; lane++) {
        while (w->tick[lane] <= w->now[lane])
            w->tick[lane] =
                w->meet_every < e->time.n_step
                    ? fma(w->n_tick[lane]++ * (double)w->meet_every, b->step[lane], e->time.start)
                    : (double)INFINITY;
        next.lane[lane] = w->tick[lane] < end[lane] ? w->tick[lane] : end[lane];
    }
    return next;
}

/* Steps that lanes choose: one of each where they are looked into, else many. */
static struct ml_lane_faults window_tried(const struct ml_ensemble *e, struct ml_batch *b,
                                          unsigned lanes)
{
    struct ml_window *w = &b->window;
    const struct ml_times end = ml_batch_times(e, b, (double)w->end);
    struct ml_times nearer = window_next_ticks(e, b, end.lane);
    const double *now = b->step_control + ML_STEP_CONTROL_TIME * ML_LANES;
    window_copy(e, b->x, b->x_before);
    memcpy(w->step_control, b->step_control,
           ML_N_STEP_CONTROL * ML_LANES * sizeof *w->step_control);
    memcpy(w->before, now, ML_LANES * sizeof *now);
    if (e->model.system->switches.n > 0)
        ml_switches_limit(e, b, lanes, nearer.lane);
    const bool are_looked_at = ml_ensemble_is_watched(e) || b->looks.are_needed;
    const int64_t most_tries = are_looked_at     ? 1
                               : b->tangents.own ? ml_renormalise_tries(b)
                                                 : ml_most_tries(e);
    struct ml_lane_faults faults = ml_batch_try(e, b, nearer.lane, most_tries, lanes);
    memcpy(w->now, now, ML_LANES * sizeof *now);
    w->stepped = 0;
    for (int lane = 0; lane < ML_LANES; lane++)
        w->stepped |= (unsigned)(w->now[lane] > w->before[lane]) << lane;
    w->stepped &= lanes;
    for (int lane = 0; lane < ML_LANES; lane++)
        faults.underway |= (unsigned)(w->now[lane] < end.lane[lane]) << lane & w->stepped;
    w->n_state = 1;
    if (b->watch.align)
        faults.underway |= window_cut(e, b, end.lane, &faults);
    w->underway = faults.underway;
    return faults;
}

/* Parts of a step that ends at events. */
static struct ml_lane_faults window_aligned(const struct ml_ensemble *e, struct ml_batch *b,
                                            unsigned lanes)
{
    struct ml_window *w = &b->window;
    const struct ml_times end = ml_batch_times(e, b, (double)w->end);
    const struct ml_lane_faults faults = ml_align_step(e, b, end.lane, lanes);
    w->stepped = lanes;
    w->n_state = 1;
    w->underway = 0;
    for (int lane = 0; lane < ML_LANES; lane++)
        w->underway |= (unsigned)(w->now[lane] < end.lane[lane]) << lane & lanes;
    return faults;
}

struct ml_lane_faults ml_window_take(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                                     unsigned alive)
{
    struct ml_window *w = &batch->window;
    const unsigned lanes = w->underway ? w->underway : alive;
    if (w->run >= 0)
        return ml_refill_take_stop(ensemble, batch, w->run, w->n_stop++);
    if (w->device_run >= 0) {
        ml_device_take(ensemble, batch, w->device_run, w->n_stop++,
                       w->end == ensemble->time.n_step);
        w->stepped = alive;
        return (struct ml_lane_faults){0};
    }
    if (ensemble->time.is_adaptive)
        return window_tried(ensemble, batch, lanes);
    return batch->watch.align ? window_aligned(ensemble, batch, lanes)
                              : window_given(ensemble, batch, alive);
}
