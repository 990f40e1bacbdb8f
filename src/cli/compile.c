/* manylink compile: makes the kernel of a study before it runs. */
#include "cli/kernel.h"

#include <getopt.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "engine/kernel_choice.h"
#include "study/study.h"

bool parse_kernel(const char *word, enum ml_kernel_mode *out)
{
    static const char *const words[] = {[ML_KERNEL_AUTO] = "auto",
                                        [ML_KERNEL_ONLY_GENERAL] = "general",
                                        [ML_KERNEL_ONLY_MADE] = "made"};
    for (int i = 0; i < (int)(sizeof words / sizeof *words); i++)
        if (strcmp(word, words[i]) == 0) {
            *out = (enum ml_kernel_mode)i;
            return true;
        }
    return false;
}

static int tell(const struct ml_kernel_choice *choice)
{
    char time[32];
    if (choice->kind == ML_IS_BUILT_IN) {
        printf("none is needed: the kernel of this study is built in\n");
        return EXIT_DONE;
    }
    say(stdout, "kernel: %s", choice->made.path);
    printf(" (%s%s)\n", choice->made.is_cached ? "was there" : "compiled in ",
           choice->made.is_cached ? "" : format_duration(choice->made.seconds, time));
    return EXIT_DONE;
}

static int compile(const struct ml_study *study, const void *unused)
{
    struct ml_error err = {0};
    struct ml_ensemble ensemble = study->ensemble;
    struct ml_kernel_choice choice;
    struct ml_kernel_wish wish = {.no_native = native_is_refused(),
                                  .n_run = ensemble.n_run,
                                  .n_thread = omp_get_max_threads(),
                                  .stop = {count_signals, NULL}};
    (void)unused;
    const struct ml_kernel_outlook outlook = ml_kernel_foresee(&ensemble, &wish);
    wish.mode = ML_KERNEL_ONLY_MADE;
    if (outlook.kind == ML_IS_GENERAL && ml_kernel_check(&ensemble, &wish, NULL) != ML_OK &&
        !wish.no_native) {
        printf("none is needed: %s\n", outlook.why);
        return EXIT_DONE;
    }
    catch_signals("\nstopping the compiler\n");
    const enum ml_status status = ml_kernel_choose(&ensemble, &wish, &choice, &err);
    const int code = status == ML_OK ? tell(&choice) : fail_with(&err);
    ml_kernel_choice_end(&choice);
    return code;
}

static int run(const struct command *self, int argc, char **argv)
{
    static const struct option options[] = {
        {"set", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    struct study_options study_options = {0};
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;)
        if (c == 'h')
            return show_help(self);
        else if (c == 's' && !study_options_set(&study_options, optarg))
            return EXIT_FAILED;
        else if (c == '?')
            return fail_usage(self, "that option is not known or lacks its value");
    if (optind != argc - 1)
        return fail_usage(self, "give one study file");
    const int code = with_study(argv[optind], &study_options, compile, NULL);
    study_options_free(&study_options);
    return code;
}

const struct command command_compile = {
    .name = "compile",
    .arguments = "STUDY.yaml [options]",
    .doc = "make the kernel of a study ahead of its runs",
    .options =
        "      --set PATH=VALUE  override a key of the study, as often as needed\n\n"
        "`run` makes it by itself where that pays. It is kept in $MANYLINK_CACHE, else\n"
        "$XDG_CACHE_HOME/manylink, else ~/.cache/manylink, and made by $MANYLINK_CC, or the\n"
        "compiler that manylink was built with; for the instruction set of this machine, or\n"
        "$MANYLINK_ISA.\n",
    .run = run,
};
