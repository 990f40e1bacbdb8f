/* Plans a Slurm job script, and prints it. */
#include "tools/slurm/slurm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/plan.h"
#include "manylink/run.h"
#include "manylink/text.h"
#include "manylink/version.h"

/* "D-HH:MM:SS", returned. */
static const char *slurm_time(double seconds, char text[32])
{
    const long long s = llround(seconds), d = s / 86400;
    char days[16] = "";
    if (d > 0)
        (void)snprintf(days, sizeof days, "%lld-", d % 100000);
    (void)snprintf(text, 32, "%s%02lld:%02lld:%02lld", days, s / 3600 % 24, s / 60 % 60, s % 60);
    return text;
}

/* The names of shards and results but for their endings, in quotes. */
static void slurm_print_stem(const struct slurm_script *p, FILE *to)
{
    char *stem = strndup(p->output, ml_run_shard_stem(p->output));
    ml_text_quote(to, stem ? stem : "");
    free(stem);
}

static void slurm_print_head(const struct slurm_script *p, FILE *to)
{
    char text[32], size[32];
    fprintf(
        to,
        "#!/bin/sh\n"
        "# Written by manylink %s for `sbatch`: %lld runs in %lld blocks, dealt out to %lld tasks "
        "of %lld\n# processors.",
        ML_VERSION, (long long)p->n_run, (long long)p->n_block, (long long)p->tasks,
        (long long)p->cpus);
    if (p->work > 0.0)
        fprintf(to, " About %s of one processor like that of this machine in all, %s a task.",
                ml_duration_print(p->work, text),
                ml_duration_print(p->work / (double)p->tasks / (double)p->cpus, size));
    fprintf(
        to,
        "\n# A task that runs out of time, or is requeued, continues its work. When all are done "
        "the\n# job MERGE makes the one file. A task that failed is computed again by `sbatch "
        "--array=ID`.\n"
        "#SBATCH --job-name=%s\n#SBATCH --array=0-%lld",
        p->name, (long long)p->tasks - 1);
    if (p->at_most > 0)
        fprintf(to, "%%%lld", (long long)p->at_most);
    fprintf(to,
            "\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=%lld\n#SBATCH --time=%s\n"
            "#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --output=%%x-%%A_%%a.log\n",
            (long long)p->cpus, slurm_time(p->time, text));
    if (p->device)
        fputs("#SBATCH --gpus=1\n", to);
    for (int i = 0; i < p->n_sbatch; i++)
        fprintf(to, "#SBATCH %s\n", p->sbatch[i]);
}

static void slurm_print_set(const struct slurm_script *p, FILE *to)
{
    for (int i = 0; i < p->n_set; i++) {
        fputs(" --set ", to);
        ml_text_quote(to, p->set[i]);
    }
}

/* Prints a line that makes a kernel; without a kernel the tasks compute the same. */
static void slurm_print_compile(const struct slurm_script *p, const char *option, FILE *to)
{
    fputs("    ", to);
    ml_text_quote(to, p->command);
    fprintf(to, " compile%s ", option);
    ml_text_quote(to, p->study);
    slurm_print_set(p, to);
    fputs(" || :\n", to);
}

/* Prints the part for `sh` where the script is no task of an array: on the login node there is a
 * compiler and time does not count, but the study is not computed there. */
static void slurm_print_submit(const struct slurm_script *p, FILE *to)
{
    fputs("\n# `sh` of this script submits it", to);
    if (p->needs_kernel || p->device)
        fputs(", and makes the kernel before: nodes may have no compiler.\n"
              "# Tasks that find no kernel compute the same without",
              to);
    fputs(".\nif [ -z \"${SLURM_ARRAY_TASK_ID:-}\" ]; then\n", to);
    if (p->needs_kernel)
        slurm_print_compile(p, "", to);
    if (p->device)
        slurm_print_compile(p, " --device gpu", to);
    fputs("    exec sbatch \"$@\" \"$0\"\nfi\n", to);
}

/* The first task submits the job that merges, when it begins for the first time. It goes where the
 * array went. */
static void slurm_print_merge(const struct slurm_script *p, FILE *to)
{
    char time[32];
    fputs("\nif [ \"$SLURM_ARRAY_TASK_ID\" = \"${SLURM_ARRAY_TASK_MIN:-0}\" ] && "
          "[ \"${SLURM_RESTART_COUNT:-0}\" = 0 ]; then\n"
          "    sbatch --dependency=afterok:\"$SLURM_ARRAY_JOB_ID\" --kill-on-invalid-dep=yes",
          to);
    fprintf(
        to,
        " \\\n        --job-name=%s-merge --ntasks=1 --time=%s --requeue --open-mode=append \\\n"
        "        --output=%%x-%%j.log ${SLURM_JOB_ACCOUNT:+\"--account=$SLURM_JOB_ACCOUNT\"} \\\n"
        "        ${SLURM_JOB_PARTITION:+\"--partition=$SLURM_JOB_PARTITION\"} \\\n"
        "        ${SLURM_JOB_QOS:+\"--qos=$SLURM_JOB_QOS\"}",
        p->name, slurm_time(p->time, time));
    for (int i = 0; i < p->n_sbatch_merge; i++) {
        fputc(' ', to);
        ml_text_quote(to, p->sbatch_merge[i]);
    }
    fputs(" <<'MERGE' ||\n#!/bin/sh\n", to);
    ml_text_quote(to, p->command);
    fputs(" merge --failed-runs-ok --study ", to); /* which may name a plugin */
    ml_text_quote(to, p->study);
    fputs(" -o ", to);
    ml_text_quote(to, p->output);
    fputc(' ', to);
    slurm_print_stem(p, to);
    fprintf(to,
            ML_RUN_SHARD_PATTERN
            "\nMERGE\n        echo \"no job that merges could be submitted\" >&2\nfi\n",
            (long long)p->tasks);
}

/* Prints the name of the task's shard and a shell function that prints how many of its blocks are
 * done: a task that is requeued without another block done would be requeued for ever. */
static void slurm_print_blocks_done(const struct slurm_script *p, FILE *to)
{
    const int digits = snprintf(NULL, 0, "%lld", (long long)p->tasks - 1);
    fputs("\nresult=", to);
    slurm_print_stem(p, to);
    fprintf(
        to,
        "\".shard-$(printf %%0%dd \"$SLURM_ARRAY_TASK_ID\")-of-%lld.h5\"\nblocks_done()\n{\n    ",
        digits, (long long)p->tasks);
    ml_text_quote(to, p->command);
    fputs(" status \"$result\" 2>/dev/null |\n"
          "        sed -n '1s/.*: \\([0-9]*\\) of [0-9]* blocks are done.*/\\1/p'\n}\n"
          "before=$(blocks_done)\n",
          to);
}

/* A signal that Slurm sends to the whole job reaches manylink by itself, a signal by the option
 * --signal=B: reaches the shell alone. */
static void slurm_print_run(const struct slurm_script *p, FILE *to)
{
    slurm_print_blocks_done(p, to);
    fputs("\n# The shell outlives a signal, so that manylink can end in order.\n"
          "ended= caught=\n"
          "trap 'ended=yes caught=yes' TERM\n"
          "trap 'caught=yes; kill -USR1 \"$run\"' USR1 USR2\n",
          to);
    ml_text_quote(to, p->command);
    fputs(" run ", to);
    ml_text_quote(to, p->study);
    slurm_print_set(p, to);
    fprintf(to,
            " -o \"$result\" \\\n    --shard \"$SLURM_ARRAY_TASK_ID/%lld\" --failed-runs-ok \\\n"
            "    --threads \"${SLURM_CPUS_PER_TASK:-1}\" --time-limit %.0fs --grace %.0fs%s%s &\n"
            "run=$!\n",
            (long long)p->tasks, p->time_limit, p->grace, p->device ? " --device " : "",
            p->device ? p->device : "");
    fputs("while\n    code=0 caught=\n    wait \"$run\" || code=$?\n"
          "    [ -n \"$caught\" ] && kill -0 \"$run\" 2>/dev/null # it was `wait` that ended\n"
          "do :; done\n"
          "if [ $code = 130 ] && [ -z \"$ended\" ]; then # out of time: once more\n"
          "    after=$(blocks_done)\n"
          "    [ \"${after:-0}\" != \"${before:-0}\" ] || {\n"
          "        echo \"no block was done in this time, so that more of it is needed\" >&2\n"
          "        exit 1\n    }\n"
          "    # SLURM_JOB_ID of an array's last task is that of them all\n"
          "    scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\" && sleep 60\nfi\n"
          "exit $code\n",
          to);
}

/* The number of the tasks, their work, and whether a kernel pays. */
static enum ml_status slurm_foresee(struct slurm_script *p, const struct ml_study *study,
                                    struct ml_error *err)
{
    struct ml_plan_options options = {
        .size = sizeof options, .n_thread = (int)p->cpus, .no_native = p->no_native};
    struct ml_plan plan = {.size = sizeof plan};
    enum ml_status status = ml_study_plan(study, &options, &plan, err);
    if (status != ML_OK)
        return status;
    p->n_run = plan.runs;
    p->n_block = plan.room.blocks;
    const int64_t most = p->n_block > p->cpus ? p->n_block / p->cpus : 1;
    options.shards = p->tasks = p->tasks < most ? p->tasks : most;
    options.rate = p->rate;
    status = ml_study_plan(study, &options, &plan, err);
    if (options.rate > 0.0)
        p->work = (double)plan.runs * (double)plan.time.steps / options.rate;
    p->needs_kernel = status == ML_OK && plan.kernel.name && strcmp(plan.kernel.name, "made") == 0;
    return status;
}

/* Sets when a task stops: so long before its end that blocks being computed are finished. Blocks
 * that are not are dropped in time for the script to requeue the task. */
static void slurm_set_time_limit(struct slurm_script *p)
{
    const double least = 60.0, most = 600.0, share = 0.05, time = p->time; /* s */
    const double in_order = fmin(fmax(share * time, least), most);
    const double margin = fmin(in_order + 2.0 * p->work / (double)p->n_block, 0.5 * time);
    p->time_limit = floor(time - margin);
    p->grace = floor(margin - fmin(0.5 * in_order, 0.5 * margin));
}

/* Letters, digits, - and _ of the study's name. */
static void slurm_set_name(struct slurm_script *p)
{
    const char *slash = strrchr(p->study, '/'), *from = slash ? slash + 1 : p->study;
    size_t n = 0;
    for (; *from && *from != '.' && n + 1 < sizeof p->name; from++)
        if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", *from))
            p->name[n++] = *from;
    p->name[n] = '\0';
    if (n == 0)
        (void)snprintf(p->name, sizeof p->name, "study");
}

enum ml_status slurm_plan(struct slurm_script *script, const struct ml_study *study,
                          struct ml_error *err)
{
    const enum ml_status status = slurm_foresee(script, study, err);
    slurm_set_name(script);
    slurm_set_time_limit(script);
    return status;
}

void slurm_print(const struct slurm_script *script, FILE *to)
{
    slurm_print_head(script, to);
    slurm_print_submit(script, to);
    slurm_print_merge(script, to);
    slurm_print_run(script, to);
}
