/* What a force is: one named element of a study that adds to Q or E. */
#ifndef ML_FORCES_FORCE_H
#define ML_FORCES_FORCE_H

#include "base/param.h"
#include "systems/system.h"

/* A joint is named after the segment distal to it; it is the only thing a force refers to so far.
 */
struct ml_force {
    const char *name, *doc;
    const struct ml_param *params; /* besides `name`, `type` and `joint` */
    int n_param;

    /* Adds the force's part to the joint terms, once per batch.
     *   values  [n_param][ML_LANES]
     *   joint   index of the joint, 0 at the base */
    void (*prepare)(const double *values, int joint, struct ml_joint_terms terms);

    /* Adds to `slopes` the derivative, along `slope`, of what `prepare` adds for `values`; NULL
     * where that is linear: then it is what `prepare` adds for `slope`. */
    void (*prepare_slope)(const double *values, const double *slope, int joint,
                          struct ml_joint_terms slopes);
};

/* One force of a study. */
struct ml_force_use {
    const struct ml_force *type;
    const char *name; /* borrowed from the study */
    int joint;
    int slot; /* of its first parameter in the values of a run */
};

#endif
