/* gali: alignment of tangent vectors at the end (Skokos 2001; Skokos, Bountis, Antonopoulos 2007).
 *
 *   sali   = min(|w1 + w2|, |w1 - w2|)            of two vectors of length 1
 *   gali_k = volume of the parallelepiped of k vectors of length 1
 *
 * Both go to 0 exponentially in chaotic motion. The vectors are unit ones at the start. */
#include "analysis/indicator.h"
#include "analysis/triangle.h"

enum { RENORMALISE = ML_SETTING_RENORMALISE, VECTORS, N_PARAM };

static const struct ml_param params[N_PARAM] = {
    [RENORMALISE] = ML_PARAM_RENORMALISE,
    [VECTORS] = {"vectors", "1", 2.0, 2.0, 8192.0, ML_WHOLE, "k: number of vectors of gali"},
};

static int gali_n_tangent(const struct ml_indicator_use *use)
{
    return (int)use->settings[VECTORS];
}

enum { SALI, GALI, N_OUTPUT };

static bool gali_output(const struct ml_indicator_use *use, int i, struct ml_output *out)
{
    static const struct ml_output outputs[N_OUTPUT] = {
        [SALI] = {"sali", "1", "smaller alignment index of two tangent vectors at the end"},
        [GALI] = {"gali", "1", "generalised alignment index of k tangent vectors at the end"},
    };
    (void)use;
    if (i < N_OUTPUT)
        *out = outputs[i];
    return i < N_OUTPUT;
}

static int gali_keep_rows(const struct ml_indicator_use *use)
{
    return ml_tri(gali_n_tangent(use), 0);
}

static void gali_renormalised(const struct ml_indicator_use *use,
                              const struct ml_renormalisation *by, double *keep)
{
    ML_EACH_GROUP(g)
        if (by->is_start)
            ml_triangle_unit(gali_n_tangent(use), keep + g);
        else
            ml_triangle_turn(gali_n_tangent(use), ml_load(by->span + g, 0), by->r + g, keep + g);
}

static void gali_finish(const struct ml_indicator_use *use, const struct ml_observation *observed,
                        double *keep, double *const *out)
{
    (void)observed;
    ML_EACH_GROUP(g) {
        ml_vec volume = ml_splat(1.0), along = ml_abs(ml_load(keep + g, ml_tri(1, 0)));
        for (int c = 0; c < gali_n_tangent(use); c++)
            volume *= ml_load(keep + g, ml_tri(c, c));
        /* 2 - 2 |cos| without cancellation, from the sine */
        ml_store(out[SALI] + g, 0, ml_load(keep + g, ml_tri(1, 1)) * ml_sqrt(2.0 / (1.0 + along)));
        ml_store(out[GALI] + g, 0, volume);
    }
}

extern const struct ml_indicator ML_K(ml_indicator_gali);
const struct ml_indicator ML_K(ml_indicator_gali) = {
    .name = "gali",
    .doc = "smaller and generalised alignment index (SALI, GALI)",
    .is_on_request = true,
    .params = params,
    .n_param = N_PARAM,
    .output = gali_output,
    .keep_rows = gali_keep_rows,
    .finish = gali_finish,
    .n_tangent = gali_n_tangent,
    .renormalised = gali_renormalised,
};
