/* Trials: end states against the closed form of an oscillator under each method, and with the bits
 * of a run; refused options. A table of integrators as a result that reads back. */
#include <complex.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "manylink/precision.h"
#include "manylink/run.h"
#include "manylink/trial.h"
#include "study.h"

/* x'' = -4 x from x(0) = run / 10, x'(0) = 0. */
static const char oscillator[] =
    "manylink: 1\n"
    "system: {type: mass_spring_damper, mass: [[1]], stiffness: [[4]]}\n"
    "integrator: %s\n"
    "time: {step: 0.01, end: 10}\n"
    "sweep: [{set: initial.position.1, from: 0, to: 3.9, count: 40}]\n";
enum { N_RUN = 3 };
static const int64_t runs[N_RUN] = {39, 0, 11};

static struct ml_study *read_study(const char *text)
{
    struct ml_error err = {0};
    struct ml_study *study = NULL;
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, &err) == ML_OK);
    (void)fputs(err.text ? err.text : "", stderr);
    ml_error_clear(&err);
    return study;
}

static struct ml_study *read_oscillator(const char *integrator)
{
    char text[500];
    (void)snprintf(text, sizeof text, oscillator, integrator);
    return read_study(text);
}

static struct ml_trial *open_trial(const struct ml_study *study)
{
    struct ml_error err = {0};
    struct ml_trial *trial = NULL;
    CHECK(ml_trial_open(study, &trial, &err) == ML_OK);
    ml_error_clear(&err);
    return trial;
}

/* A step h of a method of order p, with as many stages, takes x + i x'/2 to itself times the sum of
 * (-2 i h)^k / k!, k <= p. */
static void given_steps_are_those_of_the_method(const struct ml_trial *trial)
{
    static const struct {
        const char *name;
        int order, evaluations;
    } methods[] = {{"euler", 1, 1}, {"midpoint", 2, 2}, {"rk4", 4, 4}};
    const int n_step = 500;
    for (int m = 0; m < 3; m++) {
        double end[N_RUN][2], evaluations[N_RUN], steps[N_RUN];
        int8_t outcome[N_RUN];
        struct ml_error err = {0};
        const struct ml_trial_options how = {.size = sizeof how,
                                             .integrator = methods[m].name,
                                             .n_step = n_step,
                                             .runs = runs,
                                             .n_run = N_RUN};
        struct ml_trial_outcome out = {.size = sizeof out,
                                       .end = end[0],
                                       .outcome = outcome,
                                       .evaluations = evaluations,
                                       .steps = steps};
        double complex step = 1.0, term = 1.0, factor = 1.0;
        CHECK_CASE("%s", methods[m].name);
        for (int k = 1; k <= methods[m].order; k++)
            step += term *= (double complex)I * (-20.0 / n_step / k);
        for (int i = 0; i < n_step; i++)
            factor *= step;
        CHECK(ml_trial_integrate(trial, &how, &out, &err) == ML_OK);
        for (int i = 0; i < N_RUN; i++) {
            const double complex exact = 0.1 * (double)runs[i] * factor;
            CHECK_ERROR(fabs(end[i][0] - creal(exact)), 2e-11);
            CHECK_ERROR(fabs(end[i][1] - 2.0 * cimag(exact)), 2e-11);
            CHECK(outcome[i] == ML_FINISHED && steps[i] == n_step);
            CHECK(evaluations[i] == n_step * methods[m].evaluations);
        }
        CHECK(out.converges && !out.is_late && out.seconds > 0.0);
        ml_error_clear(&err);
    }
}

static void tolerances_are_kept_on_every_kernel(struct ml_trial *trial)
{
    double end[N_RUN][2], again[N_RUN][2], drift[N_RUN];
    const char *kernel = "";
    struct ml_error err = {0};
    const struct ml_trial_options how = {.size = sizeof how,
                                         .integrator = "dop853",
                                         .tolerance = 1e-10,
                                         .runs = runs,
                                         .n_run = N_RUN,
                                         .rounds = 2};
    struct ml_trial_outcome out = {.size = sizeof out, .end = end[0], .drift = drift};
    CHECK_CASE("dop853");
    CHECK(ml_trial_integrate(trial, &how, &out, &err) == ML_OK);
    for (int i = 0; i < N_RUN; i++) {
        const double x = 0.1 * (double)runs[i];
        CHECK_ERROR(fabs(end[i][0] - x * cos(20.0)), 2e-8);
        CHECK_ERROR(fabs(end[i][1] + 2.0 * x * sin(20.0)), 2e-8);
        CHECK(runs[i] == 0 || fabs(drift[i]) < 1e-8);
    }
    out.end = again[0];
    CHECK(ml_trial_choose_kernel(trial, &how, ML_KERNEL_ONLY_GENERAL, 1, &kernel, &err) == ML_OK);
    CHECK(strcmp(kernel, "general") == 0);
    CHECK(ml_trial_integrate(trial, &how, &out, &err) == ML_OK);
    CHECK(memcmp((const void *)end, (const void *)again, sizeof end) == 0);
    ml_error_clear(&err);
}

/* The study's own method and steps give the numbers of its result. */
static void end_states_have_the_bits_of_a_run(void)
{
    struct ml_study *study = read_oscillator("rk4");
    struct ml_trial *trial = open_trial(study);
    struct ml_result *result = NULL;
    struct ml_error err = {0};
    double end[N_RUN][2], position[40];
    const struct ml_run_options run = {.size = sizeof run, .accuracy = -1, .no_native = 1};
    const struct ml_trial_options how = {
        .size = sizeof how, .integrator = "rk4", .n_step = 1000, .runs = runs, .n_run = N_RUN};
    struct ml_trial_outcome out = {.size = sizeof out, .end = end[0]};
    CHECK_CASE("bits");
    CHECK(ml_run_memory(study, &run, &result, NULL, &err) == ML_OK);
    CHECK(ml_result_read(result, "summary/end_position", NULL, NULL, position, 40, &err) == ML_OK);
    CHECK(ml_trial_integrate(trial, &how, &out, &err) == ML_OK);
    for (int i = 0; i < N_RUN; i++)
        CHECK(memcmp(&end[i][0], &position[runs[i]], sizeof(double)) == 0);
    (void)fputs(err.text ? err.text : "", stderr);
    ml_error_clear(&err);
    ml_result_free(result);
    ml_trial_free(trial);
    ml_study_free(study);
}

static int stop_at_once(void *context)
{
    (void)context;
    return 2;
}

static void wrong_options_are_refused(const struct ml_trial *trial)
{
    static const int64_t beyond[] = {40};
    static const struct {
        struct ml_trial_options how;
        const char *says;
    } bad[] = {
        {{.integrator = "rk5", .n_step = 1, .runs = runs, .n_run = 1}, "`rk5` is no integrator"},
        {{.integrator = "map", .n_step = 1, .runs = runs, .n_run = 1}, "`map` is no integrator"},
        {{.integrator = "rk4", .runs = runs, .n_run = 1}, "`n_step` is 0"},
        {{.integrator = "rk4", .n_step = 1, .n_run = 1}, "`n_run` is 0"},
        {{.integrator = "rk4", .n_step = 1, .runs = beyond, .n_run = 1}, "cannot take run 40"},
        {{.integrator = "rk4", .tolerance = 1e-3, .runs = runs, .n_run = 1}, "rk4 takes `n_step`"},
        {{.integrator = "dop853", .n_step = 1, .runs = runs, .n_run = 1}, "takes `tolerance`"},
        {{.integrator = "verlet", .n_step = 1, .runs = runs, .n_run = 1}, "x'' = F(x, t)"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ml_trial_options how = bad[i].how;
        struct ml_trial_outcome out = {.size = sizeof out};
        struct ml_error err = {0};
        how.size = sizeof how;
        CHECK_CASE("%s", bad[i].says);
        CHECK(ml_trial_check(trial, &how, NULL) == ML_E_INPUT);
        CHECK(ml_trial_integrate(trial, &how, &out, &err) == ML_E_INPUT);
        CHECK(err.text && strstr(err.text, bad[i].says));
        ml_error_clear(&err);
    }
    const struct ml_trial_options stopped = {.size = sizeof stopped,
                                             .integrator = "rk4",
                                             .n_step = 1000000,
                                             .runs = runs,
                                             .n_run = N_RUN,
                                             .stop = stop_at_once};
    struct ml_trial_outcome out = {.size = sizeof out};
    CHECK_CASE("stop");
    CHECK(ml_trial_integrate(trial, &stopped, &out, NULL) == ML_STOPPED);
}

static void runs_of_maps_have_no_trials(void)
{
    struct ml_study *study = read_study(
        "manylink: 1\nsystem: {type: equations, kind: map, state: {x: 0.3}, parameters: {r: 3.5}, "
        "next: {x: r*x*(1 - x)}}\ntime: {steps: 10}\n");
    struct ml_trial *trial = NULL;
    struct ml_error err = {0};
    CHECK_CASE("map");
    CHECK(!study || ml_trial_open(study, &trial, &err) == ML_E_INPUT);
    CHECK(!trial && err.text && strstr(err.text, "cannot integrate its runs by other methods"));
    ml_error_clear(&err);
    ml_study_free(study);
}

/* x' = x^2 from 1 is infinite at t = 1: a sweep's change there is no number. */
static void sweeps_that_leave_no_number_have_not_converged(void)
{
    struct ml_study *study =
        read_study("manylink: 1\nsystem: {type: equations, state: {x: 1}, rates: {x: x^2}}\n"
                   "integrator: gauss4\ntime: {step: 0.01, end: 2}\n");
    struct ml_trial *trial = open_trial(study);
    static const int64_t only[] = {0};
    double residual = 0.0;
    const struct ml_trial_options how = {
        .size = sizeof how, .integrator = "gauss4", .n_step = 200, .runs = only, .n_run = 1};
    struct ml_trial_outcome out = {.size = sizeof out, .residual = &residual};
    CHECK_CASE("no number");
    CHECK(ml_trial_integrate(trial, &how, &out, NULL) == ML_OK);
    CHECK(isnan(residual) && !out.converges);
    ml_trial_free(trial);
    ml_study_free(study);
}

static void a_table_reads_back(const struct ml_study *study)
{
    static const char *const names[] = {"euler", "rk4"};
    const double nan = (double)NAN;
    const double error[] = {0.1, 0.05, 0.01, nan}, time[] = {1, 2, 4, nan};
    double read[4] = {0};
    const struct ml_precision_column columns[] = {{"error", "1", "largest error", NULL, error},
                                                  {"cpu_time", "s", "time", "CPU time", time},
                                                  {"evaluations", "1", "work", NULL, time}};
    struct ml_precision table = {.size = sizeof table,
                                 .integrators = names,
                                 .n_integrator = 2,
                                 .n_level = 2,
                                 .columns = columns,
                                 .n_column = 2,
                                 .reference = {"dop853", "tp86"},
                                 .reference_tolerance = {1e-12, 1e-12},
                                 .reference_difference = 1e-13,
                                 .runs = 5,
                                 .compared = 5};
    struct ml_error err = {0};
    struct ml_result *result = NULL;
    const char *text = "";
    CHECK_CASE("table");
    CHECK(ml_precision_write(study, &table, "trial_table.h5", &err) == ML_E_INPUT);
    CHECK(err.text && strstr(err.text, "no column `evaluations`"));
    ml_error_clear(&err);
    table.n_column = 3;
    CHECK(ml_precision_write(study, &table, "trial_table.h5", &err) == ML_OK);
    CHECK(ml_result_open("trial_table.h5", &result, &err) == ML_OK);
    CHECK(ml_result_read(result, "precision/error", NULL, NULL, read, 4, &err) == ML_OK);
    CHECK(read[0] == 0.1 && read[1] == 0.05 && read[2] == 0.01 && isnan(read[3]));
    CHECK(ml_result_text(result, "precision/integrator", 1, &text, &err) == ML_OK);
    CHECK(strcmp(text, "rk4") == 0);
    (void)fputs(err.text ? err.text : "", stderr);
    ml_error_clear(&err);
    ml_result_free(result);
    (void)unlink("trial_table.h5");
}

int main(void)
{
    struct ml_study *study = read_oscillator("dop853");
    struct ml_trial *trial = study ? open_trial(study) : NULL;
    if (trial) {
        given_steps_are_those_of_the_method(trial);
        tolerances_are_kept_on_every_kernel(trial);
        wrong_options_are_refused(trial);
        a_table_reads_back(study);
    }
    end_states_have_the_bits_of_a_run();
    sweeps_that_leave_no_number_have_not_converged();
    runs_of_maps_have_no_trials();
    ml_trial_free(trial);
    ml_study_free(study);
    return check_done();
}
