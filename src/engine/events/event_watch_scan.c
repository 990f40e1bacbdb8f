/* Finds the steps worth a closer look by comparing recorded numbers, vector by vector. */
#include "engine/events/event_watched.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* The state behind step j of the window; -1 is before the first. */
static double *scan_x(const struct ml_ensemble *e, const struct ml_batch *b, int j)
{
    return b->window.states + j * (ptrdiff_t)ml_event_watch_states(e);
}

/* Doubles from one state's record to the next. */
static size_t scan_recorded(const struct watched *w)
{
    const bool is_recorded = w->event->kind != ML_STROBE && ml_event_watch_state_row(w) < 0;
    return is_recorded ? (size_t)ml_record_rows(w->ensemble, w->event->record) * ML_LANES : 0;
}

/* The event's quantity in the state before the last two steps, and the distance to the next. */
static const double *scan_values(const struct watched *w, long *stride)
{
    const int row = ml_event_watch_state_row(w);
    *stride = row >= 0 ? (long)ml_event_watch_states(w->ensemble) : (long)scan_recorded(w);
    return row >= 0 ? scan_x(w->ensemble, w->batch, -2) + (size_t)row * ML_LANES
                    : w->watch->values[w->event - w->ensemble->events] +
                          (size_t)w->event->row * ML_LANES;
}

/* By how much the event's quantity bends in step j; -1 is the last of the window before. */
static double *scan_sag(const struct watched *w, int j)
{
    return w->watch->sags[w->event - w->ensemble->events] + (ptrdiff_t)(j + 1) * ML_LANES;
}

/* The same, measured in steps 0 .. n - 1. */
static void scan_bend(const struct watched *w, int n)
{
    const struct ml_ensemble *e = w->ensemble;
    const size_t stride = scan_recorded(w);
    const double *value =
        w->watch->values[w->event - e->events] + stride + (size_t)w->event->row * ML_LANES;
    for (int j = 0; j < n && stride > 0; j++, value += stride) {
        const int64_t k = w->batch->window.first + j;
        const struct ml_times before = ml_batch_times(e, w->batch, (double)k),
                              now = ml_batch_times(e, w->batch, (double)(k + 1));
        const struct chord step = {{scan_x(e, w->batch, j - 1), scan_x(e, w->batch, j)},
                                   {before.lane, now.lane},
                                   {value, value + stride}};
        ml_event_watch_sag(w, &step, scan_sag(w, j - 1), scan_sag(w, j));
    }
}

/* The event's quantity in the states behind steps first .. n - 1. */
static void scan_record(const struct watched *w, int first, int n)
{
    const struct ml_ensemble *e = w->ensemble;
    const size_t stride = scan_recorded(w);
    double *value = w->watch->values[w->event - e->events] + (size_t)(first + 2) * stride;
    for (int j = first; j < n && stride > 0; j++, value += stride) {
        const double k = (double)(w->batch->window.first + j + 1);
        ml_event_watch_record(w, ml_batch_times(e, w->batch, k).lane, scan_x(e, w->batch, j),
                              value);
    }
}

/* Bounds between which nothing happens in each lane: anything in a lane that is over or before the
 * event is looked for, nothing where the place is not known yet. */
static void scan_set_bounds(const struct watched *w, double *low, double *high, unsigned alive)
{
    const struct ml_times end = ml_batch_times(w->ensemble, w->batch, (double)w->batch->window.end);
    for (int lane = 0; lane < ML_LANES; lane++) {
        const struct ml_event_numbers *own = &w->numbers[lane];
        ml_event_bounds(own, ml_event_watch_row(w, WATCH_PLACE)[lane], &low[lane], &high[lane]);
        if (w->event->kind == ML_EXTREME) /* looked for at any value */
            low[lane] = (double)INFINITY;
        if (alive >> lane & 1 && end.lane[lane] >= own->from)
            continue;
        low[lane] = (double)-INFINITY;
        high[lane] = (double)INFINITY;
    }
}

void ml_event_watch_scan_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    struct ml_event_watch *watch = &batch->watch;
    watch->is_bounded = false;
    watch->n_scanned = 0;
    memcpy(scan_x(ensemble, batch, -1), batch->x,
           ml_event_watch_states(ensemble) * sizeof *batch->x);
    for (int i = 0; i < ensemble->n_event; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        scan_record(&w, -1, 0);
        if (scan_recorded(&w) > 0) {
            memcpy(watch->values[i], watch->values[i] + scan_recorded(&w),
                   scan_recorded(&w) * sizeof **watch->values);
            for (int lane = 0; lane < ML_LANES; lane++)
                scan_sag(&w, -1)[lane] = -1.0;
        }
    }
}

/* Whether the event counts in all lanes from step k on. */
static bool scan_has_begun(const struct watched *w, int64_t k)
{
    const double start = w->ensemble->time.start;
    for (int lane = 0; lane < ML_LANES; lane++) {
        const double from = w->numbers[lane].from;
        if (from > start && fma((double)k, w->batch->step[lane], start) < from)
            return false;
    }
    return true;
}

void ml_event_watch_scan(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    struct ml_event_watch *watch = &batch->watch;
    const struct ml_window *window = &batch->window;
    for (int i = 0; window->states && i < ensemble->n_event; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        const size_t own = scan_recorded(&w);
        if (own > 0 && watch->n_scanned > 0) {
            memmove(watch->values[i], watch->values[i] + (size_t)watch->n_scanned * own,
                    2 * own * sizeof **watch->values);
            memcpy(scan_sag(&w, -1), scan_sag(&w, watch->n_scanned - 1),
                   ML_LANES * sizeof **watch->sags);
        }
        scan_record(&w, 0, window->n_state);
        scan_bend(&w, window->n_state);
        watch->is_bounded &= scan_has_begun(&w, window->first);
    }
    watch->n_scanned = window->n_state;
}

/* Whether step j ends at or behind the next strobe of some lane; of an extreme, at or behind the
 * time from which it is looked for, where the sign of the slope is not known yet. */
static bool scan_meets(const struct watched *w, int j, unsigned alive)
{
    const double *place = ml_event_watch_row(w, WATCH_PLACE);
    const double *next = ml_event_watch_row(w, WATCH_NEXT);
    const struct ml_times end =
        ml_batch_times(w->ensemble, w->batch, (double)(w->batch->window.first + j + 1));
    for (int lane = 0; lane < ML_LANES; lane++)
        if (alive >> lane & 1 &&
            (w->event->kind == ML_STROBE
                 ? end.lane[lane] >= next[lane]
                 : isnan(place[lane]) && end.lane[lane] >= w->numbers[lane].from))
            return true;
    return false;
}

/* The first step from j on, and before step n, that does. */
static int scan_first(const struct watched *w, int j, int n, unsigned alive)
{
    if (j >= n || !scan_meets(w, n - 1, alive))
        return n;
    while (!scan_meets(w, j, alive))
        j++;
    return j;
}

static int scan_event(const struct watched *w, int j, unsigned alive)
{
    const struct ml_kernels *kernels = w->ensemble->kernels;
    const long i = w->event - w->ensemble->events;
    const int n = w->batch->window.n_state - j;
    long stride;
    const double *value = scan_values(w, &stride) + j * stride;
    double *low = w->watch->low + i * ML_LANES, *high = w->watch->high + i * ML_LANES;
    if (w->event->kind == ML_STROBE)
        return scan_first(w, j, j + n, alive);
    if (!w->watch->is_bounded || w->watch->bounded != alive)
        scan_set_bounds(w, low, high, alive);
    const int bends =
        scan_recorded(w) > 0 ? kernels->bends(n, stride, value, scan_sag(w, j), low, high) : n;
    if (w->event->kind == ML_EXTREME) {
        const int turns = kernels->turns(n, stride, value);
        return scan_first(w, j, j + (turns < bends ? turns : bends), alive);
    }
    const int leaves = kernels->leaves(n, stride, value, low, high);
    return j + (leaves < bends ? leaves : bends);
}

int ml_event_watch_scan_next(const struct ml_ensemble *ensemble, struct ml_batch *batch, int j,
                             unsigned alive)
{
    int next = batch->window.n_state;
    if (j >= next || !batch->window.states)
        return j;
    for (int i = 0; i < ensemble->n_event; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        const int own = scan_event(&w, j, alive);
        next = own < next ? own : next;
    }
    batch->watch.is_bounded = true;
    batch->watch.bounded = alive;
    return next;
}

void ml_event_watch_scan_take(const struct ml_ensemble *ensemble, struct ml_batch *batch, int j)
{
    struct ml_window *window = &batch->window;
    const size_t size = ml_event_watch_states(ensemble) * sizeof *batch->x;
    const int64_t k = window->first + j;
    memcpy(batch->x_before, scan_x(ensemble, batch, j - 1), size);
    memcpy(batch->x, scan_x(ensemble, batch, j), size);
    const struct ml_times before = ml_batch_times(ensemble, batch, (double)k);
    const struct ml_times now = ml_batch_times(ensemble, batch, (double)(k + 1));
    memcpy(window->before, before.lane, sizeof before.lane);
    memcpy(window->now, now.lane, sizeof now.lane);
    batch->watch.is_bounded = false;
    for (int i = 0; i < ensemble->n_event; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        if (w.event->kind == ML_STROBE)
            continue;
        long stride;
        const double *value = scan_values(&w, &stride) + j * stride;
        memcpy(ml_event_watch_row(&w, WATCH_OLDER), value, ML_LANES * sizeof *value);
        memcpy(ml_event_watch_row(&w, WATCH_VALUE), value + stride, ML_LANES * sizeof *value);
        if (scan_recorded(&w) > 0)
            memcpy(ml_event_watch_row(&w, WATCH_SAG), scan_sag(&w, j), ML_LANES * sizeof *value);
        if (w.event->kind == ML_EXTREME && j + 1 < window->n_state)
            memcpy(ml_event_watch_row(&w, WATCH_NEXT), value + 3 * stride,
                   ML_LANES * sizeof *value);
        else if (w.event->kind == ML_EXTREME)
            for (int lane = 0; lane < ML_LANES; lane++)
                ml_event_watch_row(&w, WATCH_NEXT)[lane] = (double)NAN;
        if (w.event->kind == ML_EXTREME)
            ml_event_watch_slopes(&w, window->before, batch->x_before,
                                  ml_event_watch_row(&w, WATCH_SLOPE));
    }
}

const double *ml_event_watch_scan_end(const struct ml_ensemble *ensemble,
                                      const struct ml_batch *batch)
{
    return scan_x(ensemble, batch, batch->window.n_state - 1);
}
