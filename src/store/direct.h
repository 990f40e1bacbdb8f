/* Writing past the page cache: of what nobody reads soon, a copy in the cache costs the processor
 * several times what moving it to the disk does, and takes the place of what somebody reads. */
#ifndef ML_STORE_DIRECT_H
#define ML_STORE_DIRECT_H

#include "base/bytes.h"

struct ml_direct {
    int file;      /* an ordinary one, borrowed */
    int past;      /* the same past the cache; -1: the file system cannot */
    char *aligned; /* [some MB] as the disk wants it */
};

/* false without memory. Close in any case. */
bool ml_direct_open(struct ml_direct *direct, int file, const char *path);
void ml_direct_close(struct ml_direct *direct);

/* As ml_bytes_write, past the cache but for the ends of the range. The file is to be synced as
 * ever. */
bool ml_direct_write(struct ml_direct *direct, off_t at, const void *bytes, size_t size);

#endif
