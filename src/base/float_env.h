/* The floating-point environment of a thread. Results are those of rounding to nearest, with
 * subnormal numbers and without traps; a program that uses the library may have another one. */
#ifndef ML_BASE_FLOAT_ENV_H
#define ML_BASE_FLOAT_ENV_H

#include <fenv.h>

/* Sets that environment; returns the one before, for ml_float_env_restore. Of this thread only:
 * threads of an OpenMP team may be older than the call they work for. */
static inline fenv_t ml_float_env_set(void)
{
    fenv_t before;
    (void)fegetenv(&before);
    (void)fesetenv(FE_DFL_ENV); /* on x86 with glibc: MXCSR's FTZ and DAZ too */
    return before;
}

static inline void ml_float_env_restore(const fenv_t *before) { (void)fesetenv(before); }

#endif
