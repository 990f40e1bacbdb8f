/* A kernel: what advances the batches of one system by any method. The general kernel of a
 * system takes every size, force and number of tangent vectors; others are made for a spec, in
 * which these are constants of the compiler's. All of them give the same bits. */
#ifndef ML_ENGINE_KERNEL_H
#define ML_ENGINE_KERNEL_H

#include "integrators/method.h"
#include "model/system.h"

/* Rows that a kernel for a spec has at hand beside its constants; a state and a scratch of more are
 * in the batch's `work`. */
enum { ML_KERNEL_LOCAL_ROWS = 512 };

struct ml_kernel {
    const char *spec; /* of one built in ml_spec_text (engine/spec.h), of one made its hash; NULL:
                         the general one of its system */
    ml_advance_fn *advance; /* by given steps; NULL: it is for steps that lanes choose */
    ml_adapt_fn *adapt;     /* by these; NULL: it is for given steps */
    ml_rates_fn *rates;     /* of general ones; others may have none, as nothing calls it often */
    ml_largest_fn
        *largest; /* of general ones, of systems that are measured by kernels; else NULL */
};

#endif
