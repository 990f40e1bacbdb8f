/* --set of numbers that can be swept: they have the value that they would have at that point of a
 * sweep, and leave the study's own sweep or sample. */
#include "config/schema/given.h"

#include <glob.h>
#include <string.h>

#include "check.h"
#include "config/schema/values.h"
#include "plan/study.h"
#include "study.h"

enum { LONGEST = 1 << 20, MOST = 8 };

static char text[LONGEST];

static struct ml_study *parse(const char *name, const char *study_text, const char *const *set,
                              int n, struct ml_error *err)
{
    struct ml_study *study = NULL;
    (void)ml_study_load(STUDY_TEXT(name, study_text, STUDY_SET(set, n)), &study, err);
    return study;
}

/* Makes a section of the text, which begins a line, comments. */
static void leave_out(const char *section)
{
    char *line = strstr(text, section);
    while (line) {
        line[1] = '#';
        line = strchr(line + 1, '\n');
        line = line && line[1] == ' ' ? line : NULL;
    }
}

/* The values of the first run, derived ones too. */
static double *first_values(const struct ml_study *study)
{
    const struct ml_ensemble *e = &study->ensemble;
    double *values = calloc((size_t)e->numbers.n + 1, sizeof *values);
    if (!values)
        abort();
    e->numbers.values(e->numbers.context, 0, values);
    if (e->model.system->parameters.derive)
        e->model.system->parameters.derive(&e->model, values);
    return values;
}

static bool are_equal(const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!(a[i] == b[i] || (isnan(a[i]) && isnan(b[i]))))
            return false;
    return true;
}

/* An axis of the study that moves this number alone: runs along it, there and perhaps back; 1
 * without such an axis. */
static int64_t count_along(const struct ml_study *study, int slot)
{
    for (int a = 0; study->spec.runs.sample == NULL && a < study->spec.runs.n_axis; a++)
        if (study->spec.runs.axes[a].n_swept == 1 && study->spec.runs.axes[a].swept[0].slot == slot)
            return study->spec.runs.axes[a].count *
                   (study->spec.runs.axes[a].continuation == ML_CONTINUE_BOTH ? 2 : 1);
    return 1;
}

/* The size of a vector that is given: nothing depends on it. */
static bool is_size_of(const char *path, const struct ml_study *study, const double *base)
{
    const size_t length = strlen(path);
    for (int i = 0; i < study->ensemble.numbers.n; i++)
        if (strncmp(study->spec.numbers.names[i], path, length) == 0 &&
            strcmp(study->spec.numbers.names[i] + length, ".x") == 0)
            return !isnan(base[i]) || !isnan(base[i + 1]);
    return false;
}

/* Whether some number of a study can be swept; if so it can be set, to the same effect. */
static bool number_is_set(const struct ml_study *study, const char *path, int i, double old)
{
    const bool is_sample = study->spec.runs.sample != NULL;
    char sweep[256], set[256];
    const char *const swept[] = {"analyse={}", sweep}, *const alone[] = {"analyse={}", "sweep=[]",
                                                                         set};
    const char *const fixed[] = {"analyse={}", set, "sample.count=16"};
    const double v = isnan(old) || old == 0.0 ? 0.25 : 0.875 * old;
    (void)snprintf(sweep, sizeof sweep, "sweep=[{set: %s, values: [%.17g]}]",
                   study->spec.numbers.names[i], v);
    (void)snprintf(set, sizeof set, "%s=%.17g", study->spec.numbers.names[i], v);
    struct ml_error err = {0};
    struct ml_study *a = is_sample ? NULL : parse(path, text, swept, 2, &err);
    ml_error_clear(&err);
    struct ml_study *b = a ? parse(path, text, alone, 3, &err) : NULL;
    struct ml_study *c = a || is_sample ? parse(path, text, fixed, is_sample ? 3 : 2, &err) : NULL;
    if (a && b) {
        double *x = first_values(a), *y = first_values(b);
        CHECK(are_equal(x, y, a->ensemble.numbers.n));
        struct ml_study *again = parse(path, b->resolved, NULL, 0, &err);
        double *z = again ? first_values(again) : NULL;
        CHECK(again && strcmp(again->resolved, b->resolved) == 0);
        for (int j = 0; z && j < a->ensemble.numbers.n; j++)
            CHECK(are_equal(&y[j], &z[j], 1) ||
                  is_size_of(study->spec.numbers.names[j], a, b->spec.numbers.base));
        free(z);
        ml_study_free(again);
        free(x);
        free(y);
    } else if (a) {
        fprintf(stderr, "%s", err.text ? err.text : "");
        CHECK(!"a number that can be swept can be set");
    }
    if (c) {
        CHECK(c->spec.numbers.base[i] == v);
        /* a design has fewer runs without one of its inputs, a sample one run without its last */
        CHECK((is_sample &&
               (!c->spec.runs.sample || study->spec.runs.sample->design != ML_DESIGN_POINTS)) ||
              c->ensemble.n_run * count_along(study, i) == study->ensemble.n_run);
    } else if (a) {
        CHECK(!"and in a study that sweeps");
    }
    ml_error_clear(&err);
    const bool can_be_set = a && b && c;
    ml_study_free(a);
    ml_study_free(b);
    ml_study_free(c);
    return can_be_set || is_sample;
}

static void every_number_of_the_shipped_studies_can_be_set(void)
{
    glob_t files = {0};
    int n_set = 0;
    CHECK(glob(ML_SOURCE_DIR "/studies/*.yaml", 0, NULL, &files) == 0);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        const char *const quick[] = {"analyse={}", "sample.count=16"};
        struct ml_study *study = NULL;
        struct ml_error err = {0};
        FILE *file = fopen(files.gl_pathv[f], "rb");
        size_t length = file ? fread(text, 1, LONGEST - 1, file) : 0;
        text[length] = '\0';
        if (file)
            (void)fclose(file);
        leave_out("\nshow:"); /* of indicators that are not measured here */
        leave_out("\ntune:");
        study = parse(files.gl_pathv[f], text, quick, strstr(text, "\nsample:") ? 2 : 1, &err);
        CHECK(study != NULL);
        double *values = study ? first_values(study) : NULL;
        for (int i = 0; study && i < study->ensemble.numbers.n; i++) {
            CHECK_CASE("%s %s", strrchr(files.gl_pathv[f], '/') + 1, study->spec.numbers.names[i]);
            n_set += number_is_set(study, files.gl_pathv[f], i, values[i]);
        }
        free(values);
        ml_error_clear(&err);
        ml_study_free(study);
    }
    CHECK(n_set >= 300);
    globfree(&files);
}

static const char plain[] = "manylink: 1\n"
                            "system:\n"
                            "  type: chain\n"
                            "  segments:\n"
                            "    - {name: a, length: 1, mass: 1}\n"
                            "    - {name: b, length: 1, mass: 1}\n"
                            "forces:\n"
                            "  - {name: p, type: damper, joint: a, coefficient: 2}\n"
                            "  - {name: q, type: damper, joint: b, coefficient: 3}\n"
                            "time: {step: 0.01, end: 0.1}\n";

/* What is left of a study, and the notice that says so. */
static void options_fix_axes(void)
{
    static const char grid[] =
        "sweep:\n"
        "  - {set: initial.angle.a, from: 0, to: 1, count: 8}\n"
        "  - {name: both, set: [initial.angle.b, initial.rate.b], values: [[1, 2], [3, 4]]}\n"
        "  - {name: grip, set: [forces.p.coefficient, forces.q.coefficient],\n"
        "     scale_by: {from: 1, to: 3, count: 3}}\n";
    static const char sample[] = "sample:\n"
                                 "  method: sobol\n"
                                 "  count: 16\n"
                                 "  over:\n"
                                 "    - {set: initial.angle.a, from: 0, to: 1}\n"
                                 "    - {set: initial.angle.b, from: 0, to: 2}\n";
    static const struct {
        const char *more, *set[3];
        int64_t n_run;
        const char *notices[3];
    } cases[] = {
        {grid,
         {"initial.angle.a=0.5"},
         6,
         {"--set initial.angle.a=0.5: note: fixes this axis of the sweep: 6 runs instead of 48"}},
        {grid,
         {"initial.angle.b=0.5"},
         48,
         {"--set initial.angle.b=0.5: note: removes this key from axis `both`: it has this value "
          "in all 48 runs, and the other keys of the axis move as before"}},
        {grid,
         {"initial.angle.b=0.5", "initial.rate.b=1", "initial.angle.a=2"},
         3,
         {"--set initial.angle.b=0.5: note: removes this key from axis `both`: it has this value "
          "in all 48 runs, and the other keys of the axis move as before",
          "--set initial.rate.b=1: note: fixes this axis of the sweep: 24 runs instead of 48",
          "--set initial.angle.a=2: note: fixes this axis of the sweep: 3 runs instead of 24"}},
        {grid,
         {"initial.angle=0.5"},
         48,
         {"--set initial.angle=0.5: note: `initial.angle.a` is still swept; set that key to fix "
          "it"}},
        {sample,
         {"initial.angle.a=0.5"},
         16,
         {"--set initial.angle.a=0.5: note: removes this key from the sample: it has this value in "
          "all 16 runs, and the other ranges are drawn without it"}},
        {sample,
         {"initial.angle.a=0.5", "initial.angle.b=2"},
         1,
         {"--set initial.angle.a=0.5: note: removes this key from the sample: it has this value in "
          "all 16 runs, and the other ranges are drawn without it",
          "--set initial.angle.b=2: note: fixes the last key of the sample: 1 run instead of 16"}},
        {grid,
         {"initial.angle.a=0.5", "initial.angle.a=0.7"},
         6,
         {"--set initial.angle.a=0.7: note: fixes this axis of the sweep: 6 runs instead of 48"}},
        {grid, {"sweep.0.count=4"}, 24, {NULL}},
        {grid, {"sweep[0].count=4"}, 24, {NULL}},
        {grid, {"sweep[0].values=[2.64]"}, 6, {NULL}},
        {grid, {"sweep[]={set: initial.rate.a, values: [1, 2]}"}, 96, {NULL}},
        {grid, {"sweep.0={set: initial.angle.a, values: [1, 2]}"}, 12, {NULL}},
        {grid, {"sweep.both.values=[[1, 2]]"}, 24, {NULL}},
        {grid, {"sweep.initial.angle.a.count=2"}, 12, {NULL}},
        {grid, {"sweep.0.values=[2.64]"}, 6, {NULL}},
        {grid,
         {"sweep.grip.scale_by.count=1"},
         16,
         {"--set sweep.grip.scale_by.count=1: note: "
          "count is 1, so `to` is not reached: the only "
          "value is `from`"}},
        {sample, {"sample.over.initial.angle.b.to=3"}, 16, {NULL}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char whole[2048];
        int n = 0;
        struct ml_error err = {0};
        while (n < 3 && cases[k].set[n])
            n++;
        CHECK_CASE("%d: %s", (int)k, cases[k].set[0]);
        (void)snprintf(whole, sizeof whole, "%s%s", plain, cases[k].more);
        struct ml_study *study = parse("test", whole, cases[k].set, n, &err);
        CHECK(study && study->ensemble.n_run == cases[k].n_run);
        for (int i = 0; study && i < 3; i++) {
            const char *got = ml_study_notice(study, i), *want = cases[k].notices[i];
            CHECK(!got == !want && (!got || strcmp(got, want) == 0));
            if (got && (!want || strcmp(got, want) != 0))
                fprintf(stderr, "%s\n", got);
        }
        struct ml_study *again = study ? parse("test", study->resolved, NULL, 0, &err) : NULL;
        CHECK(again && strcmp(again->resolved, study->resolved) == 0);
        if (err.text)
            fprintf(stderr, "%s", err.text);
        ml_error_clear(&err);
        ml_study_free(again);
        ml_study_free(study);
    }
}

/* Two of three ranges share a random number; without the first, they are drawn as the first are in
 * a study that never had it. */
static void a_fixed_range_leaves_a_sample_as_if_not_written(void)
{
    static const char with[] =
        "sample: {method: sobol, count: 8, over: ["
        "{set: initial.angle.a, from: 0, to: 1},"
        "{set: [forces.p.coefficient, forces.q.coefficient], from: 1, to: 3},"
        "{set: initial.rate.a, from: 2, to: 5}]}\n";
    static const char without[] =
        "sample: {method: sobol, count: 8, over: ["
        "{set: [forces.p.coefficient, forces.q.coefficient], from: 1, to: 3},"
        "{set: initial.rate.a, from: 2, to: 5}]}\n";
    static const char *const set[] = {"initial.angle.a=0.5"};
    char whole[2][2048];
    struct ml_error err = {0};
    (void)snprintf(whole[0], sizeof whole[0], "%s%s", plain, with);
    (void)snprintf(whole[1], sizeof whole[1], "%s%s", plain, without);
    struct ml_study *a = parse("test", whole[0], set, 1, &err);
    struct ml_study *b = parse("test", whole[1], set, 1, &err);
    CHECK(a && b && strcmp(a->resolved, b->resolved) == 0);
    for (int64_t run = 0; a && b && run < 8; run++) {
        double x[MOST], y[MOST];
        ml_study_swept(&a->spec, run, x);
        ml_study_swept(&b->spec, run, y);
        CHECK(are_equal(x, y, 3) && x[0] == x[1] && x[0] >= 1.0 && x[2] >= 2.0);
    }
    ml_error_clear(&err);
    ml_study_free(a);
    ml_study_free(b);
}

int main(void)
{
    every_number_of_the_shipped_studies_can_be_set();
    options_fix_axes();
    a_fixed_range_leaves_a_sample_as_if_not_written();
    return check_done();
}
