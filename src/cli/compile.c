/* manylink compile: makes the kernel of a study before it runs. */
#include "manylink/compile.h"
#include "manylink/text.h"

#include <stdio.h>

#include "cli/command.h"
#include "cli/signals.h"

static int compile(const struct ml_study *study, const struct command_line *line)
{
    struct ml_error err = {0};
    const struct ml_compile_options options = {.size = sizeof options,
                                               .no_native = line->no_native,
                                               .stop = count_signals,
                                               .for_gpu = line->make.for_gpu};
    struct ml_compile_report report = {.size = sizeof report};
    char time[32];
    catch_signals("\nstopping the compiler\n");
    if (ml_study_compile(study, &options, &report, &err) != ML_OK)
        return fail_with(&err);
    if (!report.is_needed) {
        printf("none is needed: %s\n", report.reason);
        return EXIT_DONE;
    }
    say(stdout, "kernel: %s", report.path);
    printf(" (%s%s)\n", report.was_there ? "was there" : "compiled in ",
           report.was_there ? "" : ml_duration_print(report.seconds, time));
    return EXIT_DONE;
}

int command_compile(const struct command_line *line) { return with_study(line, compile); }
