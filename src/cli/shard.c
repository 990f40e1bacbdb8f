/* Finds the shard of this process: from --shard, or from variables that Slurm and other launchers
 * set. */
#include "cli/shard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/messages.h"
#include "cli/options.h"
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

/* Task of an array, of which the scheduler says the first and the last id. Ids may begin anywhere
 * and have a step, but no gaps. */
static bool shard_read_array(bool is_quiet, struct shard *out)
{
    static const struct {
        const char *id, *count, *low, *high, *step;
    } arrays[] = {
        {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN",
         "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP"},
        {"SGE_TASK_ID", NULL, "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE"},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        long long id, count = 0, low, high, step;
        if (!look_up(arrays[i].id, &id))
            continue;
        if ((arrays[i].count && !look_up(arrays[i].count, &count)) ||
            !look_up(arrays[i].low, &low) || !look_up(arrays[i].high, &high) ||
            !look_up(arrays[i].step, &step) || step < 1 || id < low || id > high ||
            (id - low) % step != 0 || (arrays[i].count && (high - low) / step + 1 != count))
            return refuse(arrays[i].id, "the ids of the array are not evenly spaced, so which of "
                                        "its tasks this is cannot be known");
        out->index = (id - low) / step;
        out->count = (high - low) / step + 1;
        (void)snprintf(out->source, sizeof out->source, "%s", arrays[i].id);
        if (low > 1 && !is_quiet)
            fprintf(stderr,
                    "manylink: the ids of this array are %lld to %lld: the whole study is dealt "
                    "out to them. If it was submitted to compute lost tasks of a larger array "
                    "again, give --shard I/N, the number of all its tasks with it\n",
                    low, high);
        return true;
    }
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

/* Takes the rank of the first launcher whose variables have a rank and the number of ranks.
 *   is_told  out: whether a launcher was found, of a single rank too */
static bool read_rank(struct shard *out, bool *is_told)
{
    static const struct {
        const char *rank, *size;
        bool is_of_step;
    } launchers[] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", false},
        {"PMI_RANK", "PMI_SIZE", false},
        {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", false},
        {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", false},
        {"FLUX_TASK_RANK", "FLUX_JOB_SIZE", false},
        {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", true},
        {"PMIX_RANK", NULL, false},
    };
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        long long rank, size;
        if (!look_up(launchers[i].rank, &rank) || (launchers[i].is_of_step && !is_step()))
            continue;
        if (!look_up(launchers[i].size, &size) || size < 1 || rank < 0 || rank >= size)
            return refuse(
                launchers[i].rank,
                "its rank is set, but no variable has a valid number of ranks: give --shard I/N");
        *is_told = true;
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

/* A notice of ids that are set while no variable has their number: each of these processes would
 * compute the same. Ranks are left out where a launcher has set rank and size in other variables.
 */
static void report_of_ids(bool has_rank)
{
    static const struct {
        const char *id;
        long long least; /* smaller numbers are no ids */
        bool is_rank;
    } ids[] = {
        {"PBS_ARRAY_INDEX", INT32_MIN, false},   /* PBS Pro, OpenPBS */
        {"PBS_ARRAYID", INT32_MIN, false},       /* Torque */
        {"LSB_JOBINDEX", 1, false},              /* LSF; 0: no array */
        {"FLUX_JOB_CC", INT32_MIN, false},       /* Flux, of `flux submit --cc` */
        {"AWS_BATCH_JOB_ARRAY_INDEX", 0, false}, /* AWS Batch */
        {"PALS_RANKID", 0, true},
        {"ALPS_APP_PE", 0, true}, /* Cray */
    };
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        long long id;
        if (!look_up(ids[i].id, &id) || id < ids[i].least || (ids[i].is_rank && has_rank))
            continue;
        fprintf(stderr,
                "manylink: cannot take %s=%lld for a shard: no variable has the number of tasks; "
                "give --shard I/N, I from 0 to N - 1, or --shard none\n",
                ids[i].id, id);
    }
}

bool choose_shard(const char *given, bool is_quiet, struct shard *out)
{
    *out = (struct shard){0};
    if (given)
        return shard_read_flag(given, out);
    if (!shard_read_array(is_quiet, out))
        return false;
    bool has_rank = false;
    if (!read_rank(out, &has_rank))
        return false;
    if (!is_quiet)
        report_of_ids(has_rank);
    if (out->count > ML_RUN_MAX_SHARDS)
        return refuse(out->source, "these are more shards than there can be");
    return true;
}

void say_shard(const struct shard *shard, const char *output)
{
    char host[256] = "?", now[32] = "";
    const time_t clock = time(NULL);
    struct tm utc;
    if (shard->count == 0)
        return;
    if (gethostname(host, sizeof host - 1) != 0) /* for the message only */
        (void)snprintf(host, sizeof host, "?");
    if (gmtime_r(&clock, &utc))
        (void)strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &utc);
    say(stderr, "shard %lld of %lld%s%s%s: %s, on %s at %s\n", (long long)shard->index,
        (long long)shard->count, *shard->source ? " (from " : "", shard->source,
        *shard->source ? ")" : "", output, host, now);
}

char *default_result(const char *study, const char *ending)
{
    const char *slash = strrchr(study, '/'), *name = slash ? slash + 1 : study;
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    return take_text("%.*s%s", length, name, ending);
}

char *shard_output(const struct shard *shard, const char *given, const char *study,
                   const char *ending)
{
    char *output = given ? take_text("%s", given) : default_result(study, ending);
    const bool is_own = shard->count > 0 && (!given || *shard->source);
    if (!is_own)
        return output;
    char *name = need(ml_run_shard_name(output, shard->index, shard->count));
    free(output);
    return name;
}

/* The shard from the environment, for a shell without these variables. */
static void say_own_shard(const struct shard *shard, const char *output)
{
    if (!*shard->source)
        return;
    fprintf(stderr, " --shard %lld/%lld -o ", (long long)shard->index, (long long)shard->count);
    say_word(stderr, output);
}

void say_how_to_go_on(const struct command_line *line, const struct shard *shard,
                      const char *output)
{
    bool is_said = false;
    fprintf(stderr, "the same command%s continues from there: manylink",
            line->make.restart ? " without --restart"
                               : ""); /* --restart would discard the finished runs */
    for (int i = 0; i < line->n_word; i++) {
        if (!line->words[i])
            continue;
        if (strcmp(line->words[i], "--") == 0 && !is_said) { /* no option stands behind it */
            say_own_shard(shard, output);
            is_said = true;
        }
        fputc(' ', stderr);
        say_word(stderr, line->words[i]);
    }
    if (!is_said)
        say_own_shard(shard, output);
    fprintf(stderr, "\n");
}
