/* A prepared study gives the numbers that a file has of the same study with --set, to the bit:
 * studies of many kinds, free numbers and those that a plan depends on. How often it is read; and
 * messages. */
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "manylink/prepared.h"
#include "study.h"

#define HEAD "manylink: 1\n"
#define ROD "system: {type: chain, segments: [{name: a, length: 1, mass: 1}]}\n"
#define RODS                                                                             \
    "system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: " \
    "0.5, mass: 1}]}\n"
#define SHORT "initial: {angle: {a: 1}}\ntime: {step: 1e-2, end: 1}\n"
#define PID(more) \
    "forces: [{name: hold, type: pid, joint: a, target: 0.5, kp: 30, ki: 3, kd: 2" more "}]\n"

/* A key, its values at two points, and how often the study is read in a call with both. */
static const struct study_case {
    const char *name, *text, *path;
    double values[2];
    int n_reading;
} cases[] = {
    {"one run", HEAD RODS SHORT, "system.segments.b.mass", {1.5, 2.25}, 0},
    {"start", HEAD RODS SHORT, "initial.angle.b", {-0.5, 2}, 0},
    {"derived number", HEAD RODS SHORT, "system.segments.b.inertia", {0.1, 0.2}, 2},
    {"end", HEAD RODS SHORT, "time.end", {0.5, 0.25}, 2},
    {"grid",
     HEAD RODS SHORT "sweep: [{set: initial.rate.a, from: 0, to: 3, count: 20}]\n",
     "system.gravity",
     {1.62, 3.7},
     0},
    {"swept key",
     HEAD RODS SHORT "sweep: [{set: initial.rate.a, from: 0, to: 3, count: 5}, {set: "
                     "initial.rate.b, from: 0, to: 1, count: 3}]\n",
     "initial.rate.b",
     {0.5, 0.25},
     2},
    {"factors",
     HEAD RODS SHORT "sweep: [{name: size, set: [system.segments.b.length], scale_by: {from: 1, "
                     "to: 2, count: 3}}]\n",
     "system.segments.b.length",
     {0.7, 0.8},
     2},
    {"sample",
     HEAD RODS SHORT "sample: {method: random, count: 40, seed: 3, over: [{set: initial.rate.a, "
                     "from: 0, to: 3}]}\n",
     "system.segments.a.length",
     {0.9, 1.1},
     0},
    {"shell",
     HEAD RODS "time: {step: 1e-2, end: 0.2}\n"
               "sample: {count: 20, seed: 3, energy_shell: 3, over: [{set: initial.angle.a, from: "
               "-3, to: 3}, {set: initial.angle.b, from: -3, to: 3}]}\n",
     "system.gravity",
     {8, 9},
     2},
    {"controller", HEAD ROD PID("") SHORT, "forces.hold.kp", {20, 40}, 0},
    {"number that was the default",
     HEAD ROD "forces: [{name: pull, type: spring, segment: a, at: 1, anchor: [1, 1], stiffness: "
              "30}]\n" SHORT,
     "forces.pull.rest_length",
     {0.5, 0.75},
     0},
    {"delay", HEAD ROD PID(", delay: 0.02") SHORT, "forces.hold.delay", {0.03, 0.015}, 2},
    {"gain beside a delay", HEAD ROD PID(", delay: 0.02") SHORT, "forces.hold.kd", {1, 3}, 0},
    {"noise",
     HEAD ROD PID(", sample_time: 0.02, angle_noise: 0.01, seed: 4") SHORT
     "sweep: [{set: initial.rate.a, from: 0, to: 3, count: 18}]\n",
     "forces.hold.seed",
     {5, 6},
     0},
    {"limit", HEAD ROD PID(", limit: 4") SHORT, "forces.hold.limit", {3, 2}, 0},
    {"signal",
     HEAD ROD "forces: [{name: push, type: torque, joint: a, value: {type: sine, amplitude: 1, "
              "frequency: 2}}]\n" SHORT,
     "forces.push.value.amplitude",
     {2, 3},
     0},
    {"event",
     HEAD RODS SHORT "events: [{name: low, when: angle.a, crosses: 0, max: 3, keep: [rate]}]\n",
     "events.low.crosses",
     {0.1, 0.2},
     0},
    {"strobe",
     HEAD RODS SHORT "events: [{name: beat, period: 0.2, max: 3, keep: [rate]}]\n",
     "events.beat.period",
     {0.3, 0.15},
     2},
    {"exponents", HEAD RODS SHORT "analyse: {lyapunov: {}}\n", "system.gravity", {4, 9}, 2},
    {"exponents by tolerance",
     HEAD RODS "initial: {angle: {a: 1}}\ntime: {tick: 0.1, end: 1}\n"
               "integrator: {type: dopri54, tolerance: 1e-6}\nanalyse: {lyapunov: {}}\n",
     "system.gravity",
     {4, 9},
     0},
    {"defined number",
     HEAD "define: {m: 1}\nsystem: {type: chain, segments: [{name: a, length: 1, mass: "
          "2*m}]}\n" SHORT,
     "define.m",
     {1.5, 2},
     2},
    {"formulas",
     HEAD "system: {type: equations, parameters: {k: 2}, state: {x: 1, v: 0}, rates: {x: v, v: "
          "-k*sin(x)}}\ntime: {step: 1e-2, end: 1}\n",
     "system.k",
     {3, 4},
     0},
    {"map",
     HEAD "system: {type: equations, kind: map, parameters: {a: 1.4, b: 0.3}, state: {x: 0.1, y: "
          "0.1}, next: {x: 1 - a*x^2 + y, y: b*x}}\ntime: {steps: 100}\n",
     "system.a",
     {1.1, 0.9},
     0},
    {"continued runs",
     HEAD "system: {type: duffing, alpha: 1, beta: 0.1, delta: 0.1, omega: 1.5}\n"
          "time: {step: 0.05, end: 5}\n"
          "sweep: [{set: system.delta, from: 0.05, to: 0.35, count: 3}, {set: system.gamma, from: "
          "0, to: 2.5, count: 7, continue: both}]\n",
     "system.omega",
     {1.4, 1.3},
     0},
    {"diverging",
     HEAD "system: {type: equations, parameters: {k: 1}, state: {x: 1}, rates: {x: "
          "k*x^2}}\ntime: {step: 1e-2, end: 2}\n",
     "system.k",
     {0.1, 30},
     0},
    {"motion", HEAD RODS SHORT "save: {trajectory: {every: 10}}\n", "system.gravity", {3, 5}, 0},
    {"motions of a grid",
     HEAD RODS SHORT "sweep: [{set: initial.rate.a, from: 0, to: 3, count: 20}]\n"
                     "save: {trajectory: {every: 10, runs: {every: 7}}}\n",
     "system.gravity",
     {3, 5},
     0},
};
enum { N_CASE = sizeof cases / sizeof *cases };

static void tell(struct ml_error *err)
{
    (void)fputs(err->text ? err->text : "", stderr);
    ml_error_clear(err);
}

/* Runs the study of a case with --set at its second point. */
static struct ml_result *run_to_file(const struct study_case *of)
{
    struct ml_error err = {0};
    struct ml_study *study = NULL;
    struct ml_result *result = NULL;
    char set[100];
    (void)snprintf(set, sizeof set, "%s=%.17g", of->path, of->values[1]);
    const char *const sets[] = {set};
    const struct ml_run_options options = {
        .size = sizeof options, .output = "file.h5", .restart = 1, .accuracy = -1};
    CHECK(ml_study_load(STUDY_TEXT("text", of->text, STUDY_SET(sets, 1)), &study, &err) == ML_OK);
    CHECK(study && ml_run(study, &options, NULL, &err) == ML_OK);
    CHECK(ml_result_open("file.h5", &result, &err) == ML_OK);
    ml_study_free(study);
    tell(&err);
    return result;
}

/* The last of two points has the numbers of a dataset. */
static void is_in_file(struct ml_result *result, const char *group, const char *name,
                       const double *both, size_t n)
{
    struct ml_error err = {0};
    double *found = calloc(n + 1, sizeof *found);
    char path[200];
    (void)snprintf(path, sizeof path, "%s/%s", group, name);
    CHECK(ml_result_read(result, path, NULL, NULL, found, n, &err) == ML_OK);
    CHECK(n > 0 && memcmp(both + n, found, n * sizeof *found) == 0);
    free(found);
    tell(&err);
}

static size_t numbers(const struct ml_array_info *info)
{
    size_t n = 1;
    for (int k = 0; k < info->rank; k++)
        n *= (size_t)info->shape[k];
    return n;
}

static void runs_are_in_file(const struct ml_prepared_runs *runs, struct ml_result *result)
{
    struct ml_error err = {0};
    struct ml_array_info info = {.size = sizeof info};
    const size_t n_run = (size_t)runs->n_run;
    int64_t *steps = calloc(n_run, sizeof *steps);
    for (int i = 0; i < runs->n_output; i++) {
        CHECK(ml_study_output(runs->study, i, &info));
        is_in_file(result, "summary", info.name, runs->outputs[i], n_run * numbers(&info));
    }
    for (int i = 0; i < runs->n_record; i++) {
        CHECK(ml_study_record(runs->study, i, &info));
        is_in_file(result, "trajectories", info.name, runs->records[i],
                   (size_t)runs->n_saved * numbers(&info));
    }
    is_in_file(result, "runs", "end_time", runs->end_time, n_run);
    CHECK(ml_result_read_int64(result, "runs/steps", NULL, NULL, steps, n_run, &err) == ML_OK);
    CHECK(memcmp(runs->steps + n_run, steps, n_run * sizeof *steps) == 0);
    free(steps);
    tell(&err);
}

static struct ml_prepared *prepare(const char *text)
{
    struct ml_error err = {0};
    struct ml_prepared *p = NULL;
    CHECK(ml_prepare(STUDY_TEXT("text", text), &p, &err) == ML_OK);
    tell(&err);
    return p;
}

static const struct ml_run_options plain = {.size = sizeof plain, .n_thread = 2};

/* Both points at once, where their results have the same shape; else the second by itself, twice in
 * the same array. */
static void points_have_the_bits_of_set(const struct study_case *of)
{
    struct ml_error err = {0};
    struct ml_prepared *p = prepare(of->text);
    struct ml_prepared_runs runs = {.size = sizeof runs};
    const struct ml_prepared_points points = {sizeof points, (const char *const[]){of->path}, 1,
                                              of->values, 2};
    CHECK_CASE("%s", of->name);
    struct ml_result *result = run_to_file(of);
    CHECK(ml_prepared_run(p, &points, &plain, &runs, &err) == ML_OK);
    CHECK(runs.n_point == 2);
    CHECK(ml_prepared_readings(p) == 1 + of->n_reading);
    if (runs.study)
        runs_are_in_file(&runs, result);
    ml_result_free(result);
    ml_prepared_free(p);
    tell(&err);
}

/* The same values again: nothing is read, and a number beside them is free. */
static void the_study_of_the_last_call_is_kept(void)
{
    struct ml_error err = {0};
    struct ml_prepared *p = prepare(cases[0].text);
    struct ml_prepared_runs runs = {.size = sizeof runs};
    const char *const paths[] = {"time.end", "system.segments.b.mass"};
    const double values[] = {0.5, 1, 0.5, 2, 0.5, 3};
    const struct ml_prepared_points points = {sizeof points, paths, 2, values, 3};
    for (int i = 0; i < 3; i++) {
        CHECK(ml_prepared_run(p, &points, &plain, &runs, &err) == ML_OK);
        CHECK(ml_prepared_readings(p) == 2 && runs.n_point == 3 && runs.steps[2] == 50);
    }
    CHECK(ml_prepared_run(p, NULL, &plain, &runs, &err) == ML_OK);
    CHECK(ml_prepared_readings(p) == 2 && runs.n_point == 1 && runs.steps[0] == 100);
    ml_prepared_free(p);
    tell(&err);
}

/* The kernel does not change a bit, the one that is made included. */
static void kernels_agree(void)
{
    struct ml_error err = {0};
    struct ml_prepared *p = prepare(HEAD ROD PID("") SHORT);
    double first[2] = {0.0, 1.0};
    for (int mode = ML_KERNEL_AUTO; mode <= ML_KERNEL_ONLY_GENERAL; mode++) {
        struct ml_prepared_runs runs = {.size = sizeof runs};
        const struct ml_run_options options = {.size = sizeof options,
                                               .kernel = (enum ml_kernel_mode)mode};
        const struct ml_prepared_points points = {
            sizeof points, (const char *const[]){"forces.hold.kp"}, 1, (const double[]){25}, 1};
        CHECK(ml_prepared_run(p, &points, &options, &runs, &err) == ML_OK);
        first[mode] = runs.outputs ? runs.outputs[0][0] : (double)NAN;
    }
    CHECK(first[0] == first[1]);
    ml_prepared_free(p);
    tell(&err);
}

/* The call fails with this message, and the next call works. */
static void is_refused(struct ml_prepared *p, const char *path, double value, const char *message)
{
    struct ml_error err = {0};
    struct ml_prepared_runs runs = {.size = sizeof runs};
    const struct ml_prepared_points points = {sizeof points, (const char *const[]){path}, 1,
                                              (const double[]){1.5, value}, 2};
    CHECK_CASE("%s=%g", path, value);
    CHECK(ml_prepared_run(p, &points, &plain, &runs, &err) == ML_E_INPUT);
    CHECK(err.text && strstr(err.text, message));
    if (err.text && !strstr(err.text, message))
        (void)fputs(err.text, stderr);
    ml_error_clear(&err);
    CHECK(ml_prepared_run(p, NULL, &plain, &runs, &err) == ML_OK && runs.outcome[0] == 0);
    tell(&err);
}

static void faults_have_the_message_of_set(void)
{
    struct ml_prepared *p = prepare(HEAD RODS SHORT "save: {trajectory: {every: 10}}\n");
    is_refused(p, "system.segments.b.mass", -1.0,
               "--set system.segments.b.mass=-1: mass is -1 but must be > 0");
    is_refused(p, "system.segments.b.mass", (double)NAN, "--set system.segments.b.mass=");
    is_refused(p, "system.segments.c.mass", 1.0, "--set system.segments.c.mass=");
    is_refused(p, "system.gravty", 1.0, "gravity");
    is_refused(p, "time.end", 0.5,
               "text: cannot run points 0 and 1 in one call: their results have different shapes");
    ml_prepared_free(p);
}

static void bad_arguments_are_refused(void)
{
    struct ml_error err = {0};
    struct ml_prepared *p = prepare(cases[0].text), *none = p;
    struct ml_prepared_runs runs = {.size = sizeof runs};
    const struct ml_prepared_points empty = {.size = sizeof empty};
    const struct ml_prepared_points unnamed = {sizeof unnamed, NULL, 1, (double[]){1.0}, 1},
                                    unvalued = {sizeof unvalued, (const char *[]){"time.end"}, 1,
                                                NULL, 1},
                                    half = {sizeof half, (const char *[]){"time.end", NULL}, 2,
                                            (double[]){1.0, 1.0}, 1};
    const struct ml_run_options to_file = {.size = sizeof to_file, .output = "x.h5"},
                                on_gpu = {.size = sizeof on_gpu, .device = "gpu"};
    CHECK(ml_prepared_run(p, &empty, &plain, &runs, &err) == ML_E_INPUT);
    CHECK(ml_prepared_run(p, &unnamed, &plain, &runs, &err) == ML_E_INPUT);
    CHECK(ml_prepared_run(p, &unvalued, &plain, &runs, &err) == ML_E_INPUT);
    CHECK(ml_prepared_run(p, &half, &plain, &runs, &err) == ML_E_INPUT);
    CHECK(ml_prepared_run(p, NULL, &to_file, &runs, &err) == ML_E_INPUT);
    CHECK(ml_prepared_run(p, NULL, &on_gpu, &runs, &err) == ML_E_INPUT);
    CHECK(ml_prepared_run(p, NULL, NULL, &runs, &err) == ML_E_INPUT);
    CHECK(ml_prepared_run(p, NULL, &plain, NULL, &err) == ML_OK);
    CHECK(ml_prepare(STUDY_TEXT("text", cases[0].text, .for_fit = 1), &none, &err) == ML_E_INPUT);
    CHECK(!none);
    CHECK(ml_prepare(STUDY_TEXT("text", "manylink: 1\n"), &none, &err) == ML_E_INPUT && !none);
    ml_prepared_free(NULL);
    ml_prepared_free(p);
    ml_error_clear(&err);
}

int main(void)
{
    for (int i = 0; i < N_CASE; i++)
        points_have_the_bits_of_set(&cases[i]);
    CHECK_CASE("%s", "");
    the_study_of_the_last_call_is_kept();
    kernels_agree();
    faults_have_the_message_of_set();
    bad_arguments_are_refused();
    (void)unlink("file.h5");
    return check_done();
}
