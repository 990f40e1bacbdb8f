/* manylink compile: makes the kernel of a study before it runs. */
#include <omp.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "engine/kernel_choice.h"
#include "study/study.h"

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

static int compile(const struct ml_study *study, const struct command_line *line)
{
    struct ml_error err = {0};
    struct ml_ensemble ensemble = study->ensemble;
    struct ml_kernel_choice choice;
    struct ml_kernel_wish wish = {.no_native = line->no_native,
                                  .n_run = ensemble.n_run,
                                  .n_thread = omp_get_max_threads(),
                                  .stop = {count_signals, NULL}};
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

int command_compile(const struct command_line *line) { return with_study(line, compile); }
