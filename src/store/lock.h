/* One process at a time makes a result: a lock that the system takes back when the process ends,
 * however it ends.
 *
 * It is flock() on OUT.h5.parts/lock: between processes of a machine always, between machines where
 * the file system passes it on (NFS, Lustre mounted with `flock`, GPFS, BeeGFS with locks enabled).
 * Where it does not, two processes do the work twice: they write the same bits, each into journals
 * of its own, and the one that ends last fails, or leaves a result whose seal does not match. */
#ifndef ML_STORE_LOCK_H
#define ML_STORE_LOCK_H

#include <stdbool.h>

#include "base/stop.h"
#include "manylink/status.h"

struct ml_lock {
    char *folder; /* NULL: nothing is locked */
    char *path;
    int file;
};

enum { ML_OWNER_LENGTH = 256 };

/* Who holds a lock. */
struct ml_lock_owner {
    bool is_held;
    char text[ML_OWNER_LENGTH]; /* "process 12 on host since TIME", "" if it is not known */
};

/* Makes the folder, or takes one that belongs to this user, and locks it, waiting for so long, s,
 * if another process holds the lock.
 *   stop    any level: wait no longer
 *   notice  called once with who is waited for; may be NULL
 * ML_E_BUSY names the process that holds it. */
enum ml_status ml_lock_take(struct ml_lock *lock, const char *folder, double wait,
                            struct ml_stop stop, void (*notice)(void *context, const char *text),
                            void *context, struct ml_error *err);

/* Whether the folder is still the one that was locked: somebody may have removed it since. */
bool ml_lock_is_held(const struct ml_lock *lock);

/* Removes the folder too, if nothing else is in it, and it is still the one. {0} is allowed. */
void ml_lock_release(struct ml_lock *lock);

struct ml_lock_owner ml_lock_look(const char *folder);

#endif
