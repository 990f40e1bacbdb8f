/* How a command comes to its study. */
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/member.h"
#include "cli/say.h"

int with_study(const struct command_line *line, study_fn *use)
{
    struct ml_error err = {0};
    struct ml_study *study;
    struct word_list overrides;
    if (!member_overrides(line, &overrides))
        return fail_memory();
    const struct ml_study_source source = {.size = sizeof source,
                                           .path = line->arguments[0],
                                           .overrides = overrides.words,
                                           .n_override = overrides.n,
                                           .no_native = line->no_native,
                                           .for_inverse =
                                               strcmp(line->command->name, "inverse") == 0};
    const enum ml_status status = ml_study_load(&source, &study, &err);
    free(overrides.words);
    if (status != ML_OK)
        return fail_with(&err);
    int code = line_has_member(line) ? keep_member(study, line) : -1;
    for (int i = 0; code < 0 && !line->quiet && ml_study_notice(study, i); i++)
        say(stderr, "%s\n", ml_study_notice(study, i)); /* of the whole study */
    if (code < 0)
        code = use(study, line);
    ml_study_free(study);
    return code;
}

char *default_result(const char *study, const char *ending)
{
    const char *slash = strrchr(study, '/'), *name = slash ? slash + 1 : study;
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    size_t size = (size_t)length + strlen(ending) + 1;
    char *output = malloc(size);
    if (output)
        (void)snprintf(output, size, "%.*s%s", length, name, ending);
    return output;
}
