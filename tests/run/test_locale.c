/* A program whose locale has a decimal comma is told the same numbers, gets the same pictures, and
 * keeps its locale. */
#include <hdf5.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "manylink/catalogue.h"
#include "manylink/plot.h"
#include "manylink/result.h"
#include "manylink/run.h"
#include "manylink/text.h"
#include "study.h"

enum { SKIPPED = 77 };

static const char text[] =
    "manylink: 1\n"
    "system: {type: chain, segments: [{name: a, length: 1, mass: 1}]}\n"
    "forces: [{name: spring, type: spring, segment: a, at: 1, anchor: [0, -3], stiffness: 1}]\n"
    "initial: {angle: 0.5}\n"
    "time: {step: 0.025, end: 1}\n"
    "sweep:\n"
    "  - {set: forces.spring.stiffness, values: [1.5, 2.5, 1e8, 1e9]}\n"
    "  - {set: initial.angle.a, values: [0.5, 0.75]}\n";

/* What is compared: allocated, and NULL where it could not be had. */
struct told {
    char *keys, *page, *cause, *script, *cell;
};

static void told_free(struct told *told)
{
    free(told->keys);
    free(told->page);
    free(told->cause);
    free(told->script);
    free(told->cell);
}

/* A locale of this program's own, as few machines have one with a comma; false where it cannot be
 * made. */
static int set_comma(void)
{
    static const char source[] = "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\n"
                                 "thousands_sep \"\"\ngrouping -1\nEND LC_NUMERIC\n";
    char folder[4096];
    FILE *file = fopen("comma.locale", "w");
    if (!file || !getcwd(folder, sizeof folder))
        return 0;
    (void)fputs(source, file);
    CHECK(fclose(file) == 0 && setenv("LOCPATH", folder, 1) == 0);
    (void)!system("localedef -c -i comma.locale ./comma >/dev/null 2>&1"); /* 1 after warnings;
                                                                              setlocale tells */
    const int is_set = setlocale(LC_NUMERIC, "comma") != NULL;
    (void)!system("rm -rf comma comma.locale");
    return is_set;
}

static char *read_keys(void)
{
    struct ml_catalogue *catalogue;
    struct ml_catalogue_key key = {.size = sizeof key};
    char *keys = NULL;
    size_t size = 0;
    if (ml_catalogue_open(NULL, &catalogue, NULL) != ML_OK)
        return NULL;
    FILE *out = open_memstream(&keys, &size);
    for (int i = 0; ml_catalogue_key(catalogue, i, &key); i++)
        (void)fprintf(out, "%s; %s; %s\n", key.path, key.default_text, key.range);
    (void)fclose(out);
    ml_catalogue_free(catalogue);
    return keys;
}

static char *read_cause(void)
{
    static const char unstable[] = "manylink: 1\n"
                                   "system: {type: equations, state: {x: 1}, rates: {x: -1e3*x}}\n"
                                   "integrator: rk4\n"
                                   "time: {step: 1e-2, end: 10}\n";
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    struct ml_result *result = NULL;
    struct ml_outcome_count outcomes[2];
    struct ml_run_cause causes[2];
    const struct ml_run_options options = {.size = sizeof options, .n_thread = 1};
    struct ml_run_report report = {
        .size = sizeof report, .n_outcome = 2, .outcomes = outcomes, .causes = causes};
    CHECK(ml_study_load(STUDY_TEXT("text", unstable), &study, &err) == ML_OK);
    CHECK(ml_run_memory(study, &options, &result, &report, &err) == ML_OK);
    ml_study_free(study);
    ml_result_free(result);
    ml_error_clear(&err);
    return strdup(causes[1].text);
}

static char *read_file(const char *path)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *in = fopen(path, "r"), *out = open_memstream(&bytes, &size);
    for (int c; in && (c = fgetc(in)) != EOF;)
        (void)fputc(c, out);
    (void)fclose(out);
    if (in)
        (void)fclose(in);
    return bytes;
}

static char *read_script(void)
{
    const double range[2] = {0.25, 2.75};
    const struct ml_plot_options options = {.size = sizeof options,
                                            .result = "locale.h5",
                                            .script = "locale.plot",
                                            .what = "end_angle",
                                            .range = range};
    struct ml_error err = {0};
    const enum ml_status status = ml_plot(&options, &err);
    CHECK(status == ML_OK);
    ml_error_clear(&err);
    (void)!system("cat locale.plot/plot.gp >locale.script; rm -rf locale.plot");
    char *script = status == ML_OK ? read_file("locale.script") : NULL;
    (void)unlink("locale.script");
    return script;
}

static char *print_cell(void)
{
    char *cell = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&cell, &size);
    ml_text_number(out, 0.25, "");
    (void)fclose(out);
    return cell;
}

static struct told tell(void)
{
    struct told told = {
        .keys = read_keys(), .cause = read_cause(), .script = read_script(), .cell = print_cell()};
    CHECK(ml_result_describe("locale.h5", 0, &told.page, NULL) == ML_OK);
    return told;
}

static void make_result(const struct ml_study *study, const char *path)
{
    struct ml_error err = {0};
    const struct ml_run_options options = {
        .size = sizeof options, .output = path, .n_thread = 1, .restart = 1};
    CHECK(ml_run(study, &options, NULL, &err) == ML_OK);
    (void)fputs(err.text ? err.text : "", stderr);
    ml_error_clear(&err);
}

static struct ml_study *read_study(void)
{
    struct ml_error err = {0};
    struct ml_study *study = NULL;
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, &err) == ML_OK);
    ml_error_clear(&err);
    return study;
}

static herr_t list_link(hid_t group, const char *name, const H5L_info_t *info, void *out)
{
    (void)group, (void)info;
    return fprintf(out, "%s\n", name) < 0 ? -1 : 0;
}

/* Names of all groups and datasets of a result, those of views with values of an axis. */
static char *list_names(const char *path)
{
    char *list = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&list, &size);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK(out && file >= 0);
    CHECK(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, list_link, out) >= 0);
    (void)H5Fclose(file);
    (void)fclose(out);
    return list;
}

static void check_same(const char *what, const char *before, const char *after, const char *number)
{
    CHECK_CASE("%s", what);
    CHECK(before && strstr(before, number)); /* there is a number to be written otherwise */
    CHECK(before && after && strcmp(before, after) == 0);
}

static void told_is_the_same(const struct told *before, const struct told *after)
{
    check_same("keys", before->keys, after->keys, "0.5");
    check_same("page", before->page, after->page, "1.5");
    check_same("cause", before->cause, after->cause, "stable up to 2.");
    check_same("script", before->script, after->script, "2.75");
    check_same("cell", before->cell, after->cell, "0.25");
}

static void locale_is_kept(void)
{
    char number[32];
    CHECK_CASE("locale after calls");
    (void)snprintf(number, sizeof number, "%g", 1.5);
    CHECK(strcmp(number, "1,5") == 0);
}

int main(void)
{
    struct ml_study *study = read_study();
    make_result(study, "locale.h5");
    struct told before = tell(), after = {0};
    char *names = list_names("locale.h5");
    const int is_set = set_comma();
    if (is_set) {
        after = tell();
        told_is_the_same(&before, &after);
        make_result(study, "comma.h5");
        char *made = list_names("comma.h5");
        check_same("names", names, made, "=0.75");
        free(made);
        (void)unlink("comma.h5");
        locale_is_kept();
    } else
        printf("skipped: no locale with a decimal comma can be made here\n");
    told_free(&before);
    told_free(&after);
    free(names);
    ml_study_free(study);
    (void)unlink("locale.h5");
    return is_set ? check_done() : SKIPPED;
}
