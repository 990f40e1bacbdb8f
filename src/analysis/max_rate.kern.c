/* max_rate: largest |rate| of each segment over the observed times. */
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

static int keep_rows(const struct ml_indicator_use *use) { return use->n; }

static void observe(const struct ml_indicator_use *use, const struct ml_observation *seen,
                    double *keep)
{
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

extern const struct ml_indicator ML_K(ml_indicator_max_rate);
const struct ml_indicator ML_K(ml_indicator_max_rate) = {
    .name = "max_rate",
    .doc = "largest |rate| of each segment",
    .output = output,
    .keep_rows = keep_rows,
    .begin = observe,
    .observe = observe,
    .finish = finish,
};
