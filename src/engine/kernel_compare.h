/* Whether a kernel does what the general one of its system does, to the bit. */
#ifndef ML_ENGINE_KERNEL_COMPARE_H
#define ML_ENGINE_KERNEL_COMPARE_H

#include "engine/ensemble.h"

/* What ml_kernel_compare tells besides a run. */
enum { ML_KERNEL_SAME = -1, ML_KERNEL_CRASHED = -2, ML_KERNEL_UNTRIED = -3 };

/* Takes some hundred steps of a few runs of the ensemble with `kernel` and with the general one, in
 * a child process: code that was just made may do anything.
 *   run  out: the first run found to differ in its state, tangent vectors, rates or faults, or one
 *        of the above; ML_KERNEL_UNTRIED if there can be no child
 * ML_E_MEMORY. */
enum ml_status ml_kernel_compare(const struct ml_ensemble *ensemble, const struct ml_kernel *kernel,
                                 int64_t *run, struct ml_error *err);

#endif
