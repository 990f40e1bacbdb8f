/* Studies built by calls are those of the file that says the same. */
#include "manylink/draft.h"

#include <string.h>

#include "check.h"
#include "study.h"

static const char file[] =
    "manylink: 1\n"
    "title: \"Built: by calls\"\n"
    "system:\n"
    "  type: chain\n"
    "  gravity: 1.62\n"
    "  segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 2.5}]\n"
    "initial: {angle: {upper: 0.1, lower: -3}}\n"
    "time: {step: 1e-3, end: 1}\n"
    "sweep:\n"
    "  - {set: system.segments.lower.mass, from: 1, to: 3, count: 5}\n"
    "  - {name: pair, set: [initial.rate.upper], values: [0, 0.1, "
    "0.30000000000000004]}\n"
    "save: {trajectory: {every: 100}}\n";

static struct ml_draft *make_draft(void)
{
    static const double values[] = {0.0, 0.1, 0.1 + 0.2};
    struct ml_draft *d;
    CHECK(ml_draft_new("draft", &d, NULL) == ML_OK);
    CHECK(ml_draft_set_text(d, "title", "Built: by calls", NULL) == ML_OK);
    CHECK(ml_draft_set(d, "system.type", "chain", NULL) == ML_OK);
    CHECK(ml_draft_set_number(d, "system.gravity", 9.81, NULL) == ML_OK);
    CHECK(ml_draft_set_number(d, "system.gravity", 1.62, NULL) == ML_OK);
    CHECK(ml_draft_set(d, "system.segments[]", "{name: upper, length: 1, mass: 1}", NULL) == ML_OK);
    CHECK(ml_draft_set_text(d, "system.segments[1].name", "lower", NULL) == ML_OK);
    CHECK(ml_draft_set_number(d, "system.segments[1].length", 0.5, NULL) == ML_OK);
    CHECK(ml_draft_set_number(d, "system.segments.lower.mass", 2.5, NULL) == ML_OK);
    CHECK(ml_draft_set(d, "initial.angle", "{upper: 0.1, lower: -3}", NULL) == ML_OK);
    CHECK(ml_draft_set(d, "time", "{step: 1e-3, end: 1}", NULL) == ML_OK);
    CHECK(ml_draft_set(d, "sweep[]", "{set: system.segments.lower.mass, from: 1, to: 3, count: 5}",
                       NULL) == ML_OK);
    CHECK(ml_draft_set_text(d, "sweep[1].name", "pair", NULL) == ML_OK);
    CHECK(ml_draft_set(d, "sweep[1].set[]", "initial.rate.upper", NULL) == ML_OK);
    CHECK(ml_draft_set_numbers(d, "sweep.pair.values", values, 3, NULL) == ML_OK);
    CHECK(ml_draft_set_number(d, "save.trajectory.every", 100, NULL) == ML_OK);
    return d;
}

static struct ml_study *parse(const char *text)
{
    struct ml_study *study;
    CHECK(ml_study_load(STUDY_TEXT("file", text), &study, NULL) == ML_OK);
    return study;
}

static void a_draft_is_the_study_of_the_file(void)
{
    struct ml_draft *draft = make_draft();
    struct ml_study *built, *written, *expected = parse(file);
    CHECK(ml_draft_read(draft, &built, NULL) == ML_OK);
    CHECK(strcmp(ml_study_resolved(built), ml_study_resolved(expected)) == 0);
    written = parse(ml_study_definition(built));
    CHECK(strcmp(ml_study_resolved(written), ml_study_resolved(expected)) == 0);
    CHECK(strcmp(ml_study_title(written), "Built: by calls") == 0);
    ml_study_free(built);
    CHECK(ml_draft_set_number(draft, "system.gravity", 9.81, NULL) == ML_OK);
    CHECK(ml_draft_read(draft, &built, NULL) == ML_OK);
    CHECK(strcmp(ml_study_resolved(built), ml_study_resolved(expected)) != 0);
    ml_study_free(built);
    ml_study_free(written);
    ml_study_free(expected);
    ml_draft_free(draft);
}

static void what_is_wrong_is_told_with_its_path(void)
{
    const struct {
        const char *path, *value, *told;
    } cases[] = {
        {"system.segments.lower.mass", "-1", "system.segments.lower.mass=-1: mass is -1"},
        {"system.segments.lover.mass", "1",
         "system.segments has nothing named `lover`; the nearest is `lower`"},
        {"system.segments[3].mass", "1", "the next is system.segments[2]"},
        {"system.gravity.moon", "1", "system.gravity is a single value and has no key `moon`"},
        {"system.gravity[0]", "1", "must be a list"},
        {"initial.angle[0]", "1", "`initial.angle` is a map there, and must be a list"},
        {"sweeep", "[]", "sweeep=[]: unknown key `sweeep`; did you mean `sweep`?"},
        {"time.step", "[1", "time.step=[1: "},
        {"time.step", "fast", "time.step=fast: step is `fast`"},
        {"time.end", "", "time.end=: "},
        {"manylink", "2", "manylink=2: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ml_error err = {0};
        struct ml_draft *draft = make_draft();
        struct ml_study *study;
        CHECK_CASE("%s=%s", cases[i].path, cases[i].value);
        CHECK(ml_draft_set(draft, cases[i].path, cases[i].value, &err) == ML_OK);
        CHECK(ml_draft_read(draft, &study, &err) == ML_E_INPUT && !study);
        CHECK(err.text && strstr(err.text, cases[i].told));
        if (!err.text || !strstr(err.text, cases[i].told))
            (void)fputs(err.text ? err.text : "", stderr);
        ml_error_clear(&err);
        ml_draft_free(draft);
    }
}

static void infinite_numbers_are_told(void)
{
    struct ml_error err = {0};
    struct ml_draft *draft = make_draft();
    struct ml_study *study;
    CHECK_CASE("not finite");
    CHECK(ml_draft_set_number(draft, "time.end", (double)INFINITY, &err) == ML_OK);
    CHECK(ml_draft_read(draft, &study, &err) == ML_E_INPUT);
    CHECK(err.text && strstr(err.text, "time.end=.inf: "));
    ml_error_clear(&err);
    ml_draft_free(draft);
}

static void an_empty_draft_lacks_everything(void)
{
    struct ml_error err = {0};
    struct ml_draft *draft;
    struct ml_study *study;
    CHECK_CASE("empty");
    CHECK(ml_draft_new(NULL, &draft, &err) == ML_OK);
    CHECK(ml_draft_read(draft, &study, &err) == ML_E_INPUT);
    CHECK(err.text && strstr(err.text, "study: key `system` is missing"));
    ml_error_clear(&err);
    ml_draft_free(draft);
}

static void what_is_no_path_is_refused(void)
{
    static const char *const bad[] = {"",     ".",     "a.",    ".a",  "a..b",      "a=b",
                                      "a[",   "a[b]",  "[0]",   "a b", "a[0]b",     "a[1",
                                      "a[]]", "a[-1]", "a.[0]", "a\n", "a[1234567]"};
    struct ml_draft *draft;
    CHECK(ml_draft_new(NULL, &draft, NULL) == ML_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ml_error err = {0};
        CHECK_CASE("path `%s`", bad[i]);
        CHECK(ml_draft_set_number(draft, bad[i], 1.0, &err) == ML_E_INPUT && err.count == 1);
        ml_error_clear(&err);
    }
    ml_draft_free(draft);
}

int main(void)
{
    a_draft_is_the_study_of_the_file();
    what_is_wrong_is_told_with_its_path();
    infinite_numbers_are_told();
    an_empty_draft_lacks_everything();
    what_is_no_path_is_refused();
    return check_done();
}
