/* Datasets over time, or over cycles, of each joint in results of inverse dynamics; a study names
 * those to keep. */
#ifndef ML_CONFIG_INVERSE_SETS_H
#define ML_CONFIG_INVERSE_SETS_H

#include <stdbool.h>

/* The torque of the joints and its parts: code, name in the result, text. */
#define ML_TORQUE_LIST(X)                                                                      \
    X(ML_TORQUE_ALL, "torque",                                                                 \
      "torque of the actuators of each joint that the motion takes: the sum of inertia, "      \
      "velocity, gravity, base, external, damping and passive")                                \
    X(ML_TORQUE_INERTIA, "torque_inertia", "torque for the accelerations: own and coupling")   \
    X(ML_TORQUE_OWN, "torque_inertia_own", "torque for the acceleration of the joint itself")  \
    X(ML_TORQUE_VELOCITY, "torque_velocity", "torque for the rates: centripetal and Coriolis") \
    X(ML_TORQUE_CENTRIPETAL, "torque_centripetal", "torque for squares of joint rates")        \
    X(ML_TORQUE_CORIOLIS, "torque_coriolis", "torque for products of two joints' rates")       \
    X(ML_TORQUE_GRAVITY, "torque_gravity", "torque that holds the segments against gravity")   \
    X(ML_TORQUE_BASE, "torque_base", "torque for the acceleration of the base")                \
    X(ML_TORQUE_EXTERNAL, "torque_external",                                                   \
      "torque that balances forces that act on the segments from outside")                     \
    X(ML_TORQUE_DAMPING, "torque_damping", "torque that overcomes the dampers of the joints")  \
    X(ML_TORQUE_PASSIVE, "torque_passive",                                                     \
      "torque that overcomes limits and friction of the joints, and perturbations")

#define X(code, name, doc) code,
enum ml_torque { ML_TORQUE_LIST(X) ML_N_TORQUE };
#undef X

/* The other datasets, in the order of the result: code, name, unit, text, dimensions. */
#define ML_JOINT_SET_LIST(X)                                                                      \
    X(ML_SET_COUPLING, "torque_inertia_coupling", "N m",                                          \
      "torque of each joint for the acceleration of every other joint", "joint", "by_joint",      \
      "time")                                                                                     \
    X(ML_SET_FORCE, "joint_force", "N",                                                           \
      "force on each segment at its joint, from the segment before or the base", "joint",         \
      "coordinate", "time")                                                                       \
    X(ML_SET_INTERACTION, "torque_interaction", "N m",                                            \
      "torque for the motion of the other joints: coupling and velocity", "joint", "time")        \
    X(ML_SET_POWER, "power", "W", "torque of the actuators times the rate of the joint", "joint", \
      "time")                                                                                     \
    X(ML_SET_CYCLE_TORQUE, "cycle_torque", "N m", "torque in each cycle", "joint", "cycle",       \
      "percent")                                                                                  \
    X(ML_SET_CYCLE_POWER, "cycle_power", "W", "power in each cycle", "joint", "cycle", "percent")

#define X(code, ...) code,
enum ml_joint_set { ML_SET_BEFORE = ML_N_TORQUE - 1, ML_JOINT_SET_LIST(X) ML_N_JOINT_SET };
#undef X

/* Whether a dataset is of the cycles of the motion. */
static inline bool ml_inverse_set_is_of_cycles(int set)
{
    return set == ML_SET_CYCLE_TORQUE || set == ML_SET_CYCLE_POWER;
}

/* Whether a dataset is kept if a study does not say. */
static inline bool ml_inverse_set_is_usual(int set)
{
    return set != ML_SET_INTERACTION && set != ML_SET_POWER;
}

#endif
