/* Which part of a study falls to this process. */
#ifndef ML_CLI_SHARD_H
#define ML_CLI_SHARD_H

#include <stdbool.h>
#include <stdint.h>

/* Shard index of count; count 0: the whole study. */
struct shard {
    int64_t index, count;
    char source[64]; /* what says so, for people; "" if a flag does */
};

/* Reads `given`, "I/N" or "none", or if it is NULL what a Slurm array, srun or an MPI launcher has
 * put into the environment: an array of jobs with several ranks each makes count times ranks
 * shards. False after telling on stderr what is wrong. */
bool choose_shard(const char *given, struct shard *out);

#endif
