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
    ml_result_write_dataset(&w->group, ML_DATA_FIT_PROFILE_CURVE, NULL, curves);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_OFFSET, NULL, p->offset);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_PROFILE, NULL, rows);
    ml_fit_write_view(w, plots, ML_DATA_FIT_PROFILE, NULL, curves);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_PROFILE_NUMBERS, NULL, p->numbers);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_PROFILE_UNIT, NULL, p->unit);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_PROFILE_LOW, NULL, p->low);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_PROFILE_HIGH, NULL, p->high);
}
