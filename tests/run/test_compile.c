/* A kernel is made once for a study that has none built in, and runs then find it. */
#include "manylink/compile.h"

#include <string.h>

#include "check.h"
#include "manylink/plan.h"
#include "manylink/version.h"
#include "study.h"

static const char text[] = "manylink: 1\n"
                           "system: {type: chain, segments: [{length: 1, mass: 1},\n"
                           "  {length: 1, mass: 1}, {length: 0.5, mass: 1}]}\n"
                           "forces: [{type: pid, joint: 2, target: 1, kp: 30, kd: 2}]\n"
                           "time: {step: 1e-3, end: 1}\n"
                           "sweep: [{set: initial.angle.1, from: 0.1, to: 3, count: 64}]\n";

int main(void)
{
    struct ml_study *study, *plain;
    struct ml_error err = {0};
    struct ml_compile_options options = {.size = sizeof options, .n_thread = 1};
    struct ml_compile_report report = {.size = sizeof report};
    const char *no_forces[] = {"forces=[]", "system.segments.2.length=2"};
    if (!ml_isa(1)) /* none is made for the baseline */
        return check_done();
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, NULL) == ML_OK);
    CHECK(ml_study_compile(study, &options, &report, &err) == ML_OK);
    CHECK(report.is_needed && report.path[0] == '/' && !report.reason[0]);
    CHECK(ml_study_compile(study, &options, &report, &err) == ML_OK);
    CHECK(report.is_needed && report.was_there && report.size == sizeof report);

    const struct ml_plan_options planning = {
        .size = sizeof planning, .n_thread = 1, .kernel = ML_KERNEL_ONLY_MADE};
    struct ml_plan plan = {.size = sizeof plan};
    CHECK(ml_study_plan(study, &planning, &plan, NULL) == ML_OK && plan.kernel.is_cached);

    CHECK(ml_study_load(STUDY_TEXT("text", text, STUDY_SET(no_forces, 2)), &plain, &err) == ML_OK);
    CHECK(ml_study_compile(plain, &options, &report, &err) == ML_OK);
    CHECK(!report.is_needed && report.reason[0] && !report.path[0]);
    options.no_native = 1;
    CHECK(ml_study_compile(study, &options, &report, &err) == ML_E_INPUT && err.text);
    ml_error_clear(&err);
    options.size = 5;
    CHECK(ml_study_compile(study, &options, &report, &err) == ML_E_INPUT);
    ml_error_clear(&err);
    const char *formulas[] = {
        "system={type: equations, state: {height: 2}, rates: {height: -3*height}}", "forces=[]",
        "sweep=[]"};
    CHECK(!ml_study_code(plain) && !ml_study_code(study));
    ml_study_free(plain);
    CHECK(ml_study_load(STUDY_TEXT("text", text, STUDY_SET(formulas, 3)), &plain, &err) == ML_OK);
    const char *code = plain ? ml_study_code(plain) : NULL;
    CHECK(code && strstr(code, "ml_splat(-0x1.8p+1)") && !strstr(code, "height"));
    ml_study_free(plain);
    ml_study_free(study);
    return check_done();
}
