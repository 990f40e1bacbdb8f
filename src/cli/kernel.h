/* The option --kernel. */
#ifndef ML_CLI_KERNEL_H
#define ML_CLI_KERNEL_H

#include <stdbool.h>

#include "manylink/kernel.h"

#define KERNEL_WORDS "auto, general, made"

/* False if it is none of KERNEL_WORDS. */
bool parse_kernel(const char *word, enum ml_kernel_mode *out);

#endif
