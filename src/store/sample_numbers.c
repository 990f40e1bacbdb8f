/* Statistics of one number over the runs of a sample. */
#include "store/sample_numbers.h"

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

void ml_sample_numbers_describe(struct ml_sample_numbers *numbers)
{
    for (int64_t i = 0; i < numbers->n; i++) {
        const double value = numbers->values[i];
        numbers->values[i] = numbers->ascending[i] = isfinite(value) ? value : (double)NAN;
    }
    const int64_t n = ml_finite_pack(numbers->ascending, numbers->n);
    numbers->moments = ml_moments_find(numbers->ascending, n);
    ml_order_find(numbers->values, numbers->n, numbers->order, numbers->work);
    ml_order_ranks(numbers->values, numbers->order, numbers->n, numbers->ranks);
    for (int64_t i = 0; i < n; i++)
        numbers->ascending[i] = numbers->values[numbers->order[i]];
    for (int k = 0; k < ML_N_SAMPLE_QUANTILE; k++) {
        const double p = ml_sample_quantiles[k];
        const struct ml_rank_interval ends = ml_quantile_ranks(n, p, ML_SAMPLE_LEVEL);
        numbers->quantiles[k] =
            (struct ml_sample_quantile){ml_quantile(numbers->ascending, n, p),
                                        ml_order_statistic(numbers->ascending, n, ends.low),
                                        ml_order_statistic(numbers->ascending, n, ends.high)};
    }
}
