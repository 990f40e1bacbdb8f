/* Forces that depend on the state or on time, as a study uses them: a system evaluates them at
 * every stage of a step. */
#ifndef ML_MODEL_LAW_H
#define ML_MODEL_LAW_H

#include <stdbool.h>
#include <stdint.h>

struct ml_signal; /* of model/forces/signal.h */

enum {
    ML_LAW_DEFAULTS = 512
}; /* numbers of a force of which a law knows whether they have
      their default in all runs */

struct ml_law {
    int type;                                /* of force, as in the registry */
    bool is_external;                        /* part of E, not of Q */
    bool is_passive;                         /* the joint's own doing, not an actuator's */
    bool has_potential;                      /* which does not depend on time */
    bool is_contact;                         /* with something outside, that has a record */
    bool is_dry;                             /* friction, that tells how its joint slips */
    int joint, segment;                      /* where it acts */
    int constant;                            /* row of its first parameter among the constants */
    int state;                               /* row of its first own state, if it has some */
    uint64_t defaults[ML_LAW_DEFAULTS / 64]; /* bit p: its number p is the default in every run */
    int n_signal;
    const struct ml_signal
        *signals; /* [n_signal] of its parameters that change over time, borrowed */
};

#endif
