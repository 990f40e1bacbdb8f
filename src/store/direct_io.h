/* Writing past the page cache: of what nobody reads soon, a copy in the cache costs the processor
 * several times what moving it to the disk does, and takes the place of what somebody reads. */
#ifndef ML_STORE_DIRECT_IO_H
#define ML_STORE_DIRECT_IO_H

#include "base/io.h"

struct ml_direct_io {
    int file;      /* an ordinary one, borrowed */
    int past;      /* the same past the cache; -1: the file system cannot */
    char *aligned; /* [some MB] as the disk wants it */
};

/* false without memory. Close in any case. */
bool ml_direct_io_open(struct ml_direct_io *direct, int file, const char *path);
void ml_direct_io_close(struct ml_direct_io *direct);

/* As ml_io_write, past the cache but for the ends of the range. The file is to be synced as
 * ever. */
bool ml_direct_io_write(struct ml_direct_io *direct, off_t at, const void *bytes, size_t size);

#endif
