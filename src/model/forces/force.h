/* A force: a named element of a study that adds to Q or E. */
#ifndef ML_MODEL_FORCES_FORCE_H
#define ML_MODEL_FORCES_FORCE_H

#include "base/param.h"
#include "model/forces/signal.h"
#include "model/system.h"

/* Keys of a force besides its numbers, most of which name a segment. */
enum ml_place_key {
    ML_AT_JOINT = 1,    /* `joint`, named after the segment distal to it */
    ML_AT_SEGMENT = 2,  /* `segment` */
    ML_OF_SEGMENT = 4,  /* `segment`; if not given, the segment of the joint */
    ML_AT_DOF = 8,      /* `dof`, of a system of arrays; other forces are of systems with joints */
    ML_OF_FILE = 16,    /* `file`, `length`, `threshold`, `filter`: it is measured */
    ML_BY_FORMULA = 64, /* `parameters`, `state`, `define`, `rates`: the study gives it, */
    ML_TORQUE_FORMULA = 128, /* with `torque`, */
    ML_FORCE_FORMULA = 256,  /* or with `force` */
    ML_ACTUATES = 32,        /* no place: of an actuator, which may be a perturbation */
};

/* Rows of the table of a controller that need not see the present. */
enum ml_feedback_param {
    ML_FEEDBACK_DELAY,
    ML_FEEDBACK_SAMPLE_TIME,
    ML_FEEDBACK_ANGLE_NOISE,
    ML_FEEDBACK_RATE_NOISE,
    ML_FEEDBACK_SEED,
    ML_FEEDBACK_N_PARAM
};

#define ML_FEEDBACK_PARAMS(first)                                                                  \
    [(first) +                                                                                     \
        ML_FEEDBACK_DELAY] = {"delay",                                                             \
                              "s",                                                                 \
                              (double)NAN,                                                         \
                              0.0,                                                                 \
                              1e6,                                                                 \
                              ML_DERIVED | ML_UNTOLD,                                              \
                              "time after which angles and rates are seen (default: none)"},       \
        [(first) + ML_FEEDBACK_SAMPLE_TIME] = {"sample_time",                                      \
                                               "s",                                                \
                                               (double)NAN,                                        \
                                               0.0,                                                \
                                               1e6,                                                \
                                               ML_DERIVED | ML_UNTOLD | ML_OPEN_LOW,               \
                                               "time from one look, at the start, to the next; "   \
                                               "the torque is held meanwhile (default: "           \
                                               "it looks all the time)"},                          \
        [(first) + ML_FEEDBACK_ANGLE_NOISE] = {"angle_noise",                                      \
                                               "rad",                                              \
                                               (double)NAN,                                        \
                                               0.0,                                                \
                                               1e6,                                                \
                                               ML_DERIVED | ML_UNTOLD,                             \
                                               "standard deviation of the error of each sample "   \
                                               "of an absolute angle (default: none)"},            \
        [(first) + ML_FEEDBACK_RATE_NOISE] =                                                       \
            {"rate_noise",                                                                         \
             "rad/s",                                                                              \
             (double)NAN,                                                                          \
             0.0,                                                                                  \
             1e6,                                                                                  \
             ML_DERIVED | ML_UNTOLD,                                                               \
             "standard deviation of the error of each sample of a rate (default: none)"},          \
        [(first) + ML_FEEDBACK_SEED] = {                                                           \
            "seed",                                                                                \
            "1",                                                                                   \
            (double)NAN,                                                                           \
            0.0,                                                                                   \
            0x1p53,                                                                                \
            ML_DERIVED | ML_UNTOLD | ML_WHOLE,                                                     \
            "of the noise; below 2^32 each run has other errors, from there on all have the same " \
            "(default: 0)"}

struct ml_law_functions; /* of model/law.kern.h */

/* Rows of an actuator's table: the largest |torque|, and the lowest and the largest torque, which
 * may be by joint. */
#define ML_LIMIT_PARAMS(limit, low, high, by_joint) \
    [limit] = {"limit",                             \
               "N m",                               \
               (double)NAN,                         \
               0.0,                                 \
               1e12,                                \
               ML_DERIVED | ML_OPEN_LOW | ML_LIMIT, \
               "largest |torque| (default: none)"}, \
    [low] = {"limit.low",                           \
             "N m",                                 \
             (double)NAN,                           \
             -1e12,                                 \
             0.0,                                   \
             ML_DERIVED | ML_LIMIT | (by_joint),    \
             "lowest torque (default: -limit)"},    \
    [high] = {"limit.high",                         \
              "N m",                                \
              (double)NAN,                          \
              0.0,                                  \
              1e12,                                 \
              ML_DERIVED | ML_LIMIT | (by_joint),   \
              "largest torque (default: limit)"}

/* Potential contact of a one-sided force in a state without contact. */
struct ml_touch {
    double angle;            /* rad, of its joint */
    double joint[2], tip[2]; /* m, where its segment begins and ends */
    double energy;           /* J, that the force may have to take up */
};

/* A force adds constant joint terms before a run starts, or has a law that is evaluated all the
 * way. One that can do both has the law where something of it changes over time.
 */
struct ml_force {
    const char *name, *doc;
    const struct ml_param *params; /* besides `name`, `type` and the place. Behind one with a signal
                                      ML_SIGNAL_ROWS - 1 are left out; those by joint and by pair
                                      of joints are last */
    int n_param;
    const char *either[2]; /* exactly one of these two keys is given; NULL: no such keys */
    unsigned places;       /* enum ml_place_key */
    bool is_external;      /* the force adds to E; else to Q or D */
    bool is_passive;       /* not external: of the joint itself, as a damper; else of an actuator */
    bool is_conservative;  /* its law has a potential, as long as no number changes over time */
    bool is_dry;           /* its law reports the slip of its joint (ml_law_slip) */
    bool is_one_sided;     /* acts beyond a limit or surface only; if external, a contact */
    int n_state;           /* numbers of its own that advance with the system, 0 at the start */
    int feedback; /* of a controller: where ML_FEEDBACK_PARAMS stand among its params; else 0 */

    const struct ml_law_functions *law; /* NULL: no law, but `prepare` below */

    /* Moves limits among the numbers of one run to where the force acts, or makes the force as
     * stiff as it can be; NULL: the force always acts, and with the same stiffness.
     *   numbers  [numbers of the force], `stride` apart */
    void (*worst_case)(const struct ml_touch *touch, int stride, double *numbers);

    /* Adds the force's part to the joint terms, once per batch.
     *   values  [numbers of the force][ML_LANES]
     *   joint   index of the joint, 0 at the base */
    void (*prepare)(const double *values, int joint, struct ml_joint_terms terms);

    /* Adds to `derivatives` the derivative, along `derivative`, of the terms that `prepare` adds
     * for `values`; NULL where `prepare` is linear: then `prepare` with `derivative` gives the
     * derivative. */
    void (*prepare_deriv)(const double *values, const double *deriv, int joint,
                          struct ml_joint_terms derivs);
};

/* One force of a study. */
struct ml_force_use {
    const struct ml_force *type;
    int i_type;                     /* its number in the registry */
    const char *name;               /* borrowed from the study */
    int joint, segment;             /* joint: or degree of freedom */
    bool is_perturbation;           /* of an actuator: does not count as an actuator */
    const struct ml_param *numbers; /* [n_number] as of model/forces/numbers.h, with full names */
    int n_number;
    const struct ml_signal *signals; /* [n_signal] of its numbers that have a signal, in order */
    int n_signal;
    const struct ml_formula *formula; /* of one that the study gives, whose `type` is of its own:
                                         behind the numbers of the registered one are those of the
                                         formulas, then their states at the start; else NULL */
    int slot;                         /* of its first number in the values of a run */
    const char *file;                 /* table of the named columns; NULL: no table */
    const char *time;                 /* its column of times; NULL: `time` */
    double rate;                      /* Hz, of a table without times; NaN: by the file */
    int length;                       /* unit of its points and moments: 10^-length m */
    double threshold;                 /* N, below which a measured force counts as 0 */
    double filter;    /* Hz, of the low-pass filter of a measured force; NaN: no filter */
    int line, column; /* in the study */
};

/* Contacts have records of their own, in the order of the study's forces. */
static inline bool ml_force_is_contact(const struct ml_force *type)
{
    return type->is_external && type->is_one_sided;
}

/* Whether none of its numbers changes over time. */
static inline bool ml_force_use_is_constant(const struct ml_force_use *use)
{
    bool is_constant = true;
    for (int c = 0; c < use->n_signal; c++)
        is_constant &= use->signals[c].type == ML_CONSTANT_SIGNAL;
    return is_constant;
}

static inline bool ml_force_use_has_law(const struct ml_force_use *use)
{
    return use->type->law &&
           !(use->type->prepare && ml_force_use_is_constant(use) && !use->is_perturbation);
}

/* Whether the force belongs to the torques that `inverse` asks for. */
static inline bool ml_force_use_is_actuator(const struct ml_force_use *use)
{
    return !use->type->is_external && !use->type->is_passive && !use->is_perturbation;
}

/* Whether the force has a constant potential, so that it keeps the total energy. */
static inline bool ml_force_use_is_conservative(const struct ml_force_use *use)
{
    return use->type->is_conservative && ml_force_use_is_constant(use);
}

#endif
