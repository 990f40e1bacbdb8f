/* Datasets of the profiles of a fit. */
#include <string.h>

#include "fit/fit_writing.h"

static void put_profile_scales(struct ml_fit_writing *w, const char **curves)
{
    const struct ml_fit_profile *p = w->profile;
    const struct ml_h5_field offset = {
        .name = "offset",
        .type = H5T_NATIVE_DOUBLE,
        .unit = "1",
        .doc = "distance from the estimate, in units of `profile_unit` of the number's range",
        .is_scale = true};
    for (int i = 0; i < p->n; i++)
        curves[i] = w->spec->ranges[i].name;
    curves[p->n] = "upper 95 % limit";
    curves[p->n + 1] = "lower 95 % limit";
    ml_h5_text_scale(&w->result.h5, w->group, "profile_curve", "fitted numbers, then the limits",
                     p->n + 2, curves);
    ml_result_vector(&w->result, w->group, offset, ML_PROFILE_POINTS, p->offset);
}

/* tau of all numbers, and the limits as curves beside these. */
static void put_tau(struct ml_fit_writing *w, hid_t plots, const char *const *curves, double *rows)
{
    const struct ml_fit_profile *p = w->profile;
    const int64_t size[] = {p->n + 2, ML_PROFILE_POINTS};
    const struct ml_h5_field field = {
        .name = "profile",
        .type = H5T_NATIVE_DOUBLE,
        .unit = "1",
        .doc = "signed root of the rise of the sum of squares over the variance, with the other "
               "numbers fitted again: a straight line of a linear model; NaN: out of the bounds, "
               "or no run finished",
        .scales = {"profile_curve", "offset"}};
    memcpy(rows, p->tau, (size_t)p->n * ML_PROFILE_POINTS * sizeof *rows);
    for (int k = 0; k < ML_PROFILE_POINTS; k++) {
        rows[p->n * ML_PROFILE_POINTS + k] = p->found->quantile;
        rows[(p->n + 1) * ML_PROFILE_POINTS + k] = -p->found->quantile;
    }
    const struct ml_h5_field tau = ml_fit_put(w, field, 2, size, rows);
    ml_fit_put_view(w, plots, &tau, curves);
}

void ml_fit_put_profile(struct ml_fit_writing *w, hid_t plots)
{
    const struct ml_fit_profile *p = w->profile;
    const size_t n = (size_t)p->n;
    const char **curves = ml_pool_take(&w->pool, n + 2, sizeof *curves);
    double *rows = ml_pool_take(&w->pool, (n + 2) * ML_PROFILE_POINTS, sizeof *rows);
    if (!curves || !rows) {
        ml_h5_fail(&w->result.h5, ML_E_MEMORY, "out of memory");
        return;
    }
    const int64_t size[] = {p->n, ML_PROFILE_POINTS, p->n};
    const struct ml_h5_field numbers = {.name = "profile_numbers",
                                        .type = H5T_NATIVE_DOUBLE,
                                        .doc = "all numbers at each point of a profile",
                                        .scales = {"parameter", "offset", "with_parameter"}};
    put_profile_scales(w, curves);
    put_tau(w, plots, curves, rows);
    (void)ml_fit_put(w, numbers, 3, size, p->numbers);
    ml_fit_put_parameters(w, "profile_unit", "unit of `offset`, in parts of the range", 1, p->unit);
    ml_fit_put_parameters(w, "profile_low",
                          "lower end of the 95 % interval of the profile; NaN: beyond the bound", 1,
                          p->low);
    ml_fit_put_parameters(w, "profile_high",
                          "upper end of the 95 % interval of the profile; NaN: beyond the bound", 1,
                          p->high);
}
