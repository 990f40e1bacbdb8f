/* How a thread reads and writes numbers: with a decimal point and rounded to the nearest, whatever
 * the program that uses the library does. */
#ifndef ML_BASE_NUMERIC_ENV_H
#define ML_BASE_NUMERIC_ENV_H

#include <fenv.h>
#include <locale.h>

struct ml_numeric_env {
    fenv_t floating;        /* before */
    locale_t plain, locale; /* ours, and the one before */
};

/* Sets it for this thread and returns the one before. Never fails: glibc and musl keep the C locale
 * without memory. */
struct ml_numeric_env ml_numeric_env_set(void);

void ml_numeric_env_restore(const struct ml_numeric_env *env);

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
