/* Datasets of the indicators that find a regulator of a chain (engine/assess/regulator.c). */
#ifndef ML_ANALYSIS_REGULATOR_KERN_H
#define ML_ANALYSIS_REGULATOR_KERN_H

#include "analysis/indicator.h"

/* The first outputs, of gains for an `impedance`. */
#define REGULATOR_GAINS(name)                                                               \
    [ML_REGULATOR_STIFFNESS] = {name "_stiffness", "N m/rad",                               \
                                "the `stiffness` of an `impedance` that is the regulator: " \
                                "torque at a joint by the angle of each joint",             \
                                .dim = {ML_DIM_JOINT, ML_DIM_SEGMENT}},                     \
    [ML_REGULATOR_DAMPING] = {name "_damping", "N m s/rad",                                 \
                              "its `damping`, by the rate of each joint",                   \
                              .dim = {ML_DIM_JOINT, ML_DIM_SEGMENT}},                       \
    [ML_REGULATOR_ANGLE] = {name "_equilibrium", "rad",                                     \
                            "its `equilibrium`: where the chain is linearised",             \
                            .dim = {ML_DIM_SEGMENT}, .is_angle = true}

#endif
