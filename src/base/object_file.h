/* A shared object as a file, before it is loaded. */
#ifndef ML_BASE_OBJECT_FILE_H
#define ML_BASE_OBJECT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether all of the file is there: the system ends a process that reads past the end of a mapped
 * file. False after writing why.
 *   checksum  out: XXH3 (64 bits) of the file
 *   why       [size] text */
bool ml_object_file_check(const char *path, uint64_t *checksum, char *why, size_t size);

#endif
