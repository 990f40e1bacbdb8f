/* Ranges of bytes of an open file. */
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

#endif
