/* Watanabe and Duarte, "Matrix formalism ..." (docs/errata.md, part A): what its text and its code
 * say of the double pendulum, against the engine. */
#include "check.h"
#include "reference/reference.h"

/* Two uniform rods, in the letters of the lecture. theta from the downward vertical. */
struct rods {
    double m1, m2, l1, l2, g;
};

static const struct rods lecture = {1.0, 1.0, 1.0, 0.5, 9.81};

/* State in the lecture's order is (omega1, omega2, theta1, theta2); here as in the engine. */
enum { THETA1, THETA2, OMEGA1, OMEGA2, N_X };

static struct ref_chain as_chain(const struct rods *r, double torque1, double torque12)
{
    return (struct ref_chain){
        .n = 2,
        .m = {r->m1, r->m2},
        .l = {r->l1, r->l2},
        .d = {r->l1 / 2.0, r->l2 / 2.0},
        .inertia = {r->m1 * r->l1 * r->l1 / 12.0, r->m2 * r->l2 * r->l2 / 12.0},
        .tau = {torque1, torque12},
        .g = {0.0, -r->g},
    };
}

/* The terms of M q'' = C + G + Q. `code` selects the gravity term of the program listing in place
 * of that of the equations. */
struct terms {
    double m11, m12, m22, c[2], g[2], q[2];
};

static struct terms lecture_terms(const struct rods *r, bool code, const double *x, double torque1,
                                  double torque12)
{
    double m1 = r->m1, m2 = r->m2, l1 = r->l1, l2 = r->l2, g = r->g;
    double difference = x[THETA1] - x[THETA2];
    return (struct terms){
        .m11 = m1 * l1 * l1 / 3.0 + m2 * l1 * l1,
        .m12 = m2 * l1 * l2 * cos(difference) / 2.0,
        .m22 = m2 * l2 * l2 / 3.0,
        .c = {-m2 * l1 * l2 * sin(difference) * x[OMEGA2] * x[OMEGA2] / 2.0,
              m2 * l1 * l2 * sin(difference) * x[OMEGA1] * x[OMEGA1] / 2.0},
        .g = {-m1 * g * l1 / 2.0 * sin(x[THETA1]) - m2 * g * (code ? l2 : l1) * sin(x[THETA1]),
              -m2 * g * l2 / 2.0 * sin(x[THETA2])},
        .q = {torque1 - torque12, torque12},
    };
}

static void accelerations(const struct rods *r, bool code, const double *x, double torque12,
                          double *out)
{
    const struct terms t = lecture_terms(r, code, x, 0.0, torque12);
    double f1 = t.c[0] + t.g[0] + t.q[0], f2 = t.c[1] + t.g[1] + t.q[1];
    double det = t.m11 * t.m22 - t.m12 * t.m12;
    out[0] = (t.m22 * f1 - t.m12 * f2) / det;
    out[1] = (t.m11 * f2 - t.m12 * f1) / det;
}

static void deriv(const struct rods *r, bool code, const double *x, double *dx)
{
    dx[THETA1] = x[OMEGA1];
    dx[THETA2] = x[OMEGA2];
    accelerations(r, code, x, 0.0, dx + OMEGA1);
}

static void rk4(const struct rods *r, bool code, double step, double *x)
{
    double k[4][N_X], y[N_X];
    static const double at[] = {0.0, 0.5, 0.5, 1.0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < N_X; i++)
            y[i] = x[i] + (s ? at[s] * step * k[s - 1][i] : 0.0);
        deriv(r, code, y, k[s]);
    }
    for (int i = 0; i < N_X; i++)
        x[i] += step / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
}

/* Energy from the velocities of the centres of mass; `code` puts l2 for l1 into the potential, the
 * same slip as in the listing. */
static double energy(const struct rods *r, bool code, const double *x)
{
    double v1 = r->l1 * x[OMEGA1], v2 = r->l2 * x[OMEGA2];
    double kinetic =
        r->m1 * v1 * v1 / 6.0 +
        r->m2 / 2.0 * (v1 * v1 + v1 * v2 * cos(x[THETA1] - x[THETA2]) + v2 * v2 / 4.0) +
        r->m2 * v2 * v2 / 24.0;
    return kinetic -
           (r->m1 * r->l1 / 2.0 + r->m2 * (code ? r->l2 : r->l1)) * r->g * cos(x[THETA1]) -
           r->m2 * r->g * r->l2 / 2.0 * cos(x[THETA2]);
}

static void lecture_start(double *x)
{
    const double pi = 3.14159265358979323846;
    x[THETA1] = pi / 10.0;
    x[THETA2] = pi / 3.0;
    x[OMEGA1] = 2.0 * pi;
    x[OMEGA2] = -6.0 * pi;
}

static struct ref_evaluation evaluate(const struct ml_kernels *k, const struct ref_chain *chain,
                                      const double *x)
{
    struct ref_runs runs;
    ref_runs_init(&runs, k, chain, false, 1, x);
    return ref_evaluate(&runs, 0);
}

static void some_state(int i, double *x)
{
    for (int j = 0; j < N_X; j++)
        x[j] = (j < OMEGA1 ? 3.0 : 8.0) * sin(1.9 * i + 2.3 * j + 0.5);
}

static void the_printed_equations_are_right(const struct ml_kernels *k)
{
    for (int i = 0; i < 50; i++) {
        const struct rods r = {0.5 + 0.1 * (i % 7), 0.4 + 0.2 * (i % 5), 0.6 + 0.1 * (i % 4),
                               0.3 + 0.2 * (i % 3), 9.81};
        double x[N_X], torque1 = sin(3.0 * i), torque12 = cos(5.0 * i);
        some_state(i, x);
        const struct ref_chain chain = as_chain(&r, torque1, torque12);
        const struct terms t = lecture_terms(&r, false, x, torque1, torque12);
        const struct ref_evaluation found = evaluate(k, &chain, x);
        const double mass[] = {t.m11, t.m12, t.m12, t.m22};
        CHECK_CASE("state %d", i);
        CHECK_ERROR(ref_error(4, found.m, mass), 1e-15);
        CHECK_ERROR(ref_error(2, found.c, t.c), 2e-14);
        CHECK_ERROR(ref_error(2, found.g, t.g), 1e-15);
        CHECK_ERROR(ref_error(2, found.q, t.q), 1e-15);
    }
}

static void a1_listing_has_l2_in_the_gravity_of_rod_1(const struct ml_kernels *k)
{
    const struct ref_chain chain = as_chain(&lecture, 0.0, 0.0);
    double x[N_X], right[2], listed[2];
    lecture_start(x);
    const struct ref_evaluation found = evaluate(k, &chain, x);
    accelerations(&lecture, false, x, 0.0, right);
    accelerations(&lecture, true, x, 0.0, listed);
    CHECK_CASE("a1");
    CHECK_ERROR(ref_error(2, found.qdd, right), 1e-15);
    CHECK_ERROR(fabs(right[0] - 80.889), 5e-4);
    CHECK_ERROR(fabs(right[1] + 285.072), 5e-4);
    CHECK_ERROR(fabs(listed[0] - 82.538), 5e-4);
    CHECK_ERROR(fabs(listed[1] + 288.749), 5e-4);

    const struct terms wrong = lecture_terms(&lecture, true, x, 0.0, 0.0);
    double excess = lecture.m2 * lecture.g * (lecture.l1 - lecture.l2) * sin(x[THETA1]);
    CHECK_ERROR(fabs(wrong.g[0] - found.g[0] - excess), 2e-15);
}

/* Roots of det(K - w^2 M) = 0 for diagonal K. */
static void frequencies(const double *mass, const double *stiffness, double *low, double *high)
{
    double a = mass[0] * mass[3] - mass[1] * mass[2];
    double b = stiffness[0] * mass[3] + stiffness[1] * mass[0], c = stiffness[0] * stiffness[1];
    double root = sqrt(b * b - 4.0 * a * c);
    *low = sqrt((b - root) / (2.0 * a));
    *high = sqrt((b + root) / (2.0 * a));
}

static void a1_listing_swings_too_slowly(const struct ml_kernels *k)
{
    const double small = 1e-8;
    const struct ref_chain chain = as_chain(&lecture, 0.0, 0.0);
    const double x[N_X] = {small, small, 0.0, 0.0};
    const struct ref_evaluation found = evaluate(k, &chain, x);
    const struct terms wrong = lecture_terms(&lecture, true, x, 0.0, 0.0);
    double low, high;
    CHECK_CASE("a1 frequencies");
    frequencies(found.m, (double[]){-found.g[0] / small, -found.g[1] / small}, &low, &high);
    CHECK_ERROR(fabs(low - 2.980), 5e-4);
    CHECK_ERROR(fabs(high - 9.144), 5e-4);
    frequencies(found.m, (double[]){-wrong.g[0] / small, -wrong.g[1] / small}, &low, &high);
    CHECK_ERROR(fabs(low - 2.524), 5e-4);
    CHECK_ERROR(fabs(high - 8.816), 5e-4);
}

static void a1_listing_conserves_something_else(const struct ml_kernels *k)
{
    const double step = 1e-4;
    const struct ref_chain chain = as_chain(&lecture, 0.0, 0.0);
    double x[N_X], lowest, highest, drift = 0.0;
    lecture_start(x);
    struct ref_runs runs;
    ref_runs_init(&runs, k, &chain, false, 1, x);
    struct ref_samples right = ref_run(&runs, "rk4", step, 20000, 20000);
    CHECK_CASE("a1 energy");
    CHECK_ERROR(fabs(energy(&lecture, false, x) - 3.8987), 5e-5);
    CHECK_ERROR(fabs(ref_state(&right, 0, 1)[THETA1] + 0.601), 5e-4);
    CHECK_ERROR(fabs(ref_state(&right, 0, 1)[THETA2] + 5.18), 5e-3);

    double own = energy(&lecture, true, x);
    lowest = highest = energy(&lecture, false, x);
    for (int i = 1; i <= 100000; i++) {
        rk4(&lecture, true, step, x);
        lowest = fmin(lowest, energy(&lecture, false, x));
        highest = fmax(highest, energy(&lecture, false, x));
        drift = ref_worse(drift, fabs(energy(&lecture, true, x) - own));
        if (i == 20000) {
            CHECK_ERROR(fabs(x[THETA1] + 1.655), 5e-4);
            CHECK_ERROR(fabs(x[THETA2] + 31.01), 5e-3);
        }
    }
    CHECK_ERROR(fabs(lowest - 3.659), 5e-4);
    CHECK_ERROR(fabs(highest - 10.007), 5e-4);
    CHECK_ERROR(drift, 5e-10); /* the misprint in the potential hides the misprint in the force */
    free(right.x);
}

static void a1_does_not_show_for_rods_of_equal_length(const struct ml_kernels *k)
{
    struct rods equal = lecture;
    double x[N_X];
    equal.l2 = equal.l1;
    lecture_start(x);
    const struct ref_chain chain = as_chain(&equal, 0.0, 0.0);
    const struct ref_evaluation found = evaluate(k, &chain, x);
    const struct terms listed = lecture_terms(&equal, true, x, 0.0, 0.0);
    CHECK_CASE("a1 equal rods");
    CHECK_ERROR(ref_error(2, listed.g, found.g), 1e-15);
}

static void a3_euler_gains_energy(const struct ml_kernels *k)
{
    enum { SECOND = 10000, N_SECOND = 20 };
    const double step = 1e-4;
    const struct ref_chain chain = as_chain(&lecture, 0.0, 0.0);
    double x[N_X];
    lecture_start(x);
    struct ref_runs runs;
    ref_runs_init(&runs, k, &chain, false, 1, x);
    struct ref_samples euler = ref_run(&runs, "euler", step, N_SECOND * SECOND, SECOND);
    struct ref_samples good = ref_run(&runs, "rk4", step, 3 * SECOND, SECOND);
    CHECK_CASE("a3");
    CHECK_ERROR(fabs(energy(&lecture, false, ref_state(&euler, 0, 0)) - 3.899), 5e-4);
    CHECK_ERROR(fabs(energy(&lecture, false, ref_state(&euler, 0, 5)) - 4.026), 5e-4);
    CHECK_ERROR(fabs(energy(&lecture, false, ref_state(&euler, 0, 10)) - 4.120), 5e-4);
    /* without rounding errors 4.3041; by then those have grown to the size of the motion */
    CHECK_ERROR(fabs(energy(&lecture, false, ref_state(&euler, 0, 20)) - 4.304), 2e-2);
    CHECK_ERROR(fabs(energy(&lecture, false, ref_state(&good, 0, 3)) - 3.8987), 5e-5);
    double miss = 0.0;
    for (int i = 0; i < 2; i++)
        miss = ref_worse(miss, fabs(ref_state(&euler, 0, 3)[i] - ref_state(&good, 0, 3)[i]));
    CHECK_ERROR(fabs(miss - 1.10), 5e-3);
    free(euler.x);
    free(good.x);
}

/* Runs the listing, Euler, and compares it with the rows of that part of lecture_fixed_step.json.
 * With `pid` the commented controller is on, its integral kept as a running sum. */
static void listing_gives(const char *part, bool code, bool pid, double bound)
{
    enum { MAX_ROWS = 16 };
    json_t *file = ref_load("lecture_fixed_step.json");
    const json_t *json = json_object_get(file, part);
    double steps[MAX_ROWS], rows[MAX_ROWS * N_X], x[N_X], target, integral = 0.0, before = 0.0;
    double step = ref_number(json, "dt");
    int n_row = ref_numbers(json_object_get(json, "steps"), MAX_ROWS, steps), row = 0;
    CHECK(ref_numbers(json_object_get(json, "x"), MAX_ROWS * N_X, rows) == n_row * N_X);
    lecture_start(x);
    target = x[THETA2];
    for (int i = 0; row < n_row; i++) {
        CHECK_CASE("%s step %d", part, i);
        if (i == (int)steps[row]) {
            CHECK_ERROR(ref_error(N_X, x, rows + N_X * row), bound);
            row++;
        }
        double a[2], error = target - x[THETA2];
        integral += i ? step * (before + error) / 2.0 : 0.0;
        before = error;
        accelerations(&lecture, code, x,
                      pid ? 30.0 * error - 2.0 * x[OMEGA2] + 3.0 * integral : 0.0, a);
        for (int j = 0; j < 2; j++) {
            x[j] += step * x[OMEGA1 + j];
            x[OMEGA1 + j] += step * a[j];
        }
    }
    json_decref(file);
}

static void a4_a_running_sum_is_the_sum_over_the_whole_history(void)
{
    enum { N = 1000 };
    const double step = 1e-4;
    double errors[N], running = 0.0, worst = 0.0;
    for (int i = 0; i < N; i++) {
        double whole = 0.0; /* np.trapz(r - theta2[0:i]) dt */
        errors[i] = sin(0.01 * i) - 0.3;
        running += i ? step * (errors[i - 1] + errors[i]) / 2.0 : 0.0;
        for (int j = 1; j <= i; j++)
            whole += (errors[j - 1] + errors[j]) / 2.0;
        worst = ref_worse(worst, fabs(whole * step - running));
    }
    CHECK_CASE("a4");
    CHECK_ERROR(worst, 1e-16);
}

/* The lecture's companion page on free-body diagrams. */
static void companion_page_has_two_more(const struct ml_kernels *k)
{
    const struct ref_chain chain = as_chain(&lecture, 0.0, 0.0);
    double x[N_X];
    some_state(3, x);
    const struct ref_evaluation found = evaluate(k, &chain, x);
    double difference = x[THETA1] - x[THETA2], w1 = x[OMEGA1], w2 = x[OMEGA2];
    double half = lecture.m2 * lecture.l1 * lecture.l2 / 2.0;
    CHECK_CASE("companion page");
    /* its sign of the omega_2^2 term */
    double printed = +half * w2 * w2 * sin(difference);
    CHECK_ERROR(fabs(printed - found.c[0] - 2.0 * half * w2 * w2 * sin(difference)), 5e-15);
    /* its rate in the velocity of the second centre of mass */
    double other = 0.5 * (lecture.m1 * lecture.l1 * lecture.l1 * w1 * w1 / 3.0 +
                          lecture.m2 * lecture.l2 * lecture.l2 * w2 * w2 / 12.0);
    for (int wrong = 0; wrong < 2; wrong++) {
        double v1 = lecture.l1 * w1, v2 = lecture.l2 / 2.0 * (wrong ? w1 : w2);
        double vx = v1 * cos(x[THETA1]) + v2 * cos(x[THETA2]);
        double vy = v1 * sin(x[THETA1]) + v2 * sin(x[THETA2]);
        double kinetic = other + 0.5 * lecture.m2 * (vx * vx + vy * vy);
        if (wrong)
            CHECK(fabs(kinetic - found.kinetic) > 0.1 * found.kinetic);
        else
            CHECK_ERROR(fabs(kinetic - found.kinetic) / kinetic, 1e-15);
    }
}

int main(void)
{
    const struct ml_kernels *k = ref_fastest();
    the_printed_equations_are_right(k);
    a1_listing_has_l2_in_the_gravity_of_rod_1(k);
    a1_listing_swings_too_slowly(k);
    a1_listing_conserves_something_else(k);
    a1_does_not_show_for_rods_of_equal_length(k);
    a3_euler_gains_energy(k);
    a4_a_running_sum_is_the_sum_over_the_whole_history();
    listing_gives("euler", false, false, 2e-12);
    listing_gives("euler_as_printed_wrong_gravity", true, false, 2e-12);
    listing_gives("euler_pid_lecture_semantics", false, true, 1e-13);
    companion_page_has_two_more(k);
    return check_done();
}
