/* Cesari, Shiratori, Olivato, Duarte (2001), appendix; also Zatsiorsky (2002) (docs/errata.md,
 * part B): its equations (3)-(44) as printed and as corrected, against the engine. */
#include <lapacke.h>

#include "check.h"
#include "reference/reference.h"

enum { N = 3 };

/* In the letters of the appendix; d_S is measured from the hand's centre of mass. */
struct arm {
    double l1, l2, d1, d2, d3, m1, m2, m3, i1, i2, i3, g;
};

struct motion {
    double a[N], ad[N], add[N];
};

/* Which equations are taken as printed. */
struct printed {
    bool eq10, eq14, eq23, eq31;
};

static const struct printed corrected = {0};

/* An adult of 70 kg and 1.70 m. */
static struct ref_chain adult_chain(void)
{
    json_t *file = ref_load("inverse_dynamics.json");
    const json_t *json = ref_case(file, "arm3_fast_no_force");
    const struct ref_chain chain = ref_chain(json_object_get(json, "params"));
    json_decref(file);
    return chain;
}

static struct arm as_arm(const struct ref_chain *c)
{
    return (struct arm){
        .l1 = c->l[0],
        .l2 = c->l[1],
        .d1 = c->d[0],
        .d2 = c->d[1],
        .d3 = c->d[2],
        .m1 = c->m[0],
        .m2 = c->m[1],
        .m3 = c->m[2],
        .i1 = c->inertia[0],
        .i2 = c->inertia[1],
        .i3 = c->inertia[2],
        .g = -c->g[1],
    };
}

/* The instant the numbers of docs/errata.md are for. */
static const struct motion instant = {{0.5, 0.8, 0.3}, {1.0, -2.0, 3.0}, {4.0, -3.0, 2.0}};
static const double spring_force = 10.0, d_s = 0.05; /* N, m */

static struct motion some_motion(int i)
{
    struct motion m;
    for (int j = 0; j < N; j++) {
        m.a[j] = 3.0 * sin(1.3 * i + 2.1 * j + 0.3);
        m.ad[j] = 5.0 * sin(2.7 * i + 1.1 * j + 1.0);
        m.add[j] = 20.0 * sin(0.9 * i + 1.7 * j + 2.0);
    }
    return m;
}

/* Equations (3), (5), (7), (9), (11), (13): x and y of each centre of mass. */
static void positions(const struct arm *r, const double *a, double *x, double *y)
{
    double a12 = a[0] + a[1], a123 = a12 + a[2];
    x[0] = r->d1 * cos(a[0]);
    y[0] = r->d1 * sin(a[0]);
    x[1] = r->l1 * cos(a[0]) + r->d2 * cos(a12);
    y[1] = r->l1 * sin(a[0]) + r->d2 * sin(a12);
    x[2] = r->l1 * cos(a[0]) + r->l2 * cos(a12) + r->d3 * cos(a123);
    y[2] = r->l1 * sin(a[0]) + r->l2 * sin(a12) + r->d3 * sin(a123);
}

/* Equations (4), (6), (8), (10), (12), (14). */
static void accelerations(const struct arm *r, const struct motion *m, struct printed printed,
                          double *x, double *y)
{
    double s1 = sin(m->a[0]), s12 = sin(m->a[0] + m->a[1]), s123 = sin(m->a[0] + m->a[1] + m->a[2]);
    double c1 = cos(m->a[0]), c12 = cos(m->a[0] + m->a[1]), c123 = cos(m->a[0] + m->a[1] + m->a[2]);
    double w1 = m->ad[0], w2 = m->ad[1], w3 = m->ad[2];
    double q1 = m->add[0], q2 = m->add[1], q3 = m->add[2];
    double l1 = r->l1, l2 = r->l2, d1 = r->d1, d2 = r->d2, d3 = r->d3;

    x[0] = -d1 * (q1 * s1 + w1 * w1 * c1);
    y[0] = d1 * (q1 * c1 - w1 * w1 * s1);

    x[1] = -(l1 * s1 + d2 * s12) * q1 - d2 * s12 * q2 - (l1 * c1 + d2 * c12) * w1 * w1 -
           d2 * c12 * (2.0 * w1 * w2 + w2 * w2);
    double sign = printed.eq10 ? -1.0 : 1.0;
    y[1] = (l1 * c1 + d2 * c12) * q1 + d2 * c12 * q2 - (l1 * s1 + sign * d2 * s12) * w1 * w1 -
           sign * d2 * s12 * (2.0 * w1 * w2 + w2 * w2);

    x[2] = -(l1 * s1 + l2 * s12 + d3 * s123) * q1 - (l2 * s12 + d3 * s123) * q2 - d3 * s123 * q3 -
           (l1 * c1 + l2 * c12 + d3 * c123) * w1 * w1 - (l2 * c12 + d3 * c123) * w2 * w2 -
           d3 * c123 * w3 * w3 - (l2 * c12 + d3 * c123) * 2.0 * w1 * w2 -
           d3 * c123 * (2.0 * w1 * w3 + 2.0 * w2 * w3);
    y[2] = (l1 * c1 + l2 * c12 + d3 * c123) * q1 + (l2 * c12 + d3 * c123) * q2 + d3 * c123 * q3 -
           (l1 * s1 + l2 * s12 + d3 * s123) * w1 * w1 - (l2 * s12 + d3 * s123) * w2 * w2 -
           d3 * s123 * w3 * w3 - (l2 * s12 + d3 * (printed.eq14 ? c123 : s123)) * 2.0 * w1 * w2 -
           d3 * s123 * (2.0 * w1 * w3 + 2.0 * w2 * w3);
}

/* Equations (15)-(23), solved from the hand inwards. */
static void scalar_route(const struct arm *r, const struct motion *m, double force, double lever,
                         struct printed printed, double *torque)
{
    double s1 = sin(m->a[0]), s12 = sin(m->a[0] + m->a[1]), s123 = sin(m->a[0] + m->a[1] + m->a[2]);
    double c1 = cos(m->a[0]), c12 = cos(m->a[0] + m->a[1]), c123 = cos(m->a[0] + m->a[1] + m->a[2]);
    double q1 = m->add[0], q2 = m->add[1], q3 = m->add[2], x[N], y[N];
    accelerations(r, m, printed, x, y);
    double fx3 = r->m3 * x[2] + force, fy3 = r->m3 * y[2] + r->m3 * r->g;
    double fx2 = r->m2 * x[1] + fx3, fy2 = r->m2 * y[1] + fy3 + r->m2 * r->g;
    double fx1 = r->m1 * x[0] + fx2, fy1 = r->m1 * y[0] + fy2 + r->m1 * r->g;
    torque[2] = r->i3 * q3 - fx3 * r->d3 * s123 + fy3 * r->d3 * c123 - force * lever * s123 +
                r->i3 * q1 + r->i3 * q2;
    torque[1] = r->i2 * q2 + torque[2] - fx3 * (r->l2 - r->d2) * s12 + fy3 * (r->l2 - r->d2) * c12 -
                fx2 * r->d2 * s12 + fy2 * r->d2 * c12 + r->i2 * q1;
    torque[0] = r->i1 * q1 + torque[1] - fx2 * (r->l1 - r->d1) * s1 + fy2 * (r->l1 - r->d1) * c1 -
                (printed.eq23 ? fy1 : fx1) * r->d1 * s1 + fy1 * r->d1 * c1;
}

/* Equations (27)-(35). */
static void mass_matrix(const struct arm *r, const double *a, struct printed printed, double *m)
{
    double k2 = cos(a[1]), k3 = cos(a[2]), k23 = cos(a[1] + a[2]);
    double l1 = r->l1, l2 = r->l2, d1 = r->d1, d2 = r->d2, d3 = r->d3;
    m[0] = r->m1 * d1 * d1 + r->i1 + r->m2 * (l1 * l1 + d2 * d2 + 2.0 * l1 * d2 * k2) + r->i2 +
           r->m3 * (l1 * l1 + l2 * l2 + d3 * d3 + 2.0 * l1 * l2 * k2 + 2.0 * l1 * d3 * k23 +
                    2.0 * l2 * d3 * k3) +
           r->i3;
    m[1] = r->m2 * (d2 * d2 + l1 * d2 * k2) + r->i2 +
           r->m3 * (l2 * l2 + d3 * d3 + l1 * l2 * k2 + l1 * d3 * k23 + 2.0 * l2 * d3 * k3) + r->i3;
    m[2] = r->m3 * (d3 * d3 + l1 * d3 * k23 + l2 * d3 * k3) + r->i3;
    m[3] = r->m2 * (d2 * d2 + l1 * d2 * k2) + r->i2 +
           r->m3 * (l2 * l2 + d3 * d3 + l1 * l2 * k2 + 2.0 * l2 * d3 * k3 + l1 * d3 * k23) + r->i3;
    m[4] = r->m2 * d2 * d2 + r->i2 +
           r->m3 * (l2 * l2 + d3 * d3 + (printed.eq31 ? 1.0 : 2.0) * l2 * d3 * k3) + r->i3;
    m[5] = r->m3 * (d3 * d3 + l2 * d3 * k3) + r->i3;
    m[6] = r->m3 * (d3 * d3 + l1 * d3 * k23 + l2 * d3 * k3) + r->i3;
    m[7] = r->m3 * (d3 * d3 + l2 * d3 * k3) + r->i3;
    m[8] = r->m3 * d3 * d3 + r->i3;
}

/* Equations (36)-(38). */
static void velocity_terms(const struct arm *r, const double *a, const double *ad, double *v)
{
    double s2 = sin(a[1]), s3 = sin(a[2]), s23 = sin(a[1] + a[2]), w1 = ad[0], w2 = ad[1];
    double w3 = ad[2];
    double near =
        (r->m2 * r->l1 * r->d2 + r->m3 * r->l1 * r->l2) * s2 + r->m3 * r->l1 * r->d3 * s23;
    double far = r->m3 * r->l1 * r->d3 * s23 + r->m3 * r->l2 * r->d3 * s3;
    double third = 2.0 * w1 * w3 + 2.0 * w2 * w3 + w3 * w3;
    v[0] = -near * (2.0 * w1 * w2 + w2 * w2) - far * third;
    v[1] = near * w1 * w1 - r->m3 * r->d3 * r->l2 * s3 * third;
    v[2] = far * w1 * w1 + r->m3 * r->l2 * r->d3 * s3 * (2.0 * w1 * w2 + w2 * w2);
}

/* Equations (39)-(41). */
static void gravity_terms(const struct arm *r, const double *a, double *g)
{
    double c1 = cos(a[0]), c12 = cos(a[0] + a[1]), c123 = cos(a[0] + a[1] + a[2]);
    g[0] = r->m1 * r->g * r->d1 * c1 + r->m2 * r->g * (r->l1 * c1 + r->d2 * c12) +
           r->m3 * r->g * (r->l1 * c1 + r->l2 * c12 + r->d3 * c123);
    g[1] = r->m2 * r->g * r->d2 * c12 + r->m3 * r->g * (r->l2 * c12 + r->d3 * c123);
    g[2] = r->m3 * r->g * r->d3 * c123;
}

/* Equations (42)-(44); `lever` is d_3 + d_S there. */
static void external_terms(const struct arm *r, const double *a, double force, double lever,
                           double *t)
{
    double s1 = sin(a[0]), s12 = sin(a[0] + a[1]), s123 = sin(a[0] + a[1] + a[2]);
    t[0] = -force * r->l1 * s1 - force * r->l2 * s12 - force * lever * s123;
    t[1] = -force * r->l2 * s12 - force * lever * s123;
    t[2] = -force * lever * s123;
}

/* Equation (24). */
static void matrix_route(const struct arm *r, const struct motion *m, double force, double lever,
                         struct printed printed, double *torque)
{
    double mass[N * N], v[N], g[N], t[N];
    mass_matrix(r, m->a, printed, mass);
    velocity_terms(r, m->a, m->ad, v);
    gravity_terms(r, m->a, g);
    external_terms(r, m->a, force, lever, t);
    for (int i = 0; i < N; i++)
        torque[i] = mass[i * N] * m->add[0] + mass[i * N + 1] * m->add[1] +
                    mass[i * N + 2] * m->add[2] + v[i] + g[i] + t[i];
}

static struct ref_evaluation evaluate(const struct ml_kernels *k, const struct ref_chain *chain,
                                      const struct motion *m)
{
    struct ref_runs runs;
    double x[2 * N];
    for (int i = 0; i < N; i++) {
        x[i] = m->a[i] + (i ? x[i - 1] : 0.0);
        x[N + i] = m->ad[i] + (i ? x[N + i - 1] : 0.0);
    }
    ref_runs_init(&runs, k, chain, true, 1, x);
    return ref_evaluate(&runs, 0);
}

/* T = M alphadd - C - G from the engine; C and G there stand on the right-hand side. */
static void engine_torques(const struct ref_evaluation *found, const struct motion *m,
                           double *torque)
{
    for (int i = 0; i < N; i++) {
        torque[i] = -found->c[i] - found->g[i];
        for (int j = 0; j < N; j++)
            torque[i] += found->m[i * N + j] * m->add[j];
    }
}

static void corrected_equations_agree_with_the_engine(const struct ml_kernels *k)
{
    const struct ref_chain chain = adult_chain();
    const struct arm arm = as_arm(&chain);
    for (int i = 0; i < 50; i++) {
        const struct motion m = some_motion(i);
        const struct ref_evaluation found = evaluate(k, &chain, &m);
        double mass[N * N], v[N], g[N], scalar[N], matrix[N], engine[N];
        mass_matrix(&arm, m.a, corrected, mass);
        velocity_terms(&arm, m.a, m.ad, v);
        gravity_terms(&arm, m.a, g);
        for (int j = 0; j < N; j++)
            v[j] = -v[j], g[j] = -g[j];
        scalar_route(&arm, &m, 0.0, 0.0, corrected, scalar);
        matrix_route(&arm, &m, 0.0, 0.0, corrected, matrix);
        engine_torques(&found, &m, engine);
        CHECK_CASE("motion %d", i);
        CHECK_ERROR(ref_error(N * N, found.m, mass), 2e-15);
        CHECK_ERROR(ref_error(N, found.c, v), 5e-15);
        CHECK_ERROR(ref_error(N, found.g, g), 2e-15);
        CHECK_ERROR(ref_error(N, scalar, engine), 2e-14);
        CHECK_ERROR(ref_error(N, matrix, engine), 1e-14);
    }
}

static void torques_of_the_instant(const struct ml_kernels *k)
{
    static const double expected[N] = {2.945463, -2.874568, -1.379468};
    const struct ref_chain chain = adult_chain();
    const struct arm arm = as_arm(&chain);
    const struct ref_evaluation found = evaluate(k, &chain, &instant);
    double scalar[N], matrix[N], engine[N], external[N];
    scalar_route(&arm, &instant, spring_force, d_s, corrected, scalar);
    matrix_route(&arm, &instant, spring_force, arm.d3 + d_s, corrected, matrix);
    engine_torques(&found, &instant, engine);
    external_terms(&arm, instant.a, spring_force, arm.d3 + d_s, external);
    for (int i = 0; i < N; i++)
        engine[i] += external[i];
    CHECK_CASE("instant");
    CHECK_ERROR(ref_error(N, scalar, engine), 2e-15);
    CHECK_ERROR(ref_error(N, matrix, engine), 2e-15);
    for (int i = 0; i < N; i++)
        CHECK_ERROR(fabs(engine[i] - expected[i]), 5e-7);
}

/* Torques with one equation as printed minus the corrected ones. */
static void misprint_changes_torques_by(const char *equation, struct printed printed,
                                        const double *expected, double digits)
{
    const struct ref_chain chain = adult_chain();
    const struct arm arm = as_arm(&chain);
    double right[N], wrong[N];
    if (printed.eq31) {
        matrix_route(&arm, &instant, spring_force, arm.d3 + d_s, corrected, right);
        matrix_route(&arm, &instant, spring_force, arm.d3 + d_s, printed, wrong);
    } else {
        scalar_route(&arm, &instant, spring_force, d_s, corrected, right);
        scalar_route(&arm, &instant, spring_force, d_s, printed, wrong);
    }
    CHECK_CASE("%s", equation);
    for (int i = 0; i < N; i++)
        CHECK_ERROR(fabs(wrong[i] - right[i] - expected[i]), digits);
}

/* Second differences of the positions along alpha + alphad t + alphadd t^2/2. */
static void accelerations_by_differences(const struct arm *r, const struct motion *m, double *x,
                                         double *y)
{
    static const double weight[] = {-1.0 / 12, 4.0 / 3, -5.0 / 2, 4.0 / 3, -1.0 / 12};
    const double step = 2e-3;
    for (int i = 0; i < N; i++)
        x[i] = y[i] = 0.0;
    for (int p = 0; p < 5; p++) {
        double t = (p - 2) * step, a[N], px[N], py[N];
        for (int i = 0; i < N; i++)
            a[i] = m->a[i] + m->ad[i] * t + m->add[i] * t * t / 2.0;
        positions(r, a, px, py);
        for (int i = 0; i < N; i++) {
            x[i] += weight[p] * px[i] / (step * step);
            y[i] += weight[p] * py[i] / (step * step);
        }
    }
}

static void b8_accelerations_are_derivatives_of_the_positions(void)
{
    const struct ref_chain chain = adult_chain();
    const struct arm arm = as_arm(&chain);
    double x[N], y[N], dx[N], dy[N];
    accelerations(&arm, &instant, corrected, x, y);
    accelerations_by_differences(&arm, &instant, dx, dy);
    CHECK_CASE("b8");
    CHECK_ERROR(ref_error(N, x, dx), 5e-10);
    CHECK_ERROR(ref_error(N, y, dy), 5e-10);
}

static void b1_equation_10_has_two_wrong_signs(void)
{
    const struct ref_chain chain = adult_chain();
    const struct arm arm = as_arm(&chain);
    for (int i = 0; i < 20; i++) {
        const struct motion m = some_motion(i);
        double x[N], right[N], wrong[N], sum = m.ad[0] + m.ad[1];
        accelerations(&arm, &m, corrected, x, right);
        accelerations(&arm, &m, (struct printed){.eq10 = true}, x, wrong);
        double excess = 2.0 * arm.d2 * sum * sum * sin(m.a[0] + m.a[1]);
        CHECK_CASE("b1 motion %d", i);
        CHECK_ERROR(fabs(wrong[1] - right[1] - excess) / fmax(1.0, fabs(right[1])), 1e-14);
        CHECK(wrong[0] == right[0] && wrong[2] == right[2]);
    }
    const double change[N] = {0.0705, 0.0066, 0.0};
    misprint_changes_torques_by("b1", (struct printed){.eq10 = true}, change, 5e-5);
}

static void b2_equation_14_has_a_cosine_for_a_sine(void)
{
    const struct ref_chain chain = adult_chain();
    const struct arm arm = as_arm(&chain);
    for (int i = 0; i < 20; i++) {
        const struct motion m = some_motion(i);
        double x[N], right[N], wrong[N], a123 = m.a[0] + m.a[1] + m.a[2];
        accelerations(&arm, &m, corrected, x, right);
        accelerations(&arm, &m, (struct printed){.eq14 = true}, x, wrong);
        double excess = 2.0 * arm.d3 * m.ad[0] * m.ad[1] * (sin(a123) - cos(a123));
        CHECK_CASE("b2 motion %d", i);
        CHECK_ERROR(fabs(wrong[2] - right[2] - excess) / fmax(1.0, fabs(right[2])), 1e-15);
        CHECK(wrong[0] == right[0] && wrong[1] == right[1]);
    }
    const double change[N] = {-0.0548, -0.0102, 0.0004};
    misprint_changes_torques_by("b2", (struct printed){.eq14 = true}, change, 5e-5);
}

static void b3_equation_23_has_y_for_x(void)
{
    const double change[N] = {-1.905, 0.0, 0.0};
    misprint_changes_torques_by("b3", (struct printed){.eq23 = true}, change, 5e-4);
}

static double smallest_eigenvalue(const struct arm *arm, struct printed printed)
{
    const double straight[N] = {0.0, 0.0, 0.0};
    double mass[N * N], values[N] = {(double)NAN};
    mass_matrix(arm, straight, printed, mass);
    CHECK(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'L', N, mass, N, values) == 0);
    return values[0];
}

static void b4_equation_31_lacks_a_factor_2(void)
{
    const struct ref_chain chain = adult_chain();
    const struct arm arm = as_arm(&chain);
    const struct printed printed = {.eq31 = true};
    const double change[N] = {0.0, 0.0278, 0.0};
    misprint_changes_torques_by("b4", printed, change, 5e-5);
    CHECK_ERROR(fabs(smallest_eigenvalue(&arm, printed) + 3.7e-4), 5e-6);
    CHECK_ERROR(fabs(smallest_eigenvalue(&arm, corrected) - 1.42e-3), 5e-6);
}

/* With d_S from the wrist, as the appendix defines it, (17) needs d_S - d_3 and (42)-(44) d_S. */
static void b5_levers_start_at_the_centre_of_mass(void)
{
    const struct ref_chain chain = adult_chain();
    const struct arm arm = as_arm(&chain);
    double from_wrist = arm.d3 + d_s, right[N], scalar[N], matrix[N];
    double a123 = instant.a[0] + instant.a[1] + instant.a[2];
    double excess = -spring_force * arm.d3 * sin(a123);
    matrix_route(&arm, &instant, spring_force, from_wrist, corrected, right);
    scalar_route(&arm, &instant, spring_force, from_wrist - arm.d3, corrected, scalar);
    CHECK_CASE("b5");
    CHECK_ERROR(ref_error(N, scalar, right), 2e-15);
    /* as printed, and d_S as defined */
    scalar_route(&arm, &instant, spring_force, from_wrist, corrected, scalar);
    matrix_route(&arm, &instant, spring_force, arm.d3 + from_wrist, corrected, matrix);
    for (int i = 0; i < N; i++) {
        CHECK_ERROR(fabs(scalar[i] - right[i] - excess), 5e-15);
        CHECK_ERROR(fabs(matrix[i] - right[i] - excess), 5e-15);
    }
}

/* Generalized force of (-F_S, 0) from virtual displacements of its point; T_ext is minus that. */
static void b6_external_torque_is_minus_the_generalized_force(void)
{
    const struct ref_chain chain = adult_chain();
    struct arm arm = as_arm(&chain);
    const double step = 1e-5;
    double external[N], lever = arm.d3 + d_s;
    external_terms(&arm, instant.a, spring_force, lever, external);
    arm.d3 = lever; /* positions() then gives the point of the force */
    CHECK_CASE("b6");
    for (int i = 0; i < N; i++) {
        double a[N], ahead[N], behind[N], y[N];
        memcpy(a, instant.a, sizeof a);
        a[i] = instant.a[i] + step;
        positions(&arm, a, ahead, y);
        a[i] = instant.a[i] - step;
        positions(&arm, a, behind, y);
        double generalized = -spring_force * (ahead[2] - behind[2]) / (2.0 * step);
        CHECK_ERROR(fabs(external[i] + generalized), 1e-9);
    }
}

int main(void)
{
    const struct ml_kernels *k = ref_fastest();
    corrected_equations_agree_with_the_engine(k);
    torques_of_the_instant(k);
    b1_equation_10_has_two_wrong_signs();
    b2_equation_14_has_a_cosine_for_a_sine();
    b3_equation_23_has_y_for_x();
    b4_equation_31_lacks_a_factor_2();
    b5_levers_start_at_the_centre_of_mass();
    b6_external_torque_is_minus_the_generalized_force();
    b8_accelerations_are_derivatives_of_the_positions();
    return check_done();
}
