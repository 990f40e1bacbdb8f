/* Linear quadratic regulators: torques u = -K x that keep the sum or integral of
 *
 *   q_angle (angles)^2 + q_rate (rates)^2 + r (torques)^2
 *
 * each with the numbers of its joint, smallest, about an equilibrium, of the chain without the
 * controllers' own torques but those of perturbations (Anderson, Moore, Optimal Control: Linear
 * Quadratic Methods, 1990). */
#include <math.h>
#include <string.h>

#include "analysis/indicator.h"
#include "engine/assess/loop_measures.h"
#include "linalg/eigenvalues.h"
#include "linalg/exponential.h"
#include "linalg/lu.h"
#include "linalg/matrix.h"

/* The regulator of one lane. Matrices [n2][n2], with n2 twice the joints; columns of inputs beyond
 * the joints, and joints without an actuator, are 0. */
struct regulator {
    struct ml_loop_work *work;
    const double *keys; /* [ML_N_REGULATOR_KEY], behind them [ML_N_REGULATOR_KEY][n] of joints */
    int n, n2;
    double *a, *b; /* of the chain in absolute angles and rates; of samples from one to the next */
    struct ml_riccati equation;
    double *copy, *held; /* scratch */
};

static bool regulator_is_sampled(const struct regulator *s)
{
    return !isnan(s->keys[ML_REGULATOR_SAMPLE_TIME]);
}

/* Whether a regulator may act at joint j: where a controller does, or anywhere without any. */
static bool is_actuated(const struct ml_loop *loop, int j)
{
    bool has_any = false;
    for (int i = 0; i < loop->n; i++)
        has_any |= loop->has_controller[i];
    return !has_any || loop->has_controller[j];
}

static double weight_of(const struct regulator *s, enum ml_regulator_key key, int joint)
{
    return s->keys[ML_N_REGULATOR_KEY + (int)key * s->n + joint];
}

/* A torque is this times an input whose cost is that of the first torque. */
static double torque_of_input(const struct regulator *s, int joint)
{
    return sqrt(weight_of(s, ML_REGULATOR_R, 0) / weight_of(s, ML_REGULATOR_R, joint));
}

/* Rates by states and inputs, and by the states those of perturbations too. */
static void take_chain(const struct regulator *s)
{
    const struct ml_loop_work *work = s->work;
    const struct ml_loop *loop = &work->loop;
    const int n_x = loop->n_x;
    memset(s->b, 0, (size_t)(s->n2 * s->n2) * sizeof *s->b);
    for (int i = 0; i < s->n2; i++)
        for (int c = 0; c < s->n2; c++) {
            double *rate = &s->a[i * s->n2 + c];
            *rate = loop->now[i * n_x + c];
            for (int k = 0; k < loop->n_controller; k++)
                if (work->laws[work->controllers[k]].is_passive)
                    *rate += loop->seen[(k * n_x + i) * n_x + c];
            if (c < s->n && is_actuated(loop, c))
                s->b[i * s->n2 + c] = loop->joint[c * n_x + i] * torque_of_input(s, c);
        }
}

/* The costs of angles as the study counts them, and of their rates. */
static void take_costs(const struct regulator *s)
{
    const struct ml_loop *loop = &s->work->loop;
    memset(s->equation.x, 0, (size_t)(s->n2 * s->n2) * sizeof *s->a);
    for (int i = 0; i < s->n; i++)
        for (int c = 0; c < s->n; c++) {
            double *angle = &s->equation.x[i * s->n2 + c];
            double *rate = &s->equation.x[(s->n + i) * s->n2 + s->n + c];
            for (int j = 0; j < s->n; j++) {
                const double square =
                    loop->angle[j * loop->n_x + i] * loop->angle[j * loop->n_x + c];
                *angle += weight_of(s, ML_REGULATOR_Q_ANGLE, j) * square;
                *rate += weight_of(s, ML_REGULATOR_Q_RATE, j) * square;
            }
        }
}

/* From one sample to the next. */
static bool sample_chain(const struct regulator *s)
{
    const size_t size = (size_t)(s->n2 * s->n2) * sizeof *s->a;
    if (!ml_exponential(s->n2, s->a, s->keys[ML_REGULATOR_SAMPLE_TIME], s->copy, s->held,
                        s->equation.matrices))
        return false;
    memcpy(s->a, s->copy, size);
    ml_matrix_multiply(s->n2, s->held, s->b, s->copy);
    memcpy(s->b, s->copy, size);
    return true;
}

/* Real part of the slowest pole of A - B K, or its size; NAN without one. */
static double slowest_pole(const struct regulator *s)
{
    double complex *closed = s->equation.factors, *poles = s->equation.column;
    double slowest = -(double)INFINITY;
    ml_matrix_multiply(s->n2, s->b, s->equation.gain, s->copy);
    for (int i = 0; i < s->n2 * s->n2; i++)
        closed[i] = s->a[i] - s->copy[i];
    if (!ml_eigenvalues(s->n2, closed, poles))
        return (double)NAN;
    for (int i = 0; i < s->n2; i++)
        slowest =
            fmax(slowest, regulator_is_sampled(s) ? ml_complex_size(poles[i]) : creal(poles[i]));
    return slowest;
}

static double *regulator_row(const struct regulator *s, enum ml_regulator which, int i, int lane)
{
    const int matrix = s->n * s->n;
    const int first[ML_N_REGULATOR] = {0, matrix, 2 * matrix, 2 * matrix + s->n};
    return &s->work->measures[ML_LOOP_REGULATOR][(first[which] + i) * ML_LANES + lane];
}

/* Gains by joint angles: absolute angle k is the sum of the joint angles up to k. */
static void write_gain(const struct regulator *s, int lane)
{
    const struct ml_loop *loop = &s->work->loop;
    for (int i = 0; i < s->n; i++) {
        const double torque = torque_of_input(s, i);
        double stiffness = 0.0, damping = 0.0, angle = 0.0;
        for (int j = s->n - 1; j >= 0; j--) {
            stiffness += s->equation.gain[i * s->n2 + j];
            damping += s->equation.gain[i * s->n2 + s->n + j];
            angle += loop->angle[i * loop->n_x + j] * s->work->x[j * ML_LANES + lane];
            *regulator_row(s, ML_REGULATOR_STIFFNESS, i * s->n + j, lane) = torque * stiffness;
            *regulator_row(s, ML_REGULATOR_DAMPING, i * s->n + j, lane) = torque * damping;
        }
        *regulator_row(s, ML_REGULATOR_ANGLE, i, lane) = angle;
    }
}

void ml_regulator_measure(struct ml_loop_work *work, const double *keys, int lane, bool is_there)
{
    const int n = work->loop.n, size = 4 * n * n;
    double *own = work->regulator;
    struct regulator s = {.work = work,
                          .keys = keys,
                          .n = n,
                          .n2 = 2 * n,
                          .a = own,
                          .b = own + size,
                          .copy = own + 2 * (size_t)size,
                          .held = own + 3 * (size_t)size};
    s.equation = (struct ml_riccati){.n = 2 * n,
                                     .is_discrete = regulator_is_sampled(&s),
                                     .a = s.a,
                                     .b = s.b,
                                     .r = weight_of(&s, ML_REGULATOR_R, 0),
                                     .x = own + 4 * (size_t)size,
                                     .gain = own + 5 * (size_t)size,
                                     .matrices = own + 6 * (size_t)size,
                                     .factors = work->matrix,
                                     .column = work->column,
                                     .pivots = work->pivots};
    for (int i = 0; i < 2 * n * n + n + 1; i++)
        *regulator_row(&s, ML_REGULATOR_STIFFNESS, i, lane) = (double)NAN;
    if (!is_there)
        return;
    take_chain(&s);
    take_costs(&s);
    if ((regulator_is_sampled(&s) && !sample_chain(&s)) || !ml_riccati_solve(&s.equation))
        return;
    const double slowest = slowest_pole(&s);
    if (!(slowest < (regulator_is_sampled(&s) ? 1.0 : 0.0)))
        return;
    write_gain(&s, lane);
    *regulator_row(&s, ML_REGULATOR_SLOWEST, 0, lane) = slowest;
}
