/* Sets the state at events, and takes tangent vectors across. */
#include "engine/events/event_watch.h"

#include <math.h>
#include <string.h>

#include "engine/events/event_watched.h"
#include "engine/steps/switches.h"
#include "model/quantities.h"

bool ml_reset_is_needed(const struct ml_ensemble *ensemble)
{
    for (int i = 0; i < ensemble->n_event; i++)
        if (ensemble->events[i].n_set > 0)
            return true;
    return false;
}

/* Whether some event sees the state before all events of its instant. */
static bool reset_is_together(const struct ml_ensemble *e)
{
    bool is = false;
    for (int i = 0; i < e->n_event; i++)
        is |= e->events[i].is_together;
    return is;
}

void ml_reset_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                     struct ml_event_watch *watch)
{
    const struct ml_instance *model = &ensemble->model;
    struct ml_reset *reset = &watch->reset;
    reset->x = ml_rows_take(arena, ml_rows_x(model));
    reset->instant = ml_rows_take(arena, reset_is_together(ensemble) ? ml_rows_x(model) : 0);
    reset->value = ml_rows_take(arena, ml_n_x(model));
    reset->before = ml_rows_take(arena, ml_n_x(model));
    reset->time_derivs = ml_rows_take(arena, model->n_column);
}

/* The state behind the event: an ml_event_watch_function of n_x rows. */
static void reset_state(const struct watched *w, const double *t, const double *x, double *out)
{
    const struct ml_instance *model = &w->ensemble->model;
    const struct ml_event *event = w->event;
    double *const *kept = w->watch->kept, **rows = w->batch->records.rows;
    for (int k = 0; k < event->n_set; k++)
        rows[event->set[k].record] = kept[event->set[k].record];
    model->system->dynamics.record(model, t, w->batch->constants, x, w->batch->work, rows);
    memcpy(out, x, ml_event_watch_states(w->ensemble) * sizeof *out);
    for (int k = 0; k < event->n_set; k++) {
        const struct ml_event_set *set = &event->set[k];
        memcpy(out + (size_t)set->state * ML_LANES,
               kept[set->record] + (size_t)set->first * ML_LANES, ML_LANES * sizeof *out);
    }
    for (int k = 0; k < event->n_set; k++)
        rows[event->set[k].record] = NULL;
}

/* y + sign f dt, of all rows. Neighbours meet on a surface that motions come to rest on: a sum as
 * small as the rounding of y and f dt is 0. */
static void reset_shift(const struct watched *w, const double *rate, double sign,
                        const double *time, double *column)
{
    const double least = w->event->n_then > 0 ? 0x1p-36 : 0.0;
    for (size_t i = 0; i < ml_event_watch_states(w->ensemble); i++) {
        const double moved = fma(sign * rate[i], time[i % ML_LANES], column[i]);
        column[i] = fabs(moved) < least * fabs(column[i]) ? 0.0 : moved;
    }
}

/* Shortens the steps of differences where the state is larger than 1: angles may have turned often,
 * and formulas are of their sines. */
static void reset_shorten(const struct watched *w, double *step)
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        double largest = 1.0;
        for (size_t i = (size_t)lane; i < ml_event_watch_states(w->ensemble); i += ML_LANES)
            largest = fmax(largest, fabs(w->batch->x[i]));
        step[lane] *= fmax(1.0 / largest, 0x1p-10);
    }
}

/* Derivatives of the event's time along all tangent vectors of batch->x. */
static void reset_time_derivs(const struct watched *w, const double *time)
{
    struct ml_reset *reset = &w->watch->reset;
    if (w->event->kind == ML_STROBE) /* whose times do not move */
        memset(reset->time_derivs, 0,
               (size_t)w->ensemble->model.n_column * ML_LANES * sizeof *reset->time_derivs);
    else
        ml_event_watch_time_derivs(w, time, 0, reset->time_derivs);
}

/* Numbers of the state that formulas of the state set: their exact derivatives, also beside a jump,
 * in place of the differences.
 *   along   of the tangent vector `column`
 *   behind  [n_x] in and out */
static void reset_exactly(const struct watched *w, const double *time,
                          const struct direction *along, const double *column, double *behind)
{
    const struct ml_instance *model = &w->ensemble->model;
    struct ml_batch *b = w->batch;
    const struct ml_moment at = {time, b->constants, b->x};
    const struct ml_moment change = {along->time, along->constants, column};
    for (int k = 0; k < w->event->n_set; k++) {
        const struct ml_event_set *set = &w->event->set[k];
        const struct ml_quantity_formula *formula = ml_quantities_formula(model, set->record);
        if (formula && formula->has_derivs)
            model->system->dynamics.formula_deriv(model, set->record, &at, &change, b->work,
                                                  behind + (size_t)set->state * ML_LANES);
    }
}

/* Takes the tangent vectors of batch->x, which changes, across to reset->x, whose state is there.
 */
static void reset_tangents(const struct watched *w, const double *time, unsigned lanes)
{
    struct ml_batch *b = w->batch;
    struct ml_reset *reset = &w->watch->reset;
    const size_t size = ml_event_watch_states(w->ensemble);
    ml_event_watch_rates(w, time, b->x);
    memcpy(reset->before, w->watch->rate, size * sizeof *reset->before);
    for (int c = 0; c < w->ensemble->model.n_column; c++) {
        double *column = b->x + (size_t)(1 + c) * size;
        const double *dt = reset->time_derivs + (size_t)c * ML_LANES;
        reset_shift(w, reset->before, 1.0, dt, column);
        struct direction along = ml_event_watch_column(w, c);
        along.value = reset->value;
        reset_shorten(w, along.step);
        memcpy(along.time, dt, sizeof along.time);
        ml_event_watch_along(w, time, b->x, &along, reset_state, (int)(size / ML_LANES),
                             reset->x + (size_t)(1 + c) * size);
        reset_exactly(w, time, &along, column, reset->x + (size_t)(1 + c) * size);
    }
    if (w->ensemble->model.system->switches.n > 0)
        ml_switches_settle(w->ensemble, b, time, reset->x, lanes);
    ml_event_watch_rates(w, time, reset->x);
    for (int c = 0; c < w->ensemble->model.n_column; c++)
        reset_shift(w, w->watch->rate, -1.0, reset->time_derivs + (size_t)c * ML_LANES,
                    reset->x + (size_t)(1 + c) * size);
}

/* Whether the event changes double i of batch->x: those that are together only their own numbers of
 * the state, and of tangent vectors, as the time of a strobe does not move. */
static bool reset_changes(const struct watched *w, size_t i)
{
    const int row = (int)(i / ML_LANES) % ml_n_x(&w->ensemble->model);
    bool changes = !w->event->is_together;
    for (int k = 0; k < w->event->n_set && !changes; k++)
        changes = w->event->set[k].state == row;
    return changes;
}

/* Sets the state of these lanes, of batch->x. */
static void reset_set(const struct watched *w, unsigned lanes)
{
    struct ml_batch *b = w->batch;
    double *before = w->watch->x_now, *x = w->watch->reset.x;
    const size_t size = (size_t)ml_rows_x(&w->ensemble->model) * ML_LANES;
    memcpy(before, b->x, size * sizeof *before);
    if (w->event->is_together)
        memcpy(b->x, w->watch->reset.instant, size * sizeof *before);
    memset(x, 0, size * sizeof *x); /* nothing remains of compensated sums */
    reset_state(w, b->window.now, b->x, x);
    if (w->ensemble->model.n_column > 0)
        reset_tangents(w, b->window.now, lanes);
    for (size_t i = 0; i < size; i++)
        b->x[i] = lanes >> i % ML_LANES & 1 && reset_changes(w, i) ? x[i] : before[i];
}

/* Counts an event at batch->x, and sets the state of the lanes where it counts, which are the
 * value. */
static unsigned reset_by(const struct watched *w, unsigned lanes)
{
    struct ml_batch *b = w->batch;
    const size_t size = (size_t)ml_rows_x(&w->ensemble->model) * ML_LANES * sizeof *b->x;
    double count[ML_LANES];
    memcpy(count, w->out[ML_EVENT_COUNT], sizeof count);
    memcpy(w->watch->x_now, b->x, size);
    ml_event_watch_take(w, b->window.now, lanes);
    for (int lane = 0; lane < ML_LANES; lane++)
        if (w->out[ML_EVENT_COUNT][lane] == count[lane])
            lanes &= ~(1u << lane);
    memcpy(b->x, w->watch->x_now, size);
    if (w->ensemble->model.n_column > 0)
        reset_time_derivs(w, b->window.now);
    reset_set(w, lanes);
    return lanes;
}

/* A value that the event has left at its level is on it: rounding does not tell on which side. */
static void reset_place(const struct watched *w, unsigned lanes, const double *level,
                        const double *before)
{
    const double *value = ml_event_watch_row(w, WATCH_VALUE);
    for (int lane = 0; lane < ML_LANES; lane++)
        if (lanes >> lane & 1 && value[lane] == before[lane])
            ml_event_watch_row(w, WATCH_PLACE)[lane] = level[lane] - 0.5;
}

/* Whether the motion of a lane has come to rest at the event. */
static bool reset_rests(const struct watched *w, int lane)
{
    return ml_event_watch_row(w, WATCH_REST)[lane] >= ml_event_watch_row(w, WATCH_LAST)[lane];
}

/* The value of a surface is on its side where other events have set the state of a motion that does
 * not rest there, however near the level is. */
static void reset_keep_side(const struct watched *w, unsigned lanes)
{
    ML_EACH_LANE(lane, w->event->n_then > 0 ? lanes : 0)
        if (!reset_rests(w, lane))
            ml_event_watch_row(w, WATCH_PLACE)[lane] = ml_event_start(
                ml_event_watch_levels(w, lane), ml_event_watch_row(w, WATCH_VALUE)[lane], 0.0);
}

/* Lanes in which a value is about to pass a level that is nearer than rounding. */
static unsigned reset_passing(const struct watched *w, unsigned lanes)
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        const struct ml_event_numbers *own = &w->numbers[lane];
        const double slope = ml_event_watch_row(w, WATCH_SLOPE)[lane];
        const double place = ml_event_watch_row(w, WATCH_PLACE)[lane];
        const int sign = (slope > 0.0) - (slope < 0.0);
        const double number = place + (sign > 0 ? 1.0 : 0.0);
        const double gap = ml_event_level(own, number) - ml_event_watch_row(w, WATCH_VALUE)[lane];
        const bool is_level = own->every > 0.0 || number == 0.0;
        const bool is_near =
            fabs(gap) <= ml_event_watch_rounding(w, fabs(slope), w->batch->step[lane], lane);
        if (place != floor(place) || sign == 0 || !is_level || !is_near ||
            (w->event->direction && w->event->direction != sign))
            lanes &= ~(1u << lane);
    }
    return lanes;
}

/* Counts an event that looks on where these lanes are set: it may be at the same instant, and is
 * not passed any more. */
static void reset_count_beside(const struct watched *w, unsigned lanes)
{
    const size_t size = (size_t)ml_rows_x(&w->ensemble->model) * ML_LANES * sizeof(double);
    const unsigned passing = w->event->kind == ML_CROSSING && w->event->n_set == 0 && lanes
                                 ? reset_passing(w, lanes)
                                 : 0;
    if (!passing)
        return;
    memcpy(w->watch->x_now, w->batch->x, size);
    ml_event_watch_take(w, w->batch->window.now, passing);
    memcpy(w->batch->x, w->watch->x_now, size);
}

/* The lanes that rest behind an event that has just set their state, from watch->x_now, as its
 * intervals shrink to nothing or the number that the event looks at is left without a rate, but for
 * rounding. */
static unsigned reset_resting(const struct watched *w, unsigned lanes)
{
    const struct ml_times end =
        ml_batch_times(w->ensemble, w->batch, (double)w->ensemble->time.n_step);
    double slope[ML_LANES] = {0.0}, before[ML_LANES] = {0.0};
    unsigned resting = 0;
    if (lanes && w->event->n_then > 0) {
        ml_event_watch_slopes(w, w->batch->window.now, w->watch->x_now, before);
        ml_event_watch_slopes(w, w->batch->window.now, w->batch->x, slope);
    }
    for (int lane = 0; lane < ML_LANES; lane++) {
        const double last = ml_event_watch_row(w, WATCH_LAST)[lane];
        const double limit = ml_event_watch_limit(w, 0x1p-38, lane);
        const bool is_still =
            w->event->n_then > 0 && fabs(slope[lane]) <= 0x1p-30 * fabs(before[lane]);
        w->watch->stop_time[lane] = lanes >> lane & 1 ? limit : w->watch->stop_time[lane];
        resting |= (unsigned)(is_still || (limit > last && limit < end.lane[lane])) << lane;
    }
    return resting & lanes;
}

/* Gives lanes that rest the state of `then`, at the time of the event, or ends their runs. */
static void reset_rest(const struct watched *w, unsigned lanes)
{
    struct ml_event then = *w->event;
    struct watched there = *w;
    then.set = then.then;
    then.n_set = then.n_then;
    there.event = &then;
    if (then.n_set == 0)
        w->watch->ended |= lanes;
    else if (lanes)
        reset_set(&there, lanes);
    ML_EACH_LANE(lane, lanes)
        ml_event_watch_row(w, WATCH_REST)[lane] = w->batch->window.now[lane];
}

/* The lanes of the last step that end at events which set the state. */
static unsigned reset_ended(const struct ml_ensemble *e, struct ml_reset *reset, unsigned lanes)
{
    unsigned ended = 0;
    for (int i = 0; i < e->n_event; i++)
        ended |= (reset->lanes[i] &= lanes) | (reset->rests[i] &= lanes);
    return ended;
}

static void reset_look_beside(const struct ml_ensemble *e, struct ml_batch *b, bool stops,
                              unsigned lanes)
{
    for (int i = 0; i < e->n_event; i++) {
        const struct watched w = ml_event_watched(e, b, i);
        if (w.event->stops == stops)
            reset_count_beside(&w, lanes);
    }
}

void ml_reset_stop(const struct ml_ensemble *ensemble, struct ml_batch *batch, unsigned lanes)
{
    struct ml_event_watch *watch = &batch->watch;
    const unsigned before = watch->stopped;
    lanes = reset_ended(ensemble, &watch->reset, lanes) & ~before;
    reset_look_beside(ensemble, batch, true, lanes);
    ml_event_watch_count_stops(ensemble, batch, watch->stopped & ~before);
}

/* The slope of the number of a surface at batch->x, in some lanes: out [1]. */
static void reset_slope(const struct watched *w, unsigned lanes, double *out)
{
    double slope[ML_LANES];
    if (w->event->n_then == 0 || !lanes)
        return;
    ml_event_watch_slopes(w, w->batch->window.now, w->batch->x, slope);
    ml_lanes_copy(1, slope, lanes, out);
}

/* Of these lanes, in which other events have set the state, those whose number is on its level, but
 * for rounding, and leads through: the surface is hit at the same instant. A motion at rest, whose
 * slope may be rounding, rests no more where they have changed the slope.
 *   before  [1] slopes before others set the state */
static unsigned reset_sent(const struct watched *w, const double *before, unsigned lanes)
{
    const struct ml_batch *b = w->batch;
    double value[ML_LANES], slope[ML_LANES];
    unsigned sent = 0;
    if (!lanes)
        return 0;
    ml_event_watch_values(w, b->window.now, b->x, value);
    ml_event_watch_slopes(w, b->window.now, b->x, slope);
    ML_EACH_LANE(lane, lanes) {
        const double place =
            ml_event_watch_start(w, value[lane], slope[lane], b->step[lane], 0.0, lane);
        if (fabs(slope[lane] - before[lane]) > 0.5 * fabs(slope[lane]))
            ml_event_watch_row(w, WATCH_REST)[lane] = (double)-INFINITY;
        sent |= (unsigned)(place != floor(place) && slope[lane] * w->event->direction > 0.0 &&
                           !reset_rests(w, lane))
                << lane;
    }
    return sent;
}

/* Sets the state of the lanes that an event sets or lets rest; those lanes.
 *   slope  [1] of the number of a surface there, out */
static unsigned reset_event(const struct watched *w, unsigned lanes, unsigned rests, double *slope)
{
    if (rests && w->ensemble->model.n_column > 0)
        reset_time_derivs(w, w->batch->window.now);
    reset_rest(w, rests);
    const unsigned own = lanes ? reset_by(w, lanes) : 0;
    reset_rest(w, reset_resting(w, own));
    reset_slope(w, own | rests, slope);
    return own | rests;
}

/* Lets surfaces be hit that others have sent their numbers through, one after another; where that
 * does not come to an end, runs do.
 *   slope  [n_event] of their numbers before others set the state
 *   set    [n_event] lanes that events have set, in and out */
static void reset_send(const struct ml_ensemble *e, struct ml_batch *b, double (*slope)[ML_LANES],
                       unsigned *set)
{
    enum { MOST = 64 };
    bool goes_on = true;
    for (int pass = 0; pass < MOST && goes_on; pass++) {
        goes_on = false;
        for (int i = 0; i < e->n_event; i++) {
            const struct watched w = ml_event_watched(e, b, i);
            unsigned others = 0;
            for (int k = 0; w.event->n_then > 0 && k < e->n_event; k++)
                others |= k == i ? 0 : set[k];
            const unsigned sent = reset_sent(&w, slope[i], others);
            const unsigned own = sent ? reset_event(&w, sent, 0, slope[i]) : 0;
            set[i] |= own;
            goes_on |= own != 0;
            b->watch.ended |= pass == MOST - 1 ? own : 0;
        }
    }
}

void ml_reset_apply(const struct ml_ensemble *ensemble, struct ml_batch *batch, unsigned lanes)
{
    struct ml_reset *reset = &batch->watch.reset;
    const unsigned ended = reset_ended(ensemble, reset, lanes);
    unsigned set = 0;
    if (!ended)
        return;
    double before[ML_MAX_EVENTS][ML_LANES] = {{0.0}}, slope[ML_MAX_EVENTS][ML_LANES];
    unsigned own[ML_MAX_EVENTS] = {0};
    /* a single event is sent through its level by no other */
    for (int i = 0; i < ensemble->n_event && ensemble->n_event > 1; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        reset_slope(&w, ML_ALL_LANES, slope[i]);
    }
    reset_look_beside(ensemble, batch, false, ended);
    if (reset_is_together(ensemble))
        memcpy(reset->instant, batch->x,
               (size_t)ml_rows_x(&ensemble->model) * ML_LANES * sizeof *batch->x);
    for (int i = 0; i < ensemble->n_event; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        memcpy(before[i], ml_event_watch_row(&w, WATCH_VALUE), sizeof before[i]);
        own[i] = reset_event(&w, reset->lanes[i], reset->rests[i], slope[i]);
    }
    reset_send(ensemble, batch, slope, own);
    for (int i = 0; i < ensemble->n_event; i++)
        set |= own[i];
    if (set && ensemble->model.system->switches.n > 0)
        ml_switches_settle(ensemble, batch, batch->window.now, batch->x, set);
    ml_event_watch_restart(ensemble, batch, set);
    for (int i = 0; i < ensemble->n_event; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        if (w.event->kind == ML_STROBE)
            ml_event_watch_next_strobe(&w, reset->lanes[i]);
        else
            reset_place(&w, reset->lanes[i], reset->level[i], before[i]);
        reset_keep_side(&w, set & ~own[i]);
        reset->lanes[i] = reset->rests[i] = 0;
    }
}
