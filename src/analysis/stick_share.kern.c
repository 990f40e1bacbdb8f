/* stick_share: for how large a part of the observed times each joint with dry friction sticks: that
 * it is smoothed, it creeps. */
#include "analysis/indicator.h"
#include "simd/lanes.h"

/* Observations, then, [n], those where the joint sticks; NaN without friction. */
enum { COUNT, STUCK };

static bool stick_share_output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    if (use->sees[0] < 0 || !use->has_friction || i > 0)
        return false;
    *output = (struct ml_output){"stick_share", "1",
                                 "part of the observed times at which a joint turns slower than "
                                 "the velocity scale of its friction: it sticks, and creeps",
                                 .dim = {ML_DIM_SEGMENT}};
    return true;
}

static int stick_share_keep_rows(const struct ml_indicator_use *use) { return STUCK + use->n; }

static void stick_share_observe(const struct ml_indicator_use *use,
                                const struct ml_observation *observed, double *keep)
{
    const double *slip = observed->records[use->sees[0]];
    ML_EACH_GROUP(g) {
        ml_store(keep + g, COUNT, ml_load(keep + g, COUNT) + 1.0);
        for (int i = 0; i < use->n; i++) {
            const ml_vec own = ml_load(slip + g, i);
            const ml_mask is_stuck = (ml_mask)(ml_abs(own) < 1.0), is_there = (ml_mask)(own == own);
            const ml_vec more = ml_select(is_stuck, ml_splat(1.0), ml_splat(0.0));
            ml_store(keep + g, STUCK + i,
                     ml_load(keep + g, STUCK + i) + ml_select(is_there, more, own));
        }
    }
}

static void stick_share_finish(const struct ml_indicator_use *use,
                               const struct ml_observation *observed, double *keep,
                               double *const *out)
{
    (void)observed;
    ML_EACH_GROUP(g)
        for (int i = 0; i < use->n; i++)
            ml_store(out[0] + g, i, ml_load(keep + g, STUCK + i) / ml_load(keep + g, COUNT));
}

extern const struct ml_indicator ML_K(ml_indicator_stick_share);
const struct ml_indicator ML_K(ml_indicator_stick_share) = {
    .name = "stick_share",
    .doc = "how long joints with dry friction stick",
    .sees = {ML_SLIP},
    .output = stick_share_output,
    .keep_rows = stick_share_keep_rows,
    .begin = stick_share_observe,
    .observe = stick_share_observe,
    .finish = stick_share_finish,
};
