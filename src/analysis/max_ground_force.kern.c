/* max_ground_force: largest force of the ground over the observed times. Its derivative is that of
 * the force at the time when it was largest. */
#include <string.h>

#include "analysis/arc.h"
#include "analysis/indicator.h"
#include "simd/lanes.h"

/* Then, [n_sens], its derivatives. */
enum { LARGEST, N_KEEP };

static bool max_ground_force_output(const struct ml_indicator_use *use, int i,
                                    struct ml_output *output)
{
    if (use->sees[0] < 0 || i > 0)
        return false;
    *output = (struct ml_output){"max_ground_force", "N",
                                 "largest force of the ground over the observed times",
                                 .dim = {ML_DIM_NONE}, .join = ML_JOIN_LARGEST};
    return true;
}

static int max_ground_force_keep_rows(const struct ml_indicator_use *use)
{
    return N_KEEP + (use->is_differentiated ? use->n_sens : 0);
}

/* Force and derivatives of the lanes of a mask. */
ML_INLINE void take(const struct ml_indicator_use *use, const struct ml_observation *observed,
                    int g, ml_mask mask, double *keep)
{
    ml_vec force = ml_load(observed->records[use->sees[0]] + g, 0);
    for (int p = 0; use->is_differentiated && p < use->n_sens; p++) {
        ml_vec deriv = ml_load(observed->record_derivs[use->sees[0]] + g, p);
        ml_store(keep + g, N_KEEP + p, ml_select(mask, deriv, ml_load(keep + g, N_KEEP + p)));
    }
    ml_store(keep + g, LARGEST, ml_select(mask, force, ml_load(keep + g, LARGEST)));
}

static void max_ground_force_begin(const struct ml_indicator_use *use,
                                   const struct ml_observation *observed, double *keep)
{
    ML_EACH_GROUP(g)
        take(use, observed, g, ~(ml_mask){0}, keep);
}

static void max_ground_force_observe(const struct ml_indicator_use *use,
                                     const struct ml_observation *observed, double *keep)
{
    ML_EACH_GROUP(g) {
        ml_vec force = ml_load(observed->records[use->sees[0]] + g, 0);
        take(use, observed, g, (ml_mask)(force > ml_load(keep + g, LARGEST)), keep);
    }
}

/* Takes the ends of steps, and looks into those that begin or end with some force. */
static unsigned max_ground_force_look_at_ends(const struct ml_indicator_use *use,
                                              const struct ml_look_ends *ends, double *keep)
{
    unsigned wanted = 0;
    for (int lane = 0; lane < ML_LANES; lane++) {
        double *largest = keep + LARGEST * ML_LANES + lane;
        if (!(ends->lanes >> lane & 1))
            continue;
        const double force =
            fmax(ends->at[0].records[use->sees[0]][lane], ends->at[1].records[use->sees[0]][lane]);
        *largest = fmax(*largest, force);
        wanted |= (unsigned)(force > 0.25 * *largest) << lane;
    }
    return wanted;
}

static void max_ground_force_look(const struct ml_indicator_use *use, const struct ml_look *look,
                                  double *keep)
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        double force, *largest = keep + LARGEST * ML_LANES + lane;
        if (!(look->lanes >> lane & 1))
            continue;
        const struct ml_arc arc = ml_look_arc(look, use->sees[0], 0, lane);
        const double at = ml_arc_top(&arc, 1.0, 0.0, 1.0, &force);
        if (!(force > *largest))
            continue;
        *largest = force;
        for (int p = 0; use->is_differentiated && p < use->n_sens; p++) {
            const struct ml_arc deriv = ml_look_deriv(look, use->sees[0], 0, p, lane);
            keep[(N_KEEP + p) * ML_LANES + lane] = ml_arc_at(&deriv, at);
        }
    }
}

static void max_ground_force_finish(const struct ml_indicator_use *use,
                                    const struct ml_observation *observed, double *keep,
                                    double *const *out)
{
    (void)use, (void)observed;
    memcpy(out[0], keep, ML_LANES * sizeof *keep);
}

static void max_ground_force_derivs(const struct ml_indicator_use *use,
                                    const struct ml_observation *observed, const double *keep,
                                    double *out)
{
    (void)observed;
    memcpy(out, keep + N_KEEP * ML_LANES, (size_t)use->n_sens * ML_LANES * sizeof *keep);
}

extern const struct ml_indicator ML_K(ml_indicator_max_ground_force);
const struct ml_indicator ML_K(ml_indicator_max_ground_force) = {
    .name = "max_ground_force",
    .doc = "largest force of the ground, of a system that stands on it",
    .sees = {ML_GROUND_FORCE},
    .output = max_ground_force_output,
    .keep_rows = max_ground_force_keep_rows,
    .begin = max_ground_force_begin,
    .observe = max_ground_force_observe,
    .look = max_ground_force_look,
    .look_at_ends = max_ground_force_look_at_ends,
    .finish = max_ground_force_finish,
    .derivs = max_ground_force_derivs,
    .sees_derivs = 1,
};
