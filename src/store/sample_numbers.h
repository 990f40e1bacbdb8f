/* The numbers of a sample's runs that statistics are computed of, and these statistics. */
#ifndef ML_STORE_SAMPLE_NUMBERS_H
#define ML_STORE_SAMPLE_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "statistics/moments.h"
#include "statistics/order.h"
#include "statistics/quantile.h"

enum { ML_N_SAMPLE_QUANTILE = 7 };
extern const double ml_sample_quantiles[ML_N_SAMPLE_QUANTILE];

/* Names of an estimate and the ends of its interval. */
enum { ML_N_SAMPLE_ESTIMATE = 3 };
extern const char *const ml_sample_estimates[ML_N_SAMPLE_ESTIMATE];

/* Level of all intervals. */
#define ML_SAMPLE_LEVEL 0.95

struct ml_sample_quantile {
    double value, low,
        high; /* NaN: the sample is too small for this end, or the quantile is infinite */
};

/* One number over the runs. */
struct ml_sample_numbers {
    int64_t n;                 /* runs */
    bool has_ends;             /* infinite numbers count in quantiles; else they are NaN */
    double *values;            /* [n] NaN where a run does not count */
    double *ranks;             /* [n] of those that count, or NaN */
    double *ascending;         /* [n] those that count first */
    int64_t *order;            /* [n] */
    struct ml_order_key *work; /* [2 n] */
    struct ml_moments moments; /* of those that count and are finite */
    struct ml_sample_quantile quantiles[ML_N_SAMPLE_QUANTILE];
};

/* Bytes of memory for each run. */
enum { ML_SAMPLE_RUN_BYTES = 8 + 8 + 8 + 8 + 32 };

/* False without memory. Free in any case. */
bool ml_sample_numbers_take(struct ml_sample_numbers *numbers, int64_t n);
void ml_sample_numbers_free(struct ml_sample_numbers *numbers);

/* Computes all else from `values`, in which infinities become NaN, but count in quantiles where
 * has_ends; a quantile among infinite numbers is NaN. */
void ml_sample_numbers_describe(struct ml_sample_numbers *numbers);

#endif
