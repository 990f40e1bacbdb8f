/* The arithmetic of a Levenberg-Marquardt step within a box. */
#include "fit/descent.h"

#include <math.h>
#include <string.h>

#include "base/cholesky.h"

static const double first_damping = 1e-2, least_damping = 1e-14, most_damping = 1e14;
static const double usual_enough = 1e-9, refined_enough = 1e-17;

void ml_descent_begin(struct ml_descent *d)
{
    d->damping = first_damping;
    d->enough = usual_enough;
    d->grow = 2.0;
    d->iterations = d->n_accepted = 0;
    d->end = ML_DESCENT_UNDERWAY;
    d->at.cost = (double)INFINITY;
}

/* Whether coordinate i of the best point is held at a bound. */
static bool is_held(const struct ml_descent *d, int i)
{
    return (d->z[i] <= 0.0 && d->at.slope[i] >= 0.0) || (d->z[i] >= 1.0 && d->at.slope[i] <= 0.0);
}

/* Solves the damped equations of the coordinates that are free; false if these are not positive
 * definite.
 *   step  [n] in: of the fixed coordinates; out: of all */
static bool solve(const struct ml_descent *d, const bool *is_fixed, double *step)
{
    double matrix[ML_FIT_MOST][ML_FIT_MOST], y[ML_FIT_MOST];
    int free[ML_FIT_MOST], n = 0;
    for (int i = 0; i < d->n; i++)
        if (!is_fixed[i])
            free[n++] = i;
    for (int i = 0; i < n; i++) {
        y[i] = -d->at.slope[free[i]];
        for (int j = 0; j < d->n; j++)
            y[i] -= is_fixed[j] ? d->at.hessian[free[i] * d->n + j] * step[j] : 0.0;
        for (int j = 0; j <= i; j++)
            matrix[i][j] = (i == j && !d->metric ? 1.0 + d->damping : 1.0) *
                           d->at.hessian[free[i] * d->n + free[j]];
        matrix[i][i] += d->metric ? d->damping * d->metric[free[i]] : 0.0;
    }
    if (!ml_cholesky_factorise(n, ML_FIT_MOST, 0.0, &matrix[0][0]))
        return false;
    ml_cholesky_solve(n, ML_FIT_MOST, &matrix[0][0], y);
    for (int i = 0; i < n; i++)
        step[free[i]] = y[i];
    return true;
}

/* Moves a step towards a goal up to the first bound, and fixes the coordinate there; false if the
 * goal is within the box. */
static bool stop_at_bound(const struct ml_descent *d, const double *goal, bool *is_fixed,
                          double *step)
{
    double part = 1.0, room = 0.0;
    int hit = -1;
    for (int i = 0; i < d->n; i++) {
        const double bound = goal[i] < step[i] ? -d->z[i] : 1.0 - d->z[i];
        const double reached =
            is_fixed[i] || goal[i] == step[i] ? 1.0 : (bound - step[i]) / (goal[i] - step[i]);
        if (!(reached < part))
            continue;
        part = reached;
        room = bound;
        hit = i;
    }
    if (hit < 0)
        return false;
    for (int i = 0; i < d->n; i++)
        step[i] += is_fixed[i] ? 0.0 : part * (goal[i] - step[i]);
    step[hit] = room;
    is_fixed[hit] = true;
    return true;
}

/* Finds the step within the box, which lowers the damped model with every bound that is met; false
 * if its equations are not positive definite.
 *   step  [n] out; 0 where held */
static bool solve_in_box(const struct ml_descent *d, double *step)
{
    bool is_fixed[ML_FIT_MOST];
    double goal[ML_FIT_MOST];
    for (int i = 0; i < d->n; i++) {
        is_fixed[i] = i == d->fixed || is_held(d, i) || !(d->at.hessian[i * d->n + i] > 0.0);
        step[i] = 0.0;
    }
    do {
        memcpy(goal, step, (size_t)d->n * sizeof *goal);
        if (!solve(d, is_fixed, goal))
            return false;
    } while (stop_at_bound(d, goal, is_fixed, step));
    memcpy(step, goal, (size_t)d->n * sizeof *step);
    return true;
}

/* By how much the linear model lowers the cost along a step. */
static double lowers(const struct ml_descent *d, const double *step)
{
    double sum = 0.0;
    for (int i = 0; i < d->n; i++) {
        double curved = 0.0;
        for (int j = 0; j < d->n; j++)
            curved += d->at.hessian[i * d->n + j] * step[j];
        sum -= step[i] * (d->at.slope[i] + 0.5 * curved);
    }
    return sum;
}

static void dampen(struct ml_descent *d)
{
    d->damping *= d->grow;
    d->grow *= 2.0;
}

/* The next trial, or the end. */
static void propose(struct ml_descent *d)
{
    double step[ML_FIT_MOST] = {0.0}, others = 0.0;
    for (;;) {
        others = d->eliminate ? d->eliminate(d->context, d) : 0.0;
        if ((others >= 0.0 && solve_in_box(d, step)) || !(d->damping < most_damping))
            break;
        dampen(d);
    }
    for (int i = 0; i < d->n; i++) {
        d->trial[i] = fmin(fmax(d->z[i] + step[i], 0.0), 1.0);
        step[i] = d->trial[i] - d->z[i];
    }
    d->expected = others + lowers(d, step);
    if (d->expected <= d->enough * d->at.cost + d->floor && d->damping <= 1.0)
        d->end = ML_DESCENT_CONVERGED;
    else if (d->damping >= most_damping || memcmp(d->trial, d->z, (size_t)d->n * sizeof *step) == 0)
        d->end = ML_DESCENT_STALLED;
}

static void accept(struct ml_descent *d, const struct ml_normal *found)
{
    const double lowered = d->at.cost - found->cost;
    if (isfinite(lowered)) {
        const double gain = d->expected > 0.0 ? lowered / d->expected : 1.0, c = 2.0 * gain - 1.0;
        d->damping = fmax(d->damping * fmax(1.0 / 32.0, fmin(1.0 - c * c * c, 2.0)), least_damping);
    }
    d->grow = 2.0;
    d->n_accepted++;
    d->at.cost = found->cost;
    memcpy(d->z, d->trial, (size_t)d->n * sizeof *d->z);
    memcpy(d->at.slope, found->slope, (size_t)d->n * sizeof *d->z);
    memcpy(d->at.hessian, found->hessian, (size_t)d->n * (size_t)d->n * sizeof *d->z);
}

void ml_descent_take(struct ml_descent *d, const struct ml_normal *found, int most)
{
    d->iterations++;
    if (found->cost < d->at.cost)
        accept(d, found);
    else if (!isfinite(d->at.cost))
        d->end = ML_DESCENT_FAILED;
    else
        dampen(d);
    if (d->end == ML_DESCENT_UNDERWAY)
        propose(d);
    if (d->end == ML_DESCENT_UNDERWAY && d->iterations >= most)
        d->end = ML_DESCENT_CUT_OFF;
}

void ml_descent_refine(struct ml_descent *d)
{
    d->damping = least_damping;
    d->grow = 2.0;
    d->enough = refined_enough;
    d->end = ML_DESCENT_UNDERWAY;
    propose(d);
}
