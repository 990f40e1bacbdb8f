/* Torques of whole motions through files: against reference data, by every way a motion can be
 * given, and of runs that were integrated before. */
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "manylink/inverse.h"
#include "manylink/run.h"
#include "reference/reference.h"
#include "store/h5.h"

enum { MOST_TEXT = 4096, MOST_SAMPLES = 2048, N = 3 };

/* Files in a folder of this test. */
static char folder[] = "inverse-test-XXXXXX";

static const char *in_folder(const char *name, char path[256])
{
    (void)snprintf(path, 256, "%s/%s", folder, name);
    return path;
}

static struct ml_study *parse(const char *text)
{
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    if (ml_study_parse("test.yaml", text, strlen(text), NULL, 0, NULL, &study, &err))
        ref_stop("%s", err.text);
    return study;
}

/* A motion's torques: "inverse.h5". */
static void solve(const char *text, const char *motion)
{
    char path[256];
    struct ml_error err = {0};
    struct ml_inverse_report report;
    struct ml_study *study = parse(text);
    const struct ml_inverse_options options = {
        .output = in_folder("inverse.h5", path), .motion = motion, .run = -1, .n_thread = 2};
    if (ml_inverse(study, &options, &report, &err))
        ref_stop("%s", err.text);
    ml_study_free(study);
}

/* A dataset of the result; returns its numbers. */
static int read_set(const char *name, double *out)
{
    struct ml_h5 h5;
    struct ml_error err = {0};
    char path[256], set[128];
    ml_h5_begin(&h5, in_folder("inverse.h5", path), &err);
    hid_t file = ml_h5_open(&h5);
    (void)snprintf(set, sizeof set, "/study/inverse/%s", name);
    hid_t id = ml_h5_check(&h5, H5Dopen2(file, set, H5P_DEFAULT), name);
    struct ml_extent extent = ml_h5_extent(&h5, id);
    unsigned long long n = 1;
    for (int k = 0; k < extent.rank; k++)
        n *= extent.size[k];
    if (h5.status != ML_OK || n > (unsigned long long)N * MOST_SAMPLES)
        ref_stop("%s: %s", set, err.text ? err.text : "too large");
    ml_h5_read_range(&h5, id, &extent, H5T_NATIVE_DOUBLE, 0, n, out);
    ml_h5_close(&h5, file);
    (void)ml_h5_end(&h5);
    return (int)n;
}

/* Largest difference between a dataset [joint][time] and rows [time][joint] of a file, by the
 * largest number there. */
static double error_of(const char *name, const json_t *one, const char *key)
{
    static double is[N * MOST_SAMPLES], should[N * MOST_SAMPLES], row[N * MOST_SAMPLES];
    int n = read_set(name, is);
    if (ref_numbers(json_object_get(one, key), N * MOST_SAMPLES, row) != n)
        ref_stop("%s and %s differ in size", name, key);
    int n_time = (int)json_array_size(json_object_get(one, "t")), n_joint = n / n_time;
    for (int i = 0; i < n_joint; i++)
        for (int k = 0; k < n_time; k++)
            should[i * n_time + k] = row[k * n_joint + i];
    return ref_error(n, is, should);
}

/* The chain of a case as a study, up to its motion. */
static int put_system(char *text, int used, const json_t *params, const char *angles,
                      const char *zero, double g)
{
    double v[4][N];
    static const char *const keys[] = {"m", "l", "d", "I"};
    int n = 0;
    for (int k = 0; k < 4; k++)
        n = ref_numbers(json_object_get(params, keys[k]), N, v[k]);
    used += snprintf(text + used, (size_t)(MOST_TEXT - used),
                     "manylink: 1\nsystem:\n  type: chain\n  angles: %s\n  zero: %s\n"
                     "  gravity: %.17g\n  segments:\n",
                     angles, zero, g);
    for (int i = 0; i < n; i++)
        used += snprintf(text + used, (size_t)(MOST_TEXT - used),
                         "    - {name: s%d, mass: %.17g, length: %.17g, com: %.17g, "
                         "inertia: %.17g}\n",
                         i, v[0][i], v[1][i], v[2][i], v[3][i]);
    return used;
}

/* A table of the case's joint angles, and rates and accelerations if they are `all` wanted. */
static const char *write_table(const json_t *one, bool all, char path[256])
{
    static const char *const keys[] = {"alpha", "alphad", "alphadd"};
    static const char *const names[] = {"angle", "rate", "acceleration"};
    const json_t *times = json_object_get(one, "t");
    FILE *file = fopen(in_folder("table.csv", path), "w");
    double row[N];
    int n = ref_numbers(json_array_get(json_object_get(one, "alpha"), 0), N, row);
    if (!file)
        ref_stop("%s cannot be written", path);
    (void)fprintf(file, "time");
    for (int q = 0; q < (all ? 3 : 1); q++)
        for (int i = 0; i < n; i++)
            (void)fprintf(file, ",%s/s%d", names[q], i);
    for (size_t k = 0; k < json_array_size(times); k++) {
        (void)fprintf(file, "\n%.17g", json_number_value(json_array_get(times, k)));
        for (int q = 0; q < (all ? 3 : 1); q++) {
            (void)ref_numbers(json_array_get(json_object_get(one, keys[q]), k), N, row);
            for (int i = 0; i < n; i++)
                (void)fprintf(file, ",%.17g", row[i]);
        }
    }
    (void)fprintf(file, "\n");
    if (fclose(file) != 0)
        ref_stop("%s cannot be written", path);
    return path;
}

static void check_parts(const json_t *one, double bound)
{
    CHECK_ERROR(error_of("torque_inertia", one, "T_inertia"), bound);
    CHECK_ERROR(error_of("torque_velocity", one, "T_v"), bound);
    if (ref_number(json_object_get(one, "params"), "n") == 3) /* the other one lies */
        CHECK_ERROR(error_of("torque_gravity", one, "T_gravity"), bound);
    if (!json_object_get(json_object_get(one, "params"), "fext"))
        CHECK_ERROR(error_of("torque", one, "T"), bound);
}

/* Given in full, and by its angles alone: a motion of degree 5 is the spline's own. */
static void tables_have_the_torques_of_the_reference(void)
{
    json_t *root = ref_load("inverse_dynamics.json");
    const json_t *cases = json_object_get(root, "cases");
    for (size_t c = 0; c < json_array_size(cases); c++) {
        const json_t *one = json_array_get(cases, c), *params = json_object_get(one, "params");
        char text[MOST_TEXT], path[256];
        double g[2];
        (void)ref_numbers(json_object_get(params, "g"), 2, g);
        int used = put_system(text, 0, params, "joint", "right", -g[1]);
        (void)snprintf(text + used, (size_t)(MOST_TEXT - used), "time: {step: 1, end: 1}\n");
        CHECK_CASE("%s, given in full", ref_name(one));
        solve(text, write_table(one, true, path));
        check_parts(one, 5e-15);
        CHECK_CASE("%s, by its angles", ref_name(one));
        solve(text, write_table(one, false, path));
        check_parts(one, 5e-11);
    }
    json_decref(root);
}

/* The same motions as the study describes them, 49 steps long. */
static void described_motions_have_the_torques_of_the_reference(void)
{
    json_t *root = ref_load("inverse_dynamics.json");
    const json_t *cases = json_object_get(root, "cases");
    for (size_t c = 0; c < json_array_size(cases); c++) {
        const json_t *one = json_array_get(cases, c), *params = json_object_get(one, "params");
        static const char *const ends[] = {"alpha0", "alphaf"};
        char text[MOST_TEXT];
        double g[2], angle[N], duration = ref_number(one, "duration");
        CHECK_CASE("%s, described", ref_name(one));
        (void)ref_numbers(json_object_get(params, "g"), 2, g);
        int used = put_system(text, 0, params, "joint", "right", -g[1]);
        used += snprintf(text + used, (size_t)(MOST_TEXT - used),
                         "time: {step: %.17g/49, end: %.17g}\n"
                         "motion:\n  type: minimum_jerk\n  duration: %.17g\n",
                         duration, duration, duration);
        for (int e = 0; e < 2; e++) {
            int n = ref_numbers(json_object_get(one, ends[e]), N, angle);
            used += snprintf(text + used, (size_t)(MOST_TEXT - used), "  %s: {angle: [%.17g",
                             e ? "end" : "start", angle[0]);
            for (int i = 1; i < n; i++)
                used += snprintf(text + used, (size_t)(MOST_TEXT - used), ", %.17g", angle[i]);
            used += snprintf(text + used, (size_t)(MOST_TEXT - used), "]}\n");
        }
        solve(text, NULL);
        check_parts(one, 5e-15);
    }
    json_decref(root);
}

/* The base holds the arm with the same force, x and y, wherever its angles count from. */
static void check_base(bool is_first, size_t c)
{
    static double force[2 * N * MOST_SAMPLES], seen[2][2 * MOST_SAMPLES];
    const size_t size = (size_t)read_set("joint_force", force) / 2;
    if (is_first)
        memcpy(seen[c], force, size * sizeof *force);
    CHECK_ERROR(ref_error((int)size, force, seen[c]), 1e-14);
}

static void hand_paths_have_the_torques_of_the_reference(const char *angles, const char *zero)
{
    json_t *root = ref_load("reaching_two_link.json");
    const json_t *cases = json_object_get(root, "cases");
    for (size_t c = 0; c < json_array_size(cases); c++) {
        const json_t *one = json_array_get(cases, c);
        char text[MOST_TEXT];
        double from[2], to[2], duration = ref_number(one, "duration");
        CHECK_CASE("%s, angles of %s, zero %s", ref_name(one), angles, zero);
        (void)ref_numbers(json_object_get(one, "hand_start"), 2, from);
        (void)ref_numbers(json_object_get(one, "hand_end"), 2, to);
        int used = put_system(text, 0, json_object_get(one, "params"), angles, zero, 0.0);
        (void)snprintf(text + used, (size_t)(MOST_TEXT - used),
                       "time: {step: %.17g/40, end: %.17g}\n"
                       "motion: {type: hand_path, start: [%.17g, %.17g], end: [%.17g, %.17g], "
                       "duration: %.17g, elbow: %s}\n",
                       duration, duration, from[0], from[1], to[0], to[1], duration,
                       ref_number(one, "elbow_sign") < 0.0 ? "negative" : "positive");
        solve(text, NULL);
        CHECK_ERROR(error_of("torque", one, "T"), 1e-14);
        CHECK_ERROR(error_of("torque_inertia_own", one, "T_inertial_own"), 1e-14);
        CHECK_ERROR(error_of("torque_centripetal", one, "T_centripetal"), 1e-14);
        CHECK_ERROR(error_of("torque_coriolis", one, "T_coriolis"), 1e-14);
        bool is_first = strcmp(angles, "joint") == 0 && strcmp(zero, "right") == 0;
        check_base(is_first, c);
        if (is_first) {
            CHECK_ERROR(error_of("angle", one, "alpha"), 5e-15);
            CHECK_ERROR(error_of("rate", one, "alphad"), 1e-14);
            CHECK_ERROR(error_of("acceleration", one, "alphadd"), 1e-14);
        }
    }
    json_decref(root);
}

/* Integrates a driven and damped arm and keeps every `every`-th step. Returns how far the torques
 * of its motion are from those that drove it. */
static double go_there_and_back(int every, const char *quantities)
{
    static const char form[] =
        "manylink: 1\n"
        "system: {type: chain, angles: joint, segments: {repeat: 3, length: 0.4, mass: 1.5}}\n"
        "forces:\n"
        "  - {type: damper, joint: 1, coefficient: 0.4}\n"
        "  - {type: damper, joint: 2, coefficient: 0.2}\n"
        "  - {type: torque, joint: 2, value: 1.5}\n"
        "  - {type: torque, joint: 3, value: -0.5}\n"
        "initial: {angle: [1, 0.5, -0.3], rate: [0, 1, -2]}\n"
        "time: {step: 2.5e-4, end: 1}\n"
        "save: {trajectory: {every: %d, quantities: [%s]}}\n";
    static const double drive[N] = {0.0, 1.5, -0.5};
    static double torque[N * MOST_SAMPLES];
    char text[MOST_TEXT], path[256];
    struct ml_error err = {0};
    struct ml_run_report report;
    (void)snprintf(text, sizeof text, form, every, quantities);
    struct ml_study *study = parse(text);
    (void)unlink(in_folder("run.h5", path));
    if (ml_run(study, &(struct ml_run_options){.output = path, .n_thread = 1}, &report, &err))
        ref_stop("%s", err.text);
    ml_study_free(study);
    solve(text, path);
    int n = read_set("torque", torque), n_time = n / N;
    double worst = 0.0;
    for (int i = 0; i < n; i++)
        worst = ref_worse(worst, fabs(torque[i] - drive[i / n_time]));
    return worst;
}

/* The error is that of the spline: halving the interval divides it by 2^order. */
static void torques_of_a_run_come_back(const char *quantities, double order, double bound)
{
    CHECK_CASE("saved: %s", quantities);
    double error = go_there_and_back(10, quantities), half = go_there_and_back(5, quantities);
    CHECK_ERROR(fabs(log2(error / half) - order), 0.2);
    CHECK_ERROR(half, bound);
}

int main(void)
{
    char path[256];
    if (!mkdtemp(folder))
        ref_stop("no folder for files");
    tables_have_the_torques_of_the_reference();
    described_motions_have_the_torques_of_the_reference();
    hand_paths_have_the_torques_of_the_reference("joint", "right");
    hand_paths_have_the_torques_of_the_reference("segment", "right");
    hand_paths_have_the_torques_of_the_reference("joint", "down");
    hand_paths_have_the_torques_of_the_reference("segment", "down");
    torques_of_a_run_come_back("angle, rate", 5.0, 1e-8);
    torques_of_a_run_come_back("angle", 4.0, 1e-6);
    static const char *const files[] = {"inverse.h5", "table.csv", "run.h5"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        (void)unlink(in_folder(files[i], path));
    (void)rmdir(folder);
    return check_done();
}
