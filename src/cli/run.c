/* manylink run: a study file in, a result file out. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/duration.h"
#include "cli/kernel.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "cli/shard.h"
#include "cli/signals.h"
#include "manylink/run.h"
#include "store/shard_name.h"
#include "study/doubts.h"

/* What is left out of the command line that goes on. */
static char dropped[] = "";

struct arguments {
    const char *study;
    const char *given_output; /* -o; NULL: not given */
    char *output;             /* owned */
    int argc;
    char **argv; /* the command line; `dropped` in place of --restart */
    bool is_quiet;
    struct shard shard;
    struct ml_run_options options;
    struct study_options study_options;
};

/* -1, or an exit code after telling what is wrong with an option. */
static int read_option(const struct command *self, int c, struct arguments *out)
{
    long long count;
    switch (c) {
    case 't':
        if (!parse_count(optarg, 1, 65536, &count))
            return fail_usage(self, "--threads %s: a whole number from 1 on", optarg);
        out->options.n_thread = (int)count;
        return -1;
    case 's':
        return study_options_set(&out->study_options, optarg) ? -1 : EXIT_FAILED;
    case 'm':
    case 'p':
        if (out->study_options.member)
            return fail_usage(self, "one of --run and --pick, once");
        out->study_options.member = optarg;
        out->study_options.is_pick = c == 'p';
        return -1;
    case 'l':
        if (!parse_duration(optarg, &out->options.time_limit))
            return fail_usage(self, "--time-limit %s: a time: " DURATION_FORMS, optarg);
        return -1;
    case 'w':
        if (strcmp(optarg, "0") != 0 && !parse_duration(optarg, &out->options.wait))
            return fail_usage(self, "--wait %s: 0 or a time: " DURATION_FORMS, optarg);
        if (strcmp(optarg, "0") == 0)
            out->options.wait = 0.0;
        return -1;
    case 'k':
        return parse_kernel(optarg, &out->options.kernel)
                   ? -1
                   : fail_usage(self, "--kernel %s: one of " KERNEL_WORDS, optarg);
    case 'r':
        out->options.restart = 1;
        out->argv[optind - 1] = dropped;
        return -1;
    case 'f':
        out->options.strict_space = 1;
        return -1;
    case 'q':
        out->is_quiet = out->study_options.is_quiet = true;
        return -1;
    case 'h':
        return show_help(self);
    default:
        return fail_usage(self, "that option is not known or lacks its value");
    }
}

/* The name that is given, or the study's, of one run with its number. A shard that the environment
 * names has a name of its own beside it, for all of them are given the same; one that is given has
 * the name that is given. */
static char *choose_output(const struct arguments *arguments, const struct ml_study *study)
{
    const char *given = arguments->given_output;
    char ending[48] = ".h5";
    if (study->member >= 0)
        (void)snprintf(ending, sizeof ending, ".run-%lld.h5", (long long)study->member);
    char *output = given ? strdup(given) : default_result(arguments->study, ending);
    const bool is_own = arguments->shard.count > 0 && (!given || *arguments->shard.source);
    if (!output || !is_own)
        return output;
    char *name =
        ml_shard_name(output, (struct ml_shard){arguments->shard.index, arguments->shard.count});
    free(output);
    return name;
}

/* -1 to go on, or an exit code. */
static int read_arguments(const struct command *self, int argc, char **argv, struct arguments *out)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"threads", required_argument, NULL, 't'},
        {"shard", required_argument, NULL, 'i'},
        {"set", required_argument, NULL, 's'},
        {"run", required_argument, NULL, 'm'},
        {"pick", required_argument, NULL, 'p'},
        {"time-limit", required_argument, NULL, 'l'},
        {"wait", required_argument, NULL, 'w'},
        {"kernel", required_argument, NULL, 'k'},
        {"restart", no_argument, NULL, 'r'},
        {"strict-space", no_argument, NULL, 'f'},
        {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    const char *shard = NULL;
    int code = -1;
    for (int c; code < 0 && (c = getopt_long(argc, argv, "o:qh", options, NULL)) != -1;)
        if (c == 'o')
            out->given_output = optarg;
        else if (c == 'i')
            shard = optarg;
        else
            code = read_option(self, c, out);
    if (code >= 0)
        return code;
    if (optind != argc - 1)
        return fail_usage(self,
                          optind == argc ? "no study file given" : "one study file at a time");
    out->study = argv[optind];
    if (!choose_shard(shard, &out->shard))
        return EXIT_BAD_INPUT;
    if (out->given_output && !*out->given_output)
        return fail_usage(self, "-o: a file name cannot be empty");
    return -1;
}

/* Of every way in which runs did not finish the first run, and a step that is too large for it. */
static void print_failed(const struct ml_study *study, const struct ml_run_report *report)
{
    char why[500];
    for (int i = ML_FINISHED + 1; i < ML_N_OUTCOME; i++) {
        if (report->outcomes[i] == 0)
            continue;
        const int64_t run = study->member >= 0 ? study->member : report->first_run[i];
        printf("%s: %srun %lld at t = %g s", ml_run_outcome(i),
               report->outcomes[i] > 1 ? "first " : "", (long long)run, report->first_time[i]);
        if (i == ML_DIVERGED && ml_doubts_step(study, report->first_run[i], sizeof why, why))
            printf("; step too large? it is for %s", why);
        printf("\n");
    }
}

static void print_report(const struct arguments *arguments, const struct ml_study *study,
                         const struct ml_run_report *report)
{
    char rate[32], time[32];
    if (report->blocks == 0) {
        printf("nothing to do: the study has fewer blocks than there are shards\n");
        return;
    }
    if (report->was_finished) {
        say(stdout, "%s is finished already: ", arguments->output);
        print_outcomes(report->outcomes);
        printf("; nothing to do\n");
        return;
    }
    if (report->runs_found > 0)
        printf("continued from %lld finished runs\n", (long long)report->runs_found);
    printf("%lld run%s in %s, %s steps/s on %d thread%s (%s%s): ", (long long)report->runs,
           report->runs == 1 ? "" : "s", format_duration(report->seconds, time),
           format_count((double)report->member_steps / report->seconds, rate), report->threads,
           report->threads == 1 ? "" : "s", report->isa,
           strcmp(report->kernel, "made") == 0 ? ", kernel made for it" : "");
    print_outcomes(report->outcomes);
    printf("\n");
    print_failed(study, report);
    print_result(arguments->output);
}

static void say_notice(void *context, const char *text)
{
    struct progress_line *line = context;
    progress_end(line);
    print_notice(text);
}

/* The command line that goes on from here: --restart would discard what is there. */
static void say_how_to_go_on(const struct arguments *arguments)
{
    fprintf(stderr, "the same command%s goes on from there: manylink",
            arguments->options.restart ? " without --restart" : "");
    for (int i = 0; i < arguments->argc; i++) {
        if (arguments->argv[i] == dropped)
            continue;
        fputc(' ', stderr);
        say_word(stderr, arguments->argv[i]);
    }
    fprintf(stderr, "\n");
}

static int run_study(const struct arguments *arguments, const struct ml_study *study)
{
    struct ml_error err = {0};
    struct ml_run_report report = {.size = sizeof report};
    struct progress_line line = progress_begin();
    struct ml_run_options options = arguments->options;
    options.size = sizeof options;
    options.output = arguments->output;
    options.shard = arguments->shard.index;
    options.shards = arguments->shard.count;
    options.no_native = native_is_refused();
    /* a second signal drops them, the third ends at once */
    catch_signals("\nfinishing the blocks in flight; once more to drop them\n");
    options.stop = count_signals;
    options.progress = arguments->is_quiet ? NULL : progress_show;
    options.notice = arguments->is_quiet ? NULL : say_notice;
    options.context = &line;
    if (arguments->shard.count > 0 && !arguments->is_quiet)
        say(stderr, "shard %lld of %lld%s%s%s: %s\n", (long long)options.shard,
            (long long)options.shards, *arguments->shard.source ? " (from " : "",
            arguments->shard.source, *arguments->shard.source ? ")" : "", options.output);
    enum ml_status status = ml_run(study, &options, &report, &err);
    progress_end(&line);
    if (status != ML_OK) {
        int code = fail_with(&err);
        if (code == EXIT_INTERRUPTED)
            say_how_to_go_on(arguments);
        return code;
    }
    if (!arguments->is_quiet)
        print_report(arguments, study, &report);
    /* Launchers end all processes when one of them exits with anything but 0. */
    const bool is_launched = *arguments->shard.source;
    return report.outcomes[0] == report.runs || is_launched ? EXIT_DONE : EXIT_SOME_RUNS_FAILED;
}

static int run_read_study(const struct ml_study *study, const void *own)
{
    struct arguments arguments = *(const struct arguments *)own;
    arguments.output = choose_output(&arguments, study);
    int code = arguments.output ? run_study(&arguments, study) : EXIT_FAILED;
    free(arguments.output);
    return code;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct arguments arguments = {.argc = argc, .argv = argv, .options.wait = PATIENCE};
    int code = read_arguments(self, argc, argv, &arguments);
    if (code < 0)
        code = with_study(arguments.study, &arguments.study_options, run_read_study, &arguments);
    study_options_free(&arguments.study_options);
    return code;
}

const struct command command_run = {
    .name = "run",
    .arguments = "STUDY.yaml [options]",
    .doc = "integrate every run of a study and write the result file",
    .options =
        "  -o, --output OUT.h5   result file (default: the study's name, here)\n"
        "      --threads N       threads (default: OMP_NUM_THREADS, or all cores)\n"
        "      --set PATH=VALUE  override a key of the study, as often as needed\n"
        "      --run K           run K of the study alone, bit for bit, its trajectory at every "
        "step\n"
        "                        unless --set save... says otherwise; into STUDY.run-K.h5\n"
        "      --pick PATH=VALUE,...  the same of the run nearest to these swept values\n"
        "      --shard I/N       do only shard I of N, 0 <= I < N; without it a Slurm array, srun\n"
        "                        or an MPI launcher says which, and the result is\n"
        "                        OUT.shard-I-of-N.h5; none: do everything. `merge` joins them\n"
        "      --time-limit T    stop after so long, to go on later: 3h50m, 4:00:00, 90s\n"
        "      --kernel WHICH    auto: one made for this study, if that pays; general: the one for "
        "any\n"
        "                        study; made: it must be made (default: auto; the result is the "
        "same)\n"
        "      --restart         discard what is there; interrupted and repeated, go on\n"
        "      --strict-space    refuse to begin when the disk has too little room\n"
        "      --wait T          how long to wait for another process that makes the same result\n"
        "                        (default: 1m)\n"
        "  -q, --quiet           print errors only\n\n"
        "MANYLINK_ISA=baseline|v3|v4 forces an instruction set; results do not depend on it.\n"
        "The same command again continues an interrupted run, or says that it is done. A block "
        "that\n"
        "is not done a tenth of the time limit (at least 1 s) after it is dropped.\n",
    .run = run,
};
