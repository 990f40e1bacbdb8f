/* Threads beside those of OpenMP. */
#ifndef ML_BASE_THREAD_H
#define ML_BASE_THREAD_H

#include <pthread.h>
#include <stddef.h>

/* Begins a thread that gets no signals, with a stack that does not depend on `ulimit -s`. Returns
 * 0, or an errno.
 *   stack  bytes */
int ml_thread_start(pthread_t *thread, size_t stack, void *(*work)(void *context), void *context);

#endif
