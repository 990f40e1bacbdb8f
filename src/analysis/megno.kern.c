/* megno: mean exponential growth of nearby orbits (Cincotta, Simo 2000; Cincotta, Giordano, Simo
 * 2003), with d a tangent vector, t from the start:
 *
 *   Y(t) = 2/t int_0^t (d'/d) s ds,   megno = 1/T int_0^T Y dt
 *
 * 2 in regular, lambda_max T / 2 in chaotic motion. Between renormalisations ln d is taken to be
 * linear, Y by the trapezoidal rule: errors go with the square of their interval. */
#include "analysis/indicator.h"
#include "simd/lanes.h"

enum { WEIGHTED, MEAN, LAST, N_KEEP }; /* int (d'/d) s ds, int Y dt, Y */

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

static void megno_renormalised(const struct ml_indicator_use *use,
                               const struct ml_renormalisation *by, double *keep)
{
    const double end = by->step * use->step, span = by->n_step * use->step;
    if (by->n_step == 0.0)
        return;
    ML_EACH_GROUP(g) {
        ml_vec grown = ml_load(by->log_r + g, 0), last = ml_load(keep + g, LAST);
        ml_vec sum = ml_fma(ml_splat(end - 0.5 * span), grown, ml_load(keep + g, WEIGHTED));
        ml_vec now = 2.0 / end * sum;
        ml_store(keep + g, WEIGHTED, sum);
        ml_store(keep + g, MEAN, ml_fma(ml_splat(0.5 * span), last + now, ml_load(keep + g, MEAN)));
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
    .renormalised = megno_renormalised,
};
