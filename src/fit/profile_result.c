/* Datasets of the profiles of a fit. */
#include <string.h>

#include "fit/fit_writing.h"

void ml_fit_write_profile(struct ml_fit_writing *w, hid_t plots)
{
    const struct ml_fit_profile *p = w->profile;
    const size_t n = (size_t)p->n;
    const char **curves = ml_pool_take(&w->pool, n + 2, sizeof *curves);
    double *rows = ml_pool_take(&w->pool, (n + 2) * ML_PROFILE_POINTS, sizeof *rows);
    if (!ml_h5_need(&w->result.h5, curves && rows))
        return;
    for (int i = 0; i < p->n; i++)
        curves[i] = w->spec->ranges[i].name;
    curves[n] = "upper 95 % limit";
    curves[n + 1] = "lower 95 % limit";
    memcpy(rows, p->tau, n * ML_PROFILE_POINTS * sizeof *rows);
    for (int k = 0; k < ML_PROFILE_POINTS; k++) {
        rows[p->n * ML_PROFILE_POINTS + k] = p->found->quantile;
        rows[(p->n + 1) * ML_PROFILE_POINTS + k] = -p->found->quantile;
    }
    const hid_t real = H5T_NATIVE_DOUBLE;
    const struct ml_result_row curve_rows[] = {
        ML_ROW("profile_curve", H5T_C_S1, NULL, "fitted numbers, then the limits", curves,
               ML_FIT_PROFILE_CURVE),
        ML_ROW("offset", real, "1",
               "distance from the estimate, in units of `profile_unit` of the number's range",
               p->offset, ML_FIT_OFFSET),
        ML_ROW("profile", real, "1",
               "signed root of the rise of the sum of squares over the variance, with the other "
               "numbers fitted again: a straight line of a linear model; NaN: out of the bounds, "
               "or no run finished",
               rows, ML_FIT_PROFILE_CURVE, ML_FIT_OFFSET),
    };
    const struct ml_result_row number_rows[] = {
        ML_ROW("profile_numbers", real, NULL, "all numbers at each point of a profile", p->numbers,
               ML_FIT_PARAMETER, ML_FIT_OFFSET, ML_FIT_WITH_PARAMETER),
        ML_ROW("profile_unit", real, NULL, "unit of `offset`, in parts of the range", p->unit,
               ML_FIT_PARAMETER),
        ML_ROW("profile_low", real, NULL,
               "lower end of the 95 % interval of the profile; NaN: beyond the bound", p->low,
               ML_FIT_PARAMETER),
        ML_ROW("profile_high", real, NULL,
               "upper end of the 95 % interval of the profile; NaN: beyond the bound", p->high,
               ML_FIT_PARAMETER),
    };
    ML_RESULT_WRITE_ROWS(&w->result, w->group, w->dims, curve_rows);
    ml_fit_write_view(w, plots, &curve_rows[2], curves);
    ML_RESULT_WRITE_ROWS(&w->result, w->group, w->dims, number_rows);
}
