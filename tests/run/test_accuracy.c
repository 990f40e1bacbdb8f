/* The verdict on the step against runs with a sixteenth of it: errors, order, chaos, threads. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "manylink/run.h"
#include "run/accuracy.h"

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
    CHECK(ml_study_parse("text", text, strlen(text), NULL, 0, NULL, &study, &err) == ML_OK);
    (void)fputs(err.text ? err.text : "", stderr);
    ml_error_clear(&err);
    return study;
}

static void keep_notice(void *context, const char *text)
{
    (void)snprintf(context, 1200, "%s", text);
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

static double true_error(void)
{
    double coarse[2 * N] = {0}, fine[2 * N] = {0}, error[N];
    struct ml_study *study = read_study("0.02", "10", "0.1", "0.5");
    run_angles(study, coarse);
    ml_study_free(study);
    study = read_study("0.00125", "10", "0.1", "0.5");
    run_angles(study, fine);
    ml_study_free(study);
    for (int i = 0; i < N; i++)
        error[i] =
            fmax(fabs(coarse[2 * i] - fine[2 * i]), fabs(coarse[2 * i + 1] - fine[2 * i + 1]));
    qsort(error, N, sizeof *error, by_size);
    return 0.5 * (error[N / 2 - 1] + error[N / 2]);
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

/* Of too few runs, or when none are wanted, nothing is said. */
static void costs_are_bounded(void)
{
    char text[1200];
    struct ml_study *study = read_study("0.01", "1", "0.1", "0.5");
    tell(study, 0, 0, text);
    CHECK(*text == '\0');
    tell(study, 0, -1, text);
    CHECK(*text == '\0');
    ml_study_free(study);
    CHECK(ml_accuracy_count(1000) == 0 && ml_accuracy_count(INT64_C(1) << 40) == 64);
    for (int64_t n_run = 1; n_run < 10000; n_run++) {
        const int n = ml_accuracy_count(n_run), quarter = (n / 4 + ML_LANES - 1) / ML_LANES;
        CHECK(n % ML_LANES == 0 && 25 * (n * (1 + 2 + 2) + quarter * ML_LANES * 4) <= n_run);
    }
}

int main(void)
{
    regular_motion_has_its_true_error();
    chaotic_runs_are_recognised();
    costs_are_bounded();
    return check_done();
}
