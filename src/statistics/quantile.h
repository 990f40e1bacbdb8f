/* Quantiles of numbers, with intervals that hold for any distribution. */
#ifndef ML_STATISTICS_QUANTILE_H
#define ML_STATISTICS_QUANTILE_H

#include <stdint.h>

/* The p-quantile by linear interpolation between order statistics: type 7 of Hyndman and Fan (Am.
 * Stat. 50, 361, 1996), numpy's default. NaN of no number.
 *   ascending  [n]
 *   p          in [0, 1] */
double ml_quantile(const double *ascending, int64_t n, double p);

/* Ranks of the two order statistics between which the p-quantile of a continuous distribution is
 * with probability `level` or more, in a sample of n independent numbers (David and Nagaraja, Order
 * Statistics, 7.1): each end leaves out at most (1 - level) / 2 of the binomial distribution of n
 * and p.
 *   low, high  ranks in 1 .. n, that of the smallest number is 1; low 0 or high n + 1: the sample
 *              has too few numbers for that end */
struct ml_rank_interval {
    int64_t low, high;
};
struct ml_rank_interval ml_quantile_ranks(int64_t n, double p, double level);

/* The order statistic of a rank; NaN of a rank outside 1 .. n. */
double ml_order_statistic(const double *ascending, int64_t n, int64_t rank);

#endif
