/* Which blocks of a study belong to a shard (index arithmetic), and the file name of a shard's
 * result. */
#include "plan/shard.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"

/* How far the lot moves on. */
static int64_t shard_move(int64_t count) { return (count * 618034 + 500000) / 1000000; }

int64_t ml_shard_block(struct ml_shard shard, int64_t j)
{
    return j * shard.count +
           (shard.index + j % shard.count * shard_move(shard.count)) % shard.count;
}

int64_t ml_shard_of_block(int64_t count, int64_t block)
{
    const int64_t lot = block / count, moved = lot % count * shard_move(count) % count;
    return (block % count - moved + count) % count;
}

int64_t ml_shard_blocks(struct ml_shard shard, int64_t n_block)
{
    const int64_t lots = n_block / shard.count;
    return lots + (ml_shard_block(shard, lots) < n_block);
}

bool ml_shard_is_one(struct ml_shard shard)
{
    return shard.index >= 0 && shard.index < shard.count && shard.count <= ML_RUN_MAX_SHARDS;
}

bool ml_shard_is_possible(struct ml_shard shard, int64_t block_runs, int64_t n_run)
{
    const int64_t most_blocks = 1 << 27; /* a hundred times the number in large studies */
    return ml_shard_is_one(shard) && block_runs > 0 && n_run > 0 &&
           ml_shard_all_blocks(block_runs, n_run) <= most_blocks;
}

int64_t ml_shard_all_blocks(int64_t block_runs, int64_t n_run)
{
    return n_run > 0 ? (n_run - 1) / block_runs + 1 : 0;
}

static const char ending[] = ".h5";

size_t ml_run_shard_stem(const char *result)
{
    const size_t length = strlen(result), e = sizeof ending - 1;
    const bool has_ending = length > e && strcmp(result + length - e, ending) == 0;
    return has_ending ? length - e : length;
}

char *ml_run_shard_name(const char *result, int64_t shard, int64_t shards)
{
    const int digits = snprintf(NULL, 0, "%lld", (long long)shards - 1);
    return ml_path("%.*s.shard-%0*lld-of-%lld%s", (int)ml_run_shard_stem(result), result, digits,
                   (long long)shard, (long long)shards, ending);
}

bool ml_shard_name_read(const char *name, const char *result, struct ml_shard *shard, int *length)
{
    const int stem = (int)ml_run_shard_stem(result);
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
