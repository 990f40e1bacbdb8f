/* The registry of one instruction set. */
#include "analysis/registry.h"

#include "model/law.kern.h"
#include "simd/lanes.h"

#define ML_SYSTEM(name) extern const struct ml_system ML_K(ml_system_##name);
#include "model/systems.def"
#undef ML_SYSTEM
#define ML_FORCE(name) extern const struct ml_force ML_K(ml_force_##name);
#include "model/forces/forces.def"
#undef ML_FORCE
#define ML_INDICATOR(name) extern const struct ml_indicator ML_K(ml_indicator_##name);
#include "analysis/indicators.def"
#undef ML_INDICATOR

extern const struct ml_system ML_K(ml_system_of_quantities);

static const struct ml_system *const systems[] = {
#define ML_SYSTEM(name) &ML_K(ml_system_##name),
#include "model/systems.def"
#undef ML_SYSTEM
    NULL,
};

static const struct ml_force *const forces[] = {
#define ML_FORCE(name) &ML_K(ml_force_##name),
#include "model/forces/forces.def"
#undef ML_FORCE
    NULL,
};

static const struct ml_indicator *const indicators[] = {
#define ML_INDICATOR(name) &ML_K(ml_indicator_##name),
#include "analysis/indicators.def"
#undef ML_INDICATOR
    NULL,
};

const struct ml_law_functions *ML_K(ml_law_functions_of)(int type) { return forces[type]->law; }

extern const struct ml_function ML_K(ml_functions)[];
extern const struct ml_registry ML_K(ml_registry);
const struct ml_registry ML_K(ml_registry) = {systems, forces, indicators,
                                              &ML_K(ml_system_of_quantities), ML_K(ml_functions)};
