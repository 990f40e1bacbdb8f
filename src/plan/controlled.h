/* Which angle the controllers of a study bring to a target. */
#ifndef ML_PLAN_CONTROLLED_H
#define ML_PLAN_CONTROLLED_H

#include "plan/layout.h"

/* Slot of the target of a controller at a joint if the target stands still; -1.
 *   n   segments */
int ml_controlled_target(const struct ml_force_use *use, int n);

/* The last segment that a controller at its joint brings to a target which stands still and where
 * the middle run does not begin: the step response that control studies are about. -1: none, or
 * without memory. */
int ml_controlled_segment(const struct ml_layout *layout);

#endif
