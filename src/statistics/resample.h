/* The bootstrap of estimates that are functions of sums over points. Points are drawn in groups of
 * consecutive points, at most ML_RESAMPLE_GROUPS: time and memory do not grow with the sample, and
 * points of a sequence of low discrepancy stay beside those that they balance. */
#ifndef ML_STATISTICS_RESAMPLE_H
#define ML_STATISTICS_RESAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "manylink/indices.h"

enum { ML_RESAMPLE_GROUPS = 1024 };

/* Groups of a sample, and how often each resample has each of them. */
struct ml_resamples {
    int64_t n_point, n_group;
    int n;         /* resamples */
    double *count; /* [n_group][1 + n] the sample first, which has each group once */
};

/* Draws from a fixed seed. False without memory; n_point > 0, n >= 2. To be freed in any case. */
bool ml_resamples_draw(struct ml_resamples *out, int64_t n_point, int n);
void ml_resamples_free(struct ml_resamples *resamples);

/* The group of a point, and the first point of a group; that of group n_group is n_point. */
int64_t ml_resamples_group(const struct ml_resamples *resamples, int64_t point);
int64_t ml_resamples_first(const struct ml_resamples *resamples, int64_t group);

/* Adds the sums of a group to the sums of the sample and of all resamples that have the group.
 *   sums    [n_sum] of the group
 *   totals  [n_sum][1 + n] */
void ml_resamples_add(const struct ml_resamples *resamples, int64_t group, int n_sum,
                      const double *sums, double *totals);

/* The sums [n_sum] of the sample, r = 0, or of resample r. */
void ml_resamples_sums(const struct ml_resamples *resamples, int r, int n_sum, const double *totals,
                       double *sums);

/* Spread of the estimates of resamples; {0} of none. */
struct ml_spread {
    int n;
    double mean, squares;
};
void ml_spread_add(struct ml_spread *spread, double value);
double ml_spread_half(const struct ml_spread *spread); /* 1.96 standard deviations */

/* The sum of squares about the mean of n numbers that are centred over the sample. NaN if only
 * rounding errors remain: a resample without the few runs that differ has no variance, and indices
 * by its rounding errors would be any number. */
double ml_resample_squares(double n, double sum, double squares);

/* Estimates of a sample or resample by its sums. */
typedef void ml_estimate_fn(const void *context, const double *sums, double *out);

/* The estimates of the sample, with halves of 95 % intervals, NaN of a single group, which all
 * resamples have. False without memory.
 *   totals  [n_sum][1 + n]
 *   out     [n_out] */
bool ml_resamples_find(const struct ml_resamples *resamples, int n_sum, const double *totals,
                       ml_estimate_fn *estimate, const void *context, int n_out,
                       struct ml_index *out);

/* As ml_resamples_find, from the sums of all groups, [n_group][n_sum]. False without
 * memory. */
bool ml_resamples_estimate(const struct ml_resamples *resamples, int n_sum, const double *sums,
                           ml_estimate_fn *estimate, const void *context, int n_out,
                           struct ml_index *out);

/* The next number of splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
uint64_t ml_resample_random(uint64_t *state);

#endif
