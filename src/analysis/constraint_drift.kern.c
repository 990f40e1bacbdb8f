/* constraint_drift: how far a run left its constraints.
 *
 *   largest over the constraints of   max |value| / max size   over the observed times
 *
 * size is that of the terms of the constraint, and of what its derivatives make of the coordinates,
 * or rates, in the metric of the mass matrix: a value near 0 is so compared with the mechanism. */
#include "analysis/indicator.h"
#include "simd/lanes.h"

/* Rows 2 k and later of constraint k: largest |value| and size. */
enum { VALUE, SIZE, N_KEEP };

static bool constraint_drift_output(const struct ml_indicator_use *use, int i,
                                    struct ml_output *output)
{
    if (use->n_constraint == 0 || i > 0)
        return false;
    *output = (struct ml_output){
        "constraint_drift", "1",
        "largest value of a constraint, which should be 0, over the largest size of its terms, at "
        "the observed times",
        .dim = {ML_DIM_NONE}};
    return true;
}

static int constraint_drift_keep_rows(const struct ml_indicator_use *use)
{
    return N_KEEP * use->n_constraint;
}

static void constraint_drift_observe(const struct ml_indicator_use *use,
                                     const struct ml_observation *observed, double *keep)
{
    for (int i = 0; i < N_KEEP * use->n_constraint; i++) {
        const int which = i % N_KEEP * use->n_constraint + i / N_KEEP;
        const double *record = observed->records[use->system->constraints.first + which];
        ML_EACH_GROUP(g) {
            const ml_vec size = ml_abs(ml_load(record + g, 0)), largest = ml_load(keep + g, i);
            ml_store(keep + g, i, ml_select(ml_is_kept(size, largest), largest, size));
        }
    }
}

/* Takes the ends of steps: violations between them are those of a polynomial, not of the motion. */
static unsigned constraint_drift_look_at_ends(const struct ml_indicator_use *use,
                                              const struct ml_look_ends *ends, double *keep)
{
    for (int i = 0; i < N_KEEP * use->n_constraint; i++) {
        const int which = i % N_KEEP * use->n_constraint + i / N_KEEP;
        const double *record = ends->at[1].records[use->system->constraints.first + which];
        for (int lane = 0; lane < ML_LANES; lane++) {
            double *largest = keep + i * ML_LANES + lane;
            if (ends->lanes >> lane & 1 && !isnan(*largest) && !(fabs(record[lane]) <= *largest))
                *largest = fabs(record[lane]);
        }
    }
    return 0;
}

static void constraint_drift_finish(const struct ml_indicator_use *use,
                                    const struct ml_observation *observed, double *keep,
                                    double *const *out)
{
    (void)observed;
    ML_EACH_GROUP(g) {
        ml_vec worst = ml_splat(0.0);
        for (int k = 0; k < use->n_constraint; k++) {
            const ml_vec value = ml_load(keep + g, N_KEEP * k + VALUE);
            const ml_vec share = ml_select((ml_mask)(value == 0.0), value,
                                           value / ml_load(keep + g, N_KEEP * k + SIZE));
            worst = ml_select(ml_is_kept(share, worst), worst, share);
        }
        ml_store(out[0] + g, 0, worst);
    }
}

extern const struct ml_indicator ML_K(ml_indicator_constraint_drift);
const struct ml_indicator ML_K(ml_indicator_constraint_drift) = {
    .name = "constraint_drift",
    .doc = "largest violation of the constraints of a mechanism, relative: a check of its steps",
    .sees_constraints = true,
    .output = constraint_drift_output,
    .keep_rows = constraint_drift_keep_rows,
    .begin = constraint_drift_observe,
    .observe = constraint_drift_observe,
    .look_at_ends = constraint_drift_look_at_ends,
    .finish = constraint_drift_finish,
};
