/* Margins of control loops by their frequency response (engine/assess/loop_response.h). (Margins:
 * Franklin, Powell, Emami-Naeini, Feedback Control of Dynamic Systems, section 6.4.) The
 * frequency grows by steps so short that none of them turns much; crossings are bisected. */
#include <math.h>

#include "analysis/indicator.h"
#include "base/pi.h"
#include "engine/assess/loop_measures.h"
#include "engine/assess/loop_response.h"
#include "linalg/eigenvalues.h"
#include "linalg/lu.h"

enum { MOST_RESPONSES = 200000, HALVINGS = 60, MOST_CROSSOVERS = 32 };

/* |L| between which loops are looked at until they cross the real axis, and the part of the
 * largest crossing below 1 down to which loops are looked at after that. */
static const double smallest_gain = 1e-6, largest_gain = 1e6, share_of_crossing = 0.3;

/* |closed loop| at the bandwidth: -3 dB. */
static const double at_bandwidth = 0.70794578438413791;

enum crossing { OF_REAL_AXIS, OF_GAIN_1, OF_BANDWIDTH };

/* Crossovers of a loop whose torque is late, and the delay of the torque at which the loop is on
 * the limit of stability there if the loop's gain does not change with the delay. */
struct crossovers {
    double w[MOST_CROSSOVERS], delay[MOST_CROSSOVERS];
    int n;
};

struct margins_search {
    struct ml_loop_probe probe;
    struct ml_loop_work *work;
    struct crossovers *crossovers; /* of probe.cut; NULL: margins are taken */
    int lane;
    struct ml_loop_response now, next, between; /* of the march, and of a bisection */
    double slowest, fastest;                    /* rad/s, of the roots without delays */
    double last;                                /* rad/s, as of ml_loop_last_frequency */
    double turn;                                /* rad, of det so far */
    int n_response;
    bool is_clear; /* nothing is on the limit of stability, or too fine to be resolved */
};

static double *margins_row(const struct margins_search *s, enum ml_margin which, int j)
{
    return &s->work->measures[ML_LOOP_MARGINS]
                             [((int)which * s->work->loop.n + j) * ML_LANES + s->lane];
}

/* Whether the open loop at joint j is looked at, and the angle by its target. */
static bool is_watched(const struct margins_search *s, int j)
{
    return s->work->loop.has_controller[j] && (!s->probe.cut || s->probe.cut->joint == j);
}

static bool is_followed(const struct margins_search *s, int j)
{
    return s->work->loop.has_target[j] && !s->probe.cut &&
           isinf(*margins_row(s, ML_MARGIN_BANDWIDTH, j));
}

static void respond(struct margins_search *s, double w, struct ml_loop_response *out)
{
    s->n_response++;
    ml_loop_respond(&s->probe, w, out);
    if (out->det == 0.0)
        s->is_clear = false;
}

static bool turns_little(double complex a, double complex b)
{
    return creal(a * conj(b)) >= 0.9 * ml_complex_size(a) * ml_complex_size(b);
}

static bool changes_little(double complex a, double complex b)
{
    const double size_a = ml_complex_size(a), size_b = ml_complex_size(b);
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
        const double size_a = ml_complex_size(a->open[j]), size_b = ml_complex_size(b->open[j]);
        if (is_watched(s, j) && fmax(size_a, size_b) > least_gain(s, j) &&
            fmax(size_a, size_b) < largest_gain)
            is &= changes_little(a->open[j], b->open[j]);
        if (is_followed(s, j))
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
        return ml_complex_size(at->open[j]) - 1.0;
    return ml_complex_size(at->closed[j]) - at_bandwidth * s->work->still[j];
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
    const double phase = ml_loop_phase(s->probe.kernels, -open);
    const double lag = phase < 0.0 ? phase + 2.0 * ML_PI : phase;
    struct crossovers *crossovers = s->crossovers;
    if (crossovers && crossovers->n < MOST_CROSSOVERS) {
        crossovers->w[crossovers->n] = w;
        crossovers->delay[crossovers->n++] = s->probe.cut->late + lag / w;
    }
    if (s->probe.cut)
        return;
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
    const double most = fmax(ml_complex_size(a), ml_complex_size(b)) * 1.5;
    const bool is_negative = creal(a) < 0.0 && creal(b) < 0.0 && s->now.w > 0.0;
    const bool is_of_interest =
        most > 1.0 / *margins_row(s, ML_MARGIN_GAIN, j) && most < largest_gain;
    if (!s->probe.cut && is_negative && is_of_interest && find_crossing(s, OF_REAL_AXIS, j))
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
        if (is_watched(s, j))
            take_crossings(s, j);
        if (is_followed(s, j) && find_crossing(s, OF_BANDWIDTH, j))
            *margins_row(s, ML_MARGIN_BANDWIDTH, j) = s->between.w;
    }
}

/* Whether nothing follows: of samples the last frequency is reached; else all roots are slower, and
 * with delays L has become small. */
static bool is_at_end(const struct margins_search *s)
{
    const struct ml_loop *loop = &s->work->loop;
    if (isfinite(s->last))
        return s->now.w == s->last;
    bool has_delay = false, is_small = true;
    for (int k = 0; k < loop->n_controller; k++)
        has_delay |= loop->delay[k] > 0.0;
    for (int j = 0; j < loop->n; j++)
        is_small &= !loop->has_controller[j] || ml_complex_size(s->now.open[j]) <= least_gain(s, j);
    return s->now.w > 128.0 * s->fastest && (is_small || !has_delay);
}

/* Slowest and fastest root without delays, up to a factor 2 that is the same on every machine. */
static void find_span(struct margins_search *s)
{
    const struct ml_loop *loop = &s->work->loop;
    const int n_x = loop->n_x;
    double least = (double)INFINITY, most = 0.0;
    ml_loop_close(loop, s->work->matrix);
    s->is_clear &= ml_eigenvalues(n_x, s->work->matrix, s->work->column);
    for (int i = 0; i < n_x && s->is_clear; i++) {
        const double root = ml_complex_size(s->work->column[i]);
        least = fmin(least, root);
        most = fmax(most, root);
    }
    s->is_clear &= most > 0.0 && isfinite(most);
    if (!s->is_clear)
        return;
    s->fastest = exp2(ceil(log2(most)));
    s->slowest = exp2(floor(log2(fmax(least, 1e-9 * most))));
}

/* Takes margins at w = 0, where a body falls. */
static void take_start(struct margins_search *s)
{
    const struct ml_loop *loop = &s->work->loop;
    for (int j = 0; j < loop->n; j++) {
        const double gain = -creal(s->now.open[j]);
        s->work->still[j] = ml_complex_size(s->now.closed[j]);
        if (gain > smallest_gain && gain < largest_gain)
            take_gain(s, j, 0.0, gain);
        if (!(s->work->still[j] > 1e-9)) /* but for rounding, the angle follows no target at rest */
            *margins_row(s, ML_MARGIN_BANDWIDTH, j) = (double)NAN;
    }
}

/* Takes the gain margins at the last frequency of samples, where L is real. */
static void take_last(struct margins_search *s)
{
    for (int j = 0; j < s->work->loop.n; j++) {
        const double gain = -creal(s->now.open[j]);
        if (is_watched(s, j) && gain > smallest_gain && gain < largest_gain)
            take_gain(s, j, s->last, gain);
    }
}

/* Longest step, rad/s: in a sampled loop values turn with every sample that they are late by, which
 * matters as long as some |L| is large. */
static double longest_step(const struct margins_search *s)
{
    const struct ml_loop *loop = &s->work->loop;
    const double large = 0.2;
    bool is_large = false;
    double late = 0.0;
    for (int k = 0; isfinite(s->last) && k < loop->n_controller; k++)
        late = fmax(late, s->work->sampled.lag[k]);
    for (int j = 0; j < loop->n; j++)
        is_large |= is_watched(s, j) && ml_complex_size(s->now.open[j]) > large;
    return s->last / (8.0 * (is_large ? 1.0 + late + s->probe.whole : 1.0));
}

/* From w = 0 on. */
static void march(struct margins_search *s)
{
    const double first = fmin(s->slowest, s->last) / 4096.0;
    double step = first;
    respond(s, 0.0, &s->now);
    if (!s->probe.cut)
        take_start(s);
    while (s->is_clear && s->n_response < MOST_RESPONSES && !is_at_end(s)) {
        const double least = 1e-10 * fmax(s->now.w, first);
        step = fmin(step, longest_step(s));
        respond(s, fmin(s->now.w + step, s->last), &s->next);
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
    if (s->is_clear && isfinite(s->last) && !s->probe.cut)
        take_last(s);
}

/* Roots that grow; NAN if they cannot be counted. -0 is no number less than 0. */
static double growing_roots(const struct margins_search *s)
{
    const double quarter_turns = isfinite(s->last) ? 2.0 : 1.0;
    const double n_root = 0.5 * quarter_turns * s->work->loop.n_x - s->turn / ML_PI;
    const double n_whole = nearbyint(n_root);
    const bool is_clear = s->is_clear && fabs(n_root - n_whole) < 0.3 && n_whole >= 0.0;
    return is_clear ? fabs(n_whole) : (double)NAN;
}

/* Cuts a sampled loop at joint j, with a torque that is late; false if matrices are not finite. */
static bool cut_at(struct margins_search *s, int j, double late)
{
    const double interval = s->work->loop.interval, whole = floor(late / interval);
    struct ml_sampled_cut *cut = &s->work->cut;
    cut->joint = j;
    cut->late = fmin(fmax(late - whole * interval, 0.0), interval);
    s->probe.cut = cut;
    s->probe.whole = whole;
    return ml_sampled_cut_take(s->work, cut);
}

/* Roots that grow if the torque at joint j is late; adds crossovers to those known. */
static double late_roots(const struct margins_search *of, int j, double late,
                         struct crossovers *crossovers)
{
    struct margins_search s = *of;
    s.turn = 0.0;
    s.n_response = 0;
    s.is_clear = true;
    s.crossovers = crossovers;
    s.is_clear = cut_at(&s, j, late);
    if (s.is_clear)
        march(&s);
    return growing_roots(&s);
}

/* 1 + L of a torque at joint j that is late. */
static double complex late_balance(struct margins_search *s, int j, double w, double late)
{
    if (!cut_at(s, j, late))
        return (double)NAN;
    ml_loop_respond(&s->probe, w, &s->between);
    return 1.0 + ml_loop_unit(s->probe.kernels, -w * s->work->loop.interval * s->probe.whole) *
                     s->between.open[j];
}

/* The delay near `late` at which 1 + L is 0 at a frequency near w, by Newton's method with
 * differences; NAN if the method does not converge. */
static double refine(const struct margins_search *of, int j, double w, double late)
{
    enum { MOST_STEPS = 30 };
    const double interval = of->work->loop.interval, share = 1e-7, least = 1e-12;
    struct margins_search s = *of;
    for (int k = 0; k < MOST_STEPS; k++) {
        const double by_w = share * w, by_late = share * (late + interval);
        const double complex f = late_balance(&s, j, w, late);
        const double complex fw = (late_balance(&s, j, w + by_w, late) - f) / by_w;
        const double complex fl = (late_balance(&s, j, w, late + by_late) - f) / by_late;
        const double det = cimag(conj(fw) * fl);
        const double dw = -cimag(conj(f) * fl) / det, dl = -cimag(conj(fw) * f) / det;
        w += dw;
        late += dl;
        if (!(w > 0.0 && late > 0.0 && isfinite(late)))
            return (double)NAN;
        if (fabs(dw) <= least * w && fabs(dl) <= least * (late + interval))
            return late;
    }
    return (double)NAN;
}

/* The least delay of the torque at joint j, of a grid, with which roots grow, and the limit below
 * by halving, where roots that cannot be counted are on the limit; infinite if no delay of the grid
 * has such roots, NAN if roots of a delay of the grid cannot be counted or the grid is too long. */
static double search_delay(const struct margins_search *s, int j, double end)
{
    enum { PARTS = 8, MOST_PARTS = 4096 };
    const double step = s->work->loop.interval / PARTS;
    double low = 0.0, high = step, n_root = 0.0;
    for (int k = 1; high < end && n_root == 0.0; k++) {
        n_root = k < MOST_PARTS ? late_roots(s, j, high, NULL) : (double)NAN;
        low = n_root == 0.0 ? high : low;
        high = n_root == 0.0 ? high + step : high;
    }
    if (n_root == 0.0)
        return (double)INFINITY;
    for (int k = 0; n_root > 0.0 && k < HALVINGS && high - low > 1e-14 * high; k++) {
        const double middle = 0.5 * (low + high);
        *(late_roots(s, j, middle, NULL) == 0.0 ? &low : &high) = middle;
    }
    return n_root > 0.0 ? high : (double)NAN;
}

/* Delay margin at joint j of a sampled loop that is stable: from the crossovers of torques that are
 * late by parts of an interval, and checked by counts of roots on both sides. */
static double sampled_delay_margin(const struct margins_search *s, int j)
{
    enum { PARTS = 4 };
    const double interval = s->work->loop.interval, near = 1e-6;
    struct crossovers found = {.n = 0};
    double least = (double)INFINITY, rough = 0.0;
    for (int k = 0; k < PARTS; k++)
        (void)late_roots(s, j, k * interval / PARTS, &found);
    for (int k = 0; k < found.n; k++) {
        const double late = refine(s, j, found.w[k], found.delay[k]);
        rough = k == 0 ? found.delay[k] : fmin(rough, found.delay[k]);
        if (late < least)
            least = late;
    }
    if (isfinite(least) && late_roots(s, j, (1.0 - near) * least, NULL) == 0.0 &&
        late_roots(s, j, (1.0 + near) * least, NULL) > 0.0)
        return least;
    return search_delay(s, j, rough + 2.0 * interval);
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
        double angle =
            s->work->formulas ? s->work->x[loop->n_x * ML_LANES + s->lane] : 0.0; /* input */
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

/* Counts the roots that grow, and keeps the margins of joints and angles that have them. */
static void margins_end(struct margins_search *s)
{
    const struct ml_loop *loop = &s->work->loop;
    const double n_root = growing_roots(s);
    for (int j = 0; j < loop->n; j++) {
        *margins_row(s, ML_MARGIN_UNSTABLE, j) = n_root;
        for (int which = 0; which < ML_MARGIN_ANGLE; which++) {
            const bool is_there =
                which == ML_MARGIN_BANDWIDTH ? loop->has_target[j] : loop->has_controller[j];
            if (n_root != 0.0 || !is_there)
                *margins_row(s, (enum ml_margin)which, j) = (double)NAN;
        }
        if (n_root == 0.0 && isfinite(s->last) && loop->has_controller[j])
            *margins_row(s, ML_MARGIN_DELAY, j) = sampled_delay_margin(s, j);
    }
}

void ml_margins_measure(const struct ml_kernels *kernels, struct ml_loop_work *work, int lane,
                        bool is_there)
{
    struct margins_search s = {.probe = {.kernels = kernels, .work = work},
                               .work = work,
                               .lane = lane,
                               .now = work->response[0],
                               .next = work->response[1],
                               .between = work->response[2],
                               .is_clear = is_there};
    margins_begin(&s);
    if (!(work->is_at_rest >> lane & 1))
        return;
    s.last = ml_loop_last_frequency(&work->loop);
    find_span(&s);
    if (s.is_clear)
        march(&s);
    margins_end(&s);
}
