/* Estimators of the first-order index of one input from the complete runs of any sample: the part
 * of the output's variance that its mean for a fixed input has. */
#ifndef ML_STATISTICS_GIVEN_FIRST_H
#define ML_STATISTICS_GIVEN_FIRST_H

#include "statistics/given_inputs.h"
#include "statistics/resample.h"

/* False without memory.
 *   along  [complete->n] where the runs lie along the input
 *   order  [complete->n] places in ascending order of the input */
bool ml_given_bins(const struct ml_complete *complete, int input, const struct ml_along *along,
                   const struct ml_resamples *resamples, bool is_even, struct ml_index *out);
bool ml_given_rank(const struct ml_complete *complete, const int32_t *order, int n_resample,
                   struct ml_index *out);
bool ml_given_rbd_fast(const struct ml_complete *complete, const int32_t *order,
                       const struct ml_resamples *resamples, bool is_even, struct ml_index *out);

#endif
