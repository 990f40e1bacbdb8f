/* Ranges of bytes of an open file, through the page cache and past it. */
#ifndef ML_BASE_IO_H
#define ML_BASE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Whether all `size` bytes were moved; errno says why not, 0 that the file ends before. */
bool ml_io_write(int file, off_t at, const void *bytes, size_t size);
bool ml_io_read(int file, off_t at, void *bytes, size_t size);

/* Whether an open file still has a name: one that was removed can be written all the same, for
 * nobody. */
bool ml_io_has_name(int file);

/* Writing past the page cache: of bytes that nobody reads soon, a copy in the cache costs the
 * processor several times the move to the disk, and takes the place of files that are read. */
struct ml_direct_io {
    int file;      /* an ordinary one, borrowed */
    int past;      /* the same past the cache; -1: the file system cannot */
    char *aligned; /* [1 MiB] aligned to 4096 bytes, as O_DIRECT requires */
};

/* false without memory. Close in any case. */
bool ml_direct_io_open(struct ml_direct_io *direct, int file, const char *path);
void ml_direct_io_close(struct ml_direct_io *direct);

/* As ml_io_write, past the cache but for the ends of the range. The file is to be synced as
 * ever. */
bool ml_direct_io_write(struct ml_direct_io *direct, off_t at, const void *bytes, size_t size);

#endif
