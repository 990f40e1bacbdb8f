/* Notices of legal but doubtful entries of a study: numbers in another unit than ours, and a step
 * that is too large for the motion. */
#ifndef ML_PLAN_PLAUSIBILITY_H
#define ML_PLAN_PLAUSIBILITY_H

#include "config/schema/reader.h"
#include "config/schema/study_spec.h"
#include "plan/study.h"

/* Gives a notice for each doubtful entry of a completely read study. Swept numbers are checked at
 * their ends, conditions on several numbers in some runs with all of these at their ends. Without
 * memory no notices. Sets study->too_large. */
void ml_plausibility_check(struct ml_reader *r, struct ml_study *study);

/* Whether the step is too large on the way of a run that has diverged; then `text` [size] has the
 * fast motion, the product of step and eigenvalue, the limit and the largest stable step. False
 * without memory too. */
bool ml_plausibility_later(const struct ml_study *study, int64_t run, size_t size, char *text);

#define ML_PLAUSIBILITY_REMEDY \
    "; or let the steps follow a tolerance: `integrator: {type: tp86, tolerance: 1e-9}`"

enum { ML_MOST_CORNERS = ML_LANES };

/* Chooses runs: the only one; corners of a grid, and ends of the further keys of lists of
 * values while there is room; of a sample the first and, among some thousands, those with the
 * smallest and the largest of each number. Some may be named twice. Returns how many, at least 1.
 */
int ml_corners(const struct ml_study_spec *spec, int64_t runs[ML_MOST_CORNERS]);

#endif
