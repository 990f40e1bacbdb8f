/* The numbers by which an event is followed from step to step: where these begin, and how they go
 * on. */
#include "engine/events/event_watched.h"

#include <math.h>

void ml_event_watch_set_strobe(const struct watched *w, int lane, double j)
{
    const struct ml_event_numbers *own = &w->numbers[lane];
    const double n_step = (double)w->ensemble->time.n_step, time = ml_strobe_time(own, j);
    const double end = ml_batch_times(w->ensemble, w->batch, n_step).lane[lane];
    ml_event_watch_row(w, WATCH_PLACE)[lane] = j;
    ml_event_watch_row(w, WATCH_NEXT)[lane] = ml_strobe_is_at(own, j, end) ? fmin(time, end) : time;
}

void ml_event_watch_next_strobe(const struct watched *w, unsigned lanes)
{
    ML_EACH_LANE(lane, lanes)
        ml_event_watch_set_strobe(w, lane, ml_event_watch_row(w, WATCH_PLACE)[lane] + 1.0);
}

void ml_event_watch_measure(const struct ml_ensemble *e, struct ml_batch *b)
{
    const double *t = b->window.now, *x = b->x;
    for (int lane = 0; lane < ML_LANES; lane++)
        b->watch.span[lane] = e->time.is_adaptive
                                  ? b->window.step_control[ML_STEP_CONTROL_STEP * ML_LANES + lane]
                                  : b->step[lane];
    for (int i = 0; i < e->n_event; i++) {
        const struct watched w = ml_event_watched(e, b, i);
        if (w.event->kind == ML_STROBE)
            continue;
        ml_event_watch_values(&w, t, x, ml_event_watch_row(&w, WATCH_NEW));
        if (ml_event_watch_has_slope(&w))
            ml_event_watch_slopes(&w, t, x, ml_event_watch_row(&w, WATCH_NEW_SLOPE));
    }
}

void ml_event_watch_shift(const struct ml_ensemble *e, struct ml_batch *b, unsigned lanes)
{
    static const int pairs[][2] = {
        {WATCH_OLDER, WATCH_VALUE}, {WATCH_VALUE, WATCH_NEW}, {WATCH_SLOPE, WATCH_NEW_SLOPE}};
    for (int i = 0; i < e->n_event; i++) {
        const struct watched w = ml_event_watched(e, b, i);
        for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
            ML_EACH_LANE(lane, lanes)
                ml_event_watch_row(&w, pairs[p][0])[lane] =
                    ml_event_watch_row(&w, pairs[p][1])[lane];
    }
}

void ml_event_watch_forget(const struct watched *w, unsigned lanes)
{
    ML_EACH_LANE(lane, lanes)
        ml_event_watch_row(w, WATCH_PLACE)[lane] = ml_event_watch_row(w, WATCH_NEXT)[lane] =
            (double)NAN;
}

void ml_event_watch_restart(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                            unsigned lanes)
{
    ml_event_watch_measure(ensemble, batch);
    for (int i = 0; i < ensemble->n_event; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        if (w.event->kind != ML_STROBE)
            ml_event_watch_forget(&w, lanes);
        ML_EACH_LANE(lane, lanes)
            ml_event_watch_row(&w, WATCH_SAG)[lane] = -1.0;
    }
    for (int twice = 0; twice < 2; twice++) /* the values before are these too */
        ml_event_watch_shift(ensemble, batch, lanes);
}
