/* megno: mean exponential growth of nearby orbits (Cincotta, Simo 2000; Cincotta, Giordano, Simo
 * 2003), with d a tangent vector, t from the start:
 *
 *   Y(t) = 2/t int_0^t (d'/d) s ds,   megno = 1/T int_0^T Y dt
 *
 * 2 in regular, lambda_max T / 2 in chaotic motion. Between given steps at which vectors are made
 * orthonormal ln d is taken to be linear, Y by the trapezoidal rule: errors go with the square of
 * their interval. Where lanes choose their steps ln d and Y are cubics with the derivatives d'/d
 * and Y' = 2 d'/d - Y/t at both ends of a step: errors go with the fourth power of it. */
#include "analysis/indicator.h"
#include "simd/lanes.h"

enum { WEIGHTED, MEAN, LAST, RATE, RISE, N_KEEP }; /* int (d'/d) s ds, int Y dt, Y, d'/d, Y' */

static const struct ml_param params[] = {[ML_SETTING_RENORMALISE] = ML_PARAM_RENORMALISE};

static bool megno_output(const struct ml_indicator_use *use, int i, struct ml_output *out)
{
    (void)use;
    *out = (struct ml_output){"megno", "1",
                              "mean exponential growth of nearby orbits: 2 in regular motion",
                              .dim = {ML_DIM_NONE}};
    return i == 0;
}

static int megno_keep_rows(const struct ml_indicator_use *use)
{
    (void)use;
    return N_KEEP;
}

static int megno_n_tangent(const struct ml_indicator_use *use)
{
    (void)use;
    return 1;
}

/* The correction of the trapezoidal rule over a step by the derivatives of the integrand at both
 * ends. */
ML_INLINE ml_vec megno_bend(ml_vec span, ml_vec before, ml_vec after)
{
    return span * span * (1.0 / 12.0) * (before - after);
}

static void megno_renormalised(const struct ml_indicator_use *use,
                               const struct ml_renormalisation *by, double *keep)
{
    (void)use;
    ML_EACH_GROUP(g) {
        const ml_vec end = ml_load(by->time + g, 0), span = ml_load(by->span + g, 0);
        const ml_vec grown = ml_load(by->log_r + g, 0), last = ml_load(keep + g, LAST);
        const ml_mask is_begun = (ml_mask)(end > 0.0);
        ml_vec sum = ml_fma(end - 0.5 * span, grown, ml_load(keep + g, WEIGHTED));
        ml_vec mean = ml_load(keep + g, MEAN);
        if (by->rate) {
            const ml_vec rate = ml_load(by->rate + g, 0), before = ml_load(keep + g, RATE);
            sum -= megno_bend(span, before, rate);
            const ml_vec rise = 2.0 * rate - ml_select(is_begun, 2.0 * sum / (end * end), rate);
            mean += megno_bend(span, ml_load(keep + g, RISE), rise);
            ml_store(keep + g, RATE, rate);
            ml_store(keep + g, RISE, rise);
        }
        const ml_vec now = ml_select(is_begun, 2.0 / end * sum, ml_splat(0.0));
        ml_store(keep + g, WEIGHTED, sum);
        ml_store(keep + g, MEAN, ml_fma(0.5 * span, last + now, mean));
        ml_store(keep + g, LAST, now);
    }
}

static void megno_finish(const struct ml_indicator_use *use, const struct ml_observation *observed,
                         double *keep, double *const *out)
{
    const double span = observed->step * use->step;
    ML_EACH_GROUP(g)
        ml_store(out[0] + g, 0, ml_load(keep + g, MEAN) / span);
}

extern const struct ml_indicator ML_K(ml_indicator_megno);
const struct ml_indicator ML_K(ml_indicator_megno) = {
    .name = "megno",
    .doc = "mean exponential growth of nearby orbits",
    .is_on_request = true,
    .params = params,
    .n_param = 1,
    .output = megno_output,
    .keep_rows = megno_keep_rows,
    .finish = megno_finish,
    .n_tangent = megno_n_tangent,
    .needs_rate = true,
    .renormalised = megno_renormalised,
};
