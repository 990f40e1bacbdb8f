/* Counts the events that were found and keeps their numbers, or ends runs with them. */
#include "engine/events/event_watched.h"

#include <math.h>
#include <string.h>

/* Whether the derivatives of the event's time by parameters are wanted: not in a bare ensemble
 * (ml_ensemble_bare), which has the study's events. */
static bool count_has_derivs(const struct watched *w)
{
    return w->ensemble->model.n_sens > 0 && ml_event_deriv_output(w->event) >= 0;
}

/* Takes over the derivatives [n_sens] of the time of event `number` of a run. */
static void count_keep_time_derivs(const struct watched *w, const double *derivs, int64_t number,
                                   double *out, int lane)
{
    const int n = w->event->n_sens;
    for (int p = 0; p < n; p++)
        out[(number * n + p) * ML_LANES + lane] = derivs[p * ML_LANES + lane];
}

/* Makes the tangent vectors along parameters, of the state x [n_x (1 + n_column)] at an event at
 * `time`, those where the instant moves too, y + f dt/dp, in some lanes. */
static void count_move(const struct watched *w, const double *time, unsigned lanes, double *x)
{
    const struct ml_ensemble *e = w->ensemble;
    ml_event_watch_rates(w, time, w->batch->x);
    for (int p = 0; p < e->model.n_sens; p++) {
        double *column = ml_event_watch_vector(w, x, ml_event_watch_first_parameter(w) + p);
        const double *moves = w->watch->time_derivs + (size_t)p * ML_LANES;
        for (size_t i = 0; i < ml_event_watch_states(e); i++)
            if (lanes >> i % ML_LANES & 1)
                column[i] = fma(w->watch->rate[i], moves[i % ML_LANES], column[i]);
    }
}

/* Puts the derivatives by parameter p of kept records where they belong in the outputs. */
static void count_write_derivs(const struct watched *w, int p, unsigned lanes)
{
    const double *deriv = w->watch->kept_deriv;
    const int n_sens = w->event->n_sens;
    double *const *out = w->out + ml_event_kept_deriv_output(w->event);
    for (int k = 0; k < w->event->n_keep; k++) {
        const int n_row = w->event->keep[k].n_row;
        for (int r = 0; r < n_row; r++, deriv += ML_LANES)
            ML_EACH_LANE(lane, lanes) {
                const int64_t row = ml_event_watch_number(w, lane) * n_row + r;
                out[k][(row * n_sens + p) * ML_LANES + lane] = deriv[lane];
            }
    }
}

/* Derivatives of the records kept of the event that was counted last, by each parameter: to its
 * outputs, in some lanes. batch->x has the tangent vectors of count_move.
 *   time_derivs  [n_sens] of the event's time; NULL: it does not move */
static void count_keep_derivs(const struct watched *w, const double *time,
                              const double *time_derivs, unsigned lanes)
{
    const int n_row = ml_event_watch_kept_rows(w->event);
    const struct ml_event_watch *watch = w->watch;
    for (int p = 0; p < w->event->n_sens; p++) {
        struct direction by = ml_event_watch_column(w, ml_event_watch_first_parameter(w) + p);
        by.value = watch->kept_value;
        if (time_derivs)
            memcpy(by.time, time_derivs + (size_t)p * ML_LANES, sizeof by.time);
        ml_event_watch_along(w, time, w->batch->x, &by, ml_event_watch_kept, n_row,
                             watch->kept_deriv);
        count_write_derivs(w, p, lanes);
    }
}

/* Keeps the numbers of an event that the study asks for, of batch->x at `time`.
 *   derivs  [n_sens] of that time; NULL: it does not move */
static void count_keep(const struct watched *w, const double *time, const double *derivs,
                       unsigned lanes)
{
    const struct ml_event *event = w->event;
    if (event->n_keep > 0)
        ml_event_watch_kept(w, time, w->batch->x, w->watch->kept_value);
    ML_EACH_LANE(lane, lanes) {
        const int64_t number = ml_event_watch_number(w, lane);
        w->out[ML_EVENT_TIMES][number * ML_LANES + lane] = time[lane];
        const double *value = w->watch->kept_value + lane;
        for (int k = 0; k < event->n_keep; k++) {
            const int n_row = event->keep[k].n_row;
            double *to = w->out[ML_EVENT_FIRST_KEPT + k] + number * n_row * ML_LANES + lane;
            for (int r = 0; r < n_row; r++, value += ML_LANES)
                to[r * ML_LANES] = *value;
        }
        if (derivs)
            count_keep_time_derivs(w, derivs, number, w->out[ml_event_times_deriv_output(event)],
                                   lane);
    }
    if (w->ensemble->model.n_sens > 0 && ml_event_kept_deriv_output(event) >= 0)
        count_keep_derivs(w, time, derivs, lanes);
}

/* Whether derivatives are wanted in some of these lanes, where the event may be the first or be
 * kept.
 */
static bool count_wants_derivs(const struct watched *w, unsigned lanes)
{
    const double most = w->event->most > 1 ? (double)w->event->most : 1.0;
    unsigned wanted = 0;
    for (int lane = 0; lane < ML_LANES; lane++)
        wanted |= (unsigned)(w->out[ML_EVENT_COUNT][lane] < most) << lane;
    return count_has_derivs(w) && wanted & lanes;
}

/* s: for so long none counts behind one that did. */
static double count_pause(const struct watched *w, int lane)
{
    return w->event->is_once ? (double)INFINITY : w->numbers[lane].least;
}

void ml_event_watch_count(const struct watched *w, const double *time, const double *derivs,
                          unsigned lanes)
{
    double *last = ml_event_watch_row(w, WATCH_LAST);
    unsigned kept = 0;
    ML_EACH_LANE(lane, lanes) {
        const bool is_late =
            w->watch->stopped >> lane & 1 && time[lane] > w->watch->stop_time[lane];
        const struct ml_event_numbers *own = &w->numbers[lane];
        const bool is_early = w->event->kind != ML_STROBE && time[lane] < own->from;
        if (is_late || is_early || time[lane] - last[lane] < count_pause(w, lane)) {
            lanes &= ~(1u << lane);
            continue;
        }
        for (int i = WATCH_EARLIER_END - 1; i > WATCH_EARLIER; i--)
            ml_event_watch_row(w, i)[lane] = ml_event_watch_row(w, i - 1)[lane];
        ml_event_watch_row(w, WATCH_EARLIER)[lane] = last[lane];
        last[lane] = time[lane];
        if (w->out[ML_EVENT_COUNT][lane] == 0.0) {
            w->out[ML_EVENT_TIME][lane] = time[lane];
            if (count_has_derivs(w))
                count_keep_time_derivs(w, derivs, 0, w->out[ml_event_deriv_output(w->event)], lane);
        }
        w->out[ML_EVENT_COUNT][lane] += 1.0;
        kept |= (unsigned)(ml_event_watch_number(w, lane) < w->event->most) << lane;
    }
    if (kept)
        count_keep(w, time, count_has_derivs(w) ? derivs : NULL, kept);
}

/* Notes that a run ends at batch->x and `time`, unless it ended earlier in the step. Its end time
 * depends on the parameters, so its tangent vectors along them become derivatives of the state at
 * that moving time. */
static void count_stop(const struct watched *w, const double *time, unsigned lanes)
{
    struct ml_event_watch *watch = w->watch;
    const struct ml_ensemble *e = w->ensemble;
    const int n_row = ml_rows_x(&e->model);
    unsigned moved = 0;
    for (int lane = 0; lane < ML_LANES; lane++) {
        const bool is_later = watch->stopped >> lane & 1 && !(time[lane] < watch->stop_time[lane]);
        if (!(lanes >> lane & 1) || is_later || time[lane] < w->numbers[lane].from)
            continue;
        if (!watch->stopped)
            memcpy(watch->x_stop, watch->x_now, (size_t)n_row * ML_LANES * sizeof *watch->x_stop);
        watch->stopped |= 1u << lane;
        watch->stop_time[lane] = time[lane];
        watch->stop_event[lane] = w->event;
        ml_lane_copy(n_row, w->batch->x, lane, watch->x_stop, lane);
        if (count_has_derivs(w))
            ml_lane_copy(w->event->n_sens, watch->time_derivs, lane, watch->stop_derivs, lane);
        moved |= 1u << lane;
    }
    if (count_has_derivs(w))
        count_move(w, time, moved, watch->x_stop);
}

void ml_event_watch_found(const struct watched *w, const double *s, unsigned lanes)
{
    double time[ML_LANES] __attribute__((aligned(64)));
    if (!lanes)
        return;
    ml_event_watch_go(w, s, lanes, time);
    ml_event_watch_take(w, time, lanes);
}

void ml_event_watch_take(const struct watched *w, const double *time, unsigned lanes)
{
    lanes = ml_event_watch_holds(w, time, w->batch->x, lanes);
    if (!lanes)
        return;
    if (count_wants_derivs(w, lanes))
        ml_event_watch_time_derivs(w, time, ml_event_watch_first_parameter(w),
                                   w->watch->time_derivs);
    if (w->event->stops) {
        count_stop(w, time, lanes);
        return;
    }
    if (count_wants_derivs(w, lanes))
        count_move(w, time, lanes, w->batch->x);
    ml_event_watch_count(w, time, w->watch->time_derivs, lanes);
}

void ml_event_watch_count_stops(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                                unsigned lanes)
{
    const struct ml_event_watch *watch = &batch->watch;
    const size_t size = (size_t)ml_rows_x(&ensemble->model) * ML_LANES * sizeof *batch->x;
    if (!lanes)
        return;
    memcpy(batch->x, watch->x_stop, size);
    for (int i = 0; i < ensemble->n_event; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        unsigned own = 0;
        for (int lane = 0; lane < ML_LANES; lane++)
            own |= (unsigned)(lanes >> lane & 1 && watch->stop_event[lane] == w.event) << lane;
        if (own)
            ml_event_watch_count(&w, watch->stop_time, watch->stop_derivs, own);
    }
    memcpy(batch->x, watch->x_now, size);
}

double ml_event_watch_limit(const struct watched *w, double share, int lane)
{
    const double *earlier = ml_event_watch_row(w, WATCH_EARLIER) + lane;
    const double last = ml_event_watch_row(w, WATCH_LAST)[lane];
    const double interval = last - earlier[0], before = earlier[0] - earlier[ML_LANES];
    const double first = earlier[ML_LANES] - earlier[(size_t)2 * ML_LANES];
    const double ratio = interval / before, ratio_before = before / first;
    const double left = interval * ratio / (1.0 - ratio);
    const bool is_geometric =
        isfinite(first) && ratio < 1.0 && fabs(ratio - ratio_before) <= 0.1 * (1.0 - ratio);
    return is_geometric && left <= share * fmax(fabs(last), w->watch->span[lane]) ? last + left
                                                                                  : last;
}

double ml_event_watch_until(const struct watched *w, double from, int lane, bool *counts)
{
    const struct ml_event_numbers *own = &w->numbers[lane];
    const double last = ml_event_watch_row(w, WATCH_LAST)[lane];
    *counts = false;
    if (w->event->kind != ML_STROBE && fmax(from, last) < own->from)
        return own->from;
    if (w->event->is_once && isinf(last))
        return (double)-INFINITY;
    if (count_pause(w, lane) > 0.0)
        return last + count_pause(w, lane);
    if (w->event->stops || w->event->n_condition > 0 ||
        w->out[ML_EVENT_COUNT][lane] < fmax((double)w->event->most, 1.0))
        return (double)-INFINITY;
    *counts = true;
    return w->watch->stopped >> lane & 1 ? w->watch->stop_time[lane] : (double)INFINITY;
}
