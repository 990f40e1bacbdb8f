/* Which of a study's forces and axes matter to inverse dynamics. */
#ifndef ML_INVERSE_RELEVANT_AXES_H
#define ML_INVERSE_RELEVANT_AXES_H

#include "plan/study.h"

/* Whether a force acts on segments, or is of the joints themselves; else it is an actuator's, whose
 * torque is asked for. */
bool ml_force_is_relevant(const struct ml_force_use *use);

/* The study's axes without those that torques do not depend on. */
struct ml_relevant_axes {
    struct ml_study view; /* shallow copy of the study with the axes that count */
    const char *left_out; /* names of the axes that do not, "a, b"; NULL: all count */
    int64_t *stride;      /* [view.spec.n_axis] runs of the study between two values of the axis */
    int64_t *count;       /* [view.spec.n_axis] values of the axis */
    int64_t n_item;       /* results on the axes that count */
};

/* False without memory, owned by the pool.
 *   is_own_motion  the motion is the study's, not of a file */
bool ml_relevant_axes_init(struct ml_relevant_axes *relevant, const struct ml_study *study,
                           bool is_own_motion, struct ml_pool *pool);

/* A run of the study that has the parameters of an item. */
int64_t ml_relevant_axes_run(const struct ml_relevant_axes *relevant, int64_t item);

#endif
