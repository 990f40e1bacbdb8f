/* Datasets of the posterior of a fit. */
#include <stddef.h>

#include "fit/fit_writing.h"

void ml_fit_write_posterior(struct ml_fit_writing *w)
{
    static const struct posterior_row {
        enum ml_dataset dataset;
        size_t offset;
    } rows[] = {{ML_DATA_FIT_POSTERIOR_MEAN, offsetof(struct ml_chain_summary, mean)},
                {ML_DATA_FIT_POSTERIOR_SD, offsetof(struct ml_chain_summary, sd)},
                {ML_DATA_FIT_POSTERIOR_LOW, offsetof(struct ml_chain_summary, low)},
                {ML_DATA_FIT_POSTERIOR_MEDIAN, offsetof(struct ml_chain_summary, median)},
                {ML_DATA_FIT_POSTERIOR_HIGH, offsetof(struct ml_chain_summary, high)},
                {ML_DATA_FIT_AUTOCORRELATION, offsetof(struct ml_chain_summary, time)},
                {ML_DATA_FIT_R_HAT, offsetof(struct ml_chain_summary, r_hat)}};
    const struct ml_fit_posterior *p = w->posterior;
    struct ml_h5 *h5 = &w->result.h5;
    double *numbers = ml_pool_take(&w->pool, (size_t)p->n, sizeof *numbers);
    if (!ml_h5_need(h5, numbers))
        return;
    ml_result_write_dataset(&w->group, ML_DATA_FIT_WALKER, NULL, NULL);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_STEP, NULL, NULL);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        for (int i = 0; i < p->n; i++)
            numbers[i] = *(const double *)((const char *)&p->of[i] + rows[k].offset);
        ml_result_write_dataset(&w->group, rows[k].dataset, NULL, numbers);
    }
    ml_result_write_dataset(&w->group, ML_DATA_FIT_POSTERIOR_COVARIANCE, NULL, p->covariance);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_CHAIN, NULL, p->chain);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_LOG_DENSITY, NULL, p->densities);
    const double accepted = (double)p->n_accepted / (double)p->n_trial;
    ml_h5_numbers_attribute(h5, w->group.id, "acceptance", H5T_NATIVE_DOUBLE, 0, &accepted);
    ml_h5_numbers_attribute(h5, w->group.id, "burn_in", H5T_NATIVE_INT64, 0, &p->spec->burn_in);
}
