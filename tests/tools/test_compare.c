/* The reference that errors of integrators are measured against, against end states that were
 * computed with 30 digits and more. */
#include <string.h>

#include "check.h"
#include "reference/reference.h"
#include "study.h"
#include "tools/compare/reference.h"

static const char chain[] =
    "manylink: 1\n"
    "system: {type: chain, angles: segment, zero: down, gravity: %.17g,\n"
    "  segments: [{length: %.17g, mass: %.17g, com: %.17g, inertia: %.17g},\n"
    "             {length: %.17g, mass: %.17g, com: %.17g, inertia: %.17g}]}\n"
    "initial: {angle: [%.17g, %.17g], rate: [%.17g, %.17g]}\n"
    "time: {step: %.17g, end: %.17g}\n";

/* A double pendulum of a reference file. */
static struct ml_study *study_of(const json_t *params, const double *x, double end)
{
    double l[2], m[2], d[2], inertia[2], g[2];
    char text[1000];
    struct ml_error err = {0};
    struct ml_study *study;
    (void)ref_numbers(json_object_get(params, "l"), 2, l);
    (void)ref_numbers(json_object_get(params, "m"), 2, m);
    (void)ref_numbers(json_object_get(params, "d"), 2, d);
    (void)ref_numbers(json_object_get(params, "I"), 2, inertia);
    (void)ref_numbers(json_object_get(params, "g"), 2, g);
    (void)snprintf(text, sizeof text, chain, -g[1], l[0], m[0], d[0], inertia[0], l[1], m[1], d[1],
                   inertia[1], x[0], x[1], x[2], x[3], end / 1000.0, end);
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, &err) == ML_OK);
    (void)fputs(err.text ? err.text : "", stderr);
    ml_error_clear(&err);
    return study;
}

/* The reference's end state is within a hundredth of the finest accuracy that is named, and its
 * self-check says how far it is off. */
static void reference_is_known(const json_t *params, const double *x, double end,
                               const double *exact)
{
    struct ml_study *study = study_of(params, x, end);
    struct ml_compare_sample sample;
    struct ml_compare_outcome truth;
    struct ml_comparison_reference about = {0};
    struct ml_error err = {0};
    double evaluations, off = 0.0;
    CHECK(ml_compare_sample_init(&sample, study, &err) == ML_OK);
    CHECK(ml_compare_outcome_init(&truth, &sample));
    CHECK(ml_compare_refer(&sample, &truth, &about, &evaluations, &err) == ML_OK);
    for (int i = 0; i < 4; i++)
        off = fmax(off, fabs(truth.of.end[i] - exact[i]) / (1.0 + fabs(exact[i])));
    CHECK_ERROR(off, 1e-14);
    CHECK_ERROR(about.difference, 1e-14);
    CHECK(off <= 10.0 * about.difference + 1e-15);
    ml_error_clear(&err);
    ml_compare_outcome_free(&truth);
    ml_compare_sample_free(&sample);
    ml_study_free(study);
}

static void regular_trajectory(void)
{
    json_t *file = ref_load("trajectories.json");
    const json_t *one = ref_case(file, "dp_regular");
    double x[4 * 21], t[21];
    const int n = ref_numbers(json_object_get(one, "t"), 21, t);
    CHECK(ref_numbers(json_object_get(one, "x"), 4 * 21, x) == 4 * n);
    for (int i = 1; i < n; i += 4) {
        CHECK_CASE("dp_regular to %g s", t[i]);
        reference_is_known(json_object_get(one, "params"), x, t[i], x + (size_t)i * 4);
    }
    json_decref(file);
}

static void convergence_case(void)
{
    json_t *file = ref_load("convergence.json");
    const json_t *one = ref_case(file, "dp_regular_T2");
    double x[4], exact[4];
    (void)ref_numbers(json_object_get(one, "x0"), 4, x);
    (void)ref_numbers(json_object_get(one, "exact"), 4, exact);
    CHECK_CASE("dp_regular_T2");
    reference_is_known(json_object_get(one, "params"), x, ref_number(one, "T"), exact);
    json_decref(file);
}

static void a_kernel_that_is_none_is_refused(void)
{
    const double x[4] = {1.0};
    json_t *file = ref_load("convergence.json");
    struct ml_study *study =
        study_of(json_object_get(ref_case(file, "dp_regular_T2"), "params"), x, 1.0);
    const struct ml_compare_options options = {.size = sizeof options,
                                               .kernel = (enum ml_kernel_mode)3};
    struct ml_comparison *comparison = NULL;
    struct ml_error err = {0};
    CHECK_CASE("kernel");
    CHECK(ml_compare(study, &options, &comparison, &err) == ML_E_INPUT && !comparison);
    CHECK(err.text && strstr(err.text, "`kernel` is 3"));
    ml_error_clear(&err);
    ml_study_free(study);
    json_decref(file);
}

int main(void)
{
    regular_trajectory();
    convergence_case();
    a_kernel_that_is_none_is_refused();
    return check_done();
}
