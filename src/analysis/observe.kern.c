/* observe: statistics over the observed times of recorded numbers that the study names. The
 * derivative of a largest or smallest value is that of the number at the time when it was so. */
#include <stdio.h>

#include "analysis/indicator.h"
#include "analysis/quadrature.h"

/* Kept of each observable: whether it was observed, s when for the first time, its value; its
 * derivatives [n_sens]; then the integral of its integrand and of the derivatives of that. */
enum { STARTED, SINCE, VALUE, FIRST_DERIV };

static enum ml_join observe_join(const struct ml_observable *of)
{
    static const enum ml_join joins[ML_N_STATISTIC] = {
        [ML_MAX] = ML_JOIN_LARGEST, [ML_MIN] = ML_JOIN_SMALLEST, [ML_AT_END] = ML_JOIN_LATER};
    return of->from > 0.0 ? ML_JOIN_NONE : joins[of->statistic];
}

static bool observe_output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    if (i >= use->n_observable)
        return false;
    *output = (struct ml_output){.unit = use->observables[i].unit,
                                 .doc = use->observables[i].doc,
                                 .join = observe_join(&use->observables[i])};
    (void)snprintf(output->name, sizeof output->name, "%s", use->observables[i].name);
    return true;
}

static int observe_n_sens(const struct ml_indicator_use *use)
{
    return use->is_differentiated ? use->n_sens : 0;
}

static int observe_rows_of_one(const struct ml_indicator_use *use)
{
    return FIRST_DERIV + observe_n_sens(use) + ml_integrals_rows(1 + observe_n_sens(use));
}

static int observe_keep_rows(const struct ml_indicator_use *use)
{
    return use->n_observable * observe_rows_of_one(use);
}

static double *observe_integrals(const struct ml_indicator_use *use, double *own)
{
    return own + (FIRST_DERIV + observe_n_sens(use)) * ML_LANES;
}

/* Lanes in which a value is new. A value that is no number stays. */
ML_INLINE ml_mask observe_is_new(enum ml_statistic statistic, bool is_first, ml_vec value,
                                 ml_vec before)
{
    const ml_mask all = (ml_mask)(ml_splat(0.0) == ml_splat(0.0));
    const ml_mask is_number = (ml_mask)(before == before);
    if (is_first || statistic == ML_AT_END)
        return all;
    return is_number &
           ~(statistic == ML_MAX ? (ml_mask)(value <= before) : (ml_mask)(value >= before));
}

/* One observable at an observation. */
static void observe_one(const struct ml_indicator_use *use, const struct ml_observation *observed,
                        const struct ml_observable *of, double *own)
{
    const bool is_first = own[STARTED * ML_LANES] == 0.0, is_square = of->statistic == ML_RMS;
    const double *number = observed->records[of->record] + (long)of->row * ML_LANES;
    const int n_sens = observe_n_sens(use);
    double *sums = observe_integrals(use, own);
    const struct ml_quadrature q = ml_integrals_observe(sums, observed->time);
    ML_EACH_GROUP(g) {
        const ml_vec value = ml_load(number + g, 0), before = ml_load(own + g, VALUE);
        const ml_mask is_new = observe_is_new(of->statistic, is_first, value, before);
        ml_store(own + g, VALUE, ml_select(is_new, value, before));
        ml_integrals_add(sums, 0, g, &q, is_square ? (ml_vec)(value * value) : value);
        for (int p = 0; p < n_sens; p++) {
            const ml_vec deriv =
                ml_load(observed->record_derivs[of->record] + g, of->row * use->n_sens + p);
            ml_store(own + g, FIRST_DERIV + p,
                     ml_select(is_new, deriv, ml_load(own + g, FIRST_DERIV + p)));
            ml_integrals_add(sums, 1 + p, g, &q, is_square ? (ml_vec)(2.0 * value * deriv) : deriv);
        }
    }
    if (is_first)
        own[SINCE * ML_LANES] = observed->time;
    own[STARTED * ML_LANES] = 1.0;
}

static void observe_observe(const struct ml_indicator_use *use,
                            const struct ml_observation *observed, double *keep)
{
    for (int i = 0; i < use->n_observable; i++) {
        const struct ml_observable *of = &use->observables[i];
        const double rounding = 1e-12 * (observed->time - use->start);
        if (observed->time - use->start + rounding >= of->from)
            observe_one(use, observed, of, keep + (long)i * observe_rows_of_one(use) * ML_LANES);
    }
}

/* The result of an observable; deriv: along parameter p, or -1. */
ML_INLINE ml_vec observe_result(const struct ml_indicator_use *use,
                                const struct ml_observation *observed,
                                const struct ml_observable *of, double *own, int p, int g)
{
    const double *sums = observe_integrals(use, own);
    const struct ml_quadrature rest = ml_integrals_rest(sums);
    const double duration = observed->time - own[SINCE * ML_LANES];
    if (own[STARTED * ML_LANES] == 0.0)
        return ml_splat((double)NAN);
    if (of->statistic == ML_MAX || of->statistic == ML_MIN || of->statistic == ML_AT_END)
        return ml_load(own + g, p < 0 ? VALUE : FIRST_DERIV + p);
    const ml_vec sum = ml_integral(sums, 1 + p, g, &rest);
    if (of->statistic == ML_INTEGRAL)
        return sum;
    if (of->statistic == ML_MEAN)
        return sum / duration;
    const ml_vec square = p < 0 ? sum : ml_integral(sums, 0, g, &rest), none = ml_splat(0.0);
    const ml_vec rms = ml_sqrt(ml_select((ml_mask)(square < 0.0), none, square) / duration);
    return p < 0 ? rms : ml_select((ml_mask)(rms == 0.0), none, 0.5 * sum / (duration * rms));
}

static void observe_finish(const struct ml_indicator_use *use,
                           const struct ml_observation *observed, double *keep, double *const *out)
{
    for (int i = 0; i < use->n_observable; i++)
        ML_EACH_GROUP(g)
            ml_store(out[i] + g, 0,
                     observe_result(use, observed, &use->observables[i],
                                    keep + (long)i * observe_rows_of_one(use) * ML_LANES, -1, g));
}

static void observe_derivs(const struct ml_indicator_use *use,
                           const struct ml_observation *observed, const double *keep, double *out)
{
    for (int i = 0; i < use->n_observable; i++)
        for (int p = 0; p < use->n_sens; p++)
            ML_EACH_GROUP(g)
                ml_store(out + g, i * use->n_sens + p,
                         observe_result(
                             use, observed, &use->observables[i],
                             (double *)keep + (long)i * observe_rows_of_one(use) * ML_LANES, p, g));
}

extern const struct ml_indicator ML_K(ml_indicator_observe);
const struct ml_indicator ML_K(ml_indicator_observe) = {
    .name = "observe",
    .doc = "by names of the study: max, min, mean, rms, integral or at_end of recorded numbers and "
           "formulas",
    .is_on_request = true,
    .integrates = true,
    .takes_observables = true,
    .output = observe_output,
    .keep_rows = observe_keep_rows,
    .begin = observe_observe,
    .observe = observe_observe,
    .finish = observe_finish,
    .derivs = observe_derivs,
};
