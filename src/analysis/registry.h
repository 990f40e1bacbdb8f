/* All systems, forces and indicators by their descriptors: all that a study can name. */
#ifndef ML_ANALYSIS_REGISTRY_H
#define ML_ANALYSIS_REGISTRY_H

#include "analysis/indicator.h"
#include "model/forces/force.h"
#include "model/system.h"
#include "simd/functions.h"

/* The parts of one instruction set, for which their functions are compiled. Each is
 * NULL-terminated, in the order of its .def file, the same on every instruction set. */
struct ml_registry {
    const struct ml_system *const *systems;
    const struct ml_force *const *forces;
    const struct ml_indicator *const *indicators;
    const struct ml_system *quantities;  /* functions of any system with records by formula
                                            (model/quantities.h); the others are NULL */
    const struct ml_function *functions; /* those of simd/functions.def; the last has no name */
};

/* The registry of the instruction set that every processor has: for names and tables. */
const struct ml_registry *ml_registry(void);

#endif
