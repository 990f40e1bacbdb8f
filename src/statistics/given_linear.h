/* Linear measures of any sample: regression of an output on all inputs, correlation of ranks. */
#ifndef ML_STATISTICS_GIVEN_LINEAR_H
#define ML_STATISTICS_GIVEN_LINEAR_H

#include "statistics/given_inputs.h"
#include "statistics/resample.h"

enum { ML_MOST_REGRESSORS = 64 };

/* Coefficients of the regression of standardised numbers, and the part of the variance that the
 * regression explains. NaN where inputs depend on each other linearly, runs are fewer than inputs,
 * or inputs more than ML_MOST_REGRESSORS. False without memory.
 *   out        [n_input] */
bool ml_given_regression(const struct ml_complete *complete, const struct ml_resamples *resamples,
                         struct ml_index *out, struct ml_index *r_squared);

/* The correlation of ranks (Spearman). False without memory.
 *   ranks  [complete->n] of the output
 *   along  [complete->n] where the runs lie along an input */
bool ml_given_spearman(const struct ml_complete *complete, const double *ranks,
                       const struct ml_along *along, const struct ml_resamples *resamples,
                       struct ml_index *out);

#endif
