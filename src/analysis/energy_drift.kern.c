/* energy_drift: how far the energy of a run wandered from its start.
 *
 *   max |E - E0| / max(|E0|, scale)   over the observed times
 *
 * scale is the system's scale of energy plus the kinetic energy at the start, so that a start near
 * E = 0 does not blow the number up. */
#include "analysis/indicator.h"
#include "simd/lanes.h"

enum { START, SCALE, WORST, N_KEEP };

static bool output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    if (!use->system->energy || i > 0)
        return false;
    *output = (struct ml_output){
        "energy_drift", "1", "largest |energy - energy at start| / max(|energy at start|, scale)",
        .dim = {ML_DIM_NONE}};
    return true;
}

static int keep_rows(const struct ml_indicator_use *use)
{
    (void)use;
    return N_KEEP;
}

static void begin(const struct ml_indicator_use *use, const struct ml_observation *seen,
                  double *keep)
{
    (void)use;
    ML_EACH_GROUP(g) {
        ml_vec k = ml_get(seen->kinetic + g, 0), v = ml_get(seen->potential + g, 0);
        ml_vec scale = k + ml_get(seen->energy_scale + g, 0);
        ml_vec tiny =
            ml_splat(0x1p-1022); /* 0/0 is no drift for a system at rest without gravity */
        ml_put(keep + g, START, k + v);
        ml_put(keep + g, SCALE, ml_max(ml_max(ml_abs(k + v), scale), tiny));
        ml_put(keep + g, WORST, ml_splat(0.0));
    }
}

static void observe(const struct ml_indicator_use *use, const struct ml_observation *seen,
                    double *keep)
{
    (void)use;
    ML_EACH_GROUP(g) {
        ml_vec e = ml_get(seen->kinetic + g, 0) + ml_get(seen->potential + g, 0);
        ml_vec drift = ml_abs(e - ml_get(keep + g, START)), worst = ml_get(keep + g, WORST);
        /* An energy that is not a number stays: !(drift <= worst) is true of it from then on. */
        ml_mask is_kept = (ml_mask)(drift <= worst);
        ml_put(keep + g, WORST, ml_select(is_kept, worst, drift));
    }
}

static void finish(const struct ml_indicator_use *use, const struct ml_observation *seen,
                   double *keep, double *const *out)
{
    (void)use, (void)seen;
    ML_EACH_GROUP(g)
        ml_put(out[0] + g, 0, ml_get(keep + g, WORST) / ml_get(keep + g, SCALE));
}

extern const struct ml_indicator ML_K(ml_indicator_energy_drift);
const struct ml_indicator ML_K(ml_indicator_energy_drift) = {
    .name = "energy_drift",
    .doc = "largest relative wander of the energy from its start: a check of conservative runs",
    .output = output,
    .keep_rows = keep_rows,
    .begin = begin,
    .observe = observe,
    .finish = finish,
};
