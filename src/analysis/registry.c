/* The registry that serves wherever nothing is integrated. */
#include "analysis/registry.h"

/* The lines of simd/isas.def that are compiled, the slowest first. */
#define ML_ISA(name, flags, usable) extern const struct ml_registry ml_registry_##name;
#include "isas.gen.def"
#undef ML_ISA

static const struct ml_registry *const registries[] = {
#define ML_ISA(name, flags, usable) &ml_registry_##name,
#include "isas.gen.def"
#undef ML_ISA
};

const struct ml_registry *ml_registry(void) { return registries[0]; }
