/* Only the runs that a result has not are integrated when the result is extended. */
#include "manylink/extend.h"

#include <string.h>

#include "check.h"
#include "study.h"

static const char text[] =
    "manylink: 1\n"
    "system: {type: chain, segments: [{length: 1, mass: 1}, {length: 1, mass: 1}]}\n"
    "time: {step: 1e-2, end: 1}\n"
    "sample: {method: sobol, count: 100, over: [{set: initial.angle.1, from: 0, to: 3}]}\n";

enum { N_STEP = 100 };

/* Extends the result by overrides; returns the steps of all runs. */
static int64_t extend(const char *result, const char *output, const char *set, int64_t n_run,
                      int64_t n_taken)
{
    const char *const sets[] = {set};
    const struct ml_study_source source = {
        .size = sizeof source, .overrides = sets, .n_override = 1};
    const struct ml_run_options options = {
        .size = sizeof options, .output = output, .donor = result, .accuracy = -1};
    struct ml_run_report report = {.size = sizeof report};
    struct ml_study *study;
    CHECK(ml_extend_study(&source, result, &study, NULL) == ML_OK);
    CHECK(ml_study_runs(study) == n_run);
    CHECK(ml_run(study, &options, &report, NULL) == ML_OK);
    CHECK(report.runs == n_run && report.runs_taken == n_taken && report.sound == n_run);
    ml_study_free(study);
    return report.member_steps;
}

static void refuses(const struct ml_study *study)
{
    const struct ml_run_options options = {.size = sizeof options, .donor = "extend.h5"};
    const struct ml_study_source source = {.size = sizeof source};
    struct ml_result *result;
    struct ml_study *other;
    struct ml_error err = {0};
    CHECK(ml_run_memory(study, &options, &result, NULL, &err) == ML_E_INPUT);
    CHECK(strstr(err.text, "cannot take `donor`"));
    ml_error_clear(&err);
    CHECK(ml_extend_study(&source, "nothing.h5", &other, &err) == ML_E_INPUT && !other);
    ml_error_clear(&err);
}

int main(void)
{
    const struct ml_run_options options = {
        .size = sizeof options, .output = "extend.h5", .restart = 1, .accuracy = -1};
    struct ml_run_report report = {.size = sizeof report};
    struct ml_study *study;
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, NULL) == ML_OK);
    CHECK(ml_run(study, &options, &report, NULL) == ML_OK);
    CHECK(report.member_steps == 100 * N_STEP && report.runs_taken == 0);
    refuses(study);
    ml_study_free(study);
    CHECK(extend("extend.h5", "extend.h5", "sample.count=150", 150, 100) == 50 * N_STEP);
    CHECK(extend("extend.h5", "extend.h5", "sample.count=1000", 1000, 150) == 850 * N_STEP);
    CHECK(extend("extend.h5", "extend_less.h5", "sample.count=33", 33, 33) == 0);
    CHECK(extend("extend.h5", "extend.h5", "time.end=2", 1000, 1000) == 1000 * N_STEP);
    return check_done();
}
