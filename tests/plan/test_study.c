#include "config/schema/values.h"
#include "plan/study.h"

#include <string.h>

#include "check.h"
#include "study.h"

static const char good[] =
    "manylink: 1\n"
    "title: \"chain \\\"of two\\\" \\\\ \\u263A \\u0085 \\n\"\n"
    "system:\n"
    "  type: chain\n"
    "  gravity: [0.5, -9.81]\n"
    "  segments:\n"
    "    - {name: upper, length: 1.0, mass: 1.0}\n"
    "    - {length: 0.5, mass: 1.0, com: 0.25}\n"
    "forces:\n"
    "  - {name: brace, type: torque, joint: 2, value: 2*pi}\n"
    "  - {type: damper, joint: upper, coefficient: 0.1}\n"
    "initial:\n"
    "  angle: {upper: pi/10}\n"
    "  rate: [6.283185, -6*pi]\n"
    "  energy: 60\n"
    "time: {step: 1e-3, end: 20}\n"
    "sweep:\n"
    "  - {set: initial.angle.upper, from: -3, to: 3, count: 7}\n"
    "  - {set: forces.2.coefficient, from: 1, to: 100, count: 3, scale: log}\n"
    "  - {name: pair, set: [forces.brace.value, initial.rate.2], values: [[10, 1], [30, 1/3]]}\n"
    "save:\n"
    "  trajectory: {every: 10, quantities: [rate, angle], runs: {first: 16}}\n";

static const char plain[] = "manylink: 1\n"
                            "system: {type: chain, segments: [{name: a, length: 1, mass: 1}, "
                            "{name: b, length: 2, mass: 3}]}\n"
                            "initial: {angle: [1, 2]}\n"
                            "time: {step: 0.1, end: 1}\n";

/* NULL after showing why. */
static struct ml_study *read_text(const char *text, const char *const *overrides, int n)
{
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    if (ml_study_load(STUDY_TEXT("test", text, STUDY_SET(overrides, n)), &study, &err) != ML_OK)
        fprintf(stderr, "%s", err.text);
    ml_error_clear(&err);
    return study;
}

/* `plain` and one more line. */
static struct ml_study *read_more(const char *more)
{
    char text[4096];
    (void)snprintf(text, sizeof text, "%s%s\n", plain, more);
    return read_text(text, NULL, 0);
}

static void resolved_text_reads_as_itself(void)
{
    static const char *const more[] = {
        "",
        "solver: lapacke",
        "integrator: euler",
        "sample: {method: sobol, count: 100, seed: 0, over: [{set: system.gravity, from: 1, to: "
        "2}]}",
        "sample: {method: random, count: 9007199254740992, over: [{set: initial.angle.a, from: 1, "
        "to: 1e3, scale: log}, {set: system.segments.b.com, from: 0.1, to: 1/3}]}",
        "sweep: [{set: system.gravity.x, from: 0, to: 1, count: 1}]",
        "sweep: [{set: [system.segments.a.inertia], values: [[1], [2]]}]",
        "sample: {method: sobol, count: 50, over: [{set: initial.energy, from: -1, to: 5}]}",
        "motion: {type: minimum_jerk, start: {angle: 0.1}, end: {angle: [1/3, pi]}, duration: 0.7}",
        "motion: {type: hand_path, start: [0.1, 1/3], end: [1, 0], duration: 2, onset: -1, elbow: "
        "negative}",
        "forces: [{type: pid, joint: a, target: {type: ramp, from: 1/3, to: pi, duration: 2}, kp: "
        "1}, {type: torque, joint: b, value: {type: sine, amplitude: 3, frequency: 0.1}}]",
        "forces: [{type: pid, joint: a, target: 1, kp: 1}]\nanalyse: {effort: {}}",
        "save: {trajectory: {}}",
        "analyse: {lyapunov: {}, fli: {}}",
        "analyse: {lyapunov: {}, fli: {renormalise: 0.2}}\nderived: {renormalise: 0.1}",
        "save: {trajectory: {runs: {every: 3, first: 10}}}",
        "title: \"\\e[31m\\uFEFF \\U0001F600\"",
    };
    for (size_t i = 0; i <= sizeof more / sizeof *more; i++) {
        CHECK_CASE("%s", i == 0 ? "good" : more[i - 1]);
        struct ml_study *first = i == 0 ? read_text(good, NULL, 0) : read_more(more[i - 1]);
        CHECK(first != NULL);
        if (!first)
            continue;
        struct ml_study *again = read_text(ml_study_resolved(first), NULL, 0);
        CHECK(again && strcmp(ml_study_resolved(first), ml_study_resolved(again)) == 0);
        CHECK(again && ml_study_runs(first) == ml_study_runs(again));
        CHECK(again && strcmp(ml_study_title(first), ml_study_title(again)) == 0);
        for (int64_t run = 0; again && run < ml_study_runs(first) && run < 50; run++) {
            double a[64], b[64];
            first->ensemble.numbers.values(first->ensemble.numbers.context, run, a);
            again->ensemble.numbers.values(again->ensemble.numbers.context, run, b);
            CHECK(memcmp(a, b, (size_t)first->ensemble.numbers.n * sizeof *a) == 0);
        }
        ml_study_free(first);
        ml_study_free(again);
    }
}

/* What is derived stands apart in the text, and is taken from there as it is. */
static void what_is_derived_is_told_apart(void)
{
    static const char *const own[] = {"derived.renormalise=0.05"};
    static const char *const given[] = {"analyse.fli.renormalise=0.2"};
    static const char text[] = "manylink: 1\n"
                               "system: {type: lorenz}\n"
                               "initial: {x: 1}\n"
                               "time: {step: 0.01, end: 100}\n"
                               "analyse: {lyapunov: {}, fli: {}}\n";
    struct ml_study *study = read_text(text, NULL, 0), *other = read_text(text, own, 1);
    struct ml_study *said = read_text(text, given, 1);
    const int64_t every = study ? study->ensemble.indicators.renormalise_every : 0;
    CHECK(every > 1 && every != 5 && study->derived.growth > 0.0);
    CHECK(study->derived.is_renormalise_derived && every > 0);
    CHECK(strstr(study->resolved, "    transient: 0\n  fli: {}\n"));
    CHECK(strstr(study->filled, "  lyapunov:\n    renormalise: ") &&
          !strstr(study->filled, "derived"));
    CHECK(other && other->ensemble.indicators.renormalise_every == 5 &&
          !other->derived.growth_is_given);
    CHECK(other && strstr(other->resolved, "derived:\n  renormalise: 0.05 "));
    CHECK(said && said->ensemble.indicators.renormalise_every == 20 &&
          !said->derived.is_renormalise_derived);
    CHECK(said && strstr(said->resolved, "    transient: 0\n  fli:\n    renormalise: 0.2\n"));
    CHECK(said && !strstr(said->resolved, "derived"));
    ml_study_free(said);
    ml_study_free(other);
    ml_study_free(study);
}

static void a_study_is_what_it_says(void)
{
    struct ml_study *study = read_text(good, NULL, 0);
    CHECK(study != NULL);
    if (!study)
        return;
    const struct ml_ensemble *e = &study->ensemble;
    CHECK(e->model.n == 2 && e->n_force == 2 && e->time.n_step == 20000 && e->n_run == 42);
    CHECK(e->numbers.n == 6 + 2 * 4 + 4 + ML_SIGNAL_ROWS + 3 + 1); /* 3: limits of the torque */
    CHECK(strcmp(study->spec.segment_names[0], "upper") == 0);
    CHECK(strcmp(study->spec.segment_names[1], "2") == 0);
    CHECK(study->spec.numbers.base[1] == 0.5 &&
          study->spec.numbers.base[2] == -9.81); /* gravity.x, .y */
    CHECK(study->spec.numbers.base[3] == 60.0);  /* initial.energy */
    CHECK(study->spec.numbers.base[6] == 1.0 && isnan(study->spec.numbers.base[8]) &&
          study->spec.numbers.base[12] == 0.25);
    CHECK(e->forces[0].joint == 1 && e->forces[1].joint == 0);
    CHECK(strcmp(e->forces[1].name, "2") == 0);
    CHECK(study->spec.numbers.base[e->forces[0].slot] == 2.0 * 3.14159265358979323846);
    CHECK(study->spec.numbers.base[e->forces[1].slot] == 0.1);
    CHECK(e->model.has_joint_terms && e->model.solver == ML_SOLVER_interleaved);
    CHECK(e->saving.every == 10 && e->saving.run_first == 16 && e->saving.run_every == 1);
    CHECK(e->saving.n_record == 2 && e->saving.records[1] == 1); /* angle, rate */
    CHECK(e->indicators.observe_every == 5 && e->block_runs % ML_LANES == 0);
    CHECK(strcmp(study->spec.title, "chain \"of two\" \\ \xE2\x98\xBA \xC2\x85 \n") == 0);
    ml_study_free(study);
}

/* Text of a study of a system without segments. */
static const char numbers[] = "manylink: 1\n"
                              "system: {type: lorenz, rho: 20}\n"
                              "initial: {x: 1, y: -pi}\n"
                              "time: {step: 0.01, end: 10}\n"
                              "sweep: [{set: system.beta, from: 0, to: 3, count: 4},\n"
                              "        {set: initial.z, values: [1, 2]}]\n"
                              "save: {trajectory: {every: 10}}\n";

static void a_system_needs_no_segments(void)
{
    static const char *const overrides[] = {"system.sigma=16", "initial.x=2"};
    double values[8];
    CHECK_CASE("lorenz");
    struct ml_study *study = read_text(numbers, overrides, 2);
    CHECK(study != NULL);
    if (!study)
        return;
    const struct ml_ensemble *e = &study->ensemble;
    CHECK(e->n_run == 8 && e->numbers.n == 6 && !study->spec.segment_names && e->n_force == 0);
    CHECK(e->saving.n_record == 3 && e->saving.records[2] == 2 &&
          e->model.solver == 0); /* x, y, z */
    e->numbers.values(e->numbers.context, 3, values);
    CHECK(values[0] == 16.0 && values[1] == 20.0 && values[2] == 1.0);
    CHECK(values[3] == 2.0 && values[4] == -3.14159265358979323846 && values[5] == 2.0);
    CHECK(!strstr(study->resolved, "solver") && !strstr(study->resolved, "segments"));
    struct ml_study *again = read_text(study->resolved, NULL, 0);
    CHECK(again && strcmp(study->resolved, again->resolved) == 0);
    ml_study_free(again);
    ml_study_free(study);
}

static void words_choose(void)
{
    struct ml_study *study = read_more("solver: lapacke\nintegrator: euler");
    CHECK(study && study->ensemble.model.solver == ML_SOLVER_lapacke);
    CHECK(study && strcmp(study->ensemble.method->name, "euler") == 0);
    ml_study_free(study);
}

/* The first axis varies slowest; both ends are exact. */
static void a_grid_is_counted_like_digits(void)
{
    struct ml_study *study = read_text(good, NULL, 0);
    double values[64], swept[4];
    CHECK(study != NULL);
    if (!study)
        return;
    for (int64_t run = 0; run < 42; run++) {
        int i = (int)(run / 6), j = (int)(run / 2 % 3), k = (int)(run % 2);
        const double decades[] = {1.0, 10.0, 100.0};
        CHECK_CASE("run %d", (int)run);
        study->ensemble.numbers.values(study->ensemble.numbers.context, run, values);
        ml_study_swept(&study->spec, run, swept);
        CHECK(swept[0] == -3.0 + i && swept[1] == decades[j]);
        CHECK(swept[2] == (k ? 30.0 : 10.0) && swept[3] == (k ? 1.0 / 3.0 : 1.0));
        CHECK(values[6 + 8] == swept[0] && values[18] == swept[2] && values[17] == swept[3]);
        CHECK(values[18 + ML_SIGNAL_ROWS + 3] == swept[1] && values[15] == 0.0 &&
              values[16] == 6.283185);
    }
    ml_study_free(study);
}

static void a_sample_lies_in_its_ranges(void)
{
    static const char *const methods[] = {"random", "latin_hypercube", "sobol"};
    for (int i = 0; i < 3; i++) {
        char more[256];
        (void)snprintf(more, sizeof more,
                       "sample: {method: %s, count: 1000, over: [{set: initial.angle.a, from: -2, "
                       "to: 3}, {set: initial.angle.b, from: -8, to: -1, scale: log}]}",
                       methods[i]);
        CHECK_CASE("%s", methods[i]);
        struct ml_study *study = read_more(more);
        CHECK(study && ml_study_runs(study) == 1000);
        for (int64_t run = 0; study && run < 1000; run++) {
            double swept[2], values[64];
            ml_study_swept(&study->spec, run, swept);
            study->ensemble.numbers.values(study->ensemble.numbers.context, run, values);
            CHECK(swept[0] >= -2.0 && swept[0] < 3.0 && swept[1] >= -8.0 && swept[1] < -1.0);
            CHECK(values[14] == swept[0] && values[15] == swept[1]);
        }
        ml_study_free(study);
    }
}

static void overrides_change_keys(void)
{
    static const char *const overrides[] = {
        "system.segments.a.mass=2.5",
        "system.segments.b.com=0.75",
        "system.gravity=[1, 2]",
        "system.gravity.y=3",
        "initial.angle.b=pi",
        "initial.rate=7",
        "initial.energy=-5",
        "time.end=2",
        "analyse.every=4",
        "forces=[{name: brace, type: torque, joint: b, value: 1}]",
        "forces.brace.value=9",
        "sweep=[{set: initial.angle.a, from: 0, to: 1, count: 11}]",
        "sweep.0.count=5",
        "save.trajectory.every=2",
        "title=other",
    };
    struct ml_study *study = read_text(plain, overrides, sizeof overrides / sizeof *overrides);
    CHECK(study != NULL);
    if (!study)
        return;
    const struct ml_ensemble *e = &study->ensemble;
    CHECK(study->spec.numbers.base[7] == 2.5 && study->spec.numbers.base[12] == 0.75 &&
          study->spec.numbers.base[3] == -5.0);
    CHECK(study->spec.numbers.base[1] == 1.0 && study->spec.numbers.base[2] == 3.0);
    CHECK(study->spec.numbers.base[15] == 3.14159265358979323846 &&
          study->spec.numbers.base[17] == 7.0);
    CHECK(e->time.n_step == 20 && e->indicators.observe_every == 4 && e->n_run == 5 &&
          e->saving.every == 2);
    CHECK(e->n_force == 1 && study->spec.numbers.base[18] == 9.0);
    CHECK(strcmp(study->spec.title, "other") == 0);
    CHECK(strcmp(study->spec.definition, plain) == 0);
    ml_study_free(study);
}

static void bad_overrides_are_named(void)
{
    static const char *const cases[][2] = {
        {"time.step", "--set time.step: an override must be path=value\n"},
        {"=3", "--set =3: an override must be path=value\n"},
        {"time..step=1", "--set time..step=1: the path has an empty name\n"},
        {"system.segments.a.mass=-1",
         "--set system.segments.a.mass=-1: mass is -1 but must be > 0 and <= 1e+09 kg\n"},
        {"system.segments.c.mass=1",
         "--set system.segments.c.mass=1: system.segments has nothing named `c`; the nearest is "
         "`a`\n"},
        {"systm.gravity=1", "--set systm.gravity=1: unknown key `systm`; did you mean `system`?\n"},
        {"time.stop=1", "--set time.stop=1: unknown key `stop`; did you mean `step`?\n"},
        {"time.step=", "--set time.step=: step must be a number, not nothing\n"},
        {"time.step=[1", "--set time.step=[1: not valid YAML: did not find expected ',' or ']' "
                         "while parsing a flow sequence that begins in line 1, column 1\n"},
        {"time.step.x=1",
         "--set time.step.x=1: time.step is a single value and has no key `x`; set it as a "
         "whole\n"},
        {"time.step=0.3",
         "--set time.step=0.3: step does not divide the time from start to end; these do: 0.25 (4 "
         "steps), 0.5 (2 steps); or end at 0.9; or give `steps: 3` instead\n"},
        {"initial.angle.c=1",
         "--set initial.angle.c=1: initial.angle has nothing named `c`; the nearest is `a`\n"},
        {"sweep=[{set: time.tick, values: [1]}]",
         "--set sweep=[{set: time.tick, values: [1]}]: `time.tick` must be the same in all "
         "runs; sweep numbers of system, its segments, forces, initial, motion and "
         "inverse, `time.step` and `time.end`\n"},
        {"sweep=[{set: initial.angle.a, values: [1]}, {set: initial.angle.a, values: [2]}]",
         "--set sweep=[{set: initial.angle.a, values: [1]}, {set: initial.angle.a, values: [2]}]: "
         "`initial.angle.a` is already swept, in --set sweep=[{set: initial.angle.a, values: [1]}, "
         "{set: initial.angle.a, values: [2]}]\n"},
        {"title=*x", "--set title=*x: an alias (*name) is not allowed; write the value out\n"},
        {"time.\x1b\xff.x=1",
         "--set time.??.x=1: unknown key ` ?`; the keys here are: start, step, tick, end, steps\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ml_study *study = NULL;
        struct ml_error err = {0};
        CHECK_CASE("%s", cases[i][0]);
        CHECK(ml_study_load(STUDY_TEXT("test", plain, STUDY_SET(&cases[i][0], 1)), &study, &err) ==
              ML_E_INPUT);
        CHECK(err.text && strcmp(err.text, cases[i][1]) == 0);
        if (err.text && strcmp(err.text, cases[i][1]) != 0)
            fprintf(stderr, "%s", err.text);
        ml_error_clear(&err);
        ml_study_free(study);
    }
}

/* Cut anywhere, a file is refused or read, and nothing is lost either way. */
static void truncated_text_is_safe(void)
{
    for (size_t length = 0; length < sizeof good; length++) {
        struct ml_study *study = NULL;
        struct ml_error err = {0};
        char *text = malloc(length + 1); /* exact, so that a sanitizer sees reads past the end */
        if (!text)
            return;
        memcpy(text, good, length);
        text[length] = '\0'; /* where an empty text ends */
        char *exact = realloc(text, length ? length : 1);
        CHECK_CASE("%d bytes", (int)length);
        enum ml_status status =
            ml_study_load(STUDY_TEXT("cut", exact ? exact : text, .length = length), &study, &err);
        CHECK((status == ML_OK) == (study != NULL) && (status == ML_OK) == (err.count == 0));
        free(exact ? exact : text);
        ml_error_clear(&err);
        ml_study_free(study);
    }
}

static void problems_beyond_a_hundred_are_counted(void)
{
    enum { N = 5000 };
    static char text[N * 16];
    size_t used = 0;
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    for (int i = 0; i < N; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "key%d: 1\n", i);
    CHECK(ml_study_load(STUDY_TEXT("many", text, .length = used), &study, &err) == ML_E_INPUT);
    CHECK(err.count == N + 3); /* manylink, system and time are missing */
    CHECK(err.text && strstr(err.text, "many: and 4903 more problems\n"));
    ml_error_clear(&err);
}

static void missing_files_are_told(void)
{
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    CHECK(ml_study_load(STUDY_FILE("/nowhere/study.yaml"), &study, &err) == ML_E_INPUT);
    CHECK(err.text && strcmp(err.text, "/nowhere/study.yaml: No such file or directory\n") == 0);
    ml_error_clear(&err);
    CHECK(ml_study_load(STUDY_FILE("/"), &study, &err) == ML_E_INPUT && !study);
    ml_error_clear(&err);
}

static void long_chains_are_read(void)
{
    struct ml_study *study = read_text(
        "manylink: 1\nsystem: {type: chain, segments: {repeat: 4096, length: 1, mass: 1}}\n"
        "time: {step: 1, end: 2}\nsweep: [{set: system.segments.4096.mass, values: [2]}]\n",
        NULL, 0);
    CHECK(study && study->ensemble.model.n == 4096);
    CHECK(study && strcmp(study->spec.segment_names[4095], "4096") == 0);
    CHECK(study && study->spec.runs.axes->swept->slot == 6 + 4095 * 4 + 1);
    ml_study_free(study);
}

/* An axis of one key by its name; and a step in which a tangent vector vanishes. */
static void a_resolved_analysis_reads_as_itself(void)
{
    static const char *const texts[] = {
        "manylink: 1\nsystem: {type: lorenz}\ntime: {step: 0.01, end: 1}\n"
        "sweep: [{name: mine, set: system.rho, values: [28]}]\n"
        "analyse: {sensitivity: {to: [mine, initial.x]}}\n",
        "manylink: 1\nsystem: {type: duffing, delta: 100, alpha: 0, beta: 0, gamma: 0}\n"
        "integrator: euler\ntime: {step: 0.01, end: 20}\nanalyse: {lyapunov: {}}\n"};
    for (int i = 0; i < 2; i++) {
        struct ml_study *study = read_text(texts[i], NULL, 0);
        struct ml_study *again = study ? read_text(study->resolved, NULL, 0) : NULL;
        CHECK_CASE("analysis %d", i);
        CHECK(again && strcmp(study->resolved, again->resolved) == 0);
        ml_study_free(again);
        ml_study_free(study);
    }
}

int main(void)
{
    resolved_text_reads_as_itself();
    what_is_derived_is_told_apart();
    a_study_is_what_it_says();
    a_system_needs_no_segments();
    a_resolved_analysis_reads_as_itself();
    words_choose();
    a_grid_is_counted_like_digits();
    a_sample_lies_in_its_ranges();
    overrides_change_keys();
    bad_overrides_are_named();
    truncated_text_is_safe();
    problems_beyond_a_hundred_are_counted();
    missing_files_are_told();
    long_chains_are_read();
    return check_done();
}
