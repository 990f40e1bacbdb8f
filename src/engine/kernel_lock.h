/* One process at a time makes a kernel; the others wait for it. A lock that the system takes back
 * when the process ends. Where there are no locks, several make the same kernel: that is slower. */
#ifndef ML_ENGINE_KERNEL_LOCK_H
#define ML_ENGINE_KERNEL_LOCK_H

#include "base/stop.h"
#include "manylink/status.h"

struct ml_kernel_lock {
    const char *path; /* borrowed */
    int file;         /* -1: nothing is locked */
};

/* Takes it, waiting for so long, s, after which, and where there are no locks, it goes on without.
 * Fails when it is to stop, and with the reason of another process that held the lock in the
 * meantime and could not make the kernel. */
enum ml_status ml_kernel_lock_take(struct ml_kernel_lock *lock, const char *path, double wait,
                                   struct ml_stop stop, struct ml_error *err);

/* Gives it back.
 *   reason  that those who wait fail with, too; NULL: none */
void ml_kernel_lock_release(struct ml_kernel_lock *lock, const char *reason);

#endif
