/* stick_share: for how large a part of the time each joint with dry friction sticks: that it is
 * smoothed, it creeps. Of given steps the observed times count. */
#include "analysis/arc.h"
#include "analysis/indicator.h"
#include "simd/lanes.h"

/* Time, s, or observations, then, [n], those where the joint sticks; NaN without friction. */
enum { COUNT, STUCK };

static bool stick_share_output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    if (use->sees[0] < 0 || !use->has_friction || i > 0)
        return false;
    *output =
        (struct ml_output){"stick_share", "1",
                           "part of the time in which a joint turns slower than the velocity "
                           "scale of its friction, with given steps of the observed times: it "
                           "sticks, and creeps",
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

/* Begins with a look at the start, which has no length where runs choose their steps. */
static void stick_share_begin(const struct ml_indicator_use *use,
                              const struct ml_observation *observed, double *keep)
{
    if (!use->is_adaptive)
        stick_share_observe(use, observed, keep);
}

/* Steps that begin and end on the same side of sticking count as a whole; the others are looked
 * into. */
static unsigned stick_share_look_at_ends(const struct ml_indicator_use *use,
                                         const struct ml_look_ends *ends, double *keep)
{
    const double *before = ends->at[0].records[use->sees[0]];
    const double *now = ends->at[1].records[use->sees[0]];
    unsigned wanted = 0;
    for (int i = 0; i < use->n * ML_LANES; i++)
        if (fabs(before[i]) < 1.0 ? fabs(now[i]) >= 1.0
                                  : fabs(now[i]) < 1.0 || before[i] * now[i] < 0.0)
            wanted |= ends->lanes & 1u << i % ML_LANES;
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (!((ends->lanes & ~wanted) >> lane & 1))
            continue;
        keep[COUNT * ML_LANES + lane] += ends->length[lane];
        for (int i = 0; i < use->n; i++) {
            const double slip = before[i * ML_LANES + lane];
            keep[(STUCK + i) * ML_LANES + lane] += isnan(slip)        ? slip
                                                   : fabs(slip) < 1.0 ? ends->length[lane]
                                                                      : 0.0;
        }
    }
    return wanted;
}

/* The share of a look in which a curve is between -1 and 1. */
static double stick_share_inside(const struct ml_arc *slip)
{
    const struct ml_arc_parts parts = ml_arc_parts(slip, 0.0, 1.0);
    double inside = 0.0;
    for (int i = 0; i < parts.n; i++) {
        const double a = parts.cut[i], b = parts.cut[i + 1], from = parts.value[i],
                     to = parts.value[i + 1];
        if ((from >= 1.0 && to >= 1.0) || (from <= -1.0 && to <= -1.0))
            continue;
        const double begin =
            fabs(from) < 1.0 ? a : ml_arc_root(slip, from < 0.0 ? -1.0 : 1.0, a, b);
        const double end = fabs(to) < 1.0 ? b : ml_arc_root(slip, to < 0.0 ? -1.0 : 1.0, a, b);
        inside += end - begin;
    }
    return inside;
}

static void stick_share_look(const struct ml_indicator_use *use, const struct ml_look *look,
                             double *keep)
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (!(look->lanes >> lane & 1))
            continue;
        keep[COUNT * ML_LANES + lane] += look->length[lane];
        for (int i = 0; i < use->n; i++) {
            const struct ml_arc slip = ml_look_arc(look, use->sees[0], i, lane);
            keep[(STUCK + i) * ML_LANES + lane] +=
                isnan(slip.at[0]) ? slip.at[0] : look->length[lane] * stick_share_inside(&slip);
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
    .begin = stick_share_begin,
    .observe = stick_share_observe,
    .look = stick_share_look,
    .look_at_ends = stick_share_look_at_ends,
    .finish = stick_share_finish,
};
