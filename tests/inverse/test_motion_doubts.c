/* Measured motions that are not what was meant: noise at the rates of cameras and of clean motions
 * none; angles that an arc tangent has wrapped, in degrees, over milliseconds, or smoothed away. */
#include <stdlib.h>

#include "inverse/diagnostics.h"
#include "inverse/files.h"
#include "inverse/open_motion.h"
#include "inverse/spline.h"

enum { MOST_SAMPLE = 1001, N_SERIES = 40 };

static const double pi = 3.14159265358979323846;

static const char rod[] = "manylink: 1\n"
                          "system: {type: chain, segments: [{name: rod, length: 1, mass: 3}]}\n"
                          "time: {step: 0.01, end: 1}\n";

/* Sum of twelve uniform numbers, less their mean: of mean 0 and variance 1. */
static double normal(uint64_t *state)
{
    double sum = -6.0;
    for (int j = 0; j < 12; j++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(*state >> 11) * 0x1p-53;
    }
    return sum;
}

/* Samples of one rod at a rate, in Hz. */
struct series {
    int n;
    double time[MOST_SAMPLE], angle[MOST_SAMPLE];
};

/* Notes about a table of them, behind what `inverse` of the study says. */
static void doubts(const struct series *series, const char *inverse,
                   struct ml_inverse_report *report)
{
    char text[1024], path[256], out[256];
    struct ml_error err = {0};
    FILE *file = fopen(in_folder("table.csv", path), "w");
    if (!file)
        ref_stop("%s cannot be written", path);
    (void)fprintf(file, "time,angle/rod\n");
    for (int k = 0; k < series->n; k++)
        (void)fprintf(file, "%.9g,%.9g\n", series->time[k], series->angle[k]);
    if (fclose(file) != 0)
        ref_stop("%s cannot be written", path);
    (void)snprintf(text, sizeof text, "%s%s", rod, inverse);
    struct ml_study *study = parse(text);
    const struct ml_inverse_options options = {.size = sizeof options,
                                               .output = in_folder("inverse.h5", out),
                                               .motion = path,
                                               .run = -1,
                                               .n_thread = 1};
    *report = (struct ml_inverse_report){.size = sizeof *report};
    if (ml_inverse(study, &options, report, &err))
        ref_stop("%s", err.text);
    ml_study_free(study);
}

/* The same without files. */
static void doubts_of_samples(const struct ml_study *study, struct series *series,
                              struct ml_inverse_report *report)
{
    static double rate[MOST_SAMPLE], acceleration[MOST_SAMPLE];
    struct ml_diagnostics diagnostics;
    const struct ml_motions motions = {.source = "table",
                                       .n = 1,
                                       .n_time = series->n,
                                       .n_motion = 1,
                                       .time = series->time,
                                       .n_whole = series->n,
                                       .whole = series->time,
                                       .is_given = {true}};
    double *sets[ML_N_SET] = {NULL};
    sets[ML_SET_MOTION + ML_MOTION_ANGLE] = series->angle;
    sets[ML_SET_MOTION + ML_MOTION_RATE] = rate;
    sets[ML_SET_MOTION + ML_MOTION_ACCELERATION] = acceleration;
    *report = (struct ml_inverse_report){.size = sizeof *report};
    if (ml_spline_derivatives(series->n, series->time, 1, series->angle, rate, acceleration, NULL))
        ref_stop("no spline");
    if (!ml_diagnostics_init(&diagnostics, study, &motions, report))
        ref_stop("no memory");
    ml_diagnostics_check_motion(&diagnostics, 0, sets);
    free(diagnostics.work);
}

enum motion { SLOW, SWING, REACH };

/* Two seconds at 0.7 and 1 Hz, or a reach of 0.3 s, with noise of sd s [rad]. */
static void measure(enum motion motion, double rate, double s, uint64_t *state, struct series *out)
{
    out->n = (int)(2.0 * rate) + 1;
    for (int k = 0; k < out->n; k++) {
        const double t = k / rate, way = fmin(fmax((t - 0.7) / 0.3, 0.0), 1.0);
        const double reach = way * way * way * (10.0 - way * (15.0 - 6.0 * way));
        out->time[k] = t;
        out->angle[k] = motion == REACH ? reach : 0.5 * sin((motion == SLOW ? 1.4 : 2.0) * pi * t);
        out->angle[k] += s * normal(state);
    }
}

/* 0.005 and 0.003 rad are 0.3 and 0.2 degrees: accelerations are off by more than half of what they
 * are at every one of these rates, by 0.6 and 0.7 at 25 Hz. */
static void noise_is_told_at_every_rate(void)
{
    static const double rates[] = {25, 30, 40, 50, 60, 75, 100, 200}; /* Hz */
    static const double sd[] = {0.005, 0.003, 0.005};                 /* rad */
    static struct series series;
    struct ml_inverse_report report;
    struct ml_study *study = parse(rod);
    uint64_t state = 3;
    for (int motion = SLOW; motion <= REACH; motion++)
        for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
            int told = 0;
            CHECK_CASE("motion %d at %g Hz", motion, rates[r]);
            for (int i = 0; i < N_SERIES; i++) {
                measure(motion, rates[r], sd[motion], &state, &series);
                doubts_of_samples(study, &series, &report);
                told += strstr(report.notes, "those of noise unless") != NULL;
            }
            CHECK(told >= N_SERIES - 2);
            for (int i = 0; i < N_SERIES; i++) {
                measure(motion, rates[r], 1e-6 * (i + 1) / N_SERIES, &state, &series);
                doubts_of_samples(study, &series, &report);
                CHECK(report.notes[0] == '\0');
            }
        }
    ml_study_free(study);
}

static const char filter[] = "inverse: {filter: {type: butterworth, order: 2, cutoff: 6}}\n";
static const char gcv[] = "inverse: {spline: {smoothing: gcv}}\n";

/* One note, and what it says. */
static void check_one(const struct ml_inverse_report *report, const char *says)
{
    const char *end = strchr(report->notes, '\n');
    CHECK(strstr(report->notes, says));
    CHECK(end && end[1] == '\0');
    if (!strstr(report->notes, says) || !end || end[1] != '\0')
        (void)fprintf(stderr, "%s", report->notes);
}

/* Angle that swings through pi, and one that turns evenly, of an arc tangent: also behind what
 * smooths them, and in degrees. Unwrapped there is nothing to be said. */
static void wraps_are_told_with_their_place(void)
{
    static const char *const ways[] = {"", filter, gcv};
    static struct series wrapped, whole;
    struct ml_inverse_report report;
    wrapped.n = whole.n = 151;
    for (int shape = 0; shape < 3; shape++) {
        for (int k = 0; k < whole.n; k++) {
            const double t = 0.01 * k;
            whole.time[k] = wrapped.time[k] = t;
            whole.angle[k] = shape == 0 ? pi - 0.5 + 0.8 * sin(3.0 * t) : 0.3 + 4.0 * t + 2.0 * t;
            wrapped.angle[k] = atan2(sin(whole.angle[k]), cos(whole.angle[k]));
            wrapped.angle[k] *= shape == 2 ? 180.0 / pi : 1.0;
        }
        for (int w = 0; w < 3; w++) {
            CHECK_CASE("shape %d: %s", shape, ways[w]);
            doubts(&wrapped, ways[w], &report);
            check_one(&report, shape == 0   ? "`rod` jumps by -6.264 rad between 0.22 and 0.23 s"
                               : shape == 1 ? "`rod` jumps by -6.223 rad between 0.47 and 0.48 s"
                                            : "degrees between 0.47 and 0.48 s");
            CHECK(!strstr(report.notes, "in degrees") == (shape != 2));
            doubts(&whole, ways[w], &report);
            CHECK(report.notes[0] == '\0');
        }
    }
}

/* A chair's rise of 50 degrees in 5 s, by degrees, by milliseconds, and as it should be. */
static void other_units_are_told(void)
{
    static struct series series;
    struct ml_inverse_report report;
    series.n = 101;
    for (int unit = 0; unit < 4; unit++) {
        const bool is_degrees = unit & 1, is_ms = unit & 2;
        for (int k = 0; k < series.n; k++) {
            const double s = k / 100.0;
            series.time[k] = 5.0 * s * (is_ms ? 1000.0 : 1.0);
            series.angle[k] = (10.0 + 50.0 * s * s * s * (10.0 - s * (15.0 - 6.0 * s))) *
                              (is_degrees ? 1.0 : pi / 180.0);
        }
        CHECK_CASE("unit %d", unit);
        doubts(&series, "", &report);
        if (unit == 0)
            CHECK(report.notes[0] == '\0');
        if (unit == 1)
            check_one(&report, "`rod` goes to 60 rad, more than a whole turn: in degrees?");
        if (unit == 2)
            check_one(&report, "samples are 50 s apart: in ms? times are in s");
        if (unit == 3)
            CHECK(strstr(report.notes, "in degrees?") && strstr(report.notes, "in ms?"));
    }
}

/* A cutoff below the motion, and one wrong sample. */
static void what_smoothing_takes_and_what_jumps_is_told(void)
{
    static struct series series;
    struct ml_inverse_report report;
    uint64_t state = 5;
    measure(SWING, 100.0, 0.0, &state, &series);
    doubts(&series, "inverse: {filter: {type: butterworth, order: 2, cutoff: 0.8}}\n", &report);
    check_one(&report, "smoothing takes 0.");
    doubts(&series, filter, &report);
    CHECK(report.notes[0] == '\0');
    series.angle[100] += 1.5;
    doubts(&series, "", &report);
    CHECK(strstr(report.notes, "a wrong sample there, or times in another unit than s?"));
}

int main(void)
{
    begin_folder();
    noise_is_told_at_every_rate();
    wraps_are_told_with_their_place();
    other_units_are_told();
    what_smoothing_takes_and_what_jumps_is_told();
    end_folder((const char *[]){"inverse.h5", "table.csv", NULL});
    return check_done();
}
