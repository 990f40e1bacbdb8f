/* The stack of the thread that asks. */
#ifndef ML_BASE_STACK_H
#define ML_BASE_STACK_H

#include <stddef.h>

/* Bytes that a thread of ours is given at least, and must have: HDF5 and the kernels take up to
 * half of it. */
enum { ML_STACK_LEAST = 192 << 10 };

/* Bytes of this thread's stack; 0 if they are not known. */
size_t ml_stack_size(void);

#endif
