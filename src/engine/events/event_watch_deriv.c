/* Derivatives of the instants of events by parameters: the change along the parameter of the
 * quantity that is zero at the event, over its change along the motion. */
#include "engine/events/event_watched.h"

#include <math.h>
#include <string.h>

/* The derivative at batch->x of the quantity that is zero at the event. */
static void deriv_along(const struct watched *w, const double *time,
                        const struct direction *direction, double *deriv)
{
    ml_event_watch_function *function =
        w->event->kind == ML_EXTREME ? ml_event_watch_slopes : ml_event_watch_values;
    ml_event_watch_along(w, time, w->batch->x, direction, function, 1, deriv);
}

static double deriv_largest(size_t size, const double *rows, int lane)
{
    double largest = 0.0;
    for (size_t i = (size_t)lane; i < size; i += ML_LANES)
        largest = fmax(largest, fabs(rows[i]));
    return largest;
}

/* A step that changes the largest number by a small part of itself; 1 where nothing changes. */
static double deriv_step(size_t size, const double *from, const double *direction, int lane)
{
    const double small = 0x1p-10, scale = deriv_largest(size, from, lane);
    const double change = deriv_largest(size, direction, lane);
    return change > 0.0 ? small * (scale > 0.0 ? scale : 1.0) / change : 1.0;
}

/* Times in which the state changes by so much that differences are neither rounding nor curvature,
 * the second derivative of an extreme among them: 2^-8 of them are taken, and steps may be far
 * shorter. */
static void deriv_spans(const struct watched *w, const double *time, double *span)
{
    const size_t size = ml_event_watch_states(w->ensemble);
    ml_event_watch_rates(w, time, w->batch->x);
    for (int lane = 0; lane < ML_LANES; lane++)
        span[lane] = 0x1p8 * deriv_step(size, w->batch->x, w->watch->rate, lane);
}

/* Along the motion. */
static void deriv_by_time(const struct watched *w, const double *time, double *slope)
{
    double value[ML_LANES];
    struct direction motion = {
        .x = w->watch->motion_x, .moved_x = w->watch->moved_x, .value = value};
    ml_event_watch_rates(w, time, w->batch->x);
    memcpy(w->watch->motion_x, w->watch->rate, ml_event_watch_states(w->ensemble) * sizeof(double));
    for (int lane = 0; lane < ML_LANES; lane++) {
        motion.time[lane] = 1.0;
        motion.step[lane] = 0x1p-8 * w->watch->span[lane];
    }
    deriv_along(w, time, &motion, slope);
}

struct direction ml_event_watch_column(const struct watched *w, int c)
{
    const struct ml_ensemble *e = w->ensemble;
    const struct ml_batch *b = w->batch;
    const int p = c - ml_event_watch_first_parameter(w);
    const size_t n_state = ml_event_watch_states(e), n_constant = ml_event_watch_constants(e);
    struct direction by = {.x = ml_event_watch_vector(w, b->x, c),
                           .constants = p < 0 ? NULL : b->constants + (size_t)(1 + p) * n_constant,
                           .moved_x = b->watch.moved_x};
    for (int lane = 0; lane < ML_LANES; lane++) {
        by.step[lane] = deriv_step(n_state, b->x, by.x, lane);
        if (by.constants)
            by.step[lane] =
                fmin(by.step[lane], deriv_step(n_constant, b->constants, by.constants, lane));
    }
    return by;
}

void ml_event_watch_time_derivs(const struct watched *w, const double *time, int first,
                                double *derivs)
{
    double slope[ML_LANES], deriv[ML_LANES], span[ML_LANES], value[ML_LANES];
    struct ml_event_watch watch = *w->watch;
    struct watched there = *w;
    deriv_spans(w, time, span);
    watch.span = span;
    there.watch = &watch;
    deriv_by_time(&there, time, slope);
    for (int c = first; c < w->ensemble->model.n_column; c++, derivs += ML_LANES) {
        struct direction by = ml_event_watch_column(w, c);
        by.value = value;
        deriv_along(&there, time, &by, deriv);
        for (int lane = 0; lane < ML_LANES; lane++)
            derivs[lane] = -deriv[lane] / slope[lane];
    }
}
