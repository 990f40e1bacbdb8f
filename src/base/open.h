/* Opening files that somebody else may have put there, in a process that is not ours: never on the
 * descriptors 0 to 2, which others write to unasked, and never blocked by a FIFO or a device. */
#ifndef ML_BASE_OPEN_H
#define ML_BASE_OPEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "manylink/status.h"

/* open() with O_CLOEXEC on a descriptor above 2; mode 0666 of files that it makes. -1 and errno. */
int ml_open(const char *path, int flags);

/* Opens an ordinary file, and nothing else, without waiting. */
int ml_open_file(const char *path, int flags);

/* A stream to read an ordinary file; NULL and errno. */
FILE *ml_open_stream(const char *path);

/* Whether an ordinary file is there; if not, errno. */
bool ml_open_is_file(const char *path);

/* The words for an errno of these functions, also for a file that is not ordinary and, of
 * O_NOFOLLOW, for a symbolic link. */
const char *ml_open_reason(int error);

/* The status of such an errno: bad input for a file that is missing or a folder. */
enum ml_status ml_open_status(int error);

/* The descriptors 0 to 2 as far as they are closed, kept from files that a library opens in
 * between. */
struct ml_open_hold {
    int n, files[3];
};
struct ml_open_hold ml_open_hold_standard(void);
void ml_open_release(const struct ml_open_hold *hold);

/* For a child process: leaves the files above the standard three to the parent, at once or when the
 * child becomes another program. A copy of a library's file (HDF5) would keep the lock on the file
 * when the parent closes it. */
enum ml_open_leave { ML_LEAVE_AT_ONCE, ML_LEAVE_AT_EXEC };
void ml_open_leave_files(enum ml_open_leave when);

/* Whether all of the file is there: the system ends a process that reads past the end of a mapped
 * file. False after writing why.
 *   checksum  out: XXH3 (64 bits) of the file
 *   why       [size] text */
bool ml_object_file_check(const char *path, uint64_t *checksum, char *why, size_t size);

#endif
