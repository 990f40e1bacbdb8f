/* manylink evaluate --json against the same evaluation through the library. */
#include <jansson.h>
#include <string.h>

#include "check.h"
#include "engine/assess/evaluate.h"
#include "engine/team/ensemble.h"
#include "plan/study.h"
#include "study.h"

enum { MAX_N = 8 };

static void check_vector(const json_t *root, const char *name, const double *expected, int n)
{
    const json_t *array = json_object_get(root, name);
    CHECK(json_array_size(array) == (size_t)n);
    for (int i = 0; i < n; i++)
        CHECK(json_number_value(json_array_get(array, (size_t)i)) == expected[i]);
}

static json_t *evaluate_by_command(const char *path)
{
    char line[1024];
    json_error_t err;
    (void)snprintf(line, sizeof line, "'%s' evaluate '%s' --json", getenv("MANYLINK"), path);
    FILE *pipe = popen(line, "r");
    json_t *root = pipe ? json_loadf(pipe, 0, &err) : NULL;
    CHECK(root);
    CHECK(pipe && pclose(pipe) == 0);
    return root;
}

static void printed_numbers_are_those_of_the_library(const char *path)
{
    double m[MAX_N * MAX_N], v[6][MAX_N], state[2 * MAX_N], kinetic, potential;
    struct ml_terms terms = {
        .m = m, .c = v[0], .g = v[1], .q = v[2], .d = v[3], .e = v[4], .qdd = v[5]};
    static const char *const names[] = {"C", "G", "Q", "D", "E", "qdd"};
    struct ml_study *study;
    struct ml_error err = {0};
    CHECK_CASE("%s", path);
    CHECK(ml_study_load(STUDY_FILE(path), &study, &err) == ML_OK);
    int n = study->ensemble.model.n;
    CHECK(ml_ensemble_evaluate(&study->ensemble, 0, &terms, state, &kinetic, &potential, &err) ==
          ML_OK);
    json_t *root = evaluate_by_command(path);
    check_vector(root, "q", state, n);
    check_vector(root, "qd", state + n, n);
    for (int i = 0; i < 6; i++)
        check_vector(root, names[i], v[i], n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            CHECK(json_number_value(json_array_get(
                      json_array_get(json_object_get(root, "M"), (size_t)i), (size_t)j)) ==
                  m[i * n + j]);
    CHECK(json_number_value(json_object_get(root, "kinetic_energy")) == kinetic);
    CHECK(json_number_value(json_object_get(root, "potential_energy")) == potential);
    json_decref(root);
    ml_study_free(study);
}

int main(void)
{
    printed_numbers_are_those_of_the_library(ML_SOURCE_DIR "/studies/double_pendulum.yaml");
    printed_numbers_are_those_of_the_library(ML_SOURCE_DIR "/studies/three_link_arm.yaml");
    printed_numbers_are_those_of_the_library(ML_SOURCE_DIR "/studies/chain8.yaml");
    return check_done();
}
