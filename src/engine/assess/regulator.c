/* Regulators of a chain about an equilibrium. By cost, linear quadratic: torques u = -K x that keep
 * the sum or integral of
 *
 *   q_angle (angles)^2 + q_rate (rates)^2 + r (torques)^2
 *
 * each with the numbers of its joint, smallest (Anderson, Moore, Optimal Control: Linear Quadratic
 * Methods, 1990). By poles: one such torque that gives the closed loop chosen poles. The chain is
 * the one without the controllers' own torques but those of perturbations. */
#include <math.h>
#include <string.h>

#include "analysis/indicator.h"
#include "engine/assess/loop_measures.h"
#include "linalg/complex_number.h"
#include "linalg/eigenvalues.h"
#include "linalg/exponential.h"
#include "linalg/lu.h"
#include "linalg/matrix.h"
#include "linalg/placement.h"

/* The regulator of one lane. Matrices [n2][n2], with n2 twice the joints; columns of inputs beyond
 * the joints, and joints without an actuator, are 0. */
struct regulator {
    struct ml_loop_work *work;
    enum ml_loop_measure measure;
    const double *weights; /* [ML_N_REGULATOR_KEY][n] of joints; NULL: by poles */
    const double *poles;   /* [n2][2]; NULL: by cost */
    double interval;       /* s, between samples; NAN: none */
    int n, n2;
    double *a, *b; /* of the chain in absolute angles and rates; of samples from one to the next */
    struct ml_riccati equation;
    double *copy, *held; /* scratch */
};

static bool regulator_is_sampled(const struct regulator *s) { return !isnan(s->interval); }

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
    return s->weights ? s->weights[(int)key * s->n + joint] : 1.0;
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
    if (!ml_exponential(s->n2, s->a, s->interval, s->copy, s->held, s->equation.matrices))
        return false;
    memcpy(s->a, s->copy, size);
    ml_matrix_multiply(s->n2, s->held, s->b, s->copy);
    memcpy(s->b, s->copy, size);
    return true;
}

/* The poles of A - B K, to `poles`; false if they are not found. */
static bool find_poles(const struct regulator *s, double complex *poles)
{
    double complex *closed = s->equation.factors;
    ml_matrix_multiply(s->n2, s->b, s->equation.gain, s->copy);
    for (int i = 0; i < s->n2 * s->n2; i++)
        closed[i] = s->a[i] - s->copy[i];
    return ml_eigenvalues(s->n2, closed, poles);
}

/* Real part of the slowest pole of A - B K, or its size; NAN without one. */
static double slowest_pole(const struct regulator *s)
{
    double complex *poles = s->equation.column;
    double slowest = -(double)INFINITY;
    if (!find_poles(s, poles))
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
    return &s->work->measures[s->measure][(first[which] + i) * ML_LANES + lane];
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

/* By cost; false without a regulator.
 *   slowest  out: its slowest pole */
static bool find_by_cost(const struct regulator *s, double *slowest)
{
    take_costs(s);
    if (!ml_riccati_solve(&s->equation))
        return false;
    *slowest = slowest_pole(s);
    return *slowest < (regulator_is_sampled(s) ? 1.0 : 0.0);
}

/* By poles: the largest distance of a pole of A - B K from its chosen pole, relative to the largest
 * of these, or in the z plane; NAN if poles are not found. */
static double pole_error(const struct regulator *s)
{
    double complex *found = s->equation.column;
    double error = 0.0, size = 0.0;
    if (!find_poles(s, found))
        return (double)NAN;
    for (int i = 0; i < s->n2; i++) {
        const double complex pole = ml_complex(s->poles[2 * i], s->poles[2 * i + 1]);
        int nearest = i;
        for (int k = i + 1; k < s->n2; k++)
            if (ml_complex_size(found[k] - pole) < ml_complex_size(found[nearest] - pole))
                nearest = k;
        error = fmax(error, ml_complex_size(found[nearest] - pole));
        size = fmax(size, ml_complex_size(pole));
        found[nearest] = found[i];
    }
    return regulator_is_sampled(s) ? error : error / size;
}

/* By poles; false if the torque does not control the chain, or several could.
 *   error  out: as of pole_error */
static bool find_by_poles(const struct regulator *s, double *error)
{
    const int n2 = s->n2;
    double *matrices = s->equation.matrices, *b = s->equation.x;
    double complex *poles = s->equation.column, *rows = s->equation.factors;
    int input = -1, n_input = 0;
    for (int j = 0; j < s->n; j++)
        if (is_actuated(&s->work->loop, j)) {
            input = j;
            n_input++;
        }
    if (n_input != 1)
        return false;
    for (int i = 0; i < n2; i++) {
        b[i] = s->b[i * n2 + input];
        poles[i] = ml_complex(s->poles[2 * i], s->poles[2 * i + 1]);
    }
    memset(s->equation.gain, 0, (size_t)(n2 * n2) * sizeof *s->equation.gain);
    const struct ml_placement placement = {.n = n2,
                                           .a = s->a,
                                           .b = b,
                                           .poles = poles,
                                           .gain = s->equation.gain + (long)input * n2,
                                           .basis = matrices,
                                           .hessenberg = matrices + (long)n2 * n2,
                                           .candidate = matrices + 2 * (long)n2 * n2,
                                           .row = rows,
                                           .next = rows + n2};
    if (!ml_placement_solve(&placement))
        return false;
    *error = pole_error(s);
    return true;
}

/* The regulator of a measure, with the keys of its indicator. */
static struct regulator regulator_of(struct ml_loop_work *work, enum ml_loop_measure measure,
                                     const double *settings)
{
    const int n = work->loop.n;
    const long size = 4L * n * n;
    double *own = work->regulator;
    const bool is_placed = measure == ML_LOOP_PLACEMENT;
    struct regulator s = {
        .work = work,
        .measure = measure,
        .weights = is_placed ? NULL : settings + ML_N_REGULATOR_KEY,
        .poles = is_placed ? settings + (long)ML_N_PLACEMENT_KEY * (1 + n) : NULL,
        .interval = settings[is_placed ? (int)ML_PLACEMENT_SAMPLE_TIME : ML_REGULATOR_SAMPLE_TIME],
        .n = n,
        .n2 = 2 * n,
        .a = own,
        .b = own + size,
        .copy = own + 2 * size,
        .held = own + 3 * size};
    s.equation = (struct ml_riccati){.n = 2 * n,
                                     .is_discrete = regulator_is_sampled(&s),
                                     .a = s.a,
                                     .b = s.b,
                                     .r = weight_of(&s, ML_REGULATOR_R, 0),
                                     .x = own + 4 * size,
                                     .gain = own + 5 * size,
                                     .matrices = own + 6 * size,
                                     .factors = work->matrix,
                                     .column = work->column,
                                     .pivots = work->pivots};
    return s;
}

void ml_regulator_measure(struct ml_loop_work *work, enum ml_loop_measure measure,
                          const double *settings, int lane, bool is_there)
{
    const int n = work->loop.n;
    const struct regulator s = regulator_of(work, measure, settings);
    double pole;
    for (int i = 0; i < 2 * n * n + n + 1; i++)
        *regulator_row(&s, ML_REGULATOR_STIFFNESS, i, lane) = (double)NAN;
    if (!is_there)
        return;
    take_chain(&s);
    if ((regulator_is_sampled(&s) && !sample_chain(&s)) ||
        !(s.poles ? find_by_poles(&s, &pole) : find_by_cost(&s, &pole)))
        return;
    write_gain(&s, lane);
    *regulator_row(&s, ML_REGULATOR_POLE, 0, lane) = pole;
}
