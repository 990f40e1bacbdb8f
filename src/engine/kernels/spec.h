/* The spec of a kernel as text: the numbers that the compiler takes for constants. */
#ifndef ML_ENGINE_SPEC_H
#define ML_ENGINE_SPEC_H

#include "engine/team/ensemble.h"

enum { ML_SPEC_HASH = 33 }; /* bytes of a hash's text: 32 hexadecimal digits and NUL */

/* Everything that the kernel of an ensemble may know, but the instruction set: lines `#define
 * ML_SPEC_...` for engine/kernels/kernel.kern.c. To be freed; NULL without memory. */
char *ml_spec_text(const struct ml_ensemble *ensemble);

/* The lines behind those for a kernel that advances many batches at once
 * (engine/gpu/window.kern.h): the method's table and the numbers of tangent vectors are constants,
 * too. To be freed; NULL without memory. */
char *ml_spec_window(const struct ml_ensemble *ensemble);

/* Whether the state of an ensemble is too long for registers, or its rows for local arrays. */
bool ml_spec_is_wide(const struct ml_ensemble *ensemble);

/* Names a spec: XXH3 (128 bits) of its text, in hexadecimal digits. */
void ml_spec_hash(const char *text, char out[ML_SPEC_HASH]);

/* The kernel to take: that of ensemble->made if it is there and for the ensemble, else one built
 * in, else the general one; that one in any case if ensemble->takes_general, or without memory. */
const struct ml_kernel *ml_kernel_for(const struct ml_ensemble *ensemble);

#endif
