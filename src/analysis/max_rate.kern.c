/* max_rate: largest |rate| of each segment, of steps that runs choose at any time, else behind any
 * given step. Where derivatives too are observed: between observations the vertex of the parabola
 * through three of them where the middle one is the largest and the others are near it: a rate that
 * jumps, as at the end of a joint's range, has no such vertex. Its derivative is that of the |rate|
 * at the time when it was largest: of a vertex, which is linear in the three rates but for where it
 * is, and there the time does not matter, that of the three with the same weights. */
#include "analysis/arc.h"
#include "analysis/indicator.h"
#include "simd/lanes.h"

/* Kept, each [n]: the largest |rate|, the last two rates; then how many observations there were,
 * the steps of the last two; then the derivatives of the former, [N_BY_SEGMENT][n][n_sens]. */
enum { LARGEST, OLDER, OLD, N_BY_SEGMENT };
enum { COUNT, OLDER_STEP, OLD_STEP, N_OF_STEPS };

/* Where three observations are, seen from the middle one: at -before, 0 and after, steps. */
struct three {
    double before, after; /* 0: there are not yet three */
};

/* A new largest |rate|: where it is one, and the weights of the last three rates in it. */
struct max_rate_found {
    ml_mask is_new;
    ml_vec weight[3]; /* the oldest first */
};

static bool max_rate_output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    if (use->sees[0] < 0 || use->sees[0] >= use->system->tables.n_state || i > 0)
        return false;
    *output = (struct ml_output){
        "max_rate", "rad/s",
        use->is_adaptive ? "largest |rate|"
        : use->is_differentiated
            ? "largest |rate|, between the observed times by a parabola through three; with every "
              "5th step 0.01 % low in the median, 0.8 % at worst, peaks of a few steps up to 15 %; "
              "up to 3 % high at impacts"
            : "largest |rate| at any step",
        .dim = {ML_DIM_SEGMENT},
        .join = ml_is_measured(use, ML_LARGEST_RATES) ? ML_JOIN_LARGEST : ML_JOIN_NONE};
    return true;
}

static int max_rate_row(const struct ml_indicator_use *use, int segment, int which)
{
    return which * use->n + segment;
}

static int max_rate_deriv_row(const struct ml_indicator_use *use, int segment, int which, int p)
{
    return N_BY_SEGMENT * use->n + N_OF_STEPS + (which * use->n + segment) * use->n_sens + p;
}

static int max_rate_keep_rows(const struct ml_indicator_use *use)
{
    if (ml_is_measured(use, ML_LARGEST_RATES))
        return use->n;
    return max_rate_deriv_row(use, 0, use->is_differentiated ? N_BY_SEGMENT : 0, 0);
}

/* Takes note of an observation at a step. */
static struct three max_rate_add_step(const struct ml_indicator_use *use, double *keep, double step)
{
    double *of_steps = keep + (long)N_BY_SEGMENT * use->n * ML_LANES;
    double *count = of_steps + COUNT * ML_LANES, *older = of_steps + OLDER_STEP * ML_LANES;
    double *old = of_steps + OLD_STEP * ML_LANES;
    struct three at = {0.0, 0.0};
    if (*count >= 2.0)
        at = (struct three){*old - *older, step - *old};
    *older = *old;
    *old = step;
    *count += 1.0;
    return at;
}

/* 1 with the sign of a. */
ML_INLINE ml_vec sign_of(ml_vec a) { return ml_abs_deriv(a, ml_splat(1.0)); }

/* The lanes in which the vertex of the parabola through three values may be a new largest |value|:
 * of equal intervals it is less than 1/4 above the middle one. They are few in a run, and what
 * follows is done only where there is one. */
ML_INLINE ml_mask is_near(const ml_vec *y, ml_vec largest)
{
    ml_vec top = ml_abs(y[1]);
    return (ml_mask)(top >= ml_abs(y[0])) & (ml_mask)(top >= ml_abs(y[2])) &
           (ml_mask)(1.25 * top > largest);
}

/* |value| at the vertex of the parabola through three values, and their weights in it. */
ML_INLINE ml_vec vertex(const struct three *at, const ml_vec *y, ml_vec *weight)
{
    const double before = at->before, after = at->after, both = before + after;
    ml_vec rise = (y[1] - y[0]) / before, fall = (y[2] - y[1]) / after;
    ml_vec deriv = ml_fma(rise, ml_splat(after), fall * before) / both;
    ml_vec bend = (fall - rise) / both; /* half of the second derivative */
    ml_vec sign = sign_of(y[1]), x = -0.5 * deriv / bend;
    weight[0] = sign * x * (x - after) / (before * both);
    weight[1] = sign * (x + before) * (after - x) / (before * after);
    weight[2] = sign * x * (x + before) / (after * both);
    return sign * ml_fma(0.5 * deriv, x, y[1]);
}

/* Adds the rate of a segment at the observation just noted.
 *   own  its first row, the others `stride` rows further each */
ML_INLINE struct max_rate_found add_rate(double *own, int stride, const struct three *at,
                                         ml_vec rate)
{
    const ml_vec y[3] = {ml_load(own, OLDER * stride), ml_load(own, OLD * stride), rate};
    const ml_vec zero = ml_splat(0.0);
    ml_vec before = ml_load(own, LARGEST), largest = ml_abs(rate);
    struct max_rate_found found = {.weight = {zero, zero, sign_of(rate)}};
    ml_mask is_tried = is_near(y, before);
    if (at->before > 0.0 && ml_bits(is_tried) != 0) {
        ml_vec weight[3], top = vertex(at, y, weight), bound = 0.75 * y[1] * y[1];
        is_tried = is_tried & (ml_mask)(y[0] * y[1] >= bound) & (ml_mask)(y[2] * y[1] >= bound);
        ml_mask is_top = is_tried & (ml_mask)(top > largest);
        largest = ml_select(is_top, top, largest);
        for (int k = 0; k < 3; k++)
            found.weight[k] = ml_select(is_top, weight[k], found.weight[k]);
    }
    found.is_new = (ml_mask)(largest > before);
    ml_store(own, OLDER * stride, y[1]);
    ml_store(own, OLD * stride, rate);
    ml_store(own, LARGEST, ml_select(found.is_new, largest, before));
    return found;
}

/* Adds the derivatives of a segment's rate. */
ML_INLINE void add_derivs(const struct ml_indicator_use *use, const struct ml_observation *observed,
                          int segment, int g, const struct max_rate_found *found, double *keep)
{
    for (int p = 0; p < use->n_sens; p++) {
        const int older = max_rate_deriv_row(use, segment, OLDER, p),
                  old = max_rate_deriv_row(use, segment, OLD, p);
        const int largest = max_rate_deriv_row(use, segment, LARGEST, p);
        ml_vec deriv =
            ml_load(observed->record_derivs[use->sees[0]] + g, segment * use->n_sens + p);
        ml_vec sum = ml_fma(found->weight[1], ml_load(keep + g, old), found->weight[2] * deriv);
        sum = ml_fma(found->weight[0], ml_load(keep + g, older), sum);
        ml_store(keep + g, older, ml_load(keep + g, old));
        ml_store(keep + g, old, deriv);
        ml_store(keep + g, largest, ml_select(found->is_new, sum, ml_load(keep + g, largest)));
    }
}

static void max_rate_observe(const struct ml_indicator_use *use,
                             const struct ml_observation *observed, double *keep)
{
    const double *rate = observed->records[use->sees[0]];
    if (ml_is_measured(use, ML_LARGEST_RATES)) {
        ML_EACH_GROUP(g)
            for (int i = 0; i < use->n; i++)
                ml_store(keep + g, i, ml_max(ml_abs(ml_load(rate + g, i)), ml_load(keep + g, i)));
        return;
    }
    const struct three at = max_rate_add_step(use, keep, observed->step);
    ML_EACH_GROUP(g)
        for (int i = 0; i < use->n; i++) {
            double *own = keep + max_rate_row(use, i, 0) * ML_LANES + g;
            const struct max_rate_found found = add_rate(own, use->n, &at, ml_load(rate + g, i));
            if (use->is_differentiated)
                add_derivs(use, observed, i, g, &found, keep);
        }
}

/* Takes the ends of steps, and looks into those in which a rate may turn beyond them. */
static unsigned max_rate_look_at_ends(const struct ml_indicator_use *use,
                                      const struct ml_look_ends *ends, double *keep)
{
    unsigned wanted = 0;
    for (int i = 0; i < use->n; i++)
        for (int lane = 0; lane < ML_LANES; lane++) {
            double *largest = keep + max_rate_row(use, i, LARGEST) * ML_LANES + lane;
            const int at = i * ML_LANES + lane, record = use->sees[0];
            const double length = ends->length[lane], before = ends->at[0].records[record][at],
                         now = ends->at[1].records[record][at];
            if (!(ends->lanes >> lane & 1))
                continue;
            const double most = fabs(before) > fabs(now) ? fabs(before) : fabs(now);
            *largest = most > *largest ? most : *largest;
            wanted |= (unsigned)ml_arc_reaches(before, now, length * ends->at[0].slopes[record][at],
                                               length * ends->at[1].slopes[record][at], *largest)
                      << lane;
        }
    return wanted;
}

static void max_rate_look(const struct ml_indicator_use *use, const struct ml_look *look,
                          double *keep)
{
    for (int i = 0; i < use->n; i++)
        for (int lane = 0; lane < ML_LANES; lane++) {
            double rate, *largest = keep + max_rate_row(use, i, LARGEST) * ML_LANES + lane;
            if (!(look->lanes >> lane & 1))
                continue;
            const struct ml_arc arc = ml_look_arc(look, use->sees[0], i, lane);
            const double at = ml_arc_farthest(&arc, 0.0, 1.0, &rate);
            if (fabs(rate) <= *largest)
                continue;
            *largest = fabs(rate);
            for (int p = 0; use->is_differentiated && p < use->n_sens; p++) {
                const struct ml_arc deriv = ml_look_deriv(look, use->sees[0], i, p, lane);
                const double by = ml_arc_at(&deriv, at);
                keep[max_rate_deriv_row(use, i, LARGEST, p) * ML_LANES + lane] =
                    rate < 0.0 ? -by : by;
            }
        }
}

static void max_rate_finish(const struct ml_indicator_use *use,
                            const struct ml_observation *observed, double *keep, double *const *out)
{
    (void)observed;
    ML_EACH_GROUP(g)
        for (int i = 0; i < use->n; i++)
            ml_store(out[0] + g, i, ml_load(keep + g, max_rate_row(use, i, LARGEST)));
}

static void max_rate_derivs(const struct ml_indicator_use *use,
                            const struct ml_observation *observed, const double *keep, double *out)
{
    (void)observed;
    ML_EACH_GROUP(g)
        for (int i = 0; i < use->n; i++)
            for (int p = 0; p < use->n_sens; p++)
                ml_store(out + g, i * use->n_sens + p,
                         ml_load(keep + g, max_rate_deriv_row(use, i, LARGEST, p)));
}

extern const struct ml_indicator ML_K(ml_indicator_max_rate);
const struct ml_indicator ML_K(ml_indicator_max_rate) = {
    .name = "max_rate",
    .measure = ML_LARGEST_RATES,
    .doc = "largest |rate| of each segment",
    .sees = {"rate"},
    .output = max_rate_output,
    .keep_rows = max_rate_keep_rows,
    .begin = max_rate_observe,
    .observe = max_rate_observe,
    .look = max_rate_look,
    .look_at_ends = max_rate_look_at_ends,
    .finish = max_rate_finish,
    .derivs = max_rate_derivs,
    .sees_derivs = 1,
};
