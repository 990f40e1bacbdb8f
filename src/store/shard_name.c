/* Builds the file name of a shard's result, and parses such names. */
#include "store/shard_name.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"

static const char ending[] = ".h5";

int ml_shard_stem(const char *result)
{
    const size_t length = strlen(result), e = sizeof ending - 1;
    const bool has_ending = length > e && strcmp(result + length - e, ending) == 0;
    return (int)(has_ending ? length - e : length);
}

char *ml_shard_name(const char *result, struct ml_shard shard)
{
    const int digits = snprintf(NULL, 0, "%lld", (long long)shard.count - 1);
    return ml_path("%.*s.shard-%0*lld-of-%lld%s", ml_shard_stem(result), result, digits,
                   (long long)shard.index, (long long)shard.count, ending);
}

bool ml_shard_name_read(const char *name, const char *result, struct ml_shard *shard, int *length)
{
    const int stem = ml_shard_stem(result);
    long long index, count;
    int used = 0;
    if (strncmp(name, result, (size_t)stem) != 0 ||
        sscanf(name + stem, ".shard-%lld-of-%lld.h5%n", &index, &count, &used) != 2 || used == 0)
        return false;
    const char *rest = name + stem + used;
    *shard = (struct ml_shard){index, count};
    *length = stem + used;
    return (*rest == '\0' || strcmp(rest, ".parts") == 0) && ml_shard_is_one(*shard);
}
