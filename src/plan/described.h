/* Which numbers of which runs /study/statistics describes. */
#ifndef ML_PLAN_DESCRIBED_H
#define ML_PLAN_DESCRIBED_H

#include "plan/layout.h"

/* Whether a result has the group: that of all runs of a study with a sample, but not of a design
 * whose points are no sample of the distributions. */
bool ml_described(const struct ml_layout *layout);

/* Whether output i is described: numbers of a run, but none over time or of numbered events, no
 * derivative and no label of an attractor. */
bool ml_described_output(const struct ml_layout *layout, int i);

/* Whether point k of the sample's axis counts: of a design for indices, whose runs share
 * coordinates, only those runs count that are independent of each other, the first and the last of
 * each point. */
bool ml_described_run(const struct ml_layout *layout, int64_t k);

/* Dimensions of the group's datasets that no dataset of the summary has. */
#define ML_DESCRIBED_STATISTIC "statistic"
#define ML_DESCRIBED_QUANTILE "quantile"
#define ML_DESCRIBED_ESTIMATE "estimate"
#define ML_DESCRIBED_INPUT "input"
#define ML_DESCRIBED_CORRELATION "correlation"
#define ML_DESCRIBED_BIN "bin"
#define ML_DESCRIBED_EDGE "edge"

#endif
