/* Statistics of one number over the runs of a sample. */
#include "store/sample_numbers.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

const double ml_sample_quantiles[ML_N_SAMPLE_QUANTILE] = {0.025, 0.05, 0.25, 0.5,
                                                          0.75,  0.95, 0.975};

const char *const ml_sample_estimates[ML_N_SAMPLE_ESTIMATE] = {"value", "low", "high"};

bool ml_sample_numbers_take(struct ml_sample_numbers *numbers, int64_t n)
{
    const size_t size = (size_t)n + 1;
    *numbers = (struct ml_sample_numbers){.n = n};
    numbers->values = malloc(size * sizeof *numbers->values);
    numbers->ranks = malloc(size * sizeof *numbers->ranks);
    numbers->ascending = malloc(size * sizeof *numbers->ascending);
    numbers->order = malloc(size * sizeof *numbers->order);
    numbers->work = malloc(2 * size * sizeof *numbers->work);
    return numbers->values && numbers->ranks && numbers->ascending && numbers->order &&
           numbers->work;
}

void ml_sample_numbers_free(struct ml_sample_numbers *numbers)
{
    free(numbers->values);
    free(numbers->ranks);
    free(numbers->ascending);
    free(numbers->order);
    free(numbers->work);
}

/* A quantile of n finite numbers between n_low and n_high infinite ones. */
static struct ml_sample_quantile sample_quantile(const double *ascending, int64_t n, int64_t n_low,
                                                 int64_t n_high, double p)
{
    const int64_t all = n_low + n + n_high;
    const double at = p * (double)(all - 1);
    const struct ml_rank_interval ends = ml_quantile_ranks(all, p, ML_SAMPLE_LEVEL);
    struct ml_sample_quantile out = {(double)NAN,
                                     ml_order_statistic(ascending, n, ends.low - n_low),
                                     ml_order_statistic(ascending, n, ends.high - n_low)};
    if (n == all)
        out.value = ml_quantile(ascending, n, p);
    else if (at >= (double)n_low && at <= (double)(n_low + n - 1))
        out.value = n > 1 ? ml_quantile(ascending, n, (at - (double)n_low) / (double)(n - 1))
                          : ascending[0];
    return out;
}

void ml_sample_numbers_describe(struct ml_sample_numbers *numbers)
{
    int64_t n_low = 0, n_high = 0;
    for (int64_t i = 0; i < numbers->n; i++) {
        const double value = numbers->values[i];
        n_low += numbers->has_ends && value < -DBL_MAX;
        n_high += numbers->has_ends && value > DBL_MAX;
        numbers->values[i] = numbers->ascending[i] = isfinite(value) ? value : (double)NAN;
    }
    const int64_t n = ml_finite_pack(numbers->ascending, numbers->n);
    numbers->moments = ml_moments_find(numbers->ascending, n);
    ml_order_find(numbers->values, numbers->n, numbers->order, numbers->work);
    ml_order_ranks(numbers->values, numbers->order, numbers->n, numbers->ranks);
    for (int64_t i = 0; i < n; i++)
        numbers->ascending[i] = numbers->values[numbers->order[i]];
    for (int k = 0; k < ML_N_SAMPLE_QUANTILE; k++)
        numbers->quantiles[k] =
            sample_quantile(numbers->ascending, n, n_low, n_high, ml_sample_quantiles[k]);
}
