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

/* Rows of a controller that does not see the present, set before each step
 * (engine/steps/feedback.c), behind the constants of all laws. */
enum {
    ML_FEEDBACK_NODES = 4, /* ends of steps that the past is interpolated between */
    ML_FEEDBACK_TERMS = 2 * ML_FEEDBACK_NODES,
    /* rows: */
    ML_FEEDBACK_IS_PAST = 0, /* 0: this lane sees the present */
    ML_FEEDBACK_SAMPLED,     /* s: time of the last sample of a sampled controller */
    ML_FEEDBACK_NODE,        /* [NODES] s: times when the controller sees the nodes */
    ML_FEEDBACK_ANGLE = ML_FEEDBACK_NODE + ML_FEEDBACK_NODES,
    /* from there on for each absolute angle: the terms of Newton's form, in which each node counts
     * twice, and a rate added to the polynomial's, that of a held state; then the own states of a
     * sampled controller */
    ML_FEEDBACK_BY_ANGLE = ML_FEEDBACK_TERMS + 1
};

static inline int ml_feedback_rows(int n, int n_state)
{
    return ML_FEEDBACK_ANGLE + n * ML_FEEDBACK_BY_ANGLE + n_state;
}

/* A number of the state that is seen as it was, with its rate of change. */
struct ml_feedback_seen {
    int value, rate; /* rows of the state, or behind those of all of it of the rates that are kept
                        with it */
    int row;         /* first of its ML_FEEDBACK_BY_ANGLE rows of constants */
};

/* Who sees the past with one delay: a controller, or formulas. */
struct ml_feedback_view {
    int law;   /* of the controller; -1: of formulas */
    int delay; /* row of the delay among the constants; -1: that is */
    double seconds;
    int rows; /* first of its ML_FEEDBACK_ANGLE rows of constants */
    bool is_sampled;
    int n_seen;
    struct ml_feedback_seen *seen;
};

struct ml_law {
    int type;           /* of force, as in the registry */
    bool is_external;   /* part of E, not of Q */
    bool is_passive;    /* of the joint itself, as friction, or a perturbation */
    bool has_limit;     /* a limit may be given, of an actuator */
    bool has_potential; /* a potential that does not depend on time */
    bool is_contact;    /* with a surface outside; has a record */
    bool is_dry;        /* friction, which reports the slip of its joint (ml_law_slip) */
    int joint, segment; /* where it acts */
    int constant;       /* row of its first parameter among the constants */
    int state, n_state; /* row of its first own state; how many it has */
    int start;       /* where the values of a run have the starts of those; 0: they start from 0 */
    int delay;       /* row of its delay among the constants, of a controller; else 0 */
    int feedback;    /* first of its rows ML_FEEDBACK_...; 0: it sees the present */
    bool is_sampled; /* angles and rates seen, and torque, are held between samples */
    uint64_t defaults[ML_LAW_DEFAULTS / 64]; /* bit p: its number p is the default in every run */
    int i_formula;       /* its number among the forces by formula, of one that is */
    const void *formula; /* of it struct ml_formula, borrowed; NULL: it is none, or a made kernel
                            has it as C */
    int n_signal;
    const struct ml_signal
        *signals; /* [n_signal] of its parameters that change over time, borrowed */
};

#endif
