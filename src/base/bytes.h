/* Ranges of bytes of an open file. */
#ifndef ML_BASE_BYTES_H
#define ML_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Whether all `size` bytes were moved; errno says why not, 0 that the file ends before. */
bool ml_bytes_write(int file, off_t at, const void *bytes, size_t size);
bool ml_bytes_read(int file, off_t at, void *bytes, size_t size);

/* Whether an open file still has a name: one that was removed can be written all the same, for
 * nobody. */
bool ml_bytes_have_name(int file);

#endif
