/* manylink extend: a finished result is asked for more. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "manylink/extend.h"
#include "manylink/text.h"

/* Overrides of a command line: --samples and --end, then --set. */
struct extend_overrides {
    char samples[48], end[ML_NUMBER_TEXT + 16];
    const char **words;
    int n;
};

/* Words are to be freed. */
static void list_overrides(const struct command_line *line, struct extend_overrides *out)
{
    char number[ML_NUMBER_TEXT];
    *out = (struct extend_overrides){.words = take((size_t)line->set.n + 2, sizeof *out->words)};
    (void)snprintf(out->samples, sizeof out->samples, "sample.count=%lld", line->make.samples);
    (void)snprintf(out->end, sizeof out->end, "time.end=%s",
                   ml_number_print(line->make.end, number));
    if (line->make.samples > 0)
        out->words[out->n++] = out->samples;
    if (!isnan(line->make.end))
        out->words[out->n++] = out->end;
    for (int i = 0; i < line->set.n; i++)
        out->words[out->n++] = line->set.words[i];
}

int command_extend(const struct command_line *line)
{
    struct ml_error err = {0};
    struct ml_study *study;
    struct extend_overrides overrides;
    struct command_line own = *line;
    list_overrides(line, &overrides);
    const struct ml_study_source source = {.size = sizeof source,
                                           .path = line->study,
                                           .overrides = overrides.words,
                                           .n_override = overrides.n,
                                           .no_native = line->no_native,
                                           .plugin = line->plugin};
    const enum ml_status status = ml_extend_study(&source, line->arguments[0], &study, &err);
    free(overrides.words);
    if (status != ML_OK)
        return fail_with(&err);
    own.make.donor = line->arguments[0];
    own.output = line->output ? line->output : line->arguments[0];
    for (int i = 0; !line->quiet && ml_study_notice(study, i); i++)
        print_study_notice(ml_study_notice(study, i));
    const int code = run_read_study(study, &own);
    ml_study_free(study);
    return code;
}
