/* Runs of a study with the swept numbers at their ends. */
#ifndef ML_PLAN_CORNERS_H
#define ML_PLAN_CORNERS_H

#include "config/study_spec.h"

enum { ML_MOST_CORNERS = ML_LANES };

/* Chooses runs: the only one; corners of a grid, and ends of the further keys of lists of
 * values while there is room; of a sample the first and, among some thousands, those with the
 * smallest and the largest of each number. Some may be named twice. Returns how many, at least 1.
 */
int ml_corners(const struct ml_study_spec *spec, int64_t runs[ML_MOST_CORNERS]);

#endif
