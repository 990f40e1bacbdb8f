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
    double sine[ML_LANES] __attribute__((aligned(64)));
    double cosine[ML_LANES] __attribute__((aligned(64)));
    const struct ml_times phases = ml_times(phase);
    kernels->sincos(1, phases.lane, sine, cosine);
    return ml_complex(cosine[0], sine[0]);
}

/* That of a number near z, and the rest as the arc of its sine. */
double ml_loop_phase(const struct ml_kernels *kernels, double complex z)
{
    const double near = nearbyint(1024.0 * atan2(cimag(z), creal(z))) / 1024.0;
    const double sine = cimag(z * conj(ml_loop_unit(kernels, near))) / ml_complex_size(z);
    const double square = sine * sine;
    return near + sine * (1.0 + square * (1.0 / 6.0 + square * (3.0 / 40.0)));
}

double ml_loop_last_frequency(const struct ml_loop *loop)
{
    return loop->interval > 0.0 ? ML_PI / loop->interval : (double)INFINITY;
}

/* i w - now - ..., to the scratch matrix. */
static void characteristic(const struct ml_loop_probe *p, double w, double complex *phases)
{
    const struct ml_loop *loop = &p->work->loop;
    const int n_x = loop->n_x, size = n_x * n_x;
    for (int k = 0; k < loop->n_controller; k++)
        phases[k] = loop->delay[k] > 0.0 ? ml_loop_unit(p->kernels, -w * loop->delay[k]) : 1.0;
    for (int i = 0; i < size; i++) {
        double complex entry = ml_complex(-loop->now[i], i % (n_x + 1) == 0 ? w : 0.0);
        for (int k = 0; k < loop->n_controller; k++)
            entry -= phases[k] * loop->seen[k * size + i];
        p->work->matrix[i] = entry;
    }
}

/* The open loop at joint j, from the torque that comes back in the closed one. */
static double complex open_loop(const struct ml_loop_probe *p, int j, const double complex *phases)
{
    const struct ml_loop *loop = &p->work->loop;
    const int n = loop->n, n_x = loop->n_x;
    double complex *x = p->work->column, back = 0.0;
    for (int i = 0; i < n_x; i++)
        x[i] = loop->joint[j * n_x + i];
    ml_lu_solve(n_x, p->work->matrix, p->work->pivots, x);
    for (int i = 0; i < n_x; i++) {
        double complex torque = loop->torque[j * n_x + i];
        for (int k = 0; k < loop->n_controller; k++)
            torque += phases[k] * loop->torque_seen[(k * n + j) * n_x + i];
        back += torque * x[i];
    }
    return -ml_complex_quotient(back, 1.0 + back);
}

/* Angle j by its target. */
static double complex closed_loop(const struct ml_loop_probe *p, int j, double w)
{
    const struct ml_loop *loop = &p->work->loop;
    const int n_x = loop->n_x;
    const double *target = loop->target + 2 * j * n_x;
    double complex *x = p->work->column, angle = 0.0;
    for (int i = 0; i < n_x; i++)
        x[i] = ml_complex(target[i], w * target[n_x + i]);
    ml_lu_solve(n_x, p->work->matrix, p->work->pivots, x);
    for (int i = 0; i < n_x; i++)
        angle += loop->angle[j * n_x + i] * x[i];
    return angle;
}

/* z to a whole power, real at the last frequency. */
static double complex power_of_z(const struct ml_loop_probe *p, double w, double power)
{
    const double interval = p->work->loop.interval;
    if (w == ml_loop_last_frequency(&p->work->loop))
        return fmod(power, 2.0) == 0.0 ? 1.0 : -1.0;
    return power == 0.0 ? 1.0 : ml_loop_unit(p->kernels, w * interval * power);
}

/* Solves for the column, whose rows of the state and of held rates are 0 but for `rates` of rows
 * n .. n_x - 1, and `rates_by_w` times i w. */
static void solve_held(const struct ml_loop_probe *p, const double *rates, const double *rates_by_w,
                       double w)
{
    const struct ml_loop *loop = &p->work->loop;
    const int n = loop->n, n_x = loop->n_x;
    double complex *x = p->work->column;
    for (int i = 0; i < n_x; i++)
        x[i] = 0.0;
    for (int i = n; i < n_x; i++)
        x[n_x + i - n] = ml_complex(rates[i], rates_by_w ? w * rates_by_w[i] : 0.0);
    ml_lu_solve(ml_sampled_rows(p->work), p->work->matrix, p->work->pivots, x);
}

static double complex sampled_open(const struct ml_loop_probe *p, int j,
                                   const double complex *phases)
{
    solve_held(p, p->work->loop.joint + j * p->work->loop.n_x, NULL, 0.0);
    const double complex back = ml_sampled_torque(p->work, j, phases);
    return -ml_complex_quotient(back, 1.0 + back);
}

static double complex sampled_closed(const struct ml_loop_probe *p, int j, double w)
{
    const struct ml_loop *loop = &p->work->loop;
    const double *target = loop->target + 2 * j * loop->n_x;
    double complex angle = 0.0;
    solve_held(p, target, target + loop->n_x, w);
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
static void respond_cut(const struct ml_loop_probe *p, double w, double complex z,
                        struct ml_loop_response *out)
{
    struct ml_loop_work *work = p->work;
    const int n_row = ml_sampled_rows(work);
    ml_sampled_cut_characteristic(work, p->cut, z, power_of_z(p, w, -p->whole), work->phases);
    out->det = ml_lu_factor(n_row + 1, work->matrix, work->pivots);
    if (!is_solvable(&work->loop, out))
        return;
    for (int i = 0; i <= n_row; i++)
        work->column[i] = i == n_row;
    ml_lu_solve(n_row + 1, work->matrix, work->pivots, work->column);
    const double complex acts = work->column[n_row];
    out->open[p->cut->joint] = ml_complex_quotient(1.0 - acts, acts) * power_of_z(p, w, p->whole);
}

static void respond_sampled(const struct ml_loop_probe *p, double w, struct ml_loop_response *out)
{
    const struct ml_loop *loop = &p->work->loop;
    double complex *phases = p->work->phases;
    const double complex z = power_of_z(p, w, 1);
    for (int k = 0; k < loop->n_controller; k++)
        phases[k] = power_of_z(p, w, -p->work->sampled.lag[k]);
    if (p->cut) {
        respond_cut(p, w, z, out);
        return;
    }
    ml_sampled_characteristic(p->work, ml_sampled_rows(p->work), z, phases);
    out->det = ml_lu_factor(ml_sampled_rows(p->work), p->work->matrix, p->work->pivots);
    if (!is_solvable(loop, out))
        return;
    for (int j = 0; j < loop->n; j++) {
        out->open[j] = loop->has_controller[j] ? sampled_open(p, j, phases) : 0.0;
        if (!p->is_open)
            out->closed[j] = loop->has_target[j] ? sampled_closed(p, j, w) : 0.0;
    }
}

void ml_loop_respond(const struct ml_loop_probe *probe, double w, struct ml_loop_response *out)
{
    const struct ml_loop *loop = &probe->work->loop;
    double complex *phases = probe->work->phases;
    out->w = w;
    if (loop->interval > 0.0) {
        respond_sampled(probe, w, out);
        return;
    }
    characteristic(probe, w, phases);
    out->det = ml_lu_factor(loop->n_x, probe->work->matrix, probe->work->pivots);
    if (!is_solvable(loop, out))
        return;
    for (int j = 0; j < loop->n; j++) {
        out->open[j] = loop->has_controller[j] ? open_loop(probe, j, phases) : 0.0;
        if (!probe->is_open)
            out->closed[j] = loop->has_target[j] ? closed_loop(probe, j, w) : 0.0;
    }
}
