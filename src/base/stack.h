/* The stack of the thread that asks. */
#ifndef ML_BASE_STACK_H
#define ML_BASE_STACK_H

#include <stddef.h>

/* Bytes of this thread's stack; 0 if they are not known. */
size_t ml_stack_size(void);

#endif
