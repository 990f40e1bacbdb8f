/* Matrices of a study: whatever form one is given in, the numbers are the same; each has its path;
 * the canonical text reads back as itself. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "plan/study.h"
#include "study.h"

static struct ml_study *parse(const char *text, int n_override, const char *const *overrides)
{
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    if (ml_study_load(STUDY_TEXT("test", text, STUDY_SET(overrides, n_override)), &study, &err) !=
        ML_OK)
        (void)fprintf(stderr, "%s\n", err.text);
    CHECK(study != NULL);
    ml_error_clear(&err);
    return study;
}

/* The canonical text of a study with these keys below `system`. */
static struct ml_study *read_system(const char *keys, int n_override, const char *const *overrides)
{
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "manylink: 1\nsystem:\n  type: mass_spring_damper\n%stime: {step: 1, end: 1}\n",
                   keys);
    return parse(text, n_override, overrides);
}

static void all_are(const char *what, const char *resolved, struct ml_study *study)
{
    CHECK_CASE("%s", what);
    CHECK(study && strcmp(ml_study_resolved(study), resolved) == 0);
    ml_study_free(study);
}

static void forms_are_the_same(void)
{
    static const char *const sets[] = {"system.damping.b.a=7",   "system.mass.b.b=9",
                                       "initial.velocity.b=2",   "system.stiffness.a.a=3",
                                       "system.stiffness.a.b=1", "system.stiffness.b.b=4",
                                       "system.force.b=5"};
    static const char *const numbers[] = {"system.stiffness.1.2=1", "system.damping.2.1=7",
                                          "initial.velocity.2=2", "system.mass.2=9",
                                          "system.force.2=5"};
    struct ml_study *first =
        read_system("  names: [a, b]\n  mass: [[6, 0], [0, 9]]\n  damping: [[0, 0], [7, 0]]\n"
                    "  stiffness: [[3, 1], [0, 4]]\n  force: [0, 5]\ninitial: {velocity: [0, 2]}\n",
                    0, NULL);
    const char *resolved = ml_study_resolved(first);
    CHECK(strstr(resolved, "    - [3, 1]\n    - [0, 4]\n") != NULL);
    all_are("resolved", resolved, parse(resolved, 0, NULL));
    all_are("by name", resolved,
            read_system("  names: [a, b]\n  mass: {b: {b: 9}, a: [6, 0]}\n  damping: {b: {a: 7}}\n"
                        "  stiffness: [[3, 1], {b: 4}]\n  force: {b: 5}\n"
                        "initial: {velocity: {b: 2}}\n",
                        0, NULL));
    all_are("--set", resolved,
            read_system("  names: [a, b]\n  mass: [6, 8]\n  damping: [0, 0]\n"
                        "  force: [0, 0]\ninitial: {velocity: [0, 1]}\n",
                        sizeof sets / sizeof *sets, sets));
    ml_study_free(first);
    first =
        read_system("  mass: [6, 9]\n  damping: [[0, 0], [7, 0]]\n  stiffness: [[3, 1], [0, 4]]\n"
                    "  force: {2: 5}\ninitial: {velocity: {2: 2}}\n",
                    0, NULL);
    all_are("--set by number", ml_study_resolved(first),
            read_system("  mass: [6, 1]\n  damping: [[0, 0], [1, 0]]\n"
                        "  stiffness: [[3, 0], [0, 4]]\n  force: [0, 0]\n"
                        "initial: {velocity: [0, 1]}\n",
                        5, numbers));
    ml_study_free(first);
}

/* Paths in the order of the values. A pair of masses has one number and two paths. */
static void every_number_has_its_path(void)
{
    static const char *const paths[] = {
        "system.mass.a.a",      "system.mass.a.b",      "system.mass.b.b",
        "system.damping.a.a",   "system.damping.a.b",   "system.damping.b.a",
        "system.damping.b.b",   "system.stiffness.a.a", "system.stiffness.a.b",
        "system.stiffness.b.a", "system.stiffness.b.b", "system.force.a",
        "system.force.b",       "initial.energy",       "initial.position.a",
        "initial.position.b",   "initial.velocity.a",   "initial.velocity.b"};
    enum { N = sizeof paths / sizeof *paths, ENERGY = 13 };
    CHECK_CASE("paths");
    struct ml_study *study =
        read_system("  names: [a, b]\n  mass: [[1, 2], [2, 3]]\n  damping: [[4, 5], [6, 7]]\n"
                    "  stiffness: [[8, 9], [10, 11]]\n  force: [12, 13]\n"
                    "initial: {position: [14, 15], velocity: [16, 17]}\n"
                    "sweep: [{set: system.mass.b.a, values: [2]}]\n",
                    0, NULL);
    CHECK(study && study->ensemble.numbers.n == N);
    for (int v = 0; study && v < N; v++) {
        CHECK(strcmp(study->spec.numbers.names[v], paths[v]) == 0);
        CHECK(v == ENERGY ? isnan(study->spec.numbers.base[v])
                          : study->spec.numbers.base[v] == (v < ENERGY ? v + 1.0 : (double)v));
    }
    CHECK(study && strcmp(study->spec.runs.axes->swept->path, "system.mass.a.b") == 0);
    ml_study_free(study);
}

int main(void)
{
    forms_are_the_same();
    every_number_has_its_path();
    return check_done();
}
