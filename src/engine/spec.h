/* What a kernel is made for, as text: the names of its constants for the compiler, and one line to
 * compare kernels by. */
#ifndef ML_ENGINE_SPEC_H
#define ML_ENGINE_SPEC_H

#include "engine/ensemble.h"

enum { ML_SPEC_SIZE = 8192 };

/* One line: everything that the kernel of an ensemble may know, but the instruction set.
 * False if it is longer than ML_SPEC_SIZE: no kernel is made of that. */
bool ml_spec_text(const struct ml_ensemble *ensemble, char text[ML_SPEC_SIZE]);

/* The same as `#define` lines for engine/kernel.kern.c. */
bool ml_spec_defines(const struct ml_ensemble *ensemble, char text[ML_SPEC_SIZE]);

/* The kernel to take: ensemble->made if that is for it, else one built in, else the general one;
 * that one in any case if ensemble->takes_general. */
const struct ml_kernel *ml_kernel_for(const struct ml_ensemble *ensemble);

#endif
