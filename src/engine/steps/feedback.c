/* Delayed and sampled feedback, and late states in formulas.
 *
 * Between ends of given steps the past is the polynomial with the angles and rates, or other states
 * and their rates, at up to four ends of steps (Hermite): its error falls with the eighth power of
 * the step, the error of its rate with the seventh. The polynomial never spans a moment where the
 * motion breaks: the start, before which angles and rates are held, a jump of a signal, or a
 * sample; and each moment one delay after a break, where the break appears one derivative higher.
 * For a method of order p this goes on for p delays. Steps end at these moments too, as at other
 * jumps (engine/steps/jumps.h).
 *
 * In a step that lanes choose the past is the polynomial with the angles and rates at its ends and
 * thirds, from the method's own steps to there; the step is halved until the polynomial is within
 * the tolerance between them. The span of the past that a controller sees in a step may have
 * several such pieces: kernels get the polynomial through four times of that span, if that
 * polynomial is within the tolerance. */
#include "engine/steps/feedback.h"

#include <string.h>

#include "design/philox.h"

enum { MOMENT_TIME, MOMENT_RANK, MOMENT_STATE };

/* Rank of a moment where nothing breaks. */
static const double smooth = 1e9;

/* A number of a controller. */
static double feedback_number(const struct ml_feedback *f, const struct ml_feedback_view *view,
                              enum ml_feedback_param which, int lane)
{
    return f->constants[(size_t)(view->delay + which) * ML_LANES + lane];
}

/* s; 0 without a delay. */
static double feedback_delay(const struct ml_feedback *f, const struct ml_feedback_view *view,
                             int lane)
{
    return view->delay < 0 ? view->seconds
                           : fmax(feedback_number(f, view, ML_FEEDBACK_DELAY, lane), 0.0);
}

static double *feedback_row(const struct ml_feedback *f, const struct ml_feedback_view *view,
                            int which, int lane)
{
    return f->constants + (size_t)(view->rows + which) * ML_LANES + lane;
}

/* s, from one sample to the next; 0 without samples. */
static double feedback_interval(const struct ml_feedback *f, const struct ml_feedback_view *view,
                                int lane)
{
    return view->is_sampled ? feedback_number(f, view, ML_FEEDBACK_SAMPLE_TIME, lane) : 0.0;
}

/* Numbers that are kept of each moment: the state, then rates of some of it. */
static int feedback_n_kept(const struct ml_ensemble *e)
{
    return ml_rows_x(&e->model) + e->feedback.n_rate;
}

bool ml_feedback_has_parts(const struct ml_ensemble *ensemble)
{
    return ensemble->time.is_adaptive && ensemble->feedback.reach > 0.0;
}

/* First kept row of part k of a chosen step. */
static int moment_part(const struct ml_ensemble *e, int k)
{
    return MOMENT_STATE + (k - 1) * feedback_n_kept(e);
}

static int moment_rows(const struct ml_ensemble *e)
{
    return moment_part(e, ml_feedback_has_parts(e) ? ML_FEEDBACK_PARTS : 2);
}

static double *moment_row(const struct ml_ensemble *e, const struct ml_feedback *f, int64_t k,
                          int row, int lane)
{
    return f->moments + ((k % f->capacity) * moment_rows(e) + row) * ML_LANES + lane;
}

static double moment_time(const struct ml_ensemble *e, const struct ml_feedback *f, int64_t k,
                          int lane)
{
    return *moment_row(e, f, k, MOMENT_TIME, lane);
}

static double *break_row(const struct ml_feedback *f, int64_t k, int row, int lane)
{
    return f->breaks + ((k % f->most_breaks) * MOMENT_STATE + row) * ML_LANES + lane;
}

static int64_t first_kept(int64_t n, int64_t capacity) { return n > capacity ? n - capacity : 0; }

/* Samples: the time of sample k, s; the number of the last sample before t, or of the sample at the
 * start; and the number of the first sample after t. */
static double sample_time(const struct ml_ensemble *e, double interval, double k)
{
    return fma(k, interval, e->time.start);
}

static double sample_before(const struct ml_ensemble *e, double interval, double t)
{
    double k = ceil((t - e->time.start) / interval);
    while (k > 0.0 && !ml_ensemble_is_before(e, sample_time(e, interval, k), t))
        k -= 1.0;
    return k;
}

static double sample_behind(const struct ml_ensemble *e, double interval, double t)
{
    double k = floor((t - e->time.start) / interval);
    while (!ml_ensemble_is_before(e, t, sample_time(e, interval, k)))
        k += 1.0;
    return k;
}

void ml_feedback_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                        struct ml_feedback *feedback)
{
    const struct ml_feedback_plan *plan = &ensemble->feedback;
    enum { SPARE = 8 }; /* neighbours of the moments that are seen, and the step under way */
    const double chosen = 4096; /* steps that lanes may choose within a delay */
    const bool has_parts = ml_feedback_has_parts(ensemble);
    double steps = 0.0;
    if (has_parts)
        steps = fmin(chosen, ensemble->chosen.control.most_steps);
    else if (plan->reach > 0.0)
        steps = fmin(ceil(plan->reach / ensemble->time.step), (double)ensemble->time.n_step);
    const int64_t kept = SPARE + (int64_t)steps, n_break = plan->n_break;
    *feedback = (struct ml_feedback){.most_breaks = n_break};
    if (n_break > 0)
        feedback->capacity = n_break + kept;
    if (has_parts && n_break > kept) /* each break ends one of the steps that are kept */
        feedback->capacity = feedback->most_breaks = kept;
    const size_t n_row = (size_t)moment_rows(ensemble) * ML_LANES;
    feedback->moments = ml_arena_take(arena, (size_t)feedback->capacity, n_row * sizeof(double));
    feedback->breaks = ml_arena_take(arena, (size_t)feedback->most_breaks * MOMENT_STATE * ML_LANES,
                                     sizeof(double));
    feedback->parts = ml_arena_take(
        arena, has_parts ? ML_FEEDBACK_PARTS * ml_feedback_part_size(ensemble) : 0, sizeof(double));
    const bool is_there = feedback->capacity > 0;
    feedback->now =
        ml_arena_take(arena, is_there ? ml_feedback_part_size(ensemble) : 0, sizeof(double));
    feedback->rates = ml_arena_take(
        arena, is_there && plan->n_rate > 0 ? (size_t)ml_rows_x(&ensemble->model) * ML_LANES : 0,
        sizeof(double));
}

size_t ml_feedback_part_size(const struct ml_ensemble *ensemble)
{
    return (size_t)feedback_n_kept(ensemble) * ML_LANES;
}

void ml_feedback_find_rates(const struct ml_ensemble *ensemble, struct ml_feedback *feedback,
                            const double *t, double *x, double *work)
{
    const struct ml_feedback_plan *plan = &ensemble->feedback;
    double *out = x + (size_t)ml_rows_x(&ensemble->model) * ML_LANES;
    if (plan->n_rate == 0)
        return;
    ml_ensemble_general(ensemble)->rates(&ensemble->model, t, feedback->constants, x,
                                         feedback->rates, work);
    for (int k = 0; k < plan->n_rate; k++)
        memcpy(out + (size_t)k * ML_LANES, feedback->rates + (size_t)plan->rates[k] * ML_LANES,
               ML_LANES * sizeof *out);
}

void ml_feedback_look(const struct ml_ensemble *ensemble, struct ml_feedback *feedback,
                      const double *t, const double *x, double *work)
{
    if (feedback->capacity == 0 || feedback->is_retaken)
        return;
    memcpy(feedback->now, x, (size_t)ml_rows_x(&ensemble->model) * ML_LANES * sizeof *x);
    ml_feedback_find_rates(ensemble, feedback, t, feedback->now, work);
}

/* The rows of a view hold nothing. */
static void feedback_clear(const struct ml_feedback *f, const struct ml_feedback_view *view,
                           int lane)
{
    for (int r = 0; r < ML_FEEDBACK_ANGLE; r++)
        *feedback_row(f, view, r, lane) = 0.0;
    for (int i = 0; i < view->n_seen; i++)
        for (int r = 0; r < ML_FEEDBACK_BY_ANGLE; r++)
            f->constants[(size_t)(view->seen[i].row + r) * ML_LANES + lane] = 0.0;
    *feedback_row(f, view, ML_FEEDBACK_SAMPLED, lane) = (double)NAN;
}

void ml_feedback_begin(const struct ml_ensemble *ensemble, struct ml_feedback *feedback,
                       double *constants, const double *x, double *work)
{
    const struct ml_feedback_plan *plan = &ensemble->feedback;
    if (feedback->capacity == 0)
        return;
    feedback->constants = constants;
    feedback->lost = 0;
    feedback->is_retaken = false;
    memset(feedback->now, 0, ml_feedback_part_size(ensemble) * sizeof *feedback->now);
    memcpy(feedback->now, x, (size_t)ml_rows_x(&ensemble->model) * ML_LANES * sizeof *x);
    for (int lane = 0; lane < ML_LANES; lane++) {
        feedback->n[lane] = feedback->n_break[lane] = 0;
        for (int v = 0; v < plan->n_view; v++)
            feedback_clear(feedback, &plan->views[v], lane);
        ml_feedback_keep(ensemble, feedback, lane, ensemble->time.start, true);
        (void)ml_feedback_report(ensemble, feedback, lane, ensemble->time.start,
                                 ensemble->time.start);
    }
    if (plan->n_rate == 0)
        return;
    ml_feedback_look(ensemble, feedback, ml_times(ensemble->time.start).lane, x, work);
    for (int lane = 0; lane < ML_LANES; lane++)
        ml_feedback_keep(ensemble, feedback, lane, ensemble->time.start, true);
}

double ml_feedback_parts(const struct ml_ensemble *ensemble, const struct ml_feedback *feedback,
                         const double *step, double share)
{
    double parts = 1.0;
    for (int v = 0; feedback->capacity > 0 && v < ensemble->feedback.n_view; v++)
        for (int lane = 0; lane < ML_LANES; lane++) {
            const struct ml_feedback_view *view = &ensemble->feedback.views[v];
            const double part = view->is_sampled ? feedback_interval(feedback, view, lane)
                                                 : feedback_delay(feedback, view, lane);
            if (part > 0.0)
                parts = fmax(parts, share * step[lane] / part);
        }
    return parts;
}

/* s: when a controller with that delay next sees a break. */
static double break_seen(const struct ml_ensemble *e, const struct ml_feedback *f, double delay,
                         int lane, double now)
{
    double next = (double)INFINITY;
    for (int64_t k = f->n_break[lane]; k-- > first_kept(f->n_break[lane], f->most_breaks);) {
        const double seen = *break_row(f, k, MOMENT_TIME, lane) + delay;
        if (!ml_ensemble_is_before(e, now, seen))
            break;
        if (*break_row(f, k, MOMENT_RANK, lane) < e->method->order)
            next = seen;
    }
    return next;
}

double ml_feedback_next(const struct ml_ensemble *ensemble, const struct ml_feedback *feedback,
                        int lane, double now)
{
    double next = (double)INFINITY;
    for (int v = 0; feedback->capacity > 0 && v < ensemble->feedback.n_view; v++) {
        const struct ml_feedback_view *view = &ensemble->feedback.views[v];
        const double delay = feedback_delay(feedback, view, lane);
        const double interval = feedback_interval(feedback, view, lane);
        if (view->is_sampled)
            next =
                fmin(next, sample_time(ensemble, interval, sample_behind(ensemble, interval, now)));
        else if (delay > 0.0)
            next = fmin(fmin(next, now + delay), break_seen(ensemble, feedback, delay, lane, now));
    }
    return next;
}

/* The rank of time t: the number of delays since the break that it follows from; 0 at a sample;
 * `smooth` if it follows from no break. */
static double rank_at(const struct ml_ensemble *e, const struct ml_feedback *f, int lane, double t)
{
    double rank = smooth;
    for (int v = 0; v < e->feedback.n_view; v++) {
        const struct ml_feedback_view *view = &e->feedback.views[v];
        const double delay = feedback_delay(f, view, lane);
        if (view->is_sampled) {
            const double interval = feedback_interval(f, view, lane);
            const double last = sample_behind(e, interval, t) - 1.0;
            if (!ml_ensemble_is_before(e, sample_time(e, interval, last), t))
                return 0.0;
        }
        for (int64_t k = f->n_break[lane]; delay > 0.0 && !view->is_sampled &&
                                           k-- > first_kept(f->n_break[lane], f->most_breaks);) {
            const double seen = *break_row(f, k, MOMENT_TIME, lane) + delay;
            if (ml_ensemble_is_before(e, seen, t))
                break;
            if (!ml_ensemble_is_before(e, t, seen))
                rank = fmin(rank, *break_row(f, k, MOMENT_RANK, lane) + 1.0);
        }
    }
    return rank;
}

/* s: how far back the controllers of a lane look at most. */
static double reach_of(const struct ml_ensemble *e, const struct ml_feedback *f, int lane)
{
    double reach = 0.0;
    for (int v = 0; v < e->feedback.n_view; v++) {
        const struct ml_feedback_view *view = &e->feedback.views[v];
        reach = fmax(reach, feedback_delay(f, view, lane) + feedback_interval(f, view, lane));
    }
    return reach;
}

/* State `part` of the step that lanes have chosen, with its rates. */
static const double *part_state(const struct ml_ensemble *e, const struct ml_feedback *f, int part)
{
    return f->parts + (size_t)part * ml_feedback_part_size(e);
}

/* Whether the last moment stays when the end of a step at time t is kept; chosen steps all have
 * their own states, however short they are. */
static bool moment_stays(const struct ml_ensemble *e, const struct ml_feedback *f, int lane,
                         double t)
{
    const double last = moment_time(e, f, f->n[lane] - 1, lane);
    return ml_feedback_has_parts(e) ? last < t : ml_ensemble_is_before(e, last, t);
}

void ml_feedback_keep(const struct ml_ensemble *ensemble, struct ml_feedback *feedback, int lane,
                      double t, bool jumps)
{
    struct ml_feedback *f = feedback;
    if (f->capacity == 0 || f->is_retaken)
        return;
    while (f->n[lane] > 0 && !moment_stays(ensemble, f, lane, t))
        f->n[lane]--;
    while (
        f->n_break[lane] > 0 &&
        !ml_ensemble_is_before(ensemble, *break_row(f, f->n_break[lane] - 1, MOMENT_TIME, lane), t))
        f->n_break[lane]--;
    const double rank = jumps ? 0.0 : rank_at(ensemble, f, lane, t);
    const bool is_break = rank <= ensemble->method->order;
    if (!is_break && !(ensemble->feedback.reach > 0.0))
        return;
    const int64_t k = f->n[lane]++, oldest = first_kept(f->n[lane], f->capacity);
    *moment_row(ensemble, f, k, MOMENT_TIME, lane) = t;
    *moment_row(ensemble, f, k, MOMENT_RANK, lane) = rank;
    for (int i = 0; i < feedback_n_kept(ensemble); i++)
        *moment_row(ensemble, f, k, MOMENT_STATE + i, lane) = f->now[i * ML_LANES + lane];
    for (int part = 2; part < ML_FEEDBACK_PARTS && ml_feedback_has_parts(ensemble) && k > 0; part++)
        for (int i = 0; i < feedback_n_kept(ensemble); i++)
            *moment_row(ensemble, f, k, moment_part(ensemble, part) + i, lane) =
                part_state(ensemble, f, part)[i * ML_LANES + lane];
    if (oldest > 0 && moment_time(ensemble, f, oldest, lane) > t - reach_of(ensemble, f, lane))
        f->lost |= 1u << lane;
    if (!is_break)
        return;
    const int64_t b = f->n_break[lane]++;
    *break_row(f, b, MOMENT_TIME, lane) = t;
    *break_row(f, b, MOMENT_RANK, lane) = rank;
}

/* The known past of a lane: moments up to `known`, s. Times that differ by `near`, s, or less are
 * the same. */
struct feedback_past {
    const struct ml_ensemble *ensemble;
    const struct ml_feedback *feedback;
    int lane;
    double known, near;
};

/* Time, rank or state of moment k. */
static double past_row(const struct feedback_past *past, int64_t k, int row)
{
    return *moment_row(past->ensemble, past->feedback, k, row, past->lane);
}

/* Index of the last kept moment at or before t, or else of the first kept moment. */
static int64_t last_moment(const struct feedback_past *past, double t)
{
    const int64_t n = past->feedback->n[past->lane];
    int64_t low = first_kept(n, past->feedback->capacity), high = n - 1;
    while (low < high) {
        const int64_t middle = high - (high - low) / 2;
        if (past_row(past, middle, MOMENT_TIME) - t > past->near)
            high = middle - 1;
        else
            low = middle;
    }
    return low;
}

/* Moments between which the past is interpolated, in order. */
struct feedback_stencil {
    int n;
    int64_t moment[ML_FEEDBACK_NODES];
};

/* The next known moment to one side of moment k, `least` s away or more, without a break on the
 * way; -1: there is no such moment. */
static int64_t neighbour(const struct feedback_past *past, int64_t k, int side, double least)
{
    const int64_t n = past->feedback->n[past->lane];
    const int64_t oldest = first_kept(n, past->feedback->capacity);
    const double order = past->ensemble->method->order;
    for (int64_t j = k;;) {
        const bool is_break = past_row(past, j, MOMENT_RANK) <= order;
        j += side;
        if (is_break || j < oldest || j >= n)
            return -1;
        const double t = past_row(past, j, MOMENT_TIME);
        if (t - past->known > past->near)
            return -1;
        if (fabs(t - past_row(past, k, MOMENT_TIME)) >= least)
            return j;
    }
}

/* Widens a stencil to either side in turn. */
static void stencil_widen(const struct feedback_past *past, double least,
                          struct feedback_stencil *s)
{
    for (bool grows = true; grows && s->n < ML_FEEDBACK_NODES;) {
        const int64_t left = neighbour(past, s->moment[0], -1, least);
        grows = left >= 0;
        if (left >= 0) {
            memmove(s->moment + 1, s->moment, (size_t)s->n++ * sizeof *s->moment);
            s->moment[0] = left;
        }
        if (s->n == ML_FEEDBACK_NODES)
            break;
        const int64_t right = neighbour(past, s->moment[s->n - 1], 1, least);
        grows |= right >= 0;
        if (right >= 0)
            s->moment[s->n++] = right;
    }
}

/* The stencil for times from `begin` to `end`, s, between which the motion does not break. Moments
 * closer to each other than a third of end - begin, as where steps are cut, would add only
 * rounding. */
static struct feedback_stencil stencil_of(const struct feedback_past *past, double begin,
                                          double end)
{
    const double least = fmax(end - begin, past->ensemble->time.step) / 3.0;
    const int64_t newest = past->feedback->n[past->lane] - 1;
    struct feedback_stencil s = {1, {last_moment(past, begin)}};
    int64_t k = s.moment[0];
    while (k < newest && end - past_row(past, k, MOMENT_TIME) > past->near) {
        const double t = past_row(past, ++k, MOMENT_TIME);
        const bool is_last = k == newest || !(end - t > past->near);
        if (is_last || (s.n < ML_FEEDBACK_NODES - 1 && end - t >= least &&
                        t - past_row(past, s.moment[s.n - 1], MOMENT_TIME) >= least))
            s.moment[s.n++] = k;
    }
    stencil_widen(past, least, &s);
    return s;
}

/* Angle and rate of a segment at nodes of a polynomial. */
struct feedback_curve {
    int n;
    double z[ML_FEEDBACK_TERMS]; /* the nodes, each twice, s */
    double angle[ML_FEEDBACK_NODES], rate[ML_FEEDBACK_NODES];
};

/* Newton's form of the polynomial that has these angles and rates.
 *   terms  [ML_FEEDBACK_TERMS] out */
static void newton_terms(const struct feedback_curve *c, double *terms)
{
    const int n = 2 * c->n;
    memset(terms, 0, ML_FEEDBACK_TERMS * sizeof *terms);
    for (int k = 0; k < n; k++)
        terms[k] = c->angle[k / 2];
    for (int order = 1; order < n; order++)
        for (int k = n - 1; k >= order; k--)
            terms[k] = c->z[k] == c->z[k - order]
                           ? c->rate[k / 2]
                           : (terms[k] - terms[k - 1]) / (c->z[k] - c->z[k - order]);
}

/* Angle and rate of such a polynomial at time t. */
static void newton_at(const struct feedback_curve *c, const double *terms, double t, double *angle,
                      double *rate)
{
    *angle = terms[2 * c->n - 1];
    *rate = 0.0;
    for (int j = 2 * c->n - 2; j >= 0; j--) {
        *rate = fma(t - c->z[j], *rate, *angle);
        *angle = fma(t - c->z[j], *angle, terms[j]);
    }
}

/* The polynomial through the numbers seen at the moments of a stencil. */
static void curve_of(const struct feedback_past *past, const struct feedback_stencil *s,
                     const struct ml_feedback_seen *seen, struct feedback_curve *c)
{
    c->n = s->n;
    for (int k = 0; k < s->n; k++) {
        c->z[2 * k] = c->z[2 * k + 1] = past_row(past, s->moment[k], MOMENT_TIME);
        c->angle[k] = past_row(past, s->moment[k], MOMENT_STATE + seen->value);
        c->rate[k] = past_row(past, s->moment[k], MOMENT_STATE + seen->rate);
    }
}

/* The state and rates of a lane at the ends and thirds of a chosen step. */
struct feedback_piece {
    double third;                          /* s */
    const double *node[ML_FEEDBACK_NODES]; /* rows of the lane */
};

static struct feedback_curve piece_nodes(const struct feedback_piece *piece,
                                         const struct ml_feedback_seen *seen)
{
    struct feedback_curve c = {.n = ML_FEEDBACK_NODES};
    for (int k = 0; k < ML_FEEDBACK_NODES; k++) {
        c.z[2 * k] = c.z[2 * k + 1] = (double)k * piece->third;
        c.angle[k] = piece->node[k][(size_t)seen->value * ML_LANES];
        c.rate[k] = piece->node[k][(size_t)seen->rate * ML_LANES];
    }
    return c;
}

/* Angle and rate, s behind the beginning of the piece. */
static void piece_at(const struct feedback_piece *piece, const struct ml_feedback_seen *seen,
                     double s, double *angle, double *rate)
{
    const struct feedback_curve c = piece_nodes(piece, seen);
    double terms[ML_FEEDBACK_TERMS];
    newton_terms(&c, terms);
    newton_at(&c, terms, s, angle, rate);
}

/* The step that lanes chose behind moment k. */
static struct feedback_piece piece_behind(const struct feedback_past *past, int64_t k)
{
    const struct ml_ensemble *e = past->ensemble;
    const struct ml_feedback *f = past->feedback;
    struct feedback_piece piece = {
        .third = (past_row(past, k + 1, MOMENT_TIME) - past_row(past, k, MOMENT_TIME)) / 3.0};
    piece.node[0] = moment_row(e, f, k, MOMENT_STATE, past->lane);
    for (int part = 2; part < ML_FEEDBACK_PARTS; part++)
        piece.node[part - 1] = moment_row(e, f, k + 1, moment_part(e, part), past->lane);
    piece.node[ML_FEEDBACK_NODES - 1] = moment_row(e, f, k + 1, MOMENT_STATE, past->lane);
    return piece;
}

/* Whether an angle and a rate between these nodes are within the tolerance, or the rounding of
 * differences of angles. */
static bool curve_has(const struct ml_ensemble *e, const struct feedback_curve *c,
                      const double found[2], const double exact[2])
{
    const double span = c->z[2 * c->n - 1] - c->z[0], rounding = 0x1p-46;
    double size[2] = {0.0, 0.0};
    for (int k = 0; k < c->n; k++) {
        size[0] = fmax(size[0], fabs(c->angle[k]));
        size[1] = fmax(size[1], fabs(c->rate[k]));
    }
    for (int k = 0; k < 2; k++) {
        const double allowed = fma(e->chosen.control.relative, size[k], e->chosen.control.absolute);
        const double rounded = rounding * (k == 0 ? size[0] : size[0] / span);
        if (fabs(found[k] - exact[k]) > allowed + rounded)
            return false;
    }
    return true;
}

bool ml_feedback_is_smooth(const struct ml_ensemble *ensemble, const struct ml_feedback *feedback,
                           int lane, double h)
{
    const struct ml_ensemble *e = ensemble;
    const double *check = part_state(e, feedback, 1) + lane;
    const struct feedback_piece piece = {h / 3.0,
                                         {part_state(e, feedback, 0) + lane,
                                          part_state(e, feedback, 2) + lane,
                                          part_state(e, feedback, 3) + lane, feedback->now + lane}};
    for (int i = 0; i < e->feedback.n_seen; i++) {
        const struct ml_feedback_seen *seen = &e->feedback.seen[i];
        const struct feedback_curve c = piece_nodes(&piece, seen);
        const double exact[2] = {check[seen->value * ML_LANES], check[seen->rate * ML_LANES]};
        double found[2];
        piece_at(&piece, seen, h / 6.0, &found[0], &found[1]);
        if (!curve_has(e, &c, found, exact))
            return false;
    }
    return true;
}

/* Angle and rate `since` seconds behind moment k, which has those that are given. A step as short
 * as the rounding of times has no polynomial. */
static void look_at_chosen(const struct feedback_past *past, const struct ml_feedback_seen *seen,
                           int64_t k, double since, double *angle, double *rate)
{
    if (k == 0 && !(since > 0.0)) /* before the start */
        return;
    if (k + 1 < past->feedback->n[past->lane]) {
        const struct feedback_piece piece = piece_behind(past, k);
        if (piece.third > past->near) {
            piece_at(&piece, seen, since, angle, rate);
            return;
        }
    }
    *angle = fma(*rate, since, *angle);
}

/* Angle and rate at time t. */
static void look_at(const struct feedback_past *past, const struct ml_feedback_seen *seen, double t,
                    double *angle, double *rate)
{
    const int64_t k = last_moment(past, t);
    const double since = t - past_row(past, k, MOMENT_TIME);
    struct feedback_curve c;
    double terms[ML_FEEDBACK_TERMS];
    *angle = past_row(past, k, MOMENT_STATE + seen->value);
    *rate = past_row(past, k, MOMENT_STATE + seen->rate);
    if (ml_feedback_has_parts(past->ensemble)) {
        look_at_chosen(past, seen, k, since, angle, rate);
        return;
    }
    if (!(since > past->near)) /* or before the start */
        return;
    const struct feedback_stencil s = stencil_of(past, t, t);
    curve_of(past, &s, seen, &c);
    newton_terms(&c, terms);
    newton_at(&c, terms, t, angle, rate);
}

/* Writes an angle and rate that stay as they are. */
static void write_constant(const struct ml_feedback *f, const struct ml_feedback_seen *seen,
                           int lane, double angle, double rate)
{
    double *row = f->constants + (size_t)seen->row * ML_LANES + lane;
    for (int k = 1; k < ML_FEEDBACK_TERMS; k++)
        row[k * ML_LANES] = 0.0;
    row[0] = angle;
    row[ML_FEEDBACK_TERMS * ML_LANES] = rate;
}

/* The angle and rate `since` seconds after `begin`, where the time is rounded: differences of
 * angles over a short step need it exactly. */
static void look_since(const struct feedback_past *past, const struct ml_feedback_seen *seen,
                       double begin, double since, double *angle, double *rate)
{
    const double t = begin + since;
    look_at(past, seen, t, angle, rate);
    *angle = fma(*rate, since - (t - begin), *angle);
}

/* Writes the terms of a polynomial. */
static void write_terms(const struct ml_feedback *f, const struct ml_feedback_seen *seen, int lane,
                        const double *terms)
{
    write_constant(f, seen, lane, terms[0], 0.0);
    for (int k = 1; k < ML_FEEDBACK_TERMS; k++)
        f->constants[(size_t)(seen->row + k) * ML_LANES + lane] = terms[k];
}

/* Writes for a view the polynomial through its past in four times from `begin` to `end`, s,
 * in which nothing breaks. Whether it is within the tolerance halfway from each to the next. */
static bool write_chosen(const struct feedback_past *past, const struct ml_feedback_view *view,
                         double begin, double end)
{
    const struct ml_feedback *f = past->feedback;
    const double delay = feedback_delay(f, view, past->lane), third = (end - begin) / 3.0;
    bool is_exact = true;
    struct feedback_curve c = {.n = ML_FEEDBACK_NODES};
    double terms[ML_FEEDBACK_TERMS], found[2], exact[2];
    if (!(begin < end)) /* a step of length 0: the step before set its rows */
        return true;
    for (int k = 0; k < c.n; k++) {
        c.z[2 * k] = c.z[2 * k + 1] = k + 1 < c.n ? fma((double)k, third, begin) : end;
        *feedback_row(f, view, ML_FEEDBACK_NODE + k, past->lane) = c.z[2 * k];
    }
    for (int i = 0; i < view->n_seen; i++) {
        const struct ml_feedback_seen *seen = &view->seen[i];
        for (int k = 0; k < c.n; k++)
            look_since(past, seen, begin - delay, c.z[2 * k] - begin, &c.angle[k], &c.rate[k]);
        newton_terms(&c, terms);
        write_terms(f, seen, past->lane, terms);
        for (int k = 0; k < c.n - 1 && is_exact; k++) {
            const double t = fma(0.5, third, c.z[2 * k]);
            newton_at(&c, terms, t, &found[0], &found[1]);
            look_since(past, seen, begin - delay, t - begin, &exact[0], &exact[1]);
            is_exact = curve_has(past->ensemble, &c, found, exact);
        }
    }
    return is_exact;
}

/* Writes for a view with a delay the polynomial of the past that it sees from `begin` to `end`, s.
 * Whether that is within the tolerance of lanes that choose their steps. */
static bool write_past(const struct feedback_past *past, const struct ml_feedback_view *view,
                       double begin, double end)
{
    const struct ml_ensemble *e = past->ensemble;
    const struct ml_feedback *f = past->feedback;
    const int lane = past->lane;
    const double delay = feedback_delay(f, view, lane);
    struct feedback_curve c = {0};
    double terms[ML_FEEDBACK_TERMS];
    *feedback_row(f, view, ML_FEEDBACK_IS_PAST, lane) = delay > 0.0;
    if (!(delay > 0.0))
        return true;
    if (!(end - delay - e->time.start > past->near)) {
        for (int i = 0; i < view->n_seen; i++)
            write_constant(f, &view->seen[i], lane,
                           past_row(past, 0, MOMENT_STATE + view->seen[i].value),
                           past_row(past, 0, MOMENT_STATE + view->seen[i].rate));
        return true;
    }
    if (ml_feedback_has_parts(e))
        return write_chosen(past, view, begin, end);
    const struct feedback_stencil s = stencil_of(past, begin - delay, end - delay);
    for (int i = 0; i < view->n_seen; i++) {
        curve_of(past, &s, &view->seen[i], &c);
        newton_terms(&c, terms);
        write_terms(f, &view->seen[i], lane, terms);
    }
    for (int k = 0; k < s.n; k++)
        *feedback_row(f, view, ML_FEEDBACK_NODE + k, lane) = c.z[2 * k] + delay;
    return true;
}

/* A number between 0 and 1, of 53 bits. */
static double feedback_uniform(uint32_t high, uint32_t low)
{
    return ((double)((((uint64_t)high << 32) | low) >> 11) + 0.5) * 0x1p-53;
}

/* Two numbers of the standard normal distribution, by the polar method (Marsaglia, Bray, SIAM
 * Review 6, 1964) with the logarithm that gives the same bits everywhere.
 *   at  [3] counter of the generator: number of the sample (2 words), segment and law */
static void feedback_normal(const struct ml_kernels *kernels, uint64_t seed, const uint32_t at[3],
                            double out[2])
{
    double square[ML_LANES] __attribute__((aligned(64)));
    double logarithm[ML_LANES] __attribute__((aligned(64)));
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    double r = 0.0;
    for (uint32_t attempt = 0; !(r > 0.0 && r < 1.0); attempt++) {
        const struct ml_philox bits =
            ml_philox((const uint32_t[]){at[0], at[1], at[2], attempt}, key);
        out[0] = 2.0 * feedback_uniform(bits.word[0], bits.word[1]) - 1.0;
        out[1] = 2.0 * feedback_uniform(bits.word[2], bits.word[3]) - 1.0;
        r = out[0] * out[0] + out[1] * out[1];
    }
    for (int lane = 0; lane < ML_LANES; lane++)
        square[lane] = r;
    kernels->log(1, square, logarithm);
    const double factor = sqrt(-2.0 * logarithm[0] / r);
    out[0] *= factor;
    out[1] *= factor;
}

/* Adds errors of measurement to the angle and rate of segment i that a controller sees at sample
 * k. */
static void add_noise(const struct feedback_past *past, const struct ml_feedback_view *view, int i,
                      double k, double *angle, double *rate)
{
    const struct ml_feedback *f = past->feedback;
    const int lane = past->lane;
    const double of_angle = feedback_number(f, view, ML_FEEDBACK_ANGLE_NOISE, lane);
    const double of_rate = feedback_number(f, view, ML_FEEDBACK_RATE_NOISE, lane);
    const double seed = feedback_number(f, view, ML_FEEDBACK_SEED, lane);
    const uint64_t sample = (uint64_t)k;
    double normal[2] = {0.0, 0.0};
    if (!(of_angle > 0.0 || of_rate > 0.0))
        return;
    feedback_normal(past->ensemble->kernels, (uint64_t)seed,
                    (const uint32_t[]){(uint32_t)sample, (uint32_t)(sample >> 32),
                                       (uint32_t)i | (uint32_t)view->law << 16},
                    normal);
    *angle += of_angle > 0.0 ? of_angle * normal[0] : 0.0;
    *rate += of_rate > 0.0 ? of_rate * normal[1] : 0.0;
}

/* Tells a sampled controller the angles and rates at its last sample before `end`, s, unless it has
 * them. */
static void write_sample(struct feedback_past *past, const struct ml_feedback_view *view,
                         double end)
{
    const struct ml_ensemble *e = past->ensemble;
    const struct ml_feedback *f = past->feedback;
    const struct ml_law *law = &e->model.laws[view->law];
    const int lane = past->lane, n_state = law->n_state;
    const double interval = feedback_interval(f, view, lane);
    const double k = sample_before(e, interval, end), now = sample_time(e, interval, k);
    if (*feedback_row(f, view, ML_FEEDBACK_SAMPLED, lane) == now)
        return;
    *feedback_row(f, view, ML_FEEDBACK_SAMPLED, lane) = now;
    *feedback_row(f, view, ML_FEEDBACK_IS_PAST, lane) = 1.0;
    past->known = now;
    for (int i = 0; i < view->n_seen; i++) {
        double angle, rate;
        look_at(past, &view->seen[i], now - feedback_delay(f, view, lane), &angle, &rate);
        add_noise(past, view, i, k, &angle, &rate);
        write_constant(f, &view->seen[i], lane, angle, rate);
    }
    const int64_t moment = last_moment(past, now);
    for (int s = 0; s < n_state; s++)
        *feedback_row(f, view, ml_feedback_rows(e->model.n, s), lane) =
            past_row(past, moment, MOMENT_STATE + law->state + s);
}

bool ml_feedback_report(const struct ml_ensemble *ensemble, struct ml_feedback *feedback, int lane,
                        double begin, double end)
{
    const double near = ml_ensemble_rounding(ensemble, end);
    bool is_exact = true;
    for (int v = 0; feedback->capacity > 0 && v < ensemble->feedback.n_view; v++) {
        const struct ml_feedback_view *view = &ensemble->feedback.views[v];
        struct feedback_past past = {ensemble, feedback, lane, begin, near};
        if (view->is_sampled)
            write_sample(&past, view, end);
        else
            is_exact &= write_past(&past, view, begin, end);
    }
    return is_exact;
}
