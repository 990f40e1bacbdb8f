/* Loops of held torques, exactly: between samples the plant x' = A x + f has a constant f, so that
 * x(t + s) = exp(A s) x(t) + (integral of exp(A r) over 0 .. s) f. A value that is seen with a
 * delay of lag intervals less `ahead` is that of the sample `lag` before, so much ahead: the
 * modified z-transform (Jury, Theory and Application of the z-Transform Method, 1964), in states.
 *
 * Characteristic matrix, z times the states and the held rates f:
 *
 *   z - step                           -held
 *   -own - sum of z^-lag of_state      1 - sum of z^-lag of_held */
#include "engine/assess/sampled_loop.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "linalg/exponential.h"

/* A controller sees angles and rates late, and its own states at once. */
static bool is_seen_late(const struct ml_loop *loop, int c) { return c < 2 * loop->n; }

/* out += the part of `rows` that is seen late, times a matrix. */
static void multiply_seen(const struct ml_loop *loop, int n_row, const double *rows,
                          const double *matrix, double *out)
{
    const int n_x = loop->n_x;
    for (int i = 0; i < n_row; i++)
        for (int c = 0; c < n_x; c++) {
            double sum = 0.0;
            for (int k = 0; k < n_x && is_seen_late(loop, k); k++)
                sum += rows[i * n_x + k] * matrix[k * n_x + c];
            out[i * n_x + c] = sum;
        }
}

/* Adds the part that is seen at once. */
static void add_own(const struct ml_loop *loop, int n_row, const double *rows, double *out)
{
    for (int i = 0; i < n_row * loop->n_x; i++)
        if (!is_seen_late(loop, i % loop->n_x))
            out[i] += rows[i];
}

/* The lag of controller k, and how far ahead of a sample it sees. A delay that is a multiple of the
 * interval up to rounding is such a multiple. False if the delay is too long to be counted. */
static bool take_lag(const struct ml_loop *loop, struct ml_sampled_loop *out, int k)
{
    const double intervals = loop->delay[k] / loop->interval, near = nearbyint(intervals);
    const bool is_whole = fabs(intervals - near) <= 1e-12 * (1.0 + near);
    const double lag = is_whole ? near : ceil(intervals);
    if (!(lag < INT_MAX))
        return false;
    out->lag[k] = (int)lag;
    out->ahead[k] = is_whole ? 0.0 : lag * loop->interval - loop->delay[k];
    return true;
}

/* Rates of the plant by its states, all torques held. */
static const double *plant_of(const struct ml_loop *loop) { return loop->now; }

bool ml_sampled_take(struct ml_loop_work *work)
{
    const struct ml_loop *loop = &work->loop;
    struct ml_sampled_loop *out = &work->sampled;
    const int n = loop->n, n_x = loop->n_x, size = n_x * n_x;
    bool is_finite =
        ml_exponential(n_x, plant_of(loop), loop->interval, out->step, out->held, out->scratch);
    memset(out->own, 0, (size_t)size * sizeof *out->own);
    memset(out->torque_own, 0, (size_t)(n * n_x) * sizeof *out->torque_own);
    for (int k = 0; k < loop->n_controller && is_finite; k++) {
        const double *seen = loop->seen + k * size, *torque = loop->torque_seen + k * n * n_x;
        is_finite = take_lag(loop, out, k) &&
                    ml_exponential(n_x, plant_of(loop), out->ahead[k], out->state_ahead,
                                   out->held_ahead, out->scratch);
        multiply_seen(loop, n_x, seen, out->state_ahead, out->of_state + k * size);
        multiply_seen(loop, n_x, seen, out->held_ahead, out->of_held + k * size);
        multiply_seen(loop, n, torque, out->state_ahead, out->torque_of_state + k * n * n_x);
        multiply_seen(loop, n, torque, out->held_ahead, out->torque_of_held + k * n * n_x);
        add_own(loop, n_x, seen, out->own);
        add_own(loop, n, torque, out->torque_own);
    }
    return is_finite;
}

void ml_sampled_characteristic(struct ml_loop_work *work, int stride, double complex z,
                               const double complex *phases)
{
    const struct ml_loop *loop = &work->loop;
    const struct ml_sampled_loop *sampled = &work->sampled;
    const int n = loop->n, n_x = loop->n_x, n_row = ml_sampled_rows(work);
    for (int i = 0; i < n_x; i++) {
        double complex *row = work->matrix + (size_t)i * (size_t)stride;
        for (int c = 0; c < n_x; c++)
            row[c] = (i == c ? z : 0.0) - sampled->step[i * n_x + c];
        for (int c = n_x; c < n_row; c++)
            row[c] = -sampled->held[i * n_x + c - n_x + n];
    }
    for (int i = n; i < n_x; i++) {
        double complex *row = work->matrix + (size_t)(n_x + i - n) * (size_t)stride;
        for (int c = 0; c < n_row; c++) {
            const bool is_state = c < n_x;
            const int at = i * n_x + (is_state ? c : c - n_x + n);
            const double *of = is_state ? sampled->of_state : sampled->of_held;
            row[c] = is_state ? -sampled->own[at] : i - n == c - n_x;
            for (int k = 0; k < loop->n_controller; k++)
                row[c] -= phases[k] * of[k * n_x * n_x + at];
        }
    }
}

/* Torque at joint j by row c of states and held rates. */
static double complex torque_by(const struct ml_loop_work *work, int j, int c,
                                const double complex *phases)
{
    const struct ml_loop *loop = &work->loop;
    const struct ml_sampled_loop *sampled = &work->sampled;
    const int n = loop->n, n_x = loop->n_x;
    const bool is_state = c < n_x;
    const int at = j * n_x + (is_state ? c : c - n_x + n);
    const double *of = is_state ? sampled->torque_of_state : sampled->torque_of_held;
    double complex sum = is_state ? sampled->torque_own[at] : 0.0;
    for (int k = 0; k < loop->n_controller; k++)
        sum += phases[k] * of[k * n * n_x + at];
    return sum;
}

double complex ml_sampled_torque(const struct ml_loop_work *work, int j,
                                 const double complex *phases)
{
    double complex torque = 0.0;
    for (int c = 0; c < ml_sampled_rows(work); c++)
        torque += torque_by(work, j, c, phases) * work->column[c];
    return torque;
}

/* out = matrix v, [n_x][n_x] and [n_x] */
static void apply(int n_x, const double *matrix, const double *v, double *out)
{
    for (int i = 0; i < n_x; i++) {
        out[i] = 0.0;
        for (int c = 0; c < n_x; c++)
            out[i] += matrix[i * n_x + c] * v[c];
    }
}

/* State t s behind a sample: by the torque that begins `late` s behind the sample, and by that
 * which ends there. */
static bool take_pulse(struct ml_loop_work *work, const struct ml_sampled_cut *cut, double t,
                       double *own, double *before)
{
    const struct ml_loop *loop = &work->loop;
    struct ml_sampled_loop *s = &work->sampled;
    const double *joint = loop->joint + cut->joint * loop->n_x, late = cut->late;
    const double first = late < t ? late : t, rest = t - first;
    bool is_finite =
        ml_exponential(loop->n_x, plant_of(loop), first, s->state_ahead, s->held_ahead, s->scratch);
    apply(loop->n_x, s->held_ahead, joint, cut->ended);
    is_finite = is_finite && ml_exponential(loop->n_x, plant_of(loop), rest, s->state_ahead,
                                            s->held_ahead, s->scratch);
    apply(loop->n_x, s->state_ahead, cut->ended, before);
    apply(loop->n_x, s->held_ahead, joint, own);
    return is_finite;
}

/* Product of the part of row i that is seen late with a vector. */
static double seen_product(const struct ml_loop *loop, const double *rows, int i, const double *v)
{
    double sum = 0.0;
    for (int c = 0; c < loop->n_x && is_seen_late(loop, c); c++)
        sum += rows[i * loop->n_x + c] * v[c];
    return sum;
}

bool ml_sampled_cut_take(struct ml_loop_work *work, struct ml_sampled_cut *cut)
{
    const struct ml_loop *loop = &work->loop;
    const int n = loop->n, n_x = loop->n_x;
    bool is_finite = take_pulse(work, cut, loop->interval, cut->state, cut->state_before);
    for (int k = 0; k < loop->n_controller && is_finite; k++) {
        const double *seen = loop->seen + k * n_x * n_x, *torque = loop->torque_seen + k * n * n_x;
        is_finite = take_pulse(work, cut, work->sampled.ahead[k], cut->seen, cut->seen_before);
        for (int i = 0; i < n_x; i++) {
            cut->held[k * n_x + i] = seen_product(loop, seen, i, cut->seen);
            cut->held_before[k * n_x + i] = seen_product(loop, seen, i, cut->seen_before);
        }
        cut->torque[k] = seen_product(loop, torque, cut->joint, cut->seen);
        cut->torque_before[k] = seen_product(loop, torque, cut->joint, cut->seen_before);
    }
    return is_finite;
}

void ml_sampled_cut_characteristic(struct ml_loop_work *work, const struct ml_sampled_cut *cut,
                                   double complex z, double complex later,
                                   const double complex *phases)
{
    const struct ml_loop *loop = &work->loop;
    const int n = loop->n, n_x = loop->n_x, n_row = ml_sampled_rows(work), stride = n_row + 1;
    const double *joint = loop->joint + cut->joint * n_x;
    double complex *last = work->matrix + (size_t)n_row * (size_t)stride, back = 0.0;
    ml_sampled_characteristic(work, stride, z, phases);
    for (int k = 0; k < loop->n_controller; k++)
        back += phases[k] * (cut->torque[k] + conj(z) * cut->torque_before[k]);
    for (int c = 0; c < n_row; c++)
        last[c] = -torque_by(work, cut->joint, c, phases);
    last[n_row] = 1.0 - later * back;
    for (int i = 0; i < n_x; i++)
        work->matrix[(size_t)i * (size_t)stride + (size_t)n_row] =
            -later * (cut->state[i] + conj(z) * cut->state_before[i]);
    for (int i = n; i < n_x; i++) {
        double complex *row = work->matrix + (size_t)(n_x + i - n) * (size_t)stride;
        double complex held = -joint[i] * back;
        for (int c = 0; c < n_row; c++)
            row[c] -= joint[i] * last[c];
        for (int k = 0; k < loop->n_controller; k++)
            held += phases[k] * (cut->held[k * n_x + i] + conj(z) * cut->held_before[k * n_x + i]);
        row[n_row] = -later * held;
    }
}
