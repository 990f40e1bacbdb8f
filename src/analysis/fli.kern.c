/* fli: fast Lyapunov indicator, the largest logarithm of the length of a tangent vector of length 1
 * at the start, over the renormalisations (Froeschle, Lega, Gonczi 1997; Froeschle, Lega 2000).
 * Grows like t in a chaotic, like ln t in a regular motion. */
#include "analysis/indicator.h"
#include "simd/lanes.h"

enum { LENGTH, LARGEST, N_KEEP };

static const struct ml_param params[] = {[ML_SETTING_RENORMALISE] = ML_PARAM_RENORMALISE};

static bool fli_output(const struct ml_indicator_use *use, int i, struct ml_output *out)
{
    (void)use;
    *out = (struct ml_output){"fli", "1", "largest ln |w(t)| of a tangent vector, |w(start)| = 1",
                              .dim = {ML_DIM_NONE}};
    return i == 0;
}

static int fli_keep_rows(const struct ml_indicator_use *use)
{
    (void)use;
    return N_KEEP;
}

static int fli_n_tangent(const struct ml_indicator_use *use)
{
    (void)use;
    return 1;
}

static void fli_renormalised(const struct ml_indicator_use *use,
                             const struct ml_renormalisation *by, double *keep)
{
    (void)use;
    ML_EACH_GROUP(g) {
        ml_vec length = ml_load(keep + g, LENGTH) + ml_load(by->log_r + g, 0);
        ml_store(keep + g, LENGTH, length);
        ml_store(keep + g, LARGEST, ml_max(ml_load(keep + g, LARGEST), length)); /* NaN stays */
    }
}

static void fli_finish(const struct ml_indicator_use *use, const struct ml_observation *observed,
                       double *keep, double *const *out)
{
    (void)use, (void)observed;
    ML_EACH_GROUP(g)
        ml_store(out[0] + g, 0, ml_load(keep + g, LARGEST));
}

extern const struct ml_indicator ML_K(ml_indicator_fli);
const struct ml_indicator ML_K(ml_indicator_fli) = {
    .name = "fli",
    .doc = "fast Lyapunov indicator",
    .is_on_request = true,
    .params = params,
    .n_param = 1,
    .output = fli_output,
    .keep_rows = fli_keep_rows,
    .finish = fli_finish,
    .n_tangent = fli_n_tangent,
    .renormalised = fli_renormalised,
};
