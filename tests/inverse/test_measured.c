/* Measured motions: what noise does to torques, and what takes it away; sums over a motion; axes
 * that do not matter. */
#include "inverse/diagnostics.h"
#include "inverse/files.h"

enum { N_SAMPLE = 201, N = 2 };

static const double pi = 3.14159265358979323846;

static const char arm[] =
    "manylink: 1\n"
    "system: {type: chain, angles: joint, zero: down, segments: [{name: upper, length: 0.31, "
    "mass: 1.93}, {name: fore, length: 0.34, mass: 1.52}]}\n"
    "forces:\n"
    "  - {name: hold, type: pid, joint: upper, target: 0.2, kp: 10}\n"
    "  - {name: skin, type: damper, joint: fore, coefficient: 0.1}\n"
    "time: {step: 0.01, end: 1}\n";

/* Angles over 2 s at 100 Hz; derivatives too, or noise of sd `noise` rad. */
static const char *write_motion(bool is_whole, double noise, char path[256])
{
    static const double size[N] = {0.7, 0.5}, turn[N] = {5.0, 7.0};
    FILE *file = fopen(in_folder("table.csv", path), "w");
    uint64_t state = 7;
    if (!file)
        ref_stop("%s cannot be written", path);
    (void)fprintf(file, "time,angle/upper,angle/fore%s\n",
                  is_whole ? ",rate/upper,rate/fore,acceleration/upper,acceleration/fore" : "");
    for (int k = 0; k < N_SAMPLE; k++) {
        const double t = 0.01 * k;
        (void)fprintf(file, "%.17g", t);
        for (int i = 0; i < N; i++) {
            double normal = -6.0;
            for (int j = 0; j < 12; j++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                normal += (double)(state >> 11) * 0x1p-53;
            }
            (void)fprintf(file, ",%.17g", size[i] * sin(turn[i] * t) + noise * normal);
        }
        for (int i = 0; is_whole && i < N; i++)
            (void)fprintf(file, ",%.17g", size[i] * turn[i] * cos(turn[i] * t));
        for (int i = 0; is_whole && i < N; i++)
            (void)fprintf(file, ",%.17g", -size[i] * turn[i] * turn[i] * sin(turn[i] * t));
        (void)fprintf(file, "\n");
    }
    if (fclose(file) != 0)
        ref_stop("%s cannot be written", path);
    return path;
}

/* Its resolved text is the study again. */
static void check_resolved(const struct ml_study *study)
{
    struct ml_study *again = parse(ml_study_resolved(study));
    CHECK(strcmp(ml_study_resolved(again), ml_study_resolved(study)) == 0);
    ml_study_free(again);
}

/* Torques of a table by the arm and what else the study says; the report. */
static struct ml_inverse_report torques(const char *more, const char *motion,
                                        double out[MOST_NUMBERS])
{
    char text[2048], path[256];
    struct ml_error err = {0};
    struct ml_inverse_report report = {.size = sizeof report};
    (void)snprintf(text, sizeof text, "%s%s", arm, more);
    struct ml_study *study = parse(text);
    check_resolved(study);
    const struct ml_inverse_options options = {.size = sizeof options,
                                               .output = in_folder("inverse.h5", path),
                                               .motion = motion,
                                               .run = -1,
                                               .n_thread = 2};
    if (ml_inverse(study, &options, &report, &err))
        ref_stop("%s", err.text);
    (void)read_set("inverse.h5", "/study/inverse/torque", out);
    ml_study_free(study);
    return report;
}

/* Root mean square of a difference, without a tenth of the samples at either end. */
static double rms_of(const double *a, const double *b)
{
    double sum = 0.0;
    int n = 0;
    for (int i = 0; i < N; i++)
        for (int k = N_SAMPLE / 10; k < N_SAMPLE - N_SAMPLE / 10; k++, n++) {
            const double d = a[i * N_SAMPLE + k] - (b ? b[i * N_SAMPLE + k] : 0.0);
            sum += d * d;
        }
    return sqrt(sum / n);
}

/* 0.003 rad are 0.17 degrees. */
static void noise_is_told_and_smoothing_takes_it_away(void)
{
    static double exact[MOST_NUMBERS], raw[MOST_NUMBERS], smooth[MOST_NUMBERS];
    char path[256];
    struct ml_inverse_report report = torques("", write_motion(true, 0.0, path), exact);
    const double size = rms_of(exact, NULL);
    CHECK(report.notes[0] == '\0');
    report = torques("", write_motion(false, 0.0, path), raw);
    CHECK(report.notes[0] == '\0');
    CHECK_ERROR(rms_of(raw, exact) / size, 1e-4);
    report = torques("", write_motion(false, 0.003, path), raw);
    CHECK(strstr(report.notes, "above 10 Hz"));
    CHECK(strstr(report.notes, "cutoff: 6"));
    CHECK(rms_of(raw, exact) > 3.0 * size);
    static const char *const ways[] = {
        "inverse: {filter: {type: butterworth, order: 2, cutoff: 6}}\n",
        "inverse: {spline: {smoothing: gcv}}\n"};
    for (int w = 0; w < 2; w++) {
        static double residual[MOST_NUMBERS], given[MOST_NUMBERS], angle[MOST_NUMBERS];
        double square = 0.0;
        CHECK_CASE("%s", ways[w]);
        report = torques(ways[w], path, smooth);
        CHECK(report.notes[0] == '\0');
        CHECK_ERROR(rms_of(smooth, exact) / size, 0.2);
        const int n = read_set("inverse.h5", "/study/inverse/angle_raw", given);
        CHECK(read_set("inverse.h5", "/study/inverse/angle", angle) == n && n == N * N_SAMPLE);
        CHECK(read_set("inverse.h5", "/study/summary/angle_residual_rms", residual) == N);
        for (int k = 0; k < N_SAMPLE; k++)
            square += (given[k] - angle[k]) * (given[k] - angle[k]) / N_SAMPLE;
        CHECK_ERROR(fabs(residual[0] - sqrt(square)), 1e-16);
        CHECK_ERROR(fabs(residual[0] / 0.003 - 1.0), 0.2);
    }
}

/* What is left of the last digits of a segment that is held is no noise. */
static void a_held_segment_is_no_noise(void)
{
    static double torque[MOST_NUMBERS];
    char path[256];
    FILE *file = fopen(in_folder("table.csv", path), "w");
    if (!file)
        ref_stop("%s cannot be written", path);
    (void)fprintf(file, "time,angle/upper,angle/fore\n");
    for (int k = 0; k < N_SAMPLE; k++)
        (void)fprintf(file, "%.2f,%.17g,0.300000\n", 0.01 * k, 0.7 * sin(0.05 * k));
    if (fclose(file) != 0)
        ref_stop("%s cannot be written", path);
    const struct ml_inverse_report report = torques("", path, torque);
    CHECK(report.notes[0] == '\0');
}

/* Notes are a line each, whatever a file's name holds; one that does not fit is shortened. */
static void notes_stay_in_their_room(void)
{
    struct {
        struct ml_inverse_report report;
        char after[4];
    } own = {.after = "xyz"};
    char *notes = own.report.notes;
    const size_t size = sizeof own.report.notes;
    ml_inverse_note(&own.report, "%s", "a\nb");
    CHECK(strcmp(notes, "a b\n") == 0);
    for (size_t k = 0; k < size; k++) {
        ml_inverse_note(&own.report, "%s", k % 2 ? "ten letter" : "eleven more");
        CHECK(strlen(notes) < size && notes[strlen(notes) - 1] == '\n');
    }
    CHECK(strlen(notes) > size - 3);
    CHECK(strcmp(own.after, "xyz") == 0);
}

/* A rod that swings without gravity as A sin w t for two periods: torque - I A w^2 sin w t, which
 * puts I A^2 w^2 in and takes it out in a period. */
static void sums_over_a_motion_are_those_of_a_swing(void)
{
    enum { SAMPLES = 2001 };
    const double inertia = 0.4, a = 0.3, w = 2.0 * pi;
    char path[256];
    FILE *file = fopen(in_folder("table.csv", path), "w");
    if (!file)
        ref_stop("%s cannot be written", path);
    (void)fprintf(file, "time,angle/rod,rate/rod,acceleration/rod\n");
    for (int k = 0; k < SAMPLES; k++) {
        const double t = 2.0 * k / (SAMPLES - 1);
        (void)fprintf(file, "%.17g,%.17g,%.17g,%.17g\n", t, a * sin(w * t), a * w * cos(w * t),
                      -a * w * w * sin(w * t));
    }
    if (fclose(file) != 0)
        ref_stop("%s cannot be written", path);
    solve("manylink: 1\nsystem: {type: chain, gravity: 0, segments: [{name: rod, length: 1, mass: "
          "1, com: 0, inertia: 0.4}]}\ntime: {step: 1, end: 1}\n",
          path);
    static double peak[MOST_NUMBERS], rms[MOST_NUMBERS], positive[MOST_NUMBERS],
        negative[MOST_NUMBERS];
    CHECK(read_set("inverse.h5", "/study/summary/peak_torque", peak) == 1);
    CHECK(read_set("inverse.h5", "/study/summary/rms_torque", rms) == 1);
    CHECK(read_set("inverse.h5", "/study/summary/positive_work", positive) == 1);
    CHECK(read_set("inverse.h5", "/study/summary/negative_work", negative) == 1);
    const double torque = inertia * a * w * w, work = 2.0 * inertia * a * a * w * w;
    CHECK_ERROR(fabs(peak[0] / torque - 1.0), 1e-14);
    CHECK_ERROR(fabs(rms[0] / (torque * sqrt(0.5)) - 1.0), 1e-13);
    CHECK_ERROR(fabs(positive[0] / work - 1.0), 3e-5);
    CHECK_ERROR(fabs(negative[0] / -work - 1.0), 3e-5);
}

/* Gains and initial states do not move torques: 2 masses and 2 coefficients of a damper do. */
static void axes_that_do_not_matter_are_left_out(void)
{
    static double all[MOST_NUMBERS], one[MOST_NUMBERS];
    char path[256], more[512];
    static const char *const masses[] = {"1", "2"}, *const coefficients[] = {"0", "0.5"};
    (void)write_motion(true, 0.0, path);
    struct ml_inverse_report report = torques(
        "sweep:\n"
        "  - {set: forces.hold.kp, values: [1, 2, 3]}\n"
        "  - {set: system.segments.fore.mass, values: [1, 2]}\n"
        "  - {set: initial.angle.upper, values: [0, 1, 2, 3]}\n"
        "  - {name: both, set: [forces.hold.kd, forces.skin.coefficient], values: [[1, 0], [2, "
        "0.5]]}\n",
        path, all);
    CHECK(report.results == 4);
    CHECK(strstr(report.notes, "`forces.hold.kp`, `initial.angle.upper`"));
    for (int item = 0; item < 4; item++) {
        (void)snprintf(more, sizeof more,
                       "sweep:\n"
                       "  - {set: system.segments.fore.mass, values: [%s]}\n"
                       "  - {set: forces.skin.coefficient, values: [%s]}\n",
                       masses[item / 2], coefficients[item % 2]);
        report = torques(more, path, one);
        CHECK(report.results == 1 && report.notes[0] == '\0');
        CHECK(memcmp(one, all + item * N * N_SAMPLE, sizeof(double) * N * N_SAMPLE) == 0);
    }
    report = torques("sample: {method: random, count: 5, over: [{set: forces.hold.kp, from: 1, to: "
                     "2}]}\n",
                     path, one);
    CHECK(report.results == 1);
}

int main(void)
{
    begin_folder();
    noise_is_told_and_smoothing_takes_it_away();
    a_held_segment_is_no_noise();
    notes_stay_in_their_room();
    sums_over_a_motion_are_those_of_a_swing();
    axes_that_do_not_matter_are_left_out();
    end_folder((const char *[]){"inverse.h5", "table.csv", NULL});
    return check_done();
}
