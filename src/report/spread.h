/* Some of many runs, spread evenly. */
#ifndef ML_REPORT_SPREAD_H
#define ML_REPORT_SPREAD_H

#include <stdint.h>

enum { ML_REPORT_MOST_AXES = 32 };

/* Chooses runs of a grid, the last axis fastest: the first at the middle, the others by Roberts'
 * sequence, which has low discrepancy in any number of dimensions.
 *   sizes   [n_axis] of the axes; of a list its length
 *   n       at most as many as the grid has
 *   chosen  [n] out, ascending, each once */
void ml_report_spread(const int64_t *sizes, int n_axis, int64_t n, int64_t *chosen);

#endif
