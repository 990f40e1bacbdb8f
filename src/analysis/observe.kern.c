/* observe: statistics over the observed times, or the steps that runs choose, of recorded numbers
 * that the study names. The derivative of a largest or smallest value is that of the number at the
 * time when it was so. */
#include <stdio.h>

#include "analysis/arc.h"
#include "analysis/indicator.h"
#include "analysis/quadrature.h"

/* Kept of each observable: whether it was observed, s when for the first time and last, its value;
 * its derivatives [n_sens]; then the integral of its integrand and of the derivatives of that. */
enum { STARTED, SINCE, UNTIL, VALUE, FIRST_DERIV };

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
        if (is_first)
            ml_store(own + g, SINCE, ml_splat(observed->time));
        ml_store(own + g, STARTED, ml_splat(1.0));
        ml_store(own + g, UNTIL, ml_splat(observed->time));
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
}

/* Takes the value at a share s of a look, and its derivatives. */
static void observe_take(const struct ml_indicator_use *use, const struct ml_look *look,
                         const struct ml_observable *of, double s, double value, int lane,
                         double *own)
{
    own[VALUE * ML_LANES + lane] = value;
    for (int p = 0; p < observe_n_sens(use); p++) {
        const struct ml_arc deriv = ml_look_deriv(look, of->record, of->row, p, lane);
        own[(FIRST_DERIV + p) * ML_LANES + lane] = ml_arc_at(&deriv, s);
    }
}

/* Adds the integrals from a share of a look on. */
static void observe_integrate(const struct ml_indicator_use *use, const struct ml_look *look,
                              const struct ml_observable *of, double from, int lane, double *own)
{
    double *sums = observe_integrals(use, own);
    const double length = look->length[lane];
    const struct ml_arc value = ml_look_arc(look, of->record, of->row, lane);
    struct ml_arc integrand = value;
    for (int k = 0; of->statistic == ML_RMS && k < ML_LOOK_POINTS; k++)
        integrand.at[k] = value.at[k] * value.at[k];
    ml_integral_sum(sums, 0)[lane] += length * ml_arc_integral(&integrand, from, 1.0);
    for (int p = 0; p < observe_n_sens(use); p++) {
        integrand = ml_look_deriv(look, of->record, of->row, p, lane);
        for (int k = 0; of->statistic == ML_RMS && k < ML_LOOK_POINTS; k++)
            integrand.at[k] *= 2.0 * value.at[k];
        ml_integral_sum(sums, 1 + p)[lane] += length * ml_arc_integral(&integrand, from, 1.0);
    }
}

static bool observe_is_level(const struct ml_arc *curve)
{
    bool is_level = true;
    for (int k = 1; k < ML_LOOK_POINTS; k++)
        is_level &= curve->at[k] == curve->at[0];
    return is_level;
}

/* Whether a number is level over a look, with its derivatives, and has the value but for rounding:
 * the derivatives of a largest value are those of such a top, and not of where the number comes to
 * it. */
static bool observe_is_top(const struct ml_indicator_use *use, const struct ml_look *look,
                           const struct ml_observable *of, const struct ml_arc *curve, int lane,
                           double value)
{
    bool is_top = observe_is_level(curve) && fabs(curve->at[0] - value) <= 0x1p-44 * fabs(value);
    for (int p = 0; is_top && p < observe_n_sens(use); p++) {
        const struct ml_arc deriv = ml_look_deriv(look, of->record, of->row, p, lane);
        is_top &= observe_is_level(&deriv);
    }
    return is_top;
}

/* One observable over a look of a lane. */
static void observe_look_at(const struct ml_indicator_use *use, const struct ml_look *look,
                            const struct ml_observable *of, int lane, double *own)
{
    const double from = ml_look_from(look, use->start + of->from, lane);
    const struct ml_arc curve = ml_look_arc(look, of->record, of->row, lane);
    const double sign = of->statistic == ML_MAX ? 1.0 : -1.0;
    double *value = own + VALUE * ML_LANES + lane, top = curve.at[ML_LOOK_LAST], at = 1.0;
    if (from > 1.0)
        return;
    if (own[STARTED * ML_LANES + lane] == 0.0) {
        own[STARTED * ML_LANES + lane] = 1.0;
        own[SINCE * ML_LANES + lane] = look->begin[lane] + from * look->length[lane];
        observe_take(use, look, of, from, ml_arc_at(&curve, from), lane, own);
    }
    own[UNTIL * ML_LANES + lane] = look->begin[lane] + look->length[lane];
    bool is_new = of->statistic == ML_AT_END;
    if (of->statistic == ML_MAX || of->statistic == ML_MIN) {
        at = ml_arc_top(&curve, sign, from, 1.0, &top);
        is_new = observe_is_top(use, look, of, &curve, lane, *value);
    } else {
        observe_integrate(use, look, of, from, lane, own);
    }
    if (is_new || (!isnan(*value) && !(sign * top <= sign * *value)))
        observe_take(use, look, of, at, top, lane, own);
}

static void observe_look(const struct ml_indicator_use *use, const struct ml_look *look,
                         double *keep)
{
    for (int i = 0; i < use->n_observable; i++)
        for (int lane = 0; lane < ML_LANES; lane++)
            if (look->lanes >> lane & 1)
                observe_look_at(use, look, &use->observables[i], lane,
                                keep + (long)i * observe_rows_of_one(use) * ML_LANES);
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

/* A root mean square; along parameter p, or -1. */
ML_INLINE ml_vec observe_rms(const double *sums, int p, int g, const struct ml_quadrature *rest,
                             ml_vec duration)
{
    const ml_vec none = ml_splat(0.0), square = ml_integral(sums, 0, g, rest);
    const ml_vec rms = ml_sqrt(ml_select((ml_mask)(square < 0.0), none, square) / duration);
    if (p < 0)
        return rms;
    const ml_vec sum = ml_integral(sums, 1 + p, g, rest);
    return ml_select((ml_mask)(rms == 0.0), none, 0.5 * sum / (duration * rms));
}

/* The result of an observable; deriv: along parameter p, or -1. */
ML_INLINE ml_vec observe_result(const struct ml_indicator_use *use, const struct ml_observable *of,
                                double *own, int p, int g)
{
    const double *sums = observe_integrals(use, own);
    const struct ml_quadrature rest = ml_integrals_rest(sums);
    const ml_vec duration = ml_load(own + g, UNTIL) - ml_load(own + g, SINCE);
    const ml_mask is_started = (ml_mask)(ml_load(own + g, STARTED) != 0.0);
    const ml_vec unknown = ml_splat((double)NAN);
    ml_vec result = ml_integral(sums, 1 + p, g, &rest);
    if (of->statistic == ML_MAX || of->statistic == ML_MIN || of->statistic == ML_AT_END)
        result = ml_load(own + g, p < 0 ? VALUE : FIRST_DERIV + p);
    if (of->statistic == ML_MEAN)
        result /= duration;
    if (of->statistic == ML_RMS)
        result = observe_rms(sums, p, g, &rest, duration);
    return ml_select(is_started, result, unknown);
}
static void observe_finish(const struct ml_indicator_use *use,
                           const struct ml_observation *observed, double *keep, double *const *out)
{
    (void)observed;
    for (int i = 0; i < use->n_observable; i++)
        ML_EACH_GROUP(g)
            ml_store(out[i] + g, 0,
                     observe_result(use, &use->observables[i],
                                    keep + (long)i * observe_rows_of_one(use) * ML_LANES, -1, g));
}

static void observe_derivs(const struct ml_indicator_use *use,
                           const struct ml_observation *observed, const double *keep, double *out)
{
    (void)observed;
    for (int i = 0; i < use->n_observable; i++)
        for (int p = 0; p < use->n_sens; p++)
            ML_EACH_GROUP(g)
                ml_store(out + g, i * use->n_sens + p,
                         observe_result(
                             use, &use->observables[i],
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
    .look = observe_look,
    .finish = observe_finish,
    .derivs = observe_derivs,
};
