/* Margins of control loops by frequency response: the loop is cut at the torque of the controllers
 * at one joint, all else stays closed. Delays are exact, factors exp(-i w delay).
 *
 *   L(i w)  the torque that comes back, the other way, for a torque at the joint
 *   det     of i w - now - sum of exp(-i w delay_k) seen_k, the closed loop's characteristic
 *           function: n_x times a quarter turn from w = 0 on if no root grows, and half a turn less
 *           for each one that does (Mikhailov's criterion, which holds with delays: Stepan,
 *           Retarded Dynamical Systems, 1989, section 2.2)
 *
 * (Margins: Franklin, Powell, Emami-Naeini, Feedback Control of Dynamic Systems, section 6.4.) The
 * frequency grows by steps so short that none of them turns much; crossings are bisected. */
#include <math.h>

#include "analysis/indicator.h"
#include "engine/team/batch_run.h"
#include "linalg/eigenvalues.h"
#include "linalg/lu.h"

enum { MOST_RESPONSES = 200000, HALVINGS = 60 };

static const double pi = 3.14159265358979323846;

/* |L| between which loops are looked at until they cross the real axis, and the part of the
 * largest crossing below 1 down to which loops are looked at after that. */
static const double smallest_gain = 1e-6, largest_gain = 1e6, share_of_crossing = 0.3;

/* |closed loop| at the bandwidth: -3 dB. */
static const double at_bandwidth = 0.70794578438413791;

enum crossing { OF_REAL_AXIS, OF_GAIN_1, OF_BANDWIDTH };

struct margins_search {
    const struct ml_kernels *kernels;
    struct ml_loop_work *work;
    int lane;
    struct ml_loop_response now, next, between; /* of the march, and of a bisection */
    double slowest, fastest;                    /* rad/s, of the roots without delays */
    double turn;                                /* rad, of det so far */
    int n_response;
    bool is_clear; /* nothing is on the limit of stability, or too fine to be resolved */
};

static double margins_size(double complex z)
{
    return sqrt(creal(z) * creal(z) + cimag(z) * cimag(z));
}

static double *margins_row(const struct margins_search *s, enum ml_margin which, int j)
{
    return &s->work->margins[((int)which * s->work->loop.n + j) * ML_LANES + s->lane];
}

/* Sine and cosine that are the same on every machine. */
static double complex unit_of(const struct ml_kernels *kernels, double phase)
{
    double sine[ML_LANES] __attribute__((aligned(64)));
    double cosine[ML_LANES] __attribute__((aligned(64)));
    const struct ml_times phases = ml_times(phase);
    kernels->sincos(1, phases.lane, sine, cosine);
    return ml_complex(cosine[0], sine[0]);
}

/* Phase of z, -pi .. pi, the same on every machine: that of a number near z, and the rest as the
 * arc of its sine. */
static double phase_of(const struct ml_kernels *kernels, double complex z)
{
    const double near = nearbyint(1024.0 * atan2(cimag(z), creal(z))) / 1024.0;
    const double sine = cimag(z * conj(unit_of(kernels, near))) / margins_size(z);
    const double square = sine * sine;
    return near + sine * (1.0 + square * (1.0 / 6.0 + square * (3.0 / 40.0)));
}

/* i w - now - ..., to the scratch matrix. */
static void characteristic(const struct margins_search *s, double w, double complex *phases)
{
    const struct ml_loop *loop = &s->work->loop;
    const int n_x = loop->n_x, size = n_x * n_x;
    for (int k = 0; k < loop->n_controller; k++)
        phases[k] = loop->delay[k] > 0.0 ? unit_of(s->kernels, -w * loop->delay[k]) : 1.0;
    for (int i = 0; i < size; i++) {
        double complex entry = ml_complex(-loop->now[i], i % (n_x + 1) == 0 ? w : 0.0);
        for (int k = 0; k < loop->n_controller; k++)
            entry -= phases[k] * loop->seen[k * size + i];
        s->work->matrix[i] = entry;
    }
}

/* The open loop at joint j, from the torque that comes back in the closed one. */
static double complex open_loop(const struct margins_search *s, int j, const double complex *phases)
{
    const struct ml_loop *loop = &s->work->loop;
    const int n = loop->n, n_x = loop->n_x;
    double complex *x = s->work->column, back = 0.0;
    for (int i = 0; i < n_x; i++)
        x[i] = loop->joint[j * n_x + i];
    ml_lu_solve(n_x, s->work->matrix, s->work->pivots, x);
    for (int i = 0; i < n_x; i++) {
        double complex torque = loop->torque[j * n_x + i];
        for (int k = 0; k < loop->n_controller; k++)
            torque += phases[k] * loop->torque_seen[(k * n + j) * n_x + i];
        back += torque * x[i];
    }
    return -ml_lu_quotient(back, 1.0 + back);
}

/* Angle j by its target. */
static double complex closed_loop(const struct margins_search *s, int j, double w)
{
    const struct ml_loop *loop = &s->work->loop;
    const int n_x = loop->n_x;
    const double *target = loop->target + 2 * j * n_x;
    double complex *x = s->work->column, angle = 0.0;
    for (int i = 0; i < n_x; i++)
        x[i] = ml_complex(target[i], w * target[n_x + i]);
    ml_lu_solve(n_x, s->work->matrix, s->work->pivots, x);
    for (int i = 0; i < n_x; i++)
        angle += loop->angle[j * n_x + i] * x[i];
    return angle;
}

static void respond(struct margins_search *s, double w, struct ml_loop_response *out)
{
    const struct ml_loop *loop = &s->work->loop;
    double complex *phases = s->work->phases;
    s->n_response++;
    characteristic(s, w, phases);
    out->w = w;
    out->det = ml_lu_factor(loop->n_x, s->work->matrix, s->work->pivots);
    if (out->det == 0.0)
        s->is_clear = false;
    for (int j = 0; j < loop->n; j++) {
        out->open[j] = loop->has_controller[j] ? open_loop(s, j, phases) : 0.0;
        out->closed[j] = loop->has_target[j] ? closed_loop(s, j, w) : 0.0;
    }
}

static bool turns_little(double complex a, double complex b)
{
    return creal(a * conj(b)) >= 0.9 * margins_size(a) * margins_size(b);
}

static bool changes_little(double complex a, double complex b)
{
    const double size_a = margins_size(a), size_b = margins_size(b);
    return turns_little(a, b) && fmax(size_a, size_b) <= 2.0 * fmin(size_a, size_b);
}

/* Least |L| that still matters at joint j. */
static double least_gain(const struct margins_search *s, int j)
{
    return fmax(smallest_gain, share_of_crossing / *margins_row(s, ML_MARGIN_GAIN, j));
}

/* Whether the signs of two responses tell all crossings between them. */
static bool is_resolved(const struct margins_search *s, const struct ml_loop_response *a,
                        const struct ml_loop_response *b)
{
    const struct ml_loop *loop = &s->work->loop;
    bool is = turns_little(a->det, b->det);
    for (int j = 0; j < loop->n; j++) {
        const double size_a = margins_size(a->open[j]), size_b = margins_size(b->open[j]);
        if (loop->has_controller[j] && fmax(size_a, size_b) > least_gain(s, j) &&
            fmax(size_a, size_b) < largest_gain)
            is &= changes_little(a->open[j], b->open[j]);
        if (loop->has_target[j] && isinf(*margins_row(s, ML_MARGIN_BANDWIDTH, j)))
            is &= changes_little(a->closed[j], b->closed[j]);
    }
    return is;
}

/* The number that is 0 where joint j crosses. */
static double crossed(const struct margins_search *s, enum crossing of, int j,
                      const struct ml_loop_response *at)
{
    if (of == OF_REAL_AXIS)
        return cimag(at->open[j]);
    if (of == OF_GAIN_1)
        return margins_size(at->open[j]) - 1.0;
    return margins_size(at->closed[j]) - at_bandwidth * s->work->still[j];
}

/* Brings s->between to the crossing between two responses; false without a crossing. */
static bool find_crossing(struct margins_search *s, enum crossing of, int j)
{
    double low = s->now.w, high = s->next.w;
    const bool is_below = crossed(s, of, j, &s->now) < 0.0;
    if (is_below == (crossed(s, of, j, &s->next) < 0.0))
        return false;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        respond(s, middle, &s->between);
        *((crossed(s, of, j, &s->between) < 0.0) == is_below ? &low : &high) = middle;
    }
    return true;
}

/* Takes a negative real L of joint j. */
static void take_gain(const struct margins_search *s, int j, double w, double gain)
{
    const enum ml_margin which = gain < 1.0 ? ML_MARGIN_GAIN : ML_MARGIN_GAIN_LOW;
    const double factor = 1.0 / gain, known = *margins_row(s, which, j);
    if (gain < 1.0 ? factor < known : factor > known) {
        *margins_row(s, which, j) = factor;
        *margins_row(s, (enum ml_margin)(which + 1), j) = w;
    }
}

/* Takes an L of joint j of size 1. */
static void take_phase(const struct margins_search *s, int j, double w, double complex open)
{
    const double phase = phase_of(s->kernels, -open);
    const double lag = phase < 0.0 ? phase + 2.0 * pi : phase;
    double *margin = margins_row(s, ML_MARGIN_PHASE, j);
    double *delay = margins_row(s, ML_MARGIN_DELAY, j);
    if (fabs(phase) < fabs(*margin)) {
        *margin = phase;
        *margins_row(s, ML_MARGIN_PHASE_AT, j) = w;
    }
    *delay = fmin(*delay, lag / w);
}

/* Takes the crossings of joint j between two responses. */
static void take_crossings(struct margins_search *s, int j)
{
    const double complex a = s->now.open[j], b = s->next.open[j];
    const double most = fmax(margins_size(a), margins_size(b)) * 1.5;
    const bool is_negative = creal(a) < 0.0 && creal(b) < 0.0 && s->now.w > 0.0;
    const bool is_of_interest =
        most > 1.0 / *margins_row(s, ML_MARGIN_GAIN, j) && most < largest_gain;
    if (is_negative && is_of_interest && find_crossing(s, OF_REAL_AXIS, j))
        take_gain(s, j, s->between.w, -creal(s->between.open[j]));
    if (find_crossing(s, OF_GAIN_1, j))
        take_phase(s, j, s->between.w, s->between.open[j]);
}

static void take_interval(struct margins_search *s)
{
    const struct ml_loop *loop = &s->work->loop;
    const double turn = carg(s->next.det * conj(s->now.det));
    s->turn += turn;
    s->is_clear &= fabs(turn) < 1.0; /* else a root is on the axis, as far as numbers tell */
    for (int j = 0; j < loop->n; j++) {
        double *bandwidth = margins_row(s, ML_MARGIN_BANDWIDTH, j);
        if (loop->has_controller[j])
            take_crossings(s, j);
        if (loop->has_target[j] && isinf(*bandwidth) && find_crossing(s, OF_BANDWIDTH, j))
            *bandwidth = s->between.w;
    }
}

/* Whether nothing follows: all roots are slower, and with delays L has become small. */
static bool is_at_end(const struct margins_search *s)
{
    const struct ml_loop *loop = &s->work->loop;
    bool has_delay = false, is_small = true;
    for (int k = 0; k < loop->n_controller; k++)
        has_delay |= loop->delay[k] > 0.0;
    for (int j = 0; j < loop->n; j++)
        is_small &= !loop->has_controller[j] || margins_size(s->now.open[j]) <= least_gain(s, j);
    return s->now.w > 128.0 * s->fastest && (is_small || !has_delay);
}

/* Slowest and fastest root without delays, up to a factor 2 that is the same on every machine. */
static void find_span(struct margins_search *s)
{
    const struct ml_loop *loop = &s->work->loop;
    const int n_x = loop->n_x, size = n_x * n_x;
    double least = (double)INFINITY, most = 0.0;
    for (int i = 0; i < size; i++) {
        s->work->matrix[i] = loop->now[i];
        for (int k = 0; k < loop->n_controller; k++)
            s->work->matrix[i] += loop->seen[k * size + i];
    }
    s->is_clear &= ml_eigenvalues(n_x, s->work->matrix, s->work->column);
    for (int i = 0; i < n_x && s->is_clear; i++) {
        const double root = margins_size(s->work->column[i]);
        least = fmin(least, root);
        most = fmax(most, root);
    }
    s->is_clear &= most > 0.0 && isfinite(most);
    if (!s->is_clear)
        return;
    s->fastest = exp2(ceil(log2(most)));
    s->slowest = exp2(floor(log2(fmax(least, 1e-9 * most))));
}

/* From w = 0 on. */
static void march(struct margins_search *s)
{
    const struct ml_loop *loop = &s->work->loop;
    const double first = s->slowest / 4096.0;
    double step = first;
    respond(s, 0.0, &s->now);
    for (int j = 0; j < loop->n; j++) {
        const double gain = -creal(s->now.open[j]);
        s->work->still[j] = margins_size(s->now.closed[j]);
        if (gain > smallest_gain && gain < largest_gain)
            take_gain(s, j, 0.0, gain);
        if (!(s->work->still[j] > 1e-9)) /* but for rounding, the angle follows no target at rest */
            *margins_row(s, ML_MARGIN_BANDWIDTH, j) = (double)NAN;
    }
    while (s->is_clear && s->n_response < MOST_RESPONSES && !is_at_end(s)) {
        const double least = 1e-10 * fmax(s->now.w, first);
        respond(s, s->now.w + step, &s->next);
        if (!is_resolved(s, &s->now, &s->next) && step > least) {
            step *= 0.5;
            continue;
        }
        take_interval(s);
        const struct ml_loop_response now = s->next;
        s->next = s->now;
        s->now = now;
        step = fmin(1.5 * step, fmax(0.2 * now.w, first));
    }
    s->is_clear &= s->n_response < MOST_RESPONSES;
}

/* Values before the search, and those of margins that do not exist. */
static void margins_begin(struct margins_search *s)
{
    const struct ml_loop *loop = &s->work->loop;
    for (int j = 0; j < loop->n; j++) {
        for (int which = 0; which < ML_N_MARGIN; which++)
            *margins_row(s, (enum ml_margin)which, j) = (double)NAN;
        if (!(s->work->is_at_rest >> s->lane & 1))
            continue;
        double angle = 0.0;
        for (int i = 0; i < loop->n; i++)
            angle += loop->angle[j * loop->n_x + i] * s->work->x[i * ML_LANES + s->lane];
        *margins_row(s, ML_MARGIN_ANGLE, j) = angle;
        *margins_row(s, ML_MARGIN_GAIN, j) = (double)INFINITY;
        *margins_row(s, ML_MARGIN_GAIN_LOW, j) = 0.0;
        *margins_row(s, ML_MARGIN_PHASE, j) = (double)INFINITY;
        *margins_row(s, ML_MARGIN_DELAY, j) = (double)INFINITY;
        *margins_row(s, ML_MARGIN_BANDWIDTH, j) = (double)INFINITY;
    }
}

/* Counts the roots that grow, and keeps the margins of joints and angles that have them. -0 is no
 * number less than 0. */
static void margins_end(struct margins_search *s)
{
    const struct ml_loop *loop = &s->work->loop;
    const double n_root = 0.5 * loop->n_x - s->turn / pi, n_whole = nearbyint(n_root);
    s->is_clear &= fabs(n_root - n_whole) < 0.3 && n_whole >= 0.0;
    for (int j = 0; j < loop->n; j++) {
        *margins_row(s, ML_MARGIN_UNSTABLE, j) = s->is_clear ? fabs(n_whole) : (double)NAN;
        for (int which = 0; which < ML_MARGIN_ANGLE; which++) {
            const bool is_there =
                which == ML_MARGIN_BANDWIDTH ? loop->has_target[j] : loop->has_controller[j];
            if (!s->is_clear || n_whole > 0.0 || !is_there)
                *margins_row(s, (enum ml_margin)which, j) = (double)NAN;
        }
    }
}

const double *ml_margins_measure(const struct ml_ensemble *ensemble, struct ml_batch *batch, int n)
{
    struct ml_loop_work *work = &batch->loop;
    const struct ml_times end = ml_batch_times(ensemble, batch, (double)ensemble->time.n_step);
    if (!work->margins)
        return NULL;
    ml_loop_linearise(ensemble, work, batch->constants, batch->x, &end);
    for (int lane = 0; lane < n; lane++) {
        struct margins_search s = {.kernels = ensemble->kernels,
                                   .work = work,
                                   .lane = lane,
                                   .now = work->response[0],
                                   .next = work->response[1],
                                   .between = work->response[2],
                                   .is_clear = true};
        if (work->is_at_rest >> lane & 1)
            ml_loop_take(ensemble, work, lane);
        margins_begin(&s);
        if (!(work->is_at_rest >> lane & 1))
            continue;
        find_span(&s);
        if (s.is_clear)
            march(&s);
        margins_end(&s);
    }
    return work->margins;
}
