/* Which part of a study falls to this process. */
#ifndef ML_CLI_SHARD_H
#define ML_CLI_SHARD_H

#include <stdbool.h>
#include <stdint.h>

struct command_line;

/* Shard index of count; count 0: the whole study. */
struct shard {
    int64_t index, count;
    char source[64]; /* what says so, for people; "" if a flag does */
};

/* Reads `given`, "I/N" or "none", or if it is NULL what an array of Slurm or Grid Engine, srun or
 * an MPI launcher has put into the environment: an array of jobs with several ranks each makes
 * count times ranks shards. Tells on stderr of ids that cannot be taken, unless it is quiet, and
 * false after telling what is wrong. */
bool choose_shard(const char *given, bool is_quiet, struct shard *out);

/* Prints "shard 1 of 4 (from SLURM_ARRAY_TASK_ID): OUT.h5, on HOST at TIME" to stderr; nothing of a
 * whole study. */
void say_shard(const struct shard *shard, const char *output);

/* "studies/pendulum.yaml" and ".h5" -> "pendulum.h5" in the current directory, to be freed; NULL
 * without memory. */
char *default_result(const char *study, const char *ending);

/* Path of the result of a shard, to be freed; NULL without memory. The name that is given, or the
 * study's with an ending. A shard that the environment names has a name of its own beside it, for
 * all of them are given the same; one that is given has the name that is given. */
char *shard_output(const struct shard *shard, const char *given, const char *study,
                   const char *ending);

/* Prints to stderr the command line that goes on with what this one began, in any shell. */
void say_how_to_go_on(const struct command_line *line, const struct shard *shard,
                      const char *output);

#endif
