/* What a study says of itself: axes, keys, outputs, records and the state. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "manylink/study.h"
#include "study.h"

static struct ml_study *parse(const char *text)
{
    struct ml_study *study;
    struct ml_error err = {0};
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, &err) == ML_OK);
    (void)fputs(err.text ? err.text : "", stderr);
    ml_error_clear(&err);
    return study;
}

static void a_grid_has_its_axes(void)
{
    struct ml_study *s = parse(
        "manylink: 1\n"
        "system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 1, "
        "mass: 2}]}\n"
        "time: {step: 1e-2, end: 1}\n"
        "sweep:\n"
        "  - {set: initial.angle.a, from: 0, to: 2, count: 3}\n"
        "  - {name: heavier, scale_by: {values: [1, 10]}, set: [system.segments.a.mass, "
        "system.segments.b.mass]}\n"
        "  - {name: pair, set: [initial.rate.a, initial.rate.b], values: [[1, 2], [3, 5], [4, 4], "
        "[0, 1]]}\n"
        "save: {trajectory: {every: 10, quantities: [rate]}}\n");
    struct ml_study_axis axis = {.size = sizeof axis};
    struct ml_study_key key = {.size = sizeof key};
    struct ml_array_info info = {.size = sizeof info};
    double values[4], of_run[5];
    CHECK_CASE("grid");
    CHECK(ml_study_runs(s) == 24 && ml_study_sampling(s) == ML_STUDY_GRID);
    CHECK(ml_study_axis(s, 0, &axis) && strcmp(axis.name, "initial.angle.a") == 0);
    CHECK(axis.count == 3 && axis.n_key == 1 && axis.has_values && !axis.is_log);
    CHECK(strcmp(axis.unit, "rad") == 0 && *axis.description);
    ml_study_axis_values(s, 0, values);
    CHECK(values[0] == 0.0 && values[1] == 1.0 && values[2] == 2.0);
    CHECK(ml_study_axis(s, 1, &axis) && strcmp(axis.name, "heavier") == 0);
    CHECK(axis.n_key == 2 && axis.has_values && strcmp(axis.unit, "1") == 0);
    ml_study_axis_values(s, 1, values);
    CHECK(values[0] == 1.0 && values[1] == 10.0);
    CHECK(ml_study_axis(s, 2, &axis) && axis.count == 4 && !axis.has_values);
    ml_study_axis_values(s, 2, values);
    CHECK(values[0] == 0.0 && values[3] == 3.0);
    CHECK(!ml_study_axis(s, 3, &axis) && !ml_study_axis(s, -1, &axis));
    CHECK(ml_study_key(s, 2, &key) && strcmp(key.path, "system.segments.b.mass") == 0);
    CHECK(key.axis == 1 && key.low == 2.0 && key.high == 20.0 && strcmp(key.unit, "kg") == 0);
    CHECK(ml_study_key(s, 4, &key) && key.axis == 2 && !ml_study_key(s, 5, &key));
    ml_study_run_values(s, (1 * 2 + 1) * 4 + 2, of_run);
    CHECK(of_run[0] == 1.0 && of_run[1] == 10.0 && of_run[2] == 20.0);
    CHECK(of_run[3] == 4.0 && of_run[4] == 4.0);
    int n = 0, has_rate = 0;
    for (; ml_study_output(s, n, &info); n++)
        if (strcmp(info.name, "max_rate") == 0)
            has_rate = info.rank == 1 && info.shape[0] == 2 && strcmp(info.dim[0], "segment") == 0;
    CHECK(n >= 2 && has_rate);
    CHECK(ml_study_record(s, 0, &info) && strcmp(info.name, "rate") == 0);
    CHECK(info.rank == 2 && info.shape[1] == 11 && strcmp(info.dim[1], "time") == 0);
    CHECK(!ml_study_record(s, 1, &info));
    CHECK(ml_study_state(s, 1, &info) && strcmp(info.name, "rate") == 0 && info.shape[0] == 2);
    CHECK(strcmp(info.unit, "rad/s") == 0 && !ml_study_state(s, 2, &info));
    CHECK(strcmp(ml_study_segment(s, 1), "b") == 0 && !ml_study_segment(s, 2));
    ml_study_free(s);
}

static void a_sample_has_one_axis(void)
{
    struct ml_study *s =
        parse("manylink: 1\n"
              "system: {type: lorenz}\n"
              "time: {step: 1e-2, end: 1}\n"
              "sample: {method: random, count: 50, over: [{set: system.rho, from: 1, to: 30}, "
              "{set: initial.x, from: -1, to: 1}]}\n");
    struct ml_study_axis axis = {.size = sizeof axis};
    struct ml_study_key key = {.size = sizeof key};
    double values[2];
    CHECK_CASE("sample");
    CHECK(ml_study_sampling(s) == ML_STUDY_SAMPLE && ml_study_axis(s, 0, &axis));
    CHECK(strcmp(axis.name, "run") == 0 && axis.count == 50 && axis.n_key == 2);
    CHECK(!axis.has_values && !ml_study_axis(s, 1, &axis));
    CHECK(ml_study_key(s, 0, &key) && key.low == 1.0 && key.high == 30.0);
    for (int64_t run = 0; run < 50; run++) {
        ml_study_run_values(s, run, values);
        CHECK(values[0] >= 1.0 && values[0] <= 30.0 && fabs(values[1]) <= 1.0);
    }
    CHECK(!ml_study_segment(s, 0));
    ml_study_free(s);
}

static void what_viewers_show_first_is_known(void)
{
    struct ml_study *s = parse("manylink: 1\n"
                               "system: {type: lorenz}\n"
                               "time: {step: 1e-2, end: 1}\n"
                               "analyse: {lyapunov: {}}\n"
                               "sweep: [{set: system.rho, from: 1, to: 30, count: 3}, "
                               "{set: initial.x, from: -1, to: 1, count: 3}]\n");
    struct ml_array_info info = {.size = sizeof info};
    CHECK_CASE("shown");
    CHECK(ml_study_output(s, ml_study_shown(s), &info) && strcmp(info.name, "lyapunov_max") == 0);
    ml_study_free(s);
}

static void formulas_have_their_range(void)
{
    struct ml_study *s = parse("manylink: 1\n"
                               "define: {m: 2, l: 1}\n"
                               "system: {type: chain, segments: [{length: l, mass: m^2}]}\n"
                               "time: {step: 1e-2, end: 1}\n"
                               "sweep: [{set: define.m, values: [2, -3, 1]}]\n");
    struct ml_study_formula formula = {.size = sizeof formula};
    CHECK_CASE("formulas");
    CHECK(ml_study_formula(s, 0, &formula) && formula.low == 1.0 && formula.high == 1.0);
    CHECK(ml_study_formula(s, 1, &formula) && formula.low == 1.0 && formula.high == 9.0);
    CHECK(strcmp(formula.text, "m^2") == 0 && strstr(formula.path, ".mass"));
    CHECK(!ml_study_formula(s, 2, &formula) && !ml_study_formula(s, -1, &formula));
    ml_study_free(s);
}

/* Runs and values that are not there, and structs without a size. */
static void callers_mistakes_have_no_number(void)
{
    struct ml_study *s = parse("manylink: 1\n"
                               "system: {type: lorenz}\n"
                               "time: {step: 1e-2, end: 1}\n"
                               "sweep: [{set: system.rho, values: [20, 28, 30]}]\n");
    struct ml_study_axis axis = {.size = 0};
    struct ml_error err = {0};
    double value = 1.0;
    int64_t run;
    CHECK_CASE("mistakes");
    ml_study_run_values(s, 3, &value);
    CHECK(isnan(value));
    ml_study_run_values(s, 2, &value);
    CHECK(value == 30.0);
    CHECK(!ml_study_axis(s, 0, &axis));
    const struct ml_study_point point = {"system.rho", (double)NAN};
    CHECK(ml_study_find_run(s, &point, 1, &run, &err) == ML_E_INPUT);
    CHECK(err.text && strstr(err.text, "the value of `system.rho` is nan, not a finite number"));
    ml_error_clear(&err);
    ml_study_free(s);
}

int main(void)
{
    callers_mistakes_have_no_number();
    what_viewers_show_first_is_known();
    a_grid_has_its_axes();
    a_sample_has_one_axis();
    formulas_have_their_range();
    return check_done();
}
