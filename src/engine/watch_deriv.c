/* Derivatives of the instants of events by parameters: how what is zero at the event changes along
 * the parameter, over how it changes along the motion. */
#include "engine/watch_deriv.h"

#include <math.h>
#include <string.h>

/* A way to go from a state at an event: so much per unit of the step. */
struct way {
    double time;             /* s */
    const double *x;         /* [n_x] */
    const double *constants; /* [constant rows]; NULL: they stay */
    double step[ML_LANES];
};

static size_t deriv_constants(const struct ml_ensemble *e)
{
    return (size_t)ml_rows_constants(e->system, &e->shape) / (size_t)(1 + e->shape.n_parameter) *
           ML_LANES;
}

static size_t deriv_states(const struct ml_ensemble *e)
{
    return (size_t)e->system->n_x(&e->shape) * ML_LANES;
}

/* to = from + by step way, row by row; way NULL: none. */
static void deriv_go(size_t size, const double *from, double by, const double *step,
                     const double *way, double *to)
{
    for (size_t i = 0; i < size; i++)
        to[i] = way ? from[i] + by * step[i % ML_LANES] * way[i] : from[i];
}

/* The derivative of what is zero at the event along a way. */
static void deriv_along(const struct watched *w, const double *time, const struct way *way,
                        double *deriv)
{
    static const double weights[] = {8.0 / 12.0, -1.0 / 12.0};
    const struct ml_ensemble *e = w->ensemble;
    struct ml_batch moved = *w->batch;
    struct watched there = *w;
    double value[ML_LANES], at[ML_LANES] __attribute__((aligned(64)));
    moved.constants = w->watch->moved_constants;
    there.batch = &moved;
    memset(deriv, 0, ML_LANES * sizeof *deriv);
    for (int k = 0; k < 2; k++)
        for (int side = -1; side <= 1; side += 2) {
            const double by = side * (k + 1);
            deriv_go(deriv_states(e), w->batch->x, by, way->step, way->x, w->watch->moved_x);
            deriv_go(deriv_constants(e), w->batch->constants, by, way->step, way->constants,
                     moved.constants);
            for (int lane = 0; lane < ML_LANES; lane++)
                at[lane] = time[lane] + by * way->step[lane] * way->time;
            if (w->event->kind == ML_EXTREME)
                ml_watch_slopes(&there, at, w->watch->moved_x, value);
            else
                ml_watch_values(&there, at, w->watch->moved_x, value);
            for (int lane = 0; lane < ML_LANES; lane++)
                deriv[lane] += side * weights[k] * value[lane];
        }
    for (int lane = 0; lane < ML_LANES; lane++)
        deriv[lane] /= way->step[lane];
}

static double deriv_largest(size_t size, const double *rows, int lane)
{
    double largest = 0.0;
    for (size_t i = (size_t)lane; i < size; i += ML_LANES)
        largest = fmax(largest, fabs(rows[i]));
    return largest;
}

/* A step that changes the largest number by a small part of itself; 1 where nothing changes. */
static double deriv_step(size_t size, const double *from, const double *way, int lane)
{
    const double small = 0x1p-10, scale = deriv_largest(size, from, lane);
    const double change = deriv_largest(size, way, lane);
    return change > 0.0 ? small * (scale > 0.0 ? scale : 1.0) / change : 1.0;
}

/* Derivative of the state by time at batch->x: to watch->rate. */
static void deriv_rates(const struct watched *w, const double *time)
{
    struct ml_shape shape = w->ensemble->shape;
    shape.n_column = shape.n_parameter = 0;
    w->batch->general->rates(&shape, time, w->batch->constants, w->batch->x, w->watch->rate,
                             w->batch->work);
}

/* Times in which the state changes by so much that differences are neither rounding nor curvature,
 * the second derivative of an extreme among them: 2^-8 of them are taken, and steps may be far
 * shorter. */
static void deriv_spans(const struct watched *w, const double *time, double *span)
{
    const size_t size = deriv_states(w->ensemble);
    deriv_rates(w, time);
    for (int lane = 0; lane < ML_LANES; lane++)
        span[lane] = 0x1p8 * deriv_step(size, w->batch->x, w->watch->rate, lane);
}

/* Along the motion. */
static void deriv_by_time(const struct watched *w, const double *time, double *slope)
{
    struct way way = {.time = 1.0, .x = w->watch->way_x};
    deriv_rates(w, time);
    memcpy(w->watch->way_x, w->watch->rate, deriv_states(w->ensemble) * sizeof(double));
    for (int lane = 0; lane < ML_LANES; lane++)
        way.step[lane] = 0x1p-8 * w->watch->span[lane];
    deriv_along(w, time, &way, slope);
}

/* Rows of the tangent vector along parameter p. */
static double *deriv_column(const struct ml_ensemble *e, double *x, int p)
{
    return x + deriv_states(e) * (size_t)(1 + e->shape.n_column - e->shape.n_parameter + p);
}

void ml_watch_time_derivs(const struct watched *w, const double *time)
{
    const struct ml_ensemble *e = w->ensemble;
    const struct ml_batch *b = w->batch;
    double slope[ML_LANES], deriv[ML_LANES], span[ML_LANES];
    struct ml_watch watch = *w->watch;
    struct watched there = *w;
    deriv_spans(w, time, span);
    watch.span = span;
    there.watch = &watch;
    deriv_by_time(&there, time, slope);
    for (int p = 0; p < e->shape.n_parameter; p++) {
        struct way way = {.x = deriv_column(e, b->x, p),
                          .constants = b->constants + (size_t)(1 + p) * deriv_constants(e)};
        for (int lane = 0; lane < ML_LANES; lane++)
            way.step[lane] =
                fmin(deriv_step(deriv_states(e), b->x, way.x, lane),
                     deriv_step(deriv_constants(e), b->constants, way.constants, lane));
        deriv_along(&there, time, &way, deriv);
        for (int lane = 0; lane < ML_LANES; lane++)
            w->watch->time_derivs[p * ML_LANES + lane] = -deriv[lane] / slope[lane];
    }
}

void ml_watch_move(const struct watched *w, const double *time, unsigned lanes, double *x)
{
    const struct ml_ensemble *e = w->ensemble;
    deriv_rates(w, time);
    for (int p = 0; p < e->shape.n_parameter; p++) {
        double *column = deriv_column(e, x, p);
        const double *moves = w->watch->time_derivs + (size_t)p * ML_LANES;
        for (size_t i = 0; i < deriv_states(e); i++)
            if (lanes >> i % ML_LANES & 1)
                column[i] = fma(w->watch->rate[i], moves[i % ML_LANES], column[i]);
    }
}
