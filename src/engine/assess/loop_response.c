/* Responses of loops: in continuous time by
 *
 *   L(i w)  the torque that comes back, the other way, for a torque at the joint
 *   det     of i w - now - sum of exp(-i w delay_k) seen_k
 *
 * and of sampled loops by the characteristic matrix in z (engine/assess/sampled_loop.c). */
#include "engine/assess/loop_response.h"

#include <math.h>

#include "base/pi.h"
#include "linalg/lu.h"

double complex ml_loop_unit(const struct ml_kernels *kernels, double phase)
{
    double sine[ML_LANES] __attribute__((aligned(64))) = {0};
    double cosine[ML_LANES] __attribute__((aligned(64))) = {0};
    const struct ml_times phases = ml_times(phase);
    kernels->sincos(1, phases.lane, sine, cosine);
    return ml_complex(cosine[0], sine[0]);
}

/* Phases of numbers near z, and the rest as the arc of its sine. */
void ml_loop_phases(const struct ml_kernels *kernels, int n, const double complex *z, double *out)
{
    double near[ML_LANES] __attribute__((aligned(64))) = {0};
    double cosine[ML_LANES] __attribute__((aligned(64))) = {0};
    double sine[ML_LANES] __attribute__((aligned(64))) = {0};
    for (int i = 0; i < n; i++)
        near[i] = nearbyint(1024.0 * atan2(cimag(z[i]), creal(z[i]))) / 1024.0;
    kernels->sincos(1, near, sine, cosine);
    for (int i = 0; i < n; i++) {
        const double turned = cimag(z[i] * ml_complex(cosine[i], -sine[i])) / ml_complex_size(z[i]);
        const double square = turned * turned;
        out[i] = near[i] + turned * (1.0 + square * (1.0 / 6.0 + square * (3.0 / 40.0)));
    }
}

double ml_loop_phase(const struct ml_kernels *kernels, double complex z)
{
    double phase;
    ml_loop_phases(kernels, 1, &z, &phase);
    return phase;
}

double ml_loop_last_frequency(const struct ml_loop *loop)
{
    return loop->interval > 0.0 ? ML_PI / loop->interval : (double)INFINITY;
}

/* i w - now - ..., to the scratch matrix. */
static void characteristic(const struct ml_loop_probe *p, double w, const double complex *phases)
{
    const struct ml_loop *loop = &p->work->loop;
    const int n_x = loop->n_x, size = n_x * n_x;
    for (int i = 0; i < size; i++) {
        double complex entry = ml_complex(-loop->now[i], i % (n_x + 1) == 0 ? w : 0.0);
        for (int k = 0; k < loop->n_controller; k++)
            entry -= phases[k] * loop->seen[k * size + i];
        p->work->matrix[i] = entry;
    }
}

/* The open loop at joint j, from the torque that comes back in the closed loop, by the states in
 * work->column. */
static double complex open_loop(const struct ml_loop_probe *p, int j, const double complex *phases)
{
    const struct ml_loop *loop = &p->work->loop;
    const int n = loop->n, n_x = loop->n_x;
    double complex back = 0.0;
    if (loop->interval > 0.0)
        back = ml_sampled_torque(p->work, j, phases);
    for (int i = 0; loop->interval == 0.0 && i < n_x; i++) {
        double complex torque = loop->torque[j * n_x + i];
        for (int k = 0; k < loop->n_controller; k++)
            torque += phases[k] * loop->torque_seen[(k * n + j) * n_x + i];
        back += torque * p->work->column[i];
    }
    return -ml_complex_quotient(back, 1.0 + back);
}

/* z to a whole power, real at the last frequency. */
static double complex power_of_z(const struct ml_loop_probe *p, double w, double power)
{
    const double interval = p->work->loop.interval;
    if (w == ml_loop_last_frequency(&p->work->loop))
        return fmod(power, 2.0) == 0.0 ? 1.0 : -1.0;
    return power == 0.0 ? 1.0 : ml_loop_unit(p->kernels, w * interval * power);
}

/* The factors of n frequencies, to work->factors. */
static void take_factors(const struct ml_loop_probe *p, int n, const double *w)
{
    const struct ml_loop *loop = &p->work->loop;
    const bool is_sampled = loop->interval > 0.0;
    const int n_factor = 1 + loop->n_controller;
    double angle[ML_LANES] __attribute__((aligned(64))) = {0};
    double cosine[ML_LANES] __attribute__((aligned(64))) = {0};
    double sine[ML_LANES] __attribute__((aligned(64))) = {0};
    for (int k = 0; k < n_factor; k++) {
        const double own = k == 0 ? is_sampled : -loop->delay[k - 1];
        const double share = k > 0 && is_sampled ? -p->work->sampled.lag[k - 1] : own;
        for (int i = 0; i < n; i++)
            angle[i] = (is_sampled ? w[i] * loop->interval : w[i]) * share;
        if (share != 0.0)
            p->kernels->sincos(1, angle, sine, cosine);
        for (int i = 0; i < n; i++) {
            const bool is_last = is_sampled && w[i] == ml_loop_last_frequency(loop);
            p->work->factors[i * n_factor + k] = share == 0.0 || is_last
                                                     ? power_of_z(p, w[i], share)
                                                     : ml_complex(cosine[i], sine[i]);
        }
    }
}

/* Factors of frequency i, by controller. */
static const double complex *phases_of(const struct ml_loop_work *work, int i)
{
    return work->factors + (size_t)(i * (1 + work->loop.n_controller) + 1);
}

static int rows_of(const struct ml_loop_work *work)
{
    return work->loop.interval > 0.0 ? ml_sampled_rows(work) : work->loop.n_x;
}

/* The equations of frequency i of work->factors, to the scratch matrix. */
static void write_matrix(const struct ml_loop_probe *p, double w, int i)
{
    const double complex *phases = phases_of(p->work, i);
    if (p->work->loop.interval > 0.0)
        ml_sampled_characteristic(p->work, rows_of(p->work), phases[-1], phases);
    else
        characteristic(p, w, phases);
}

/* The right-hand side of rates of rows n .. n_x - 1, those that a sampled loop holds, and of
 * `rates_by_w` times i w; to the column. */
static void write_rates(const struct ml_loop_probe *p, const double *rates,
                        const double *rates_by_w, double w)
{
    const struct ml_loop *loop = &p->work->loop;
    const int n_held = rows_of(p->work) - loop->n_x;
    double complex *x = p->work->column;
    for (int i = 0; i < loop->n_x; i++) {
        x[i] = 0.0;
        if (n_held == 0 || i >= loop->n)
            x[n_held == 0 ? i : n_held + i] =
                ml_complex(rates[i], rates_by_w ? w * rates_by_w[i] : 0.0);
    }
}

/* Angle j by its target. */
static double complex closed_loop(const struct ml_loop_probe *p, int j, double w)
{
    const struct ml_loop *loop = &p->work->loop;
    const double *target = loop->target + 2 * j * loop->n_x;
    double complex angle = 0.0;
    write_rates(p, target, target + loop->n_x, w);
    ml_lu_solve(rows_of(p->work), p->work->matrix, p->work->pivots, p->work->column);
    for (int i = 0; i < loop->n_x; i++)
        angle += loop->angle[j * loop->n_x + i] * p->work->column[i];
    return angle;
}

/* Whether the equations have been factored; at a pole of the closed loop there is no response. */
static bool is_solvable(const struct ml_loop *loop, struct ml_loop_response *out)
{
    const bool is_pole = out->det == 0.0;
    for (int j = 0; j < loop->n && is_pole; j++)
        out->open[j] = out->closed[j] = (double)NAN;
    return !is_pole;
}

/* With a late torque at one joint: 1/(1 + L) is the torque that acts in place of 1 N m. */
static void respond_cut(const struct ml_loop_probe *p, double w, struct ml_loop_response *out)
{
    struct ml_loop_work *work = p->work;
    const int n_row = ml_sampled_rows(work);
    const double complex *phases = phases_of(work, 0);
    ml_sampled_cut_characteristic(work, p->cut, phases[-1], power_of_z(p, w, -p->whole), phases);
    out->det = ml_lu_factor(n_row + 1, work->matrix, work->pivots);
    if (!is_solvable(&work->loop, out))
        return;
    for (int i = 0; i <= n_row; i++)
        work->column[i] = i == n_row;
    ml_lu_solve(n_row + 1, work->matrix, work->pivots, work->column);
    const double complex acts = work->column[n_row];
    out->open[p->cut->joint] = ml_complex_quotient(1.0 - acts, acts) * power_of_z(p, w, p->whole);
}

void ml_loop_respond(const struct ml_loop_probe *probe, double w, struct ml_loop_response *out)
{
    struct ml_loop_work *work = probe->work;
    const struct ml_loop *loop = &work->loop;
    const int n_row = rows_of(work);
    out->w = w;
    take_factors(probe, 1, &w);
    if (probe->cut) {
        respond_cut(probe, w, out);
        return;
    }
    write_matrix(probe, w, 0);
    out->det = ml_lu_factor(n_row, work->matrix, work->pivots);
    if (!is_solvable(loop, out))
        return;
    for (int j = 0; j < loop->n; j++) {
        write_rates(probe, loop->joint + j * loop->n_x, NULL, 0.0);
        ml_lu_solve(n_row, work->matrix, work->pivots, work->column);
        out->open[j] = loop->has_controller[j] ? open_loop(probe, j, phases_of(work, 0)) : 0.0;
        out->closed[j] = loop->has_target[j] ? closed_loop(probe, j, w) : 0.0;
    }
}

/* The matrix of one lane and the right-hand sides of all joints, to work->equations. */
static void write_lane(const struct ml_loop_work *work, int lane)
{
    const int n_row = rows_of(work), stride = n_row + work->loop.n;
    for (int i = 0; i < n_row; i++)
        for (int c = 0; c < n_row; c++) {
            double *to = work->equations + (size_t)(2 * (i * stride + c) * ML_LANES + lane);
            to[0] = creal(work->matrix[i * n_row + c]);
            to[ML_LANES] = cimag(work->matrix[i * n_row + c]);
        }
}

/* Column j of the right-hand sides or solutions, between work->column and all lanes, or one. */
static void write_joint(const struct ml_loop_probe *p, int j)
{
    const struct ml_loop_work *work = p->work;
    const int n_row = rows_of(work), stride = n_row + work->loop.n;
    write_rates(p, work->loop.joint + j * work->loop.n_x, NULL, 0.0);
    for (int i = 0; i < n_row; i++)
        for (int lane = 0; lane < ML_LANES; lane++) {
            double *to = work->equations + (size_t)(2 * (i * stride + n_row + j) * ML_LANES + lane);
            to[0] = creal(work->column[i]);
            to[ML_LANES] = cimag(work->column[i]);
        }
}

static void read_joint(const struct ml_loop_work *work, int j, int lane)
{
    const int n_row = rows_of(work), stride = n_row + work->loop.n;
    for (int i = 0; i < n_row; i++) {
        const double *from =
            work->equations + (size_t)(2 * (i * stride + n_row + j) * ML_LANES + lane);
        work->column[i] = ml_complex(from[0], from[ML_LANES]);
    }
}

void ml_loop_respond_open(const struct ml_loop_probe *probe, int n, const double *w,
                          double complex *open)
{
    struct ml_loop_work *work = probe->work;
    take_factors(probe, n, w);
    for (int lane = 0; lane < ML_LANES; lane++) { /* those without a frequency are like the last */
        if (lane < n)
            write_matrix(probe, w[lane], lane);
        write_lane(work, lane);
    }
    for (int j = 0; j < work->loop.n; j++)
        write_joint(probe, j);
    probe->kernels->solve_complex(rows_of(work), work->loop.n, work->equations);
    for (int j = 0; j < work->loop.n; j++)
        for (int lane = 0; lane < n; lane++) {
            read_joint(work, j, lane);
            open[j * ML_LANES + lane] =
                work->loop.has_controller[j] ? open_loop(probe, j, phases_of(work, lane)) : 0.0;
        }
}
