/* Shards: a study dealt out to several processes, block by block, and the names of their
 * results. */
#ifndef ML_PLAN_SHARD_H
#define ML_PLAN_SHARD_H

#include <stdbool.h>
#include <stdint.h>

#include "manylink/run.h"

/* One of `count` shards: 0 <= index < count <= ML_RUN_MAX_SHARDS. */
struct ml_shard {
    int64_t index, count;
};

#define ML_UNSHARDED ((struct ml_shard){0, 1})

/* Each shard gets one of every `count` consecutive blocks, so costly regions spread; which one,
 * moves on by the golden section from one lot to the next, or a grid whose rows are as long would
 * give each shard a column. */
int64_t ml_shard_blocks(struct ml_shard shard, int64_t n_block); /* how many it gets */
int64_t ml_shard_block(struct ml_shard shard, int64_t j);        /* the j-th */
int64_t ml_shard_of_block(int64_t count, int64_t block);         /* which shard gets a block */

/* Whether there can be such a shard. */
bool ml_shard_is_one(struct ml_shard shard);

/* Whether a study of this number of runs can have such a shard. The numbers come from files, which
 * may be damaged, and the time to count blocks grows with their number. */
bool ml_shard_is_possible(struct ml_shard shard, int64_t block_runs, int64_t n_run);
int64_t ml_shard_all_blocks(int64_t block_runs, int64_t n_run); /* of the study; 0 of 0 runs */

/* Whether `name` is that of a shard of the result, or of its parts, both without folders.
 *   length  characters of `name` that are the shard's result */
bool ml_shard_name_read(const char *name, const char *result, struct ml_shard *shard, int *length);

#endif
