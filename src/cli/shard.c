/* Finds the shard of this process: as it is given, or from what Slurm and other launchers set. */
#include "cli/shard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/say.h"
#include "manylink/run.h"

/* A number from the environment; false if it is not set, or none. */
static bool look_up(const char *name, long long *out)
{
    const char *text = name ? getenv(name) : NULL;
    return text && parse_count(text, INT32_MIN, INT32_MAX, out);
}

static bool refuse(const char *what, const char *why)
{
    fprintf(
        stderr,
        "manylink: %s: %s\n"
        "--shard I/N says which shard it is, I from 0 to N - 1, N at most %d; --shard none turns "
        "sharding off\n",
        what, why, ML_RUN_MAX_SHARDS);
    return false;
}

static bool shard_read_flag(const char *given, struct shard *out)
{
    char *end;
    if (strcmp(given, "none") == 0)
        return true;
    out->index = strtoll(given, &end, 10);
    const bool has_index = end != given && *end == '/';
    const char *count = end + has_index;
    if (has_index)
        out->count = strtoll(count, &end, 10);
    if (!has_index || end == count || *end != '\0' || out->index < 0 || out->index >= out->count ||
        out->count > ML_RUN_MAX_SHARDS) {
        char what[64];
        (void)snprintf(what, sizeof what, "--shard %.40s", given);
        return refuse(what, "there is no such shard");
    }
    return true;
}

/* Task of a Slurm array. Its ids may begin anywhere and have a step, but no gaps. */
static bool shard_read_array(struct shard *out)
{
    long long id, count, low, high, step;
    if (!look_up("SLURM_ARRAY_TASK_ID", &id))
        return true;
    if (!look_up("SLURM_ARRAY_TASK_COUNT", &count) || !look_up("SLURM_ARRAY_TASK_MIN", &low) ||
        !look_up("SLURM_ARRAY_TASK_MAX", &high) || !look_up("SLURM_ARRAY_TASK_STEP", &step) ||
        step < 1 || count < 1 || id < low || (id - low) % step != 0 ||
        (high - low) / step + 1 != count)
        return refuse("SLURM_ARRAY_TASK_ID",
                      "the ids of the array are not evenly spaced, so which of its tasks this is "
                      "cannot be told");
    out->index = (id - low) / step;
    out->count = count;
    (void)snprintf(out->source, sizeof out->source, "SLURM_ARRAY_TASK_ID");
    return true;
}

/* Whether this is a process of a Slurm step. A batch script has SLURM_PROCID too, and one that was
 * submitted from within a step has all its variables, but then the numbers of tasks differ. */
static bool is_step(void)
{
    long long in_step, tasks;
    return look_up("SLURM_STEP_NUM_TASKS", &in_step) && look_up("SLURM_NTASKS", &tasks) &&
           in_step == tasks;
}

/* What launchers say, the first one that does. */
static bool read_rank(struct shard *out)
{
    static const struct {
        const char *rank, *size;
        bool is_of_step;
    } launchers[] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", false},
        {"PMI_RANK", "PMI_SIZE", false},
        {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", true},
        {"PMIX_RANK", NULL, false},
    };
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        long long rank, size;
        if (!look_up(launchers[i].rank, &rank) || (launchers[i].is_of_step && !is_step()))
            continue;
        if (!look_up(launchers[i].size, &size) || size < 1 || rank < 0 || rank >= size)
            return refuse(launchers[i].rank, "it is set, but nothing says of how many");
        if (size == 1)
            return true;
        out->index = (out->count > 0 ? out->index : 0) * size + rank;
        out->count = (out->count > 0 ? out->count : 1) * size;
        const size_t used = strlen(out->source);
        (void)snprintf(out->source + used, sizeof out->source - used, "%s%s",
                       used > 0 ? " and " : "", launchers[i].rank);
        return true;
    }
    return true;
}

bool choose_shard(const char *given, struct shard *out)
{
    *out = (struct shard){0};
    if (given)
        return shard_read_flag(given, out);
    if (!shard_read_array(out) || !read_rank(out))
        return false;
    if (out->count > ML_RUN_MAX_SHARDS)
        return refuse(out->source, "these are more shards than there can be");
    return true;
}

void say_shard(const struct shard *shard, const char *output)
{
    if (shard->count > 0)
        say(stderr, "shard %lld of %lld%s%s%s: %s\n", (long long)shard->index,
            (long long)shard->count, *shard->source ? " (from " : "", shard->source,
            *shard->source ? ")" : "", output);
}

char *shard_output(const struct shard *shard, const char *given, const char *study,
                   const char *ending)
{
    char *output = given ? strdup(given) : default_result(study, ending);
    const bool is_own = shard->count > 0 && (!given || *shard->source);
    if (!output || !is_own)
        return output;
    char *name = ml_run_shard_name(output, shard->index, shard->count);
    free(output);
    return name;
}
