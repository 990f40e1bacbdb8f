/* Files that are either there in full or not at all, also after a power failure. */
#ifndef ML_BASE_ATOMIC_FILE_H
#define ML_BASE_ATOMIC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "manylink/status.h"

/* Who may read and write a file. */
struct ml_access {
    bool is_there;
    mode_t mode; /* permissions alone */
    uid_t owner;
    gid_t group;
};

/* The mode and owner of a regular file; none of others. */
struct ml_access ml_access_of(const char *path);

/* Sets permissions, and owner and group as far as the process may; a group that stays another has
 * no permissions. */
void ml_access_give(const char *path, const struct ml_access *access);

/* Makes `path` hold exactly these bytes: written under a temporary name, synced, renamed, folder
 * synced. On failure `path` is as it was. */
enum ml_status ml_atomic_file_write(const char *path, const void *bytes, size_t size,
                                    struct ml_error *err);

/* Makes the file at `path`, a temporary name. */
typedef enum ml_status ml_make_fn(void *context, const char *path, struct ml_error *err);

/* Makes a file in one piece that `make` writes, which need not remove it on failure. */
enum ml_status ml_atomic_file_make(const char *path, ml_make_fn *make, void *context,
                                   struct ml_error *err);

/* Waits until the name of a file, but not its content, is on disk. */
enum ml_status ml_atomic_file_sync_folder_of(const char *path, struct ml_error *err);

/* Gives the finished file `from` the name `to`: synced, renamed, folder synced. */
enum ml_status ml_atomic_file_rename(const char *from, const char *to, struct ml_error *err);

/* The same; a file that is replaced passes on its permissions, and its owner and group where the
 * process may set them. */
enum ml_status ml_atomic_file_replace(const char *from, const char *to, struct ml_error *err);

#endif
