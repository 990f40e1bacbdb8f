/* max_rate: largest |rate| of each segment over the observed times. Its derivative is that of the
 * |rate| at the time when it was largest. */
#include <string.h>

#include "analysis/indicator.h"
#include "simd/lanes.h"

static bool output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    if (ml_state_quantity(use->system, "rate") < 0 || i > 0)
        return false;
    *output = (struct ml_output){"max_rate", "rad/s", "largest |rate| over the observed times",
                                 .dim = {ML_DIM_SEGMENT}};
    return true;
}

/* Of each segment the largest |rate|, then their derivatives, [n][n_parameter]. */
static int keep_rows(const struct ml_indicator_use *use)
{
    return use->n * (use->is_differentiated ? 1 + use->n_parameter : 1);
}

static void observe_slopes(const struct ml_indicator_use *use, const struct ml_observation *seen,
                           double *keep)
{
    double *slopes = keep + (size_t)use->n * ML_LANES;
    ML_EACH_GROUP(g)
        for (int i = 0; i < use->n; i++) {
            ml_vec rate = ml_get(seen->rate + g, i);
            ml_mask is_larger = (ml_mask)(ml_abs(rate) > ml_get(keep + g, i));
            for (int at = i * use->n_parameter; at < (i + 1) * use->n_parameter; at++) {
                ml_vec slope = ml_abs_slope(rate, ml_get(seen->rate_slope + g, at));
                ml_put(slopes + g, at, ml_select(is_larger, slope, ml_get(slopes + g, at)));
            }
        }
}

static void observe(const struct ml_indicator_use *use, const struct ml_observation *seen,
                    double *keep)
{
    if (use->is_differentiated)
        observe_slopes(use, seen, keep);
    ML_EACH_GROUP(g)
        for (int i = 0; i < use->n; i++)
            ml_put(keep + g, i, ml_max(ml_abs(ml_get(seen->rate + g, i)), ml_get(keep + g, i)));
}

static void finish(const struct ml_indicator_use *use, const struct ml_observation *seen,
                   double *keep, double *const *out)
{
    (void)seen;
    memcpy(out[0], keep, (size_t)use->n * ML_LANES * sizeof *keep);
}

static void slopes(const struct ml_indicator_use *use, const struct ml_observation *seen,
                   const double *keep, double *out)
{
    const size_t n = (size_t)use->n;
    (void)seen;
    memcpy(out, keep + n * ML_LANES, n * (size_t)use->n_parameter * ML_LANES * sizeof *keep);
}

extern const struct ml_indicator ML_K(ml_indicator_max_rate);
const struct ml_indicator ML_K(ml_indicator_max_rate) = {
    .name = "max_rate",
    .doc = "largest |rate| of each segment",
    .output = output,
    .keep_rows = keep_rows,
    .begin = observe,
    .observe = observe,
    .finish = finish,
    .slopes = slopes,
    .needs_rate_slope = true,
};
