/* Files that are read in one piece. */
#ifndef ML_YAML_FILE_H
#define ML_YAML_FILE_H

#include "yaml/pool.h"

/* All of a file, owned by `pool`; NULL and errno if it cannot be read or is larger than `most`, or
 * without memory, which the pool says. */
char *ml_file_read(struct ml_pool *pool, const char *path, size_t most, size_t *length);

#endif
