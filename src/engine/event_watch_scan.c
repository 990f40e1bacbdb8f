/* Finds the steps worth a closer look by comparing recorded numbers, vector by vector. */
#include "engine/event_watch_scan.h"

#include <math.h>
#include <string.h>

#include "engine/event_watch_find.h"

/* The state behind step j of those looked at; -1 is before the first. */
static double *scan_x(const struct ml_ensemble *e, const struct ml_event_watch *watch, int j)
{
    return watch->history + (size_t)(j + 2) * ml_event_watch_states(e);
}

/* Doubles from one state's record to the next, of what is recorded. */
static size_t scan_recorded(const struct watched *w)
{
    const bool is_recorded = w->event->kind != ML_STROBE && ml_event_watch_state_row(w) < 0;
    return is_recorded ? (size_t)ml_record_rows(w->ensemble, w->event->record) * ML_LANES : 0;
}

/* What the event looks at in the state before the last two steps, and how far it is to the next. */
static const double *scan_values(const struct watched *w, long *stride)
{
    const int row = ml_event_watch_state_row(w);
    *stride = row >= 0 ? (long)ml_event_watch_states(w->ensemble) : (long)scan_recorded(w);
    return row >= 0 ? w->watch->history + (size_t)row * ML_LANES
                    : w->watch->values[w->event - w->ensemble->events] +
                          (size_t)w->event->row * ML_LANES;
}

double *ml_event_watch_history(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    struct ml_event_watch *watch = &batch->watch;
    const size_t size = ml_event_watch_states(ensemble) * sizeof *batch->x;
    if (watch->n_scanned > 0)
        memmove(scan_x(ensemble, watch, -2), scan_x(ensemble, watch, watch->n_scanned - 2), size);
    for (int i = 0; i < ensemble->n_event && watch->n_scanned > 0; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        const size_t own = scan_recorded(&w);
        if (own > 0)
            memmove(watch->values[i], watch->values[i] + (size_t)watch->n_scanned * own,
                    2 * own * sizeof **watch->values);
    }
    watch->n_scanned = 0;
    memcpy(scan_x(ensemble, watch, -1), batch->x, size);
    return scan_x(ensemble, watch, 0);
}

/* What the event looks at in the states behind steps first .. n - 1. */
static void scan_record(const struct watched *w, int first, int n)
{
    const struct ml_ensemble *e = w->ensemble;
    const struct ml_event_watch *watch = w->watch;
    const size_t stride = scan_recorded(w);
    double *value = watch->values[w->event - e->events] + (size_t)(first + 2) * stride;
    double *out[ML_MAX_RECORDS] = {NULL};
    for (int j = first; j < n && stride > 0; j++, value += stride) {
        const double k = (double)(watch->first_scanned + j + 1);
        out[w->event->record] = value;
        e->system->record(&e->dims, ml_batch_times(e, w->batch, k).lane, w->batch->constants,
                          scan_x(e, watch, j), w->batch->work, out);
    }
}

/* Between what numbers nothing happens in each lane: anything in a lane that is over or before the
 * event is looked for, nothing where the place is not known yet. */
static void scan_set_bounds(const struct watched *w, double *low, double *high, unsigned alive)
{
    const struct ml_event_watch *watch = w->watch;
    const struct ml_times end =
        ml_batch_times(w->ensemble, w->batch, (double)(watch->first_scanned + watch->n_scanned));
    for (int lane = 0; lane < ML_LANES; lane++) {
        const struct ml_event_numbers *own = &w->numbers[lane];
        ml_event_bounds(own, ml_event_watch_row(w, WATCH_PLACE)[lane], &low[lane], &high[lane]);
        if (alive >> lane & 1 && end.lane[lane] >= own->from)
            continue;
        low[lane] = (double)-INFINITY;
        high[lane] = (double)INFINITY;
    }
}

void ml_event_watch_scan_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    struct ml_event_watch *watch = &batch->watch;
    const size_t size = ml_event_watch_states(ensemble) * sizeof *batch->x;
    watch->is_bounded = false;
    watch->first_scanned = watch->n_scanned = 0;
    memcpy(scan_x(ensemble, watch, -2), batch->x, size);
    memcpy(scan_x(ensemble, watch, -1), batch->x, size);
    for (int i = 0; i < ensemble->n_event; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        scan_record(&w, -1, 0);
        if (scan_recorded(&w) > 0)
            memcpy(watch->values[i], watch->values[i] + scan_recorded(&w),
                   scan_recorded(&w) * sizeof **watch->values);
    }
}

/* Whether the event counts in all lanes from step k on. */
static bool scan_has_begun(const struct watched *w, int64_t k)
{
    const double start = w->ensemble->start;
    for (int lane = 0; lane < ML_LANES; lane++) {
        const double from = w->numbers[lane].from;
        if (from > start && fma((double)k, w->batch->step[lane], start) < from)
            return false;
    }
    return true;
}

void ml_event_watch_scan(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t k,
                         int n)
{
    struct ml_event_watch *watch = &batch->watch;
    watch->first_scanned = k;
    watch->n_scanned = n;
    for (int i = 0; i < ensemble->n_event; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        scan_record(&w, 0, n);
        watch->is_bounded &= scan_has_begun(&w, k);
    }
}

/* Whether step j ends at or behind the next strobe of some lane; of an extreme, at or behind the
 * time from which it is looked for, where the sign of the slope is not known yet. */
static bool scan_meets(const struct watched *w, int j, unsigned alive)
{
    const double *place = ml_event_watch_row(w, WATCH_PLACE);
    const double *next = ml_event_watch_row(w, WATCH_NEXT);
    const struct ml_times end =
        ml_batch_times(w->ensemble, w->batch, (double)(w->watch->first_scanned + j + 1));
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
    const int n = w->watch->n_scanned - j;
    long stride;
    const double *value = scan_values(w, &stride) + j * stride;
    double *low = w->watch->low + i * ML_LANES, *high = w->watch->high + i * ML_LANES;
    if (w->event->kind == ML_STROBE)
        return scan_first(w, j, j + n, alive);
    if (w->event->kind == ML_EXTREME)
        return scan_first(w, j, j + kernels->turns(n, stride, value), alive);
    if (!w->watch->is_bounded || w->watch->bounded != alive)
        scan_set_bounds(w, low, high, alive);
    return j + kernels->leaves(n, stride, value, low, high);
}

int ml_event_watch_scan_next(const struct ml_ensemble *ensemble, struct ml_batch *batch, int j,
                             unsigned alive)
{
    int next = batch->watch.n_scanned;
    if (j >= next)
        return next;
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
    struct ml_event_watch *watch = &batch->watch;
    const size_t size = ml_event_watch_states(ensemble) * sizeof *batch->x;
    const int64_t k = watch->first_scanned + j;
    memcpy(batch->x_before, scan_x(ensemble, watch, j - 1), size);
    memcpy(batch->x, scan_x(ensemble, watch, j), size);
    const struct ml_times before = ml_batch_times(ensemble, batch, (double)k);
    const struct ml_times now = ml_batch_times(ensemble, batch, (double)(k + 1));
    memcpy(watch->before, before.lane, sizeof before.lane);
    memcpy(watch->now, now.lane, sizeof now.lane);
    watch->is_bounded = false;
    for (int i = 0; i < ensemble->n_event; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        if (w.event->kind == ML_STROBE)
            continue;
        long stride;
        const double *value = scan_values(&w, &stride) + j * stride;
        memcpy(ml_event_watch_row(&w, WATCH_OLDER), value, ML_LANES * sizeof *value);
        memcpy(ml_event_watch_row(&w, WATCH_VALUE), value + stride, ML_LANES * sizeof *value);
        if (w.event->kind == ML_EXTREME && j + 1 < watch->n_scanned)
            memcpy(ml_event_watch_row(&w, WATCH_NEXT), value + 3 * stride,
                   ML_LANES * sizeof *value);
        else if (w.event->kind == ML_EXTREME)
            for (int lane = 0; lane < ML_LANES; lane++)
                ml_event_watch_row(&w, WATCH_NEXT)[lane] = (double)NAN;
        if (w.event->kind == ML_EXTREME)
            ml_event_watch_slopes(&w, watch->before, batch->x_before,
                                  ml_event_watch_row(&w, WATCH_SLOPE));
    }
}
