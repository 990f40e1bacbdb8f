/* Which blocks of a study belong to a shard: index arithmetic. */
#include "store/shard.h"

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
    const int64_t most_blocks = 1 << 27; /* a hundred times what studies have */
    return ml_shard_is_one(shard) && block_runs > 0 && n_run > 0 &&
           ml_shard_all_blocks(block_runs, n_run) <= most_blocks;
}

int64_t ml_shard_all_blocks(int64_t block_runs, int64_t n_run)
{
    return n_run > 0 ? (n_run - 1) / block_runs + 1 : 0;
}
