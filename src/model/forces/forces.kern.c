/* All forces, for the table of one instruction set. */
#define ML_EXPORT_DESCRIPTORS
#include "forces.gen.h"
