/* How a thread reads and writes numbers: with a decimal point and rounded to the nearest, whatever
 * the program that uses the library does. */
#ifndef ML_BASE_NUMERIC_ENV_H
#define ML_BASE_NUMERIC_ENV_H

#include <fenv.h>
#include <locale.h>
#include <stdbool.h>

struct ml_numeric_env {
    fenv_t floating;        /* before */
    locale_t plain, locale; /* ours, and the one before */
};

/* Sets it for this thread; false without memory. */
bool ml_numeric_env_set(struct ml_numeric_env *env);

/* Sets what was before. Of one that was set only. */
void ml_numeric_env_restore(struct ml_numeric_env *env);

#endif
