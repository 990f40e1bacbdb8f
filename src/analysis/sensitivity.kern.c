/* sensitivity: derivatives by initial conditions and parameters of the state at the end and of
 * other indicators, exact for the discrete solution. Those of the state advance with it, by the
 * equations of its tangent vectors with what the parameter itself changes: d(x')/dp = df/dx dx/dp +
 * df/dp. Indicators make theirs of these. */
#include "analysis/indicator.h"
#include "simd/lanes.h"
#include "simd/log.h"

static const struct ml_param params[] = {[ML_SETTING_RENORMALISE] = ML_PARAM_RENORMALISE};

enum { SLOPE, RELATIVE, HORIZON, N_OUTPUT };

/* Without anything to differentiate at the end there is the horizon alone: index of the first
 * output. */
static int first_output(const struct ml_indicator_use *use)
{
    return use->n_differentiated > 0 ? SLOPE : HORIZON;
}

static bool sensitivity_output(const struct ml_indicator_use *use, int i, struct ml_output *out)
{
    static const struct ml_output outputs[N_OUTPUT] = {
        [SLOPE] = {"sensitivity", "SI",
                   "derivative of the state at the end, or of an indicator, by a parameter, in the "
                   "SI unit of the one per that of the other",
                   .dim = {ML_DIM_OUTPUT, ML_DIM_PARAMETER}},
        [RELATIVE] = {"relative_sensitivity", "1",
                      "sensitivity x parameter / number: relative change per relative change",
                      .dim = {ML_DIM_OUTPUT, ML_DIM_PARAMETER}},
        [HORIZON] = {"sensitivity_horizon", "s",
                     "time in which rounding errors of 2^-53 grow to 1 in this run: beyond it "
                     "a sensitivity says nothing about the exact motion; NaN in regular motion"},
    };
    i += first_output(use);
    if (i >= N_OUTPUT)
        return false;
    *out = outputs[i];
    out->size[0] = i == HORIZON ? 0 : use->n_differentiated;
    out->size[1] = i == HORIZON ? 0 : use->n_sens;
    return true;
}

static int sensitivity_n_tangent(const struct ml_indicator_use *use)
{
    (void)use;
    return 1;
}

/* Logarithm of how much a tangent vector has grown. */
static int sensitivity_keep_rows(const struct ml_indicator_use *use)
{
    (void)use;
    return 1;
}

static void sensitivity_renormalised(const struct ml_indicator_use *use,
                                     const struct ml_renormalisation *by, double *keep)
{
    (void)use;
    ML_EACH_GROUP(g)
        ml_store(keep + g, 0, ml_load(keep + g, 0) + ml_load(by->log_r + g, 0));
}

static void finish_derivs(const struct ml_indicator_use *use, const struct ml_observation *observed,
                          double *const *out)
{
    const int n_sens = use->n_sens;
    ML_EACH_GROUP(g)
        for (int at = 0; at < use->n_differentiated * n_sens; at++) {
            ml_vec deriv = ml_load(observed->derivs + g, at);
            ml_vec parameter = ml_load(observed->parameters + g, at % n_sens);
            ml_vec value = ml_load(observed->differentiated + g, at / n_sens);
            ml_store(out[SLOPE] + g, at, deriv);
            ml_store(out[RELATIVE] + g, at, deriv * parameter / value);
        }
}

static void sensitivity_finish(const struct ml_indicator_use *use,
                               const struct ml_observation *observed, double *keep,
                               double *const *out)
{
    const double log_digits = 0x1.25e4f7b2737fap+5; /* ln 2^53 */
    const ml_vec span = ml_splat(observed->step * use->step);
    finish_derivs(use, observed, out);
    ML_EACH_GROUP(g) {
        ml_vec grown = ml_load(keep + g, 0);
        /* by ln T a vector grows in regular motion too */
        ml_mask is_chaotic = (ml_mask)(grown > 2.0 * ml_log(span)) & (ml_mask)(grown > 0.0);
        ml_store(out[HORIZON - first_output(use)] + g, 0,
                 ml_select(is_chaotic, log_digits * span / grown, ml_splat((double)NAN)));
    }
}

extern const struct ml_indicator ML_K(ml_indicator_sensitivity);
const struct ml_indicator ML_K(ml_indicator_sensitivity) = {
    .name = "sensitivity",
    .doc = "derivatives of the end state and of indicators by initial conditions and parameters",
    .is_on_request = true,
    .params = params,
    .n_param = 1,
    .output = sensitivity_output,
    .keep_rows = sensitivity_keep_rows,
    .finish = sensitivity_finish,
    .n_tangent = sensitivity_n_tangent,
    .takes_parameters = true,
    .renormalised = sensitivity_renormalised,
};
