/* A kernel: code that advances the batches of one system by any method. The general kernel of a
 * system takes every size, force and number of tangent vectors; others are made for a spec, in
 * which these are constants of the compiler's. All of them give the same bits. */
#ifndef ML_ENGINE_KERNEL_H
#define ML_ENGINE_KERNEL_H

#include "integrators/method.h"
#include "model/system.h"

/* Rows of state and scratch that a kernel for a spec has in local arrays, its constants not
 * counted; with more rows they are in the batch's `work` (ml_spec_is_wide). */
enum { ML_KERNEL_LOCAL_ROWS = 512 };

struct ml_kernel {
    const char *spec; /* of a built-in kernel its ml_spec_text (engine/kernels/spec.h), of a made
                         one the hash of that; NULL: the general kernel of its system */
    ml_advance_fn *advance; /* by given steps; NULL: it is for steps that lanes choose */
    ml_adapt_fn *adapt;     /* by these; NULL: it is for given steps */
    ml_rates_fn *rates;     /* of general kernels, and of those made of formulas that have tangent
                               vectors; else NULL, as nothing calls it often */
    ml_largest_fn *largest; /* of general kernels, of systems with measures_rates; else NULL */
};

#endif
