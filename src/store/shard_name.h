/* What the results of shards are called beside the result that they make: of out.h5
 * out.shard-07-of-12.h5. */
#ifndef ML_STORE_SHARD_NAME_H
#define ML_STORE_SHARD_NAME_H

#include <stdbool.h>

#include "store/shard.h"

/* What follows the stem, for a shell that looks for all of `count` (long long) shards. */
#define ML_SHARD_PATTERN ".shard-*-of-%lld.h5"

/* Characters of the path of a result without its ending. */
int ml_shard_stem(const char *result);

/* Path of a shard, to be freed; NULL without memory. */
char *ml_shard_name(const char *result, struct ml_shard shard);

/* Whether `name` is that of a shard of the result, or of its parts, both without folders.
 *   length  characters of `name` that are the shard's result */
bool ml_shard_name_read(const char *name, const char *result, struct ml_shard *shard, int *length);

#endif
