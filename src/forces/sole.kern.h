/* Laws that kernels have built in, for runs with one force: calls by pointer keep the state in
 * memory, which takes longer than the step. */
#ifndef ML_FORCES_SOLE_KERN_H
#define ML_FORCES_SOLE_KERN_H

#include "forces/pid.kern.h"

/* Numbers of the forces in the registry. */
enum {
#define ML_FORCE(name) ML_FORCE_##name,
#include "forces/forces.def"
#undef ML_FORCE
};

ML_INLINE void ml_law_sole(const struct ml_law *law, const struct ml_law_view *view, double t)
{
    for (int j = 0; j < view->n_group; j++)
        pid_unlimited_law_at(&(struct ml_law_at){law, view, j, t, false, true});
}

/* Whether a pid with a constant target and without a limit is all there is, in all lanes. */
ML_INLINE bool is_sole_pid(const struct ml_shape *shape, const double *constants)
{
    if (shape->n_law != 1 || shape->has_joint_terms || shape->laws[0].type != ML_FORCE_pid ||
        shape->laws[0].courses[0].type != ML_CONSTANT_COURSE)
        return false;
    const double *limit = constants + (shape->laws[0].constant + PID_LIMIT) * ML_LANES;
    bool is_limited = false;
    for (int lane = 0; lane < ML_LANES; lane++)
        is_limited |= !isnan(limit[lane]);
    return !is_limited;
}

#endif
