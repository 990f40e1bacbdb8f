/* The folder of kernels that were made for studies: shared objects that a later run of the same
 * study loads, and texts of PTX that a GPU's driver does.
 *
 * An entry is one file, KEY-VERSION.so or .ptx: the object, and behind it a record of its kind and
 * its checksum, which is compared before any of the object is loaded. The key is the hash of
 * everything that it was made of but the compiler's version, which has a hash of its own: where the
 * compiler is not there, any version will do. */
#ifndef ML_ENGINE_KERNEL_CACHE_H
#define ML_ENGINE_KERNEL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stop.h"
#include "manylink/status.h"

/* How many entries are kept, and how large they are together; those not used for longest go first.
 */
#define ML_KERNEL_CACHE_ENTRIES 512
#define ML_KERNEL_CACHE_BYTES (256u << 20)

struct ml_kernel_key {
    uint64_t high, low; /* of its sources and compiler */
    uint64_t version;   /* of the compiler; 0: any */
};

/* Endings of the names of entries. */
#define ML_KERNEL_CACHE_OBJECT ".so"
#define ML_KERNEL_CACHE_TEXT ".ptx"

/* The folder, by a name, which may mean another folder later, and by a path, which cannot. */
struct ml_kernel_cache {
    char *name; /* $MANYLINK_CACHE, $XDG_CACHE_HOME/manylink or $HOME/.cache/manylink; owned */
    char *path; /* the folder that was checked, wherever it is by now, for this process alone; NULL:
                   none is there; owned */
    int folder; /* descriptor of the folder that was checked; -1 */
};

/* Finds the name. ML_E_FILE: none of the variables is there. To be closed in any case. */
enum ml_status ml_kernel_cache_name(struct ml_kernel_cache *cache, struct ml_error *err);

/* Opens the folder, unless it is open, if it can be trusted: this user's, and written by nobody
 * else. ML_OK too if it is not there.
 *   make  make it then, and the folders above it, but for a home */
enum ml_status ml_kernel_cache_open(struct ml_kernel_cache *cache, bool make, struct ml_error *err);

/* Paths of entries end with it. */
void ml_kernel_cache_close(struct ml_kernel_cache *cache);

/* The path of an entry, to be freed; with an ending such as ".so". NULL without memory. */
char *ml_kernel_cache_entry(const char *folder, const struct ml_kernel_key *key,
                            const char *ending);

/* The path of a sound entry, to be freed, which then counts as used just now. NULL if there is
 * none; a damaged one, and one that others can write, is ignored. */
char *ml_kernel_cache_find(const char *folder, const struct ml_kernel_key *key, const char *ending);

/* Makes an object an entry: adds the record, and moves the file to its place. */
enum ml_status ml_kernel_cache_write(const char *folder, const struct ml_kernel_key *key,
                                     const char *ending, const char *object, struct ml_error *err);

/* Removes entries that are too many or too large together, and what processes left behind that
 * ended a day ago. Files without a name of this cache stay. */
void ml_kernel_cache_trim(const char *folder, int most_entries, uint64_t most_bytes);

/* Template of the names of temporary folders, for mkdtemp. */
#define ML_KERNEL_CACHE_TEMPORARY "make-XXXXXX"

/* One process at a time makes a kernel; the others wait for it. A lock that the system takes back
 * when the process ends. Where there are no locks, several make the same kernel: that is slower. */
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
