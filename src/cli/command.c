/* How a command comes to its study. */
#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

#include "manylink/text.h"

/* Whether the line asks for one run: --run K or --pick PATH=VALUE,... */
static bool line_has_member(const struct command_line *line)
{
    return line->make.pick || line->make.member >= 0;
}

/* The overrides of keys when the study is read: --set, and before that, for a study of one run,
 * the trajectory at every step, unless some --set is of a key below `save`. out->words is to be
 * freed. */
static struct word_list member_overrides(const struct command_line *line)
{
    const struct word_list *set = &line->set;
    bool saves = line_has_member(line);
    for (int i = 0; i < set->n; i++)
        saves = saves && strncmp(set->words[i], "save", 4) != 0;
    struct word_list out = {.words = take((size_t)set->n, sizeof *out.words)};
    if (saves)
        out.words[out.n++] = "save.trajectory.every=1";
    for (int i = 0; i < set->n; i++)
        out.words[out.n++] = set->words[i];
    return out;
}

/* "PATH=VALUE,PATH=VALUE" in place; the number of points, -1 after a message.
 *   points  room for one more than there are commas */
static int parse_points(char *text, struct ml_study_point *points)
{
    int n = 0;
    for (char *point = strtok_r(text, ",", &text); point; point = strtok_r(NULL, ",", &text)) {
        char why[200];
        point += strspn(point, " ");
        char *equals = strchr(point, '=');
        if (!equals || equals == point) {
            say(stderr, "--pick: `%s` is not PATH=VALUE\n", point);
            return -1;
        }
        *equals = '\0';
        points[n].path = point;
        if (!ml_number_parse(equals + 1, &points[n].value, why, sizeof why)) {
            say(stderr, "--pick %s=%s: %s\n", point, equals + 1, why);
            return -1;
        }
        n++;
    }
    if (n == 0)
        fprintf(stderr, "--pick: no PATH=VALUE is given\n");
    return n > 0 ? n : -1;
}

/* -1, or an exit code. */
static int find_picked(const struct ml_study *study, const char *pick, int64_t *run)
{
    size_t n_comma = 0;
    for (const char *c = pick; *c; c++)
        n_comma += *c == ',';
    struct ml_study_point *points = take(n_comma, sizeof *points);
    char *text = take_text("%s", pick);
    struct ml_error err = {0};
    const int n = parse_points(text, points);
    int code = n < 0 ? EXIT_BAD_INPUT : -1;
    if (n >= 0 && ml_study_find_run(study, points, n, run, &err) != ML_OK)
        code = fail_with(&err);
    free(points);
    free(text);
    return code;
}

/* "run 3 of 12: PATH = VALUE UNIT, ..." */
static void member_print_member(const struct ml_study *study, int64_t run)
{
    struct ml_study_key key = {.size = sizeof key};
    int n = 0;
    while (ml_study_key(study, n, &key))
        n++;
    double *values = take((size_t)n, sizeof *values);
    ml_study_run_values(study, run, values);
    fprintf(stderr, "run %lld of %lld", (long long)run, (long long)ml_study_runs(study));
    for (int i = 0; ml_study_key(study, i, &key); i++) {
        char number[ML_NUMBER_TEXT];
        const bool has_unit = strcmp(key.unit, "1") != 0;
        fprintf(stderr, "%s%s = %s%s%s", i > 0 ? ", " : ": ", key.path,
                ml_number_print(values[i], number), has_unit ? " " : "", has_unit ? key.unit : "");
    }
    fprintf(stderr, "\n");
    free(values);
}

/* Reduces the study to the run of --run or --pick and prints which it is, unless quiet. Returns -1,
 * or an exit code after a message. */
static int keep_member(struct ml_study *study, const struct command_line *line)
{
    struct ml_error err = {0};
    const int64_t n_run = ml_study_runs(study);
    int64_t run = line->make.member;
    if (line->make.pick) {
        const int code = find_picked(study, line->make.pick, &run);
        if (code >= 0)
            return code;
    } else if (run >= n_run) {
        say(stderr, "--run %lld: the study has runs 0 to %lld\n", (long long)run,
            (long long)n_run - 1);
        return EXIT_BAD_INPUT;
    }
    if (!line->quiet)
        member_print_member(study, run);
    return ml_study_keep_run(study, run, &err) == ML_OK ? -1 : fail_with(&err);
}

int with_study(const struct command_line *line, study_fn *use)
{
    struct ml_error err = {0};
    struct ml_study *study;
    const struct word_list overrides = member_overrides(line);
    const struct ml_study_source source = {.size = sizeof source,
                                           .path = line->arguments[0],
                                           .overrides = overrides.words,
                                           .n_override = overrides.n,
                                           .no_native = line->no_native,
                                           .for_inverse =
                                               strcmp(line->command->name, "inverse") == 0,
                                           .for_fit = strcmp(line->command->name, "fit") == 0,
                                           .motion = line->motion};
    const enum ml_status status = ml_study_load(&source, &study, &err);
    free(overrides.words);
    if (status != ML_OK)
        return fail_with(&err);
    int code = line_has_member(line) ? keep_member(study, line) : -1;
    for (int i = 0; code < 0 && !line->quiet && ml_study_notice(study, i); i++)
        print_study_notice(ml_study_notice(study, i)); /* of the whole study */
    if (code < 0)
        code = use(study, line);
    ml_study_free(study);
    return code;
}
