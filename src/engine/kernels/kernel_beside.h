/* Work that is done in a thread of its own while an ensemble runs. */
#ifndef ML_ENGINE_KERNEL_BESIDE_H
#define ML_ENGINE_KERNEL_BESIDE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/open.h"
#include "base/stop.h"

struct ml_kernel_beside {
    pthread_t thread;
    void (*work)(void *context);
    void *context;
    struct ml_stop outer; /* as given */
    atomic_bool is_over;  /* nobody waits for the work */
    /* Of closed standard streams while two threads open files: the descriptor that one thread finds
     * taken by the other's file would be free a moment later. */
    struct ml_open_hold standard;
};

/* Begins the work, in the locale and floating-point environment of numbers; false and errno.
 *   stop  any level ends the work, as the end of this call does */
bool ml_kernel_beside_start(struct ml_kernel_beside *beside, void (*work)(void *context),
                            void *context, struct ml_stop stop);

/* Whether the work is to end. */
struct ml_stop ml_kernel_beside_stop(struct ml_kernel_beside *beside);

/* Ends the work, and waits for its end. */
void ml_kernel_beside_end(struct ml_kernel_beside *beside);

#endif
