/* Which part of a study falls to this process. */
#ifndef ML_CLI_SHARD_H
#define ML_CLI_SHARD_H

#include <stdbool.h>
#include <stdint.h>

struct command_line;

/* Shard index of count; count 0: the whole study. */
struct shard {
    int64_t index, count;
    char source[64]; /* the variables that say so, for people; "" of --shard */
};

/* Reads `given`, "I/N" or "none", or, if that is NULL, the variables that an array of Slurm or Grid
 * Engine, srun or an MPI launcher has set: an array of jobs with several ranks each makes count
 * times ranks shards. Prints a notice of ids that cannot be taken, unless quiet; false after a
 * message. */
bool choose_shard(const char *given, bool is_quiet, struct shard *out);

/* Prints "shard 1 of 4 (from SLURM_ARRAY_TASK_ID): OUT.h5, on HOST at TIME" to stderr; nothing of a
 * whole study. */
void say_shard(const struct shard *shard, const char *output);

/* "studies/pendulum.yaml" and ".h5" -> "pendulum.h5" in the current directory, to be freed. */
char *default_result(const char *study, const char *ending);

/* Path of the result of a shard, to be freed. The name that is given, or the
 * study's with an ending. A shard that the environment names has a name of its own beside it, for
 * all of them are given the same; one that is given has the name that is given. */
char *shard_output(const struct shard *shard, const char *given, const char *study,
                   const char *ending);

/* Prints to stderr the command line that continues this one, for any shell. */
void say_how_to_go_on(const struct command_line *line, const struct shard *shard,
                      const char *output);

#endif
