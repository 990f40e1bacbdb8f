/* Torques of whole motions through files: against reference data, by every way a motion can be
 * given. */
#include "inverse/files.h"

enum { MOST_TEXT = 4096, N = 3 };

/* Largest difference between a dataset [joint][time] and rows [time][joint] of a file, by the
 * largest number there. */
static double error_of(const char *name, const json_t *one, const char *key)
{
    static double is[MOST_NUMBERS], should[MOST_NUMBERS], row[MOST_NUMBERS];
    char set[128];
    (void)snprintf(set, sizeof set, "/study/inverse/%s", name);
    int n = read_set("inverse.h5", set, is);
    if (ref_numbers(json_object_get(one, key), MOST_NUMBERS, row) != n)
        ref_stop("%s and %s differ in size", name, key);
    int n_time = (int)json_array_size(json_object_get(one, "t")), n_joint = n / n_time;
    for (int i = 0; i < n_joint; i++)
        for (int k = 0; k < n_time; k++)
            should[i * n_time + k] = row[k * n_joint + i];
    return ref_error(n, is, should);
}

/* The chain of a case as a study, up to its motion. */
static int write_system(char *text, int used, const json_t *params, const char *angles,
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

/* The force that the case has on a segment. */
static int put_force(char *text, int used, const json_t *params)
{
    const json_t *given = json_object_get(params, "fext");
    double force[2];
    if (!given)
        return used;
    (void)ref_numbers(json_object_get(given, "F"), 2, force);
    return used + snprintf(text + used, (size_t)(MOST_TEXT - used),
                           "forces: [{type: point_force, segment: s%d, at: %.17g, "
                           "force: [%.17g, %.17g]}]\n",
                           (int)ref_number(given, "k") - 1, ref_number(given, "r"), force[0],
                           force[1]);
}

static void check_parts(const json_t *one, double bound)
{
    CHECK_ERROR(error_of("torque_inertia", one, "T_inertia"), bound);
    CHECK_ERROR(error_of("torque_velocity", one, "T_v"), bound);
    if (ref_number(json_object_get(one, "params"), "n") == 3) /* the other one lies */
        CHECK_ERROR(error_of("torque_gravity", one, "T_gravity"), bound);
    if (json_object_get(json_object_get(one, "params"), "fext"))
        CHECK_ERROR(error_of("torque_external", one, "T_ext"), bound);
    CHECK_ERROR(error_of("torque", one, "T"), bound);
    CHECK_ERROR(error_of("joint_force", one, "joint_force"), bound);
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
        int used = write_system(text, 0, params, "joint", "right", -g[1]);
        used = put_force(text, used, params);
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
        int used = write_system(text, 0, params, "joint", "right", -g[1]);
        used = put_force(text, used, params);
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
    static double force[MOST_NUMBERS], observed[2][MOST_NUMBERS];
    const size_t size = (size_t)read_set("inverse.h5", "/study/inverse/joint_force", force) / 2;
    if (is_first)
        memcpy(observed[c], force, size * sizeof *force);
    CHECK_ERROR(ref_error((int)size, force, observed[c]), 1e-14);
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
        int used = write_system(text, 0, json_object_get(one, "params"), angles, zero, 0.0);
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

int main(void)
{
    begin_folder();
    tables_have_the_torques_of_the_reference();
    described_motions_have_the_torques_of_the_reference();
    hand_paths_have_the_torques_of_the_reference("joint", "right");
    hand_paths_have_the_torques_of_the_reference("segment", "right");
    hand_paths_have_the_torques_of_the_reference("joint", "down");
    hand_paths_have_the_torques_of_the_reference("segment", "down");
    end_folder((const char *[]){"inverse.h5", "table.csv", NULL});
    return check_done();
}
