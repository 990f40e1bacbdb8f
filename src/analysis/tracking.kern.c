/* tracking: how a controller brings an angle to its target, by the error e of each angle that has
 * one. Rise, overshoot and settling are those of a step, relative to e0 at the start; NaN if that
 * is no step: not more than `band` times the largest |e|.
 *
 *   rise       from e/e0 = 0.9 to 0.1, each for the first time
 *   overshoot  largest -e/e0, 0 if that is less; of a target that goes one way without a step,
 *              farther than `band` times the largest |e|: how far the angle comes beyond the
 *              target's end, relative to the target's way
 *   settling   until |e| stays within `band` |e0|; NaN if it has not done so for the last `dwell`
 *              of the run: an error that passes through 0 has not settled
 *   iae, ise   int |e| dt, int e^2 dt
 *
 * With `from` all of these begin at the first observation at or after that time; and for motions
 * without a step of the target, such as after a push, there is
 *
 *   peak       largest |e|
 *   recovery   until |e| stays within `band` of the largest |e|, as settling
 *
 * (Franklin, Powell, Emami-Naeini, Feedback Control of Dynamic Systems, section 3.4.) Between
 * the ends of given steps e is taken for linear. */
#include <math.h>
#include <string.h>

#include "analysis/arc.h"
#include "analysis/indicator.h"
#include "analysis/quadrature.h"

enum { SEES_ERROR, SEES_ANGLE };
enum { BAND, DWELL, FROM, N_PARAM };
enum { RISE, OVERSHOOT, SETTLING, STEADY, IAE, ISE, PEAK, RECOVERY, N_OUTPUT };

/* Kept: whether it has begun, when, and the time before; by angle these rows, then by angle the
 * integrals. */
enum { BEGUN, BEGIN, TIME, FIRST_ROW };
enum {
    START,
    NOW,
    TENTH,
    NINE_TENTHS,
    LEAST,
    LARGEST,
    OUTSIDE,
    BEYOND,
    /* of angles and of their targets, rad */
    LOW_ANGLE,
    HIGH_ANGLE,
    LOW_TARGET,
    HIGH_TARGET,
    FIRST_TARGET,
    TARGET,
    N_BY_ANGLE
};
enum { ABSOLUTE, SQUARE, N_INTEGRAL };

static const struct ml_param params[N_PARAM] = {
    [BAND] = {"band", "1", 0.02, 0.0, 1.0, ML_OPEN_LOW,
              "share of the error at the start that an angle must stay within to be settled"},
    [DWELL] =
        {"dwell", "1", 0.05, 0.0, 1.0, 0,
         "share of the run, up to its end, that an angle must have stayed within the band to be "
         "settled"},
    [FROM] = {"from", "s", (double)NAN, 0.0, 1e15, ML_DERIVED,
              "time after the start from which all is measured, as of a step that comes then or a "
              "push, with peak_error and recovery_time (default: the start, without these)"},
};

/* Whether the study gives one error as a quantity of that name, in place of those of angles. */
static bool tracking_is_of_quantity(const struct ml_indicator_use *use)
{
    return !use->system->forces.joint_terms;
}

static int tracking_n(const struct ml_indicator_use *use)
{
    return tracking_is_of_quantity(use) ? 1 : use->n;
}

static bool tracking_has_angle(const struct ml_indicator_use *use)
{
    return !tracking_is_of_quantity(use) && use->sees[SEES_ANGLE] >= 0;
}

/* Units of integrals of an error, and of its square. */
static const char *tracking_integral_unit(const char *unit, int which)
{
    static const char *const units[][3] = {
        {"1", "s", "s"}, {"rad", "rad s", "rad^2 s"}, {"m", "m s", "m^2 s"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i][0], unit) == 0)
            return units[i][which == IAE ? 1 : 2];
    return "1";
}

/* An output of the quantity, in its unit. */
static void tracking_describe_quantity(const struct ml_indicator_use *use, int i,
                                       struct ml_output *output)
{
    const char *unit = use->system->tables.records[use->sees[SEES_ERROR]].unit;
    output->dim[0] = ML_DIM_NONE;
    if (i == STEADY || i == PEAK)
        output->unit = unit;
    if (i == IAE || i == ISE)
        output->unit = tracking_integral_unit(unit, i);
    if (i == STEADY)
        output->doc = "error at the end";
}

static bool tracking_output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    static const struct ml_output outputs[N_OUTPUT] = {
        [RISE] =
            {"rise_time", "s",
             "time from 10 to 90 % of the way to the target; NaN if it is not reached or there "
             "is no way",
             .dim = {ML_DIM_SEGMENT}, .better = ML_BETTER_SMALLER},
        [OVERSHOOT] = {"overshoot", "1",
                       "how far beyond the target, relative to the way to it; of a target that "
                       "moves, beyond its end, relative to its way",
                       .dim = {ML_DIM_SEGMENT}},
        [SETTLING] = {"settling_time", "s",
                      "time from the start until the error stays within `band` of that at the "
                      "start; NaN if it "
                      "has not for the last `dwell` of the run",
                      .dim = {ML_DIM_SEGMENT}, .better = ML_BETTER_SMALLER},
        [STEADY] = {"steady_state_error", "rad", "target - angle at the end",
                    .dim = {ML_DIM_SEGMENT}},
        [IAE] = {"iae", "rad s", "integral of the absolute error", .dim = {ML_DIM_SEGMENT}},
        [ISE] = {"ise", "rad^2 s", "integral of the squared error", .dim = {ML_DIM_SEGMENT}},
        [PEAK] = {"peak_error", "rad", "largest absolute error", .dim = {ML_DIM_SEGMENT}},
        [RECOVERY] =
            {"recovery_time", "s",
             "time from `from` until the error stays within `band` of the largest; NaN if it "
             "has not for the last `dwell` of the run",
             .dim = {ML_DIM_SEGMENT}, .better = ML_BETTER_SMALLER},
    };
    if (i >= (isnan(use->settings[FROM]) ? PEAK : N_OUTPUT) || use->sees[SEES_ERROR] < 0)
        return false;
    *output = outputs[i];
    if (tracking_is_of_quantity(use))
        tracking_describe_quantity(use, i, output);
    return true;
}

static int tracking_row(int angle, int which) { return FIRST_ROW + angle * N_BY_ANGLE + which; }

static double *tracking_integrals(const struct ml_indicator_use *use, double *keep)
{
    return keep + tracking_row(tracking_n(use), 0) * ML_LANES;
}

static int tracking_keep_rows(const struct ml_indicator_use *use)
{
    return tracking_row(tracking_n(use), 0) + ml_integrals_rows(tracking_n(use) * N_INTEGRAL);
}

/* The time between t0 and t1 at which a line from a to b is at `level`. */
ML_INLINE ml_vec crossing(double t0, double t1, ml_vec a, ml_vec b, ml_vec level)
{
    return ml_fma((level - a) / (b - a), ml_splat(t1 - t0), ml_splat(t0));
}

/* Takes the time if the error has come down to a level for the first time. */
ML_INLINE void first_below(double *keep, int r, double t0, double t1, ml_vec before, ml_vec now,
                           double level)
{
    ml_vec known = ml_load(keep, r);
    ml_mask is_new = (ml_mask)(known != known) & (ml_mask)(now <= level);
    ml_vec then = crossing(t0, t1, before, now, ml_splat(level));
    ml_store(keep, r, ml_select(is_new, then, known));
}

/* When |error| was above `level` for the last time, to row r: until now, or until it came in. */
ML_INLINE void last_above(double *keep, int r, double t0, double t1, ml_vec before, ml_vec now,
                          ml_vec level)
{
    ml_mask is_out = (ml_mask)(ml_abs(now) > level);
    ml_mask comes_in = ~is_out & (ml_mask)(ml_abs(before) > level);
    ml_vec edge = ml_select((ml_mask)(before > 0.0), level, -level);
    ml_vec until = ml_select(is_out, ml_splat(t1), ml_load(keep, r));
    ml_store(keep, r, ml_select(comes_in, crossing(t0, t1, before, now, edge), until));
}

static void tracking_integrate(const struct ml_indicator_use *use,
                               const struct ml_observation *observed, double *keep)
{
    const double *error = observed->records[use->sees[SEES_ERROR]];
    double *sums = tracking_integrals(use, keep);
    const struct ml_quadrature q = ml_integrals_observe(sums, observed->time);
    for (int i = 0; i < tracking_n(use); i++)
        ML_EACH_GROUP(g) {
            ml_vec e = ml_load(error + g, i);
            ml_integrals_add(sums, i * N_INTEGRAL + ABSOLUTE, g, &q, ml_abs(e));
            ml_integrals_add(sums, i * N_INTEGRAL + SQUARE, g, &q, e * e);
        }
    keep[TIME * ML_LANES] = observed->time;
}

/* Takes the angle, and the target, which is as far from it as the error says. */
static void tracking_widen(const struct ml_indicator_use *use,
                           const struct ml_observation *observed, bool is_first, double *keep)
{
    if (!tracking_has_angle(use))
        return;
    const double *errors = observed->records[use->sees[SEES_ERROR]],
                 *angles = observed->records[use->sees[SEES_ANGLE]];
    for (int i = 0; i < tracking_n(use); i++)
        ML_EACH_GROUP(g) {
            double *own = keep + g;
            const ml_vec angle = ml_load(angles + g, i), target = angle + ml_load(errors + g, i);
            const ml_vec now[] = {angle, angle, target, target};
            for (int k = 0; k < 4; k++) {
                const int r = tracking_row(i, LOW_ANGLE + k);
                const ml_vec so_far = is_first ? now[k] : ml_load(own, r);
                ml_store(own, r, k % 2 ? ml_max(so_far, now[k]) : ml_min(so_far, now[k]));
            }
            if (is_first)
                ml_store(own, tracking_row(i, FIRST_TARGET), target);
            ml_store(own, tracking_row(i, TARGET), target);
        }
}

/* The overshoot of angle i, whose target has no step; NaN if the target does not go one way.
 *   least_way  rad */
ML_INLINE ml_vec overshoot_of_reach(const double *own, int i, ml_vec least_way)
{
    const ml_vec from = ml_load(own, tracking_row(i, FIRST_TARGET)),
                 to = ml_load(own, tracking_row(i, TARGET)), way = to - from;
    const ml_mask is_up = (ml_mask)(way > 0.0);
    const ml_vec farthest = ml_select(is_up, ml_load(own, tracking_row(i, HIGH_ANGLE)),
                                      ml_load(own, tracking_row(i, LOW_ANGLE)));
    const ml_vec rounding = 1e-9 * ml_abs(way);
    const ml_mask goes_one_way =
        (ml_mask)(ml_load(own, tracking_row(i, LOW_TARGET)) >= ml_min(from, to) - rounding) &
        (ml_mask)(ml_load(own, tracking_row(i, HIGH_TARGET)) <= ml_max(from, to) + rounding) &
        (ml_mask)(ml_abs(way) > least_way);
    const ml_vec beyond = ml_max((farthest - to) / way, ml_splat(0.0));
    return ml_select(goes_one_way, beyond, ml_splat((double)NAN));
}

/* Takes the first observation that counts. */
static void tracking_start(const struct ml_indicator_use *use,
                           const struct ml_observation *observed, double *keep)
{
    const double *error = observed->records[use->sees[SEES_ERROR]];
    const ml_vec unknown = ml_splat((double)NAN);
    for (int i = 0; i < tracking_n(use); i++)
        ML_EACH_GROUP(g) {
            ml_vec e = ml_load(error + g, i);
            ml_store(keep + g, tracking_row(i, START), e);
            ml_store(keep + g, tracking_row(i, NOW), e);
            ml_store(keep + g, tracking_row(i, TENTH), unknown);
            ml_store(keep + g, tracking_row(i, NINE_TENTHS), unknown);
            ml_store(keep + g, tracking_row(i, LEAST), ml_splat(0.0));
            ml_store(keep + g, tracking_row(i, LARGEST), ml_abs(e));
            ml_store(keep + g, tracking_row(i, OUTSIDE), ml_splat(observed->time));
            ml_store(keep + g, tracking_row(i, BEYOND), ml_splat(observed->time));
        }
    ML_EACH_GROUP(g) {
        ml_store(keep + g, BEGUN, ml_splat(1.0));
        ml_store(keep + g, BEGIN, ml_splat(observed->time));
    }
    tracking_widen(use, observed, true, keep);
    tracking_integrate(use, observed, keep);
}

/* Whether the run has come to the time from which it is measured, but for rounding. */
static bool tracking_is_due(const struct ml_indicator_use *use,
                            const struct ml_observation *observed)
{
    const double from = use->settings[FROM];
    return !(observed->time - use->start < from - 1e-9 * use->step);
}

static void tracking_begin(const struct ml_indicator_use *use,
                           const struct ml_observation *observed, double *keep)
{
    if (tracking_is_due(use, observed))
        tracking_start(use, observed, keep);
}

static void tracking_observe(const struct ml_indicator_use *use,
                             const struct ml_observation *observed, double *keep)
{
    const double *error = observed->records[use->sees[SEES_ERROR]];
    const double t0 = keep[TIME * ML_LANES], t1 = observed->time, band = use->settings[BAND];
    if (keep[BEGUN * ML_LANES] == 0.0) {
        tracking_begin(use, observed, keep);
        return;
    }
    for (int i = 0; i < tracking_n(use); i++)
        ML_EACH_GROUP(g) {
            double *own = keep + g;
            ml_vec e = ml_load(error + g, i), last = ml_load(own, tracking_row(i, NOW));
            ml_vec start = ml_load(own, tracking_row(i, START)), before = last / start,
                   now = e / start;
            first_below(own, tracking_row(i, TENTH), t0, t1, before, now, 0.9);
            first_below(own, tracking_row(i, NINE_TENTHS), t0, t1, before, now, 0.1);
            last_above(own, tracking_row(i, OUTSIDE), t0, t1, last, e,
                       band * ml_abs(ml_load(own, tracking_row(i, START))));
            /* the band was narrower before, but then within the time of a larger error */
            ml_vec largest = ml_max(ml_load(own, tracking_row(i, LARGEST)), ml_abs(e));
            ml_store(own, tracking_row(i, LARGEST), largest);
            last_above(own, tracking_row(i, BEYOND), t0, t1, last, e, band * largest);
            ml_store(own, tracking_row(i, LEAST),
                     ml_min(ml_load(own, tracking_row(i, LEAST)), now));
            ml_store(own, tracking_row(i, NOW), e);
        }
    tracking_widen(use, observed, false, keep);
    tracking_integrate(use, observed, keep);
}

/* Times of a look of a lane, and the part of it that counts. */
struct tracking_span {
    double begin, length, from; /* s; share before `from` */
};

static double tracking_time(const struct tracking_span *span, double s)
{
    return span->begin + s * span->length;
}

/* Takes the extremes of an angle, or of its target, over a look: to row `low` and the next. */
static void tracking_widen_look(const struct ml_arc *curve, double from, int low, double *own)
{
    double least, most;
    (void)ml_arc_top(curve, -1.0, from, 1.0, &least);
    (void)ml_arc_top(curve, 1.0, from, 1.0, &most);
    own[low * ML_LANES] = fmin(own[low * ML_LANES], least);
    own[(low + 1) * ML_LANES] = fmax(own[(low + 1) * ML_LANES], most);
}

/* When the error, relative to that at the start, has come down to a level for the first time. */
static void tracking_first_below(const struct ml_arc *error, const struct ml_arc_parts *parts,
                                 const struct tracking_span *span, double level, double start,
                                 double *known)
{
    for (int i = 0; i <= parts->n && isnan(*known); i++)
        if (parts->value[i] / start <= level)
            *known = tracking_time(
                span, i == 0 ? parts->cut[0]
                             : ml_arc_root(error, level * start, parts->cut[i - 1], parts->cut[i]));
}

/* Until when |error| was above `level`, as far as it was. */
static void tracking_last_above(const struct ml_arc *error, const struct ml_arc_parts *parts,
                                const struct tracking_span *span, double level, double *until)
{
    for (int i = parts->n; i >= 0; i--)
        if (fabs(parts->value[i]) > level) {
            const double edge = parts->value[i] > 0.0 ? level : -level;
            *until = tracking_time(
                span, i == parts->n ? parts->cut[i]
                                    : ml_arc_root(error, edge, parts->cut[i], parts->cut[i + 1]));
            return;
        }
}

/* Begins with the error of angle i at the share of a look from which it counts. */
static void tracking_start_look(const struct ml_indicator_use *use, const struct ml_look *look,
                                const struct tracking_span *span, int i, int lane, double *own)
{
    const struct ml_arc errors = ml_look_arc(look, use->sees[SEES_ERROR], i, lane);
    const double e = ml_arc_at(&errors, span->from), now = tracking_time(span, span->from);
    own[tracking_row(i, START) * ML_LANES] = e;
    own[tracking_row(i, TENTH) * ML_LANES] = (double)NAN;
    own[tracking_row(i, NINE_TENTHS) * ML_LANES] = (double)NAN;
    own[tracking_row(i, LEAST) * ML_LANES] = 0.0;
    own[tracking_row(i, LARGEST) * ML_LANES] = fabs(e);
    own[tracking_row(i, OUTSIDE) * ML_LANES] = now;
    own[tracking_row(i, BEYOND) * ML_LANES] = now;
    if (!tracking_has_angle(use))
        return;
    const struct ml_arc angles = ml_look_arc(look, use->sees[SEES_ANGLE], i, lane);
    const double angle = ml_arc_at(&angles, span->from);
    for (int k = 0; k < 2; k++) {
        own[tracking_row(i, LOW_ANGLE + k) * ML_LANES] = angle;
        own[tracking_row(i, LOW_TARGET + k) * ML_LANES] = angle + e;
    }
    own[tracking_row(i, FIRST_TARGET) * ML_LANES] = angle + e;
}

/* Takes the angle and its target over a look. */
static void tracking_look_at_reach(const struct ml_indicator_use *use, const struct ml_look *look,
                                   double from, int i, int lane, double *own)
{
    if (!tracking_has_angle(use))
        return;
    const struct ml_arc angle = ml_look_arc(look, use->sees[SEES_ANGLE], i, lane);
    struct ml_arc target = ml_look_arc(look, use->sees[SEES_ERROR], i, lane);
    for (int k = 0; k < ML_LOOK_POINTS; k++)
        target.at[k] += angle.at[k];
    tracking_widen_look(&angle, from, tracking_row(i, LOW_ANGLE), own);
    tracking_widen_look(&target, from, tracking_row(i, LOW_TARGET), own);
    own[tracking_row(i, TARGET) * ML_LANES] = target.at[ML_LOOK_LAST];
}

/* Adds the integrals of angle i over a look. */
static void tracking_integrate_look(const struct ml_arc *error, const struct tracking_span *span,
                                    int i, int lane, double *sums)
{
    double cut[ML_LOOK_POINTS + 2];
    struct ml_arc square = *error;
    const int n_cut = ml_arc_zeros(error, span->from, 1.0, cut);
    for (int k = 1; k < n_cut; k++)
        ml_integral_sum(sums, i * N_INTEGRAL + ABSOLUTE)[lane] +=
            span->length * fabs(ml_arc_integral(error, cut[k - 1], cut[k]));
    for (int k = 0; k < ML_LOOK_POINTS; k++)
        square.at[k] *= error->at[k];
    ml_integral_sum(sums, i * N_INTEGRAL + SQUARE)[lane] +=
        span->length * ml_arc_integral(&square, span->from, 1.0);
}

/* Angle i over a look of a lane. */
static void tracking_look_at(const struct ml_indicator_use *use, const struct ml_look *look,
                             const struct tracking_span *span, int i, int lane, double *keep)
{
    double *own = keep + lane;
    const double band = use->settings[BAND], start = own[tracking_row(i, START) * ML_LANES];
    const struct ml_arc error = ml_look_arc(look, use->sees[SEES_ERROR], i, lane);
    const struct ml_arc_parts parts = ml_arc_parts(&error, span->from, 1.0);
    double *largest = own + tracking_row(i, LARGEST) * ML_LANES;
    double *least = own + tracking_row(i, LEAST) * ML_LANES;
    for (int k = 0; k <= parts.n; k++) {
        *largest = fmax(*largest, fabs(parts.value[k]));
        *least = fmin(*least, parts.value[k] / start);
    }
    tracking_first_below(&error, &parts, span, 0.9, start, own + tracking_row(i, TENTH) * ML_LANES);
    tracking_first_below(&error, &parts, span, 0.1, start,
                         own + tracking_row(i, NINE_TENTHS) * ML_LANES);
    tracking_last_above(&error, &parts, span, band * fabs(start),
                        own + tracking_row(i, OUTSIDE) * ML_LANES);
    tracking_last_above(&error, &parts, span, band * *largest,
                        own + tracking_row(i, BEYOND) * ML_LANES);
    own[tracking_row(i, NOW) * ML_LANES] = error.at[ML_LOOK_LAST];
    tracking_look_at_reach(use, look, span->from, i, lane, own);
    tracking_integrate_look(&error, span, i, lane, tracking_integrals(use, keep));
}

static void tracking_look(const struct ml_indicator_use *use, const struct ml_look *look,
                          double *keep)
{
    const double since = isnan(use->settings[FROM]) ? 0.0 : use->settings[FROM];
    for (int lane = 0; lane < ML_LANES; lane++) {
        const struct tracking_span span = {look->begin[lane], look->length[lane],
                                           ml_look_from(look, use->start + since, lane)};
        if (!(look->lanes >> lane & 1) || span.from > 1.0)
            continue;
        const bool is_first = keep[BEGUN * ML_LANES + lane] == 0.0;
        if (is_first)
            keep[BEGIN * ML_LANES + lane] = tracking_time(&span, span.from);
        keep[BEGUN * ML_LANES + lane] = 1.0;
        for (int i = 0; i < tracking_n(use); i++) {
            if (is_first)
                tracking_start_look(use, look, &span, i, lane, keep + lane);
            tracking_look_at(use, look, &span, i, lane, keep);
        }
    }
}

static void tracking_finish(const struct ml_indicator_use *use,
                            const struct ml_observation *observed, double *keep, double *const *out)
{
    const double *sums = tracking_integrals(use, keep), band = use->settings[BAND];
    const struct ml_quadrature rest = ml_integrals_rest(sums);
    const ml_vec unknown = ml_splat((double)NAN);
    const bool is_from = !isnan(use->settings[FROM]);
    for (int i = 0; i < tracking_n(use); i++)
        ML_EACH_GROUP(g) {
            const ml_vec begin = ml_load(keep + g, BEGIN),
                         dwell = use->settings[DWELL] * (observed->time - begin);
            const ml_mask is_begun = (ml_mask)(ml_load(keep + g, BEGUN) != 0.0);
            const double *own = keep + g;
            ml_vec last = ml_load(own, tracking_row(i, NOW)),
                   least = ml_load(own, tracking_row(i, LEAST));
            ml_vec start = ml_abs(ml_load(own, tracking_row(i, START))),
                   outside = ml_load(own, tracking_row(i, OUTSIDE));
            ml_vec rise =
                ml_load(own, tracking_row(i, NINE_TENTHS)) - ml_load(own, tracking_row(i, TENTH));
            ml_vec largest = ml_select(is_begun, ml_load(own, tracking_row(i, LARGEST)), unknown),
                   beyond = ml_load(own, tracking_row(i, BEYOND));
            ml_mask is_step = (ml_mask)(start > band * largest);
            ml_mask is_settled = is_step & (ml_mask)(ml_abs(last) <= band * start) &
                                 (ml_mask)(outside <= observed->time - dwell);
            ml_store(out[RISE] + g, i, ml_select(is_step, rise, unknown));
            ml_vec reach = unknown;
            if (tracking_has_angle(use))
                reach = ml_select(is_begun, overshoot_of_reach(own, i, band * largest), unknown);
            ml_store(out[OVERSHOOT] + g, i, ml_select(is_step, 0.0 - least, reach));
            ml_store(out[SETTLING] + g, i, ml_select(is_settled, outside - begin, unknown));
            ml_vec absolute = ml_integral(sums, i * N_INTEGRAL + ABSOLUTE, g, &rest),
                   square = ml_integral(sums, i * N_INTEGRAL + SQUARE, g, &rest);
            ml_store(out[STEADY] + g, i, ml_select(is_begun, last, unknown));
            ml_store(out[IAE] + g, i, ml_select(is_begun, absolute, unknown));
            ml_store(out[ISE] + g, i, ml_select(is_begun, square, unknown));
            if (!is_from)
                continue;
            ml_mask is_back = (ml_mask)(ml_abs(last) <= band * largest) &
                              (ml_mask)(beyond <= observed->time - dwell);
            ml_store(out[PEAK] + g, i, largest);
            ml_store(out[RECOVERY] + g, i, ml_select(is_back, beyond - begin, unknown));
        }
}

extern const struct ml_indicator ML_K(ml_indicator_tracking);
const struct ml_indicator ML_K(ml_indicator_tracking) = {
    .name = "tracking",
    .doc = "how controllers bring angles to their targets",
    .is_on_request = true,
    .params = params,
    .n_param = N_PARAM,
    .sees = {[SEES_ERROR] = ML_CONTROL_ERROR, [SEES_ANGLE] = "angle"},
    .integrates = true,
    .output = tracking_output,
    .keep_rows = tracking_keep_rows,
    .begin = tracking_begin,
    .observe = tracking_observe,
    .look = tracking_look,
    .finish = tracking_finish,
};
