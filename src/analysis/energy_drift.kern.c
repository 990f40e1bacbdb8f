/* energy_drift: how far the energy of a run wandered from its start.
 *
 *   max |E - E0| / max(|E0|, scale)   over the observed times, or the steps that runs choose
 *
 * scale is the system's scale of energy plus the kinetic energy at the start, so that a start near
 * E = 0 does not blow the number up; where that is 0 too, as at rest without gravity, there is
 * nothing to compare a drift with, and it is NaN. The derivative is that of the quotient at the
 * time when it was largest, E0 and scale included. */
#include "analysis/arc.h"
#include "analysis/indicator.h"
#include "simd/lanes.h"

/* Then, each [n_sens], the derivatives of these. */
enum { START, WORST, SCALE, N_KEEP };

static const double smallest = 0x1p-1022; /* J, of a scale: no energy at all */

static bool energy_drift_output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    if (!use->system->energy.measure || i > 0)
        return false;
    *output = (struct ml_output){
        "energy_drift", "1",
        use->is_adaptive
            ? "largest |energy - energy at start| / max(|energy at start|, scale)"
            : "largest |energy - energy at start| / max(|energy at start|, scale) over the "
              "observed times; with every 5th step some 2 % low, bursts of a few steps up to 45 %",
        .dim = {ML_DIM_NONE}, .join = ML_JOIN_LARGEST};
    return true;
}

static int energy_drift_keep_rows(const struct ml_indicator_use *use)
{
    return N_KEEP * (use->is_differentiated ? 1 + use->n_sens : 1);
}

static int energy_drift_deriv_row(const struct ml_indicator_use *use, int which, int p)
{
    return N_KEEP + which * use->n_sens + p;
}

/* Derivative of the energy by parameter p. */
ML_INLINE ml_vec energy_drift_deriv(const struct ml_observation *observed, int g, int p)
{
    return ml_load(observed->kinetic_deriv + g, p) + ml_load(observed->potential_deriv + g, p);
}

static void begin_derivs(const struct ml_indicator_use *use, const struct ml_observation *observed,
                         double *keep)
{
    ML_EACH_GROUP(g) {
        ml_vec start = ml_load(keep + g, START);
        ml_mask is_of_energy = (ml_mask)(ml_load(keep + g, SCALE) == ml_abs(start));
        for (int p = 0; p < use->n_sens; p++) {
            ml_vec deriv = energy_drift_deriv(observed, g, p);
            ml_vec scale = ml_load(observed->kinetic_deriv + g, p) +
                           ml_load(observed->energy_scale_deriv + g, p);
            ml_store(keep + g, energy_drift_deriv_row(use, START, p), deriv);
            ml_store(keep + g, energy_drift_deriv_row(use, SCALE, p),
                     ml_select(is_of_energy, ml_abs_deriv(start, deriv), scale));
        }
    }
}

static void energy_drift_begin(const struct ml_indicator_use *use,
                               const struct ml_observation *observed, double *keep)
{
    ML_EACH_GROUP(g) {
        ml_vec k = ml_load(observed->kinetic + g, 0), v = ml_load(observed->potential + g, 0);
        ml_vec scale = k + ml_load(observed->energy_scale + g, 0);
        ml_vec tiny = ml_splat(smallest); /* 0/0 is no drift */
        ml_store(keep + g, START, k + v);
        ml_store(keep + g, SCALE, ml_max(ml_max(ml_abs(k + v), scale), tiny));
        ml_store(keep + g, WORST, ml_splat(0.0));
    }
    if (use->is_differentiated)
        begin_derivs(use, observed, keep);
}

/* Where the drift is the worst so far, its derivatives replace those kept. */
ML_INLINE void observe_derivs(const struct ml_indicator_use *use,
                              const struct ml_observation *observed, int g, ml_mask is_kept,
                              ml_vec change, double *keep)
{
    for (int p = 0; p < use->n_sens; p++) {
        const int row = energy_drift_deriv_row(use, WORST, p);
        ml_vec deriv = energy_drift_deriv(observed, g, p) -
                       ml_load(keep + g, energy_drift_deriv_row(use, START, p));
        ml_store(keep + g, row,
                 ml_select(is_kept, ml_load(keep + g, row), ml_abs_deriv(change, deriv)));
    }
}

static void energy_drift_observe(const struct ml_indicator_use *use,
                                 const struct ml_observation *observed, double *keep)
{
    ML_EACH_GROUP(g) {
        ml_vec e = ml_load(observed->kinetic + g, 0) + ml_load(observed->potential + g, 0);
        ml_vec change = e - ml_load(keep + g, START), worst = ml_load(keep + g, WORST);
        ml_mask is_kept = ml_is_kept(ml_abs(change), worst);
        ml_store(keep + g, WORST, ml_select(is_kept, worst, ml_abs(change)));
        if (use->is_differentiated)
            observe_derivs(use, observed, g, is_kept, change, keep);
    }
}

/* Takes the ends of steps, and looks into those in which energy comes and goes. */
static unsigned energy_drift_look_at_ends(const struct ml_indicator_use *use,
                                          const struct ml_look_ends *ends, double *keep)
{
    (void)use;
    unsigned wanted = 0;
    for (int lane = 0; lane < ML_LANES; lane++) {
        const double start = keep[START * ML_LANES + lane], length = ends->length[lane];
        double *worst = keep + WORST * ML_LANES + lane, change[2];
        if (!(ends->lanes >> lane & 1))
            continue;
        for (int k = 0; k < 2; k++) {
            change[k] = ends->at[k].energy[lane] - start;
            if (!(fabs(change[k]) <= *worst))
                *worst = isnan(*worst) ? *worst : fabs(change[k]);
        }
        wanted |= (unsigned)ml_arc_reaches(change[0], change[1], length * ends->at[0].power[lane],
                                           length * ends->at[1].power[lane], *worst)
                  << lane;
    }
    return wanted;
}

static void energy_drift_look(const struct ml_indicator_use *use, const struct ml_look *look,
                              double *keep)
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        double change, *worst = keep + WORST * ML_LANES + lane;
        if (!(look->lanes >> lane & 1))
            continue;
        struct ml_arc energy = ml_look_energy(look, lane);
        for (int k = 0; k < ML_LOOK_POINTS; k++)
            energy.at[k] -= keep[START * ML_LANES + lane];
        const double at = ml_arc_farthest(&energy, 0.0, 1.0, &change);
        if (isnan(*worst) || fabs(change) <= *worst)
            continue;
        *worst = fabs(change);
        for (int p = 0; use->is_differentiated && p < use->n_sens; p++) {
            const struct ml_arc deriv = ml_look_energy_deriv(look, p, lane);
            const double by = ml_arc_at(&deriv, at) -
                              keep[energy_drift_deriv_row(use, START, p) * ML_LANES + lane];
            keep[energy_drift_deriv_row(use, WORST, p) * ML_LANES + lane] = change < 0.0 ? -by : by;
        }
    }
}

static void energy_drift_finish(const struct ml_indicator_use *use,
                                const struct ml_observation *observed, double *keep,
                                double *const *out)
{
    (void)use, (void)observed;
    ML_EACH_GROUP(g) {
        ml_vec worst = ml_load(keep + g, WORST), scale = ml_load(keep + g, SCALE);
        ml_mask has_no_scale = (ml_mask)(scale <= smallest) & (ml_mask)(worst > 0.0);
        ml_store(out[0] + g, 0, ml_select(has_no_scale, ml_splat((double)NAN), worst / scale));
    }
}

static void energy_drift_derivs(const struct ml_indicator_use *use,
                                const struct ml_observation *observed, const double *keep,
                                double *out)
{
    (void)observed;
    ML_EACH_GROUP(g) {
        ml_vec scale = ml_load(keep + g, SCALE), drift = ml_load(keep + g, WORST) / scale;
        for (int p = 0; p < use->n_sens; p++)
            ml_store(out + g, p,
                     ml_fnma(drift, ml_load(keep + g, energy_drift_deriv_row(use, SCALE, p)),
                             ml_load(keep + g, energy_drift_deriv_row(use, WORST, p))) /
                         scale);
    }
}

extern const struct ml_indicator ML_K(ml_indicator_energy_drift);
const struct ml_indicator ML_K(ml_indicator_energy_drift) = {
    .name = "energy_drift",
    .measure = ML_ENERGY_DRIFT,
    .doc = "largest relative wander of the energy from its start: a check of conservative runs",
    .output = energy_drift_output,
    .keep_rows = energy_drift_keep_rows,
    .begin = energy_drift_begin,
    .observe = energy_drift_observe,
    .look = energy_drift_look,
    .look_at_ends = energy_drift_look_at_ends,
    .finish = energy_drift_finish,
    .derivs = energy_drift_derivs,
    .sees_derivs = ML_SEES_ENERGY,
};
