/* The verdict on the step against runs with a sixteenth of it: errors, order, chaos, threads. */
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "manylink/result.h"
#include "manylink/run.h"
#include "plan/study.h"
#include "run/accuracy.h"
#include "study.h"

enum { N = 64 };

static const char pendulum[] =
    "manylink: 1\n"
    "system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 1, mass: "
    "1}]}\n"
    "time: {step: %s, end: %s}\n"
    "sweep:\n"
    "  - {set: initial.angle.a, from: %s, to: %s, count: 8}\n"
    "  - {set: initial.angle.b, from: %s, to: %s, count: 8}\n";

static struct ml_study *read_study(const char *step, const char *end, const char *from,
                                   const char *to)
{
    char text[1000];
    struct ml_error err = {0};
    struct ml_study *study;
    (void)snprintf(text, sizeof text, pendulum, step, end, from, to, from, to);
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, &err) == ML_OK);
    (void)fputs(err.text ? err.text : "", stderr);
    ml_error_clear(&err);
    return study;
}

static void keep_notice(void *context, const char *text)
{
    char *all = context;
    if (strstr(text, "step error: "))
        (void)snprintf(all + strlen(all), 1200 - strlen(all), "%s\n", text);
}

/* What is said of a study, of all its runs. */
static void tell(const struct ml_study *study, int n_thread, int n, char text[1200])
{
    static const char path[] = "accuracy.h5";
    struct ml_error err = {0};
    const struct ml_run_options options = {.size = sizeof options,
                                           .output = path,
                                           .n_thread = n_thread,
                                           .restart = 1,
                                           .notice = keep_notice,
                                           .context = text,
                                           .no_native = 1,
                                           .accuracy = n};
    *text = '\0';
    CHECK(ml_run(study, &options, NULL, &err) == ML_OK);
    (void)fputs(err.text ? err.text : "", stderr);
    ml_error_clear(&err);
    (void)unlink(path);
}

/* The angles at the end, [N][2]. */
static int keep_angles(void *context, const struct ml_run_block *block)
{
    const struct ml_study *study = ((void **)context)[0];
    double *angles = ((void **)context)[1];
    struct ml_array_info info;
    for (int i = 0; i < block->n_output; i++) {
        info.size = sizeof info;
        if (ml_study_output(study, i, &info) && strcmp(info.name, "end_angle") == 0)
            memcpy(angles + 2 * block->first, block->outputs[i],
                   (size_t)block->n_run * 2 * sizeof *angles);
    }
    return 0;
}

static void run_angles(struct ml_study *study, double *angles)
{
    struct ml_error err = {0};
    void *context[] = {study, angles};
    const struct ml_run_options options = {.size = sizeof options, .no_native = 1};
    CHECK(ml_run_blocks(study, &options, keep_angles, context, NULL, &err) == ML_OK);
    ml_error_clear(&err);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Largest differences of the angles of each run between two steps, [N]. */
static void differences(const char *step, const char *other, double *out)
{
    double angles[2][2 * N] = {{0}};
    const char *const steps[] = {step, other};
    for (int k = 0; k < 2; k++) {
        struct ml_study *study = read_study(steps[k], "10", "0.1", "0.5");
        run_angles(study, angles[k]);
        ml_study_free(study);
    }
    for (int i = 0; i < N; i++)
        out[i] = fmax(fabs(angles[0][2 * i] - angles[1][2 * i]),
                      fabs(angles[0][2 * i + 1] - angles[1][2 * i + 1]));
}

static double median_of(double *error)
{
    qsort(error, N, sizeof *error, by_size);
    return 0.5 * (error[N / 2 - 1] + error[N / 2]);
}

static double true_error(void)
{
    double error[N];
    differences("0.02", "0.00125", error);
    return median_of(error);
}

static double number_after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    CHECK(at);
    return at ? strtod(at + strlen(word), NULL) : (double)NAN;
}

static void regular_motion_has_its_true_error(void)
{
    char text[1200], other[1200];
    struct ml_study *study = read_study("0.02", "10", "0.1", "0.5");
    tell(study, 1, N, text);
    tell(study, 2, N, other);
    ml_study_free(study);
    const double said = number_after(text, "end_angle "), is = true_error();
    (void)fprintf(stderr, "%s\ntrue error %g\n", text, is);
    CHECK(is > 0.0 && said < 3.0 * is && said > is / 3.0);
    CHECK(fabs(number_after(text, "observed order ") - 4.0) <= 0.3);
    CHECK(!strstr(text, "chaotic") && !strstr(text, "warning"));
    CHECK(strcmp(text, other) == 0);
}

static void chaotic_runs_are_recognised(void)
{
    char text[1200];
    struct ml_study *study = read_study("0.01", "60", "2", "3");
    tell(study, 0, N, text);
    ml_study_free(study);
    (void)fprintf(stderr, "%s\n", text);
    CHECK(strstr(text, "are chaotic: their end state is not determined by this step"));
}

/* Of few runs 16 are taken if that is next to no work; when none are wanted, nothing is said. */
static void costs_are_bounded(void)
{
    char text[1200];
    struct ml_study *study = read_study("1e-6", "1", "0.1", "0.5");
    CHECK(ml_accuracy_count_small(&study->ensemble) == 0);
    ml_study_free(study);
    study = read_study("0.01", "1", "0.1", "0.5");
    CHECK(ml_accuracy_count_small(&study->ensemble) == 16);
    tell(study, 0, 0, text);
    CHECK(strstr(text, "(median of 16 runs)"));
    tell(study, 0, -1, text);
    CHECK(*text == '\0');
    ml_study_free(study);
    CHECK(ml_accuracy_count(1000) == 0 && ml_accuracy_count(INT64_C(1) << 40) == 64);
    for (int64_t n_run = 1; n_run < 10000; n_run++) {
        const int n = ml_accuracy_count(n_run), quarter = (n / 4 + ML_LANES - 1) / ML_LANES;
        CHECK(n % ML_LANES == 0 && 25 * (n * (1 + 2 + 2) + quarter * ML_LANES * 4) <= n_run);
    }
}

static void read_numbers(struct ml_result *result, const char *path, double *values, size_t n)
{
    struct ml_error err = {0};
    CHECK(ml_result_read(result, path, NULL, NULL, values, n, &err) == ML_OK);
    (void)fputs(err.text ? err.text : "", stderr);
    ml_error_clear(&err);
}

/* Stops so many questions after all runs are done. Whoever computes or writes asks. */
struct patience {
    atomic_int left;
    atomic_bool is_done;
};

static void look_at_progress(void *context, const struct ml_run_progress *progress)
{
    struct patience *p = context;
    if (progress->runs_done == progress->runs)
        atomic_store(&p->is_done, true);
}

static int lose_patience(void *context)
{
    struct patience *p = context;
    return atomic_load(&p->is_done) && atomic_fetch_sub(&p->left, 1) <= 0;
}

static struct ml_run_options options_into(const char *path, int n_thread)
{
    return (struct ml_run_options){.size = sizeof(struct ml_run_options),
                                   .output = path,
                                   .n_thread = n_thread,
                                   .restart = 1,
                                   .no_native = 1,
                                   .accuracy = N};
}

/* The numbers are those of runs with smaller steps, and the result says in words what is said of
 * them. */
static void result_has_the_differences(struct ml_result *result, const char *said)
{
    struct ml_error err = {0};
    struct ml_array_info info = {.size = sizeof info};
    const char *text = NULL;
    int is_large = 1;
    double angles[2 * N] = {0}, half[N], fine[N], order[4 * N] = {0}, relative[4] = {0};
    CHECK(ml_result_accuracy(result, &text, &is_large, &err) == ML_OK);
    CHECK(text && strncmp(text, "step error: max_rate ", 21) == 0 && !is_large);
    CHECK(fabs(number_after(text, "end_angle ") - number_after(said, "end_angle ")) == 0.0);
    read_numbers(result, "accuracy/difference/end_angle", angles, 2 * N);
    differences("0.02", "0.01", half);
    differences("0.02", "0.00125", fine);
    for (int i = 0; i < N; i++) {
        const double own = fmax(angles[2 * i], angles[2 * i + 1]);
        CHECK(own == half[i]);
        CHECK(own < 3.0 * fine[i] && own > fine[i] / 3.0);
    }
    CHECK(ml_result_find(result, "accuracy/difference/end_angle", &info) && info.rank == 2);
    CHECK(strcmp(info.unit, "rad") == 0 && strcmp(info.dim[0], "run") == 0 &&
          strcmp(info.dim[1], "segment") == 0);
    read_numbers(result, "accuracy/observed_order", order, 4 * N);
    int n = 0, n_right = 0;
    for (int i = 0; i < N; i++) { /* energy_drift, max_rate, end_angle, end_rate */
        n += !isnan(order[4 * i + 2]);
        n_right += fabs(order[4 * i + 2] - 4.0) < 0.5;
    }
    CHECK(n == N / 4 && n_right >= n / 2);
    read_numbers(result, "accuracy/median_relative_difference", relative, 4);
    double largest[N];
    read_numbers(result, "accuracy/finer/end_angle", angles, 2 * N);
    for (int i = 0; i < N; i++)
        largest[i] = fmax(fabs(angles[2 * i]), fabs(angles[2 * i + 1]));
    CHECK(relative[2] == median_of(half) / median_of(largest));
    ml_error_clear(&err);
}

static void files_and_memory_have_it(void)
{
    static const char path[] = "accuracy_kept.h5";
    char text[1200];
    struct ml_error err = {0};
    struct ml_result *result = NULL;
    struct ml_run_options options = options_into(path, 1);
    struct ml_study *study = read_study("0.02", "10", "0.1", "0.5");
    tell(study, 1, N, text);
    CHECK(ml_run(study, &options, NULL, &err) == ML_OK);
    CHECK(ml_result_open(path, &result, &err) == ML_OK);
    result_has_the_differences(result, text);
    ml_result_free(result);
    options = (struct ml_run_options){.size = sizeof options, .no_native = 1, .accuracy = N};
    CHECK(ml_run_memory(study, &options, &result, NULL, &err) == ML_OK);
    result_has_the_differences(result, text);
    ml_result_free(result);
    ml_study_free(study);
    (void)unlink(path);
    ml_error_clear(&err);
}

static char *bytes_of(const char *path, const char *dataset, size_t n)
{
    struct ml_error err = {0};
    struct ml_result *result = NULL;
    double *values = calloc(n, sizeof *values);
    CHECK(values && ml_result_open(path, &result, &err) == ML_OK);
    if (result && values)
        read_numbers(result, dataset, values, n);
    ml_result_free(result);
    ml_error_clear(&err);
    return (char *)values;
}

/* Stopped again and again while runs are computed again, it comes to the end, and to the same. */
static void interrupted_it_goes_on(void)
{
    static const char whole[] = "accuracy_whole.h5", path[] = "accuracy_stopped.h5";
    static const char *const datasets[] = {
        "accuracy/difference/end_rate", "accuracy/finest/end_rate", "accuracy/displaced/end_rate"};
    struct ml_error err = {0};
    struct patience patience = {0};
    struct ml_study *study = read_study("0.02", "10", "0.1", "0.5");
    struct ml_run_options options = options_into(whole, 2);
    int n_stopped = 0;
    enum ml_status status = ml_run(study, &options, NULL, &err);
    CHECK(status == ML_OK);
    options = options_into(path, 1);
    options.stop = lose_patience;
    options.progress = look_at_progress;
    options.context = &patience;
    do {
        atomic_store(&patience.left, n_stopped); /* a level that is done asks too */
        status = ml_run(study, &options, NULL, &err);
        options.restart = 0;
        n_stopped += status == ML_STOPPED;
        ml_error_clear(&err);
    } while (status == ML_STOPPED && n_stopped < 1000);
    (void)fprintf(stderr, "stopped %d times\n", n_stopped);
    CHECK(status == ML_OK && n_stopped > 2);
    for (int k = 0; k < 3 && status == ML_OK; k++) {
        char *a = bytes_of(whole, datasets[k], 2 * N), *b = bytes_of(path, datasets[k], 2 * N);
        CHECK(a && b && memcmp(a, b, 2 * N * sizeof(double)) == 0);
        free(a);
        free(b);
    }
    ml_study_free(study);
    (void)unlink(whole);
    (void)unlink(path);
    ml_error_clear(&err);
}

/* What the study asks for, and what the options ask for instead. */
static void study_says_how_many(void)
{
    static const char text[] =
        "manylink: 1\nsystem: {type: lorenz}\ninitial: {y: 1, z: 1}\ntime: {step: 1e-2, end: 1}\n"
        "sweep: [{set: initial.x, from: 1, to: 4, count: 10}]\naccuracy: 3\n";
    static const struct {
        int option, n;
    } cases[] = {{0, 3}, {7, 7}, {100, 10}, {-1, 0}};
    struct ml_error err = {0};
    struct ml_study *study = NULL;
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, &err) == ML_OK);
    for (size_t k = 0; study && k < sizeof cases / sizeof *cases; k++) {
        struct ml_array_info info = {.size = sizeof info};
        struct ml_result *result = NULL;
        const struct ml_run_options options = {
            .size = sizeof options, .no_native = 1, .accuracy = cases[k].option};
        CHECK(ml_run_memory(study, &options, &result, NULL, &err) == ML_OK);
        CHECK(ml_result_find(result, "accuracy/run", &info) == (cases[k].n > 0));
        CHECK(cases[k].n == 0 || info.shape[0] == cases[k].n);
        ml_result_free(result);
    }
    ml_study_free(study);
    ml_error_clear(&err);
}

/* Every number of runs is chosen without a run twice, and shards together have all of them. */
static void runs_are_chosen_once(void)
{
    struct ml_study *study = read_study("0.01", "1", "0.1", "0.5");
    struct ml_ensemble e = study->ensemble;
    for (int n_run = 1; n_run <= 300; n_run++)
        for (int n = 1; n <= n_run; n += 1 + n / 8) {
            struct ml_accuracy all, own, joined;
            e.n_run = n_run;
            e.block_runs = 7;
            CHECK(ml_accuracy_choose(&all, &e, n, ML_UNSHARDED));
            ml_accuracy_describe(&joined, &e);
            for (int k = 0; k < 3; k++) {
                CHECK(ml_accuracy_choose(&own, &e, n, (struct ml_shard){k, 3}));
                CHECK(ml_accuracy_join(&joined, &own));
                ml_accuracy_free(&own);
            }
            CHECK(all.n == n && joined.n == n);
            CHECK(memcmp(all.runs, joined.runs, (size_t)n * sizeof *all.runs) == 0);
            CHECK(memcmp(all.is_finest, joined.is_finest, (size_t)n) == 0);
            for (int i = 1; i < n; i++)
                CHECK(all.runs[i] > all.runs[i - 1] && all.runs[i] < n_run);
            ml_accuracy_free(&all);
            ml_accuracy_free(&joined);
        }
    ml_study_free(study);
}

/* A number that is not what the runs give is found. */
static void verify_finds_a_difference(void)
{
    struct ml_study *study = read_study("0.02", "10", "0.1", "0.5");
    const struct ml_ensemble_options how = {0};
    struct ml_error err = {0};
    struct ml_accuracy a;
    CHECK(ml_accuracy_choose(&a, &study->ensemble, 20, ML_UNSHARDED));
    CHECK(ml_accuracy_compute(&a, &study->ensemble, (double)INFINITY, &how, NULL, NULL, &err) ==
          ML_OK);
    CHECK(ml_verify_accuracy("a", &a, &study->ensemble, 180, &how, &err) == ML_OK);
    for (int k = 0; k < ML_N_ACCURACY; k++) {
        double *x = ml_accuracy_row(&a, (enum ml_accuracy_values)k, 2, 0) + 1;
        const double kept = *x;
        *x = nextafter(*x, 10.0);
        CHECK(ml_verify_accuracy("a", &a, &study->ensemble, 180, &how, &err) == ML_E_FILE);
        CHECK(err.text && strstr(err.text, "end_angle differs"));
        ml_error_clear(&err);
        *x = kept;
    }
    ml_accuracy_free(&a);
    ml_study_free(study);
    ml_error_clear(&err);
}

int main(void)
{
    regular_motion_has_its_true_error();
    chaotic_runs_are_recognised();
    costs_are_bounded();
    files_and_memory_have_it();
    interrupted_it_goes_on();
    study_says_how_many();
    runs_are_chosen_once();
    verify_finds_a_difference();
    return check_done();
}
