/* Times that contradict each other: which are noticed, and which are refused because of where a run
 * may go on to. What a time alone makes wrong is in tests/bad_studies. */
#include <string.h>

#include "check.h"
#include "manylink/study.h"
#include "study.h"

static const char head[] = "manylink: 1\n"
                           "system: {type: chain, segments: [{name: a, length: 1, mass: 1}]}\n"
                           "initial: {angle: 1}\n"
                           "time: {start: 1, step: 0.01, end: 11}\n";

/* The text of a study with these lines more; "" if it has no notice. */
static void check_notice(const char *more, const char *want)
{
    char text[2048];
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    CHECK_CASE("%s", more);
    (void)snprintf(text, sizeof text, "%s%s\n", head, more);
    CHECK(ml_study_load(STUDY_TEXT("s", text), &study, &err) == ML_OK);
    const char *got = study ? ml_study_notice(study, 0) : err.text;
    CHECK(*want ? got && strstr(got, want) : !got);
    if (got && (!*want || !strstr(got, want)))
        fprintf(stderr, "%s\n", got);
    CHECK(!study || !ml_study_notice(study, *want ? 1 : 0));
    ml_error_clear(&err);
    ml_study_free(study);
}

static void contradicting_times_are_noticed(void)
{
    static const struct {
        const char *more, *want;
    } cases[] = {
        {"analyse: {every: 1000}", ""},
        {"analyse: {every: 1001}", "every is more than the 1000 steps of a run: only its start and "
                                   "its end are observed"},
        {"save: {trajectory: {every: 1000}}", ""},
        {"save: {trajectory: {every: 1001}}", "only its start is kept"},
        {"sweep: [{set: initial.angle.a, from: 0, to: 1, count: 4}]\n"
         "save: {trajectory: {runs: {every: 3}}}",
         ""},
        {"sweep: [{set: initial.angle.a, from: 0, to: 1, count: 4}]\n"
         "save: {trajectory: {runs: {every: 4}}}",
         "every is not less than the 4 runs: only run 0 is kept"},
        {"sweep: [{set: initial.angle.a, from: 0, to: 1, count: 1}]", "count is 1, so `to`"},
        {"sweep: [{set: initial.angle.a, from: 1, to: 1, count: 1}]", ""},
        {"forces: [{name: f, type: torque, joint: a, value: {type: pulse, amplitude: 1, onset: 11, "
         "duration: 1}}]",
         "`forces.f.value.onset` is 11 s but the run ends at 11 s: it never sets in"},
        {"forces: [{name: f, type: torque, joint: a, value: {type: pulse, amplitude: 1, onset: 0, "
         "duration: 1}}]",
         "`forces.f.value.onset` and the duration end at 1 s, before the run starts at 1 s"},
        {"forces: [{name: f, type: torque, joint: a, value: {type: pulse, amplitude: 1, onset: "
         "0.5, "
         "duration: 1}}]",
         ""},
        {"forces: [{name: f, type: torque, joint: a, value: {type: pulse, amplitude: 1, onset: 20, "
         "duration: 1}}]\nsweep: [{set: forces.f.value.onset, values: [2, 3]}]",
         ""},
        {"analyse: {lyapunov: {transient: 9.5, renormalise: 0.1}}", ""},
        {"analyse: {lyapunov: {transient: 20, renormalise: 0.1, until: {error: 1e-9, end: 41}}}",
         ""},
        {"analyse: {lyapunov: {renormalise: 0.5, history: 0.7}}",
         "history is taken as 0.5 s, a multiple of the 0.5 s between orthonormalisations"},
        {"analyse: {ftle: {renormalise: 0.5, window: 0.2}}", "window is taken as 0.5 s"},
        {"analyse: {ftle: {renormalise: 0.5, from: 1, window: 9}}", ""},
        {"motion: {type: minimum_jerk, start: {angle: 0}, end: {angle: 1}, onset: 1, duration: 10}",
         ""},
        {"motion: {type: minimum_jerk, start: {angle: 0}, end: {angle: 1}, onset: 2, duration: 10}",
         "the motion lasts from 2 to 12 s, but the result covers only 1 to 11 s"},
        {"motion: {type: minimum_jerk, start: {angle: 0}, end: {angle: 1}, onset: 11, duration: 1}",
         "the motion lasts from 11 to 12 s, outside of the time: 1 to 11 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_notice(cases[i].more, cases[i].want);
}

static void tables_cover_where_runs_may_go_on_to(void)
{
    static const char more[] = "forces: [{name: f, type: torque, joint: a, value: {type: table, "
                               "file: table_of_spans.csv}}]\n"
                               "analyse: {lyapunov: {until: {error: 1e-9, end: 31}}}\n";
    char text[2048];
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    FILE *file = fopen("table_of_spans.csv", "w");
    CHECK(file && fputs("time,value\n0,1\n11,2\n30,1\n", file) >= 0);
    if (file)
        (void)fclose(file);
    (void)snprintf(text, sizeof text, "%s%s", head, more);
    CHECK(ml_study_load(STUDY_TEXT("s", text), &study, &err) == ML_E_INPUT);
    CHECK(err.text &&
          strstr(err.text,
                 "the times of table_of_spans.csv end at 30 s but runs may last until 31 s"));
    (void)remove("table_of_spans.csv");
    ml_error_clear(&err);
    ml_study_free(study);
}

int main(void)
{
    contradicting_times_are_noticed();
    tables_cover_where_runs_may_go_on_to();
    return check_done();
}
