/* Fixed-step integrators on chains, through the ensemble: against exact discrete and continuous
 * solutions, and what a motion keeps. Numbers are compared on the fastest instruction set; that all
 * others give the same bits is a test of its own. */
#include "check.h"
#include "reference/reference.h"

enum { MAX_N = REF_MAX_N };

static double norm(int count, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

static double distance(int count, const double *a, const double *b)
{
    double difference[2 * MAX_N];
    for (int i = 0; i < count; i++)
        difference[i] = a[i] - b[i];
    return norm(count, difference);
}

/* Two runs, with steps h and h/2: their difference is 15 times the method's error of the second,
 * which is taken off before the comparison. What is left may grow like any deviation. */
static void trajectories_match_the_exact_solutions(const struct ml_kernels *k)
{
    enum { MAX_SAMPLES = 64, STEPS_PER_SECOND = 8000 };
    json_t *file = ref_load("trajectories.json");
    const json_t *cases = json_object_get(file, "cases");
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *json = json_array_get(cases, i);
        const struct ref_chain chain = ref_chain(json_object_get(json, "params"));
        double t[MAX_SAMPLES], growth[MAX_SAMPLES], x[MAX_SAMPLES * 2 * MAX_N];
        int n_x = 2 * chain.n, n_sample = ref_numbers(json_object_get(json, "t"), MAX_SAMPLES, t);
        const int n_row = n_x + ref_n_state(&chain); /* numbers of a state in the file */
        (void)ref_numbers(json_object_get(json, "growth"), MAX_SAMPLES, growth);
        CHECK(ref_numbers(json_object_get(json, "x"), MAX_SAMPLES * 2 * MAX_N, x) ==
              n_sample * n_row);

        struct ref_runs runs;
        int64_t every = (int64_t)ceil(t[1] * STEPS_PER_SECOND), n_step = every * (n_sample - 1);
        ref_runs_init(&runs, k, &chain, false, 1, x);
        struct ref_samples coarse = ref_run(&runs, "rk4", t[1] / (double)every, n_step, every);
        struct ref_samples fine =
            ref_run(&runs, "rk4", t[1] / (double)(2 * every), 2 * n_step, 2 * every);
        CHECK_CASE("%s", ref_name(json));
        CHECK(coarse.n_sample == n_sample && fine.n_sample == n_sample);
        CHECK(coarse.n_finished == 1 && fine.n_finished == 1);
        double worst = 0.0;
        for (int s = 0; s < n_sample; s++) {
            const double *exact = x + s * n_row, *near = ref_state(&fine, 0, s);
            const double *far = ref_state(&coarse, 0, s);
            double rest[2 * MAX_N];
            for (int j = 0; j < n_x; j++)
                rest[j] = near[j] - exact[j] + (near[j] - far[j]) / 15.0;
            double unit = fmax(growth[s], 1.0) * fmax(norm(n_x, exact), 1.0);
            worst = ref_worse(worst, norm(n_x, rest) / unit);
        }
        CHECK_ERROR(worst, 2e-13);
        free(coarse.x);
        free(fine.x);
    }
    json_decref(file);
}

/* Runs one row of convergence.json; returns the distance to the exact solution. *worst becomes at
 * least the error against the row. */
static double run_row(struct ref_runs *runs, const json_t *row, const double *exact, double *worst)
{
    const char *method = json_string_value(json_object_get(row, "method"));
    int64_t n_step = (int64_t)ref_number(row, "n_steps");
    double x[2 * MAX_N];
    int n_x = ref_numbers(json_object_get(row, "x"), 2 * MAX_N, x);
    struct ref_samples found = ref_run(runs, method, ref_number(row, "dt"), n_step, n_step);
    const double *end = ref_state(&found, 0, found.n_sample - 1);
    CHECK(found.n_finished == 1);
    *worst = ref_worse(*worst, ref_error(n_x, end, x));
    double error = distance(n_x, end, exact);
    free(found.x);
    return error;
}

static void discrete_solutions_and_orders_match(const struct ml_kernels *k)
{
    enum { MAX_ROWS = 16 };
    static const char *const methods[] = {"rk4", "euler"};
    json_t *file = ref_load("convergence.json");
    const json_t *cases = json_object_get(file, "cases");
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *json = json_array_get(cases, i), *rows = json_object_get(json, "rows");
        const struct ref_chain chain = ref_chain(json_object_get(json, "params"));
        double x0[2 * MAX_N], exact[2 * MAX_N];
        (void)ref_numbers(json_object_get(json, "x0"), 2 * MAX_N, x0);
        (void)ref_numbers(json_object_get(json, "exact"), 2 * MAX_N, exact);
        struct ref_runs runs;
        ref_runs_init(&runs, k, &chain, false, 1, x0);
        for (int method = 0; method < 2; method++) {
            double error[MAX_ROWS], listed[MAX_ROWS], worst = 0.0;
            char key[32];
            int n_row = 0;
            CHECK_CASE("%s %s", ref_name(json), methods[method]);
            for (size_t r = 0; r < json_array_size(rows); r++) {
                const json_t *row = json_array_get(rows, r);
                if (strcmp(json_string_value(json_object_get(row, "method")), methods[method]) != 0)
                    continue;
                error[n_row++] = run_row(&runs, row, exact, &worst);
            }
            CHECK_ERROR(worst, 1e-13);
            (void)snprintf(key, sizeof key, "observed_order_%s", methods[method]);
            CHECK(ref_numbers(json_object_get(json, key), MAX_ROWS, listed) == n_row - 1);
            for (int r = 0; r < n_row - 1; r++) {
                double order = log2(error[r] / error[r + 1]);
                CHECK_ERROR(fabs(order - listed[r]), method ? 1e-11 : 5e-2);
                if (!method && r >= n_row - 3) /* the three finest steps */
                    CHECK_ERROR(fabs(order - 4.0), 0.1);
            }
        }
    }
    json_decref(file);
}

/* The lecture's double pendulum with its own steps. */
static void the_lecture_example_matches(const struct ml_kernels *k, const char *name,
                                        const char *method, const double *bounds)
{
    enum { MAX_ROWS = 16 };
    json_t *file = ref_load("lecture_fixed_step.json");
    const json_t *part = json_object_get(file, name);
    struct ref_chain chain = ref_chain(json_object_get(file, "params"));
    double x0[4], steps[MAX_ROWS], x[MAX_ROWS * 5];
    ref_chain_add_pid(&chain, json_object_get(part, "pid"));
    const int n_x = 4 + ref_n_state(&chain);
    (void)ref_numbers(json_object_get(file, "x0"), 4, x0);
    int n_row = ref_numbers(json_object_get(part, "steps"), MAX_ROWS, steps);
    CHECK(ref_numbers(json_object_get(part, "x"), MAX_ROWS * 5, x) == n_x * n_row);
    struct ref_runs runs;
    ref_runs_init(&runs, k, &chain, false, 1, x0);
    for (int r = 0; r < n_row; r++) {
        int64_t n_step = (int64_t)steps[r];
        struct ref_samples found = ref_run(&runs, method, ref_number(part, "dt"), n_step, n_step);
        CHECK_CASE("lecture %s step %d", name, (int)n_step);
        CHECK_ERROR(ref_error(4, ref_state(&found, 0, found.n_sample - 1), x + n_x * r), bounds[r]);
        free(found.x);
    }
    json_decref(file);
}

static struct ref_chain rods(int n, double damping, double torque)
{
    struct ref_chain chain = {.n = n, .g = {0.0, -9.81}};
    for (int i = 0; i < n; i++) {
        chain.m[i] = 1.0 + 0.1 * i;
        chain.l[i] = 1.0 / (1 + i % 3);
        chain.d[i] = chain.l[i] / 2.0;
        chain.inertia[i] = chain.m[i] * chain.l[i] * chain.l[i] / 12.0;
        chain.b[i] = damping * (1 + i);
        chain.tau[i] = torque * (i % 2 ? -1 : 1);
    }
    return chain;
}

/* Runs that start at different states, [n_run][2 n]. */
static void fan(int n, int n_run, double size, double *x0)
{
    for (int r = 0; r < n_run; r++)
        for (int i = 0; i < n; i++) {
            x0[(2 * r) * n + i] = 2.0 * size * sin(0.7 * r + 1.3 * i + 0.2);
            x0[(2 * r + 1) * n + i] = 3.0 * size * cos(1.1 * r + 0.9 * i);
        }
}

static void every_instruction_set_gives_the_same_bits(int n, bool joint, bool has_joint_terms,
                                                      const char *integrator)
{
    enum { N_RUN = 11, N_STEP = 60, EVERY = 7, N_SAMPLE = N_STEP / EVERY + 1 };
    const struct ref_chain chain = rods(n, has_joint_terms ? 0.05 : 0.0, has_joint_terms ? 2.0 : 0);
    double x0[N_RUN * 2 * MAX_N];
    struct ref_samples first = {0};
    const struct ml_kernels *k;
    fan(n, N_RUN, 1.0, x0);
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        struct ref_runs runs;
        ref_runs_init(&runs, k, &chain, joint, N_RUN, x0);
        struct ref_samples found = ref_run(&runs, integrator, 2e-3, N_STEP, EVERY);
        CHECK_CASE("bits n=%d %s %s %s", n, integrator, joint ? "joint" : "segment", k->isa);
        CHECK(found.n_finished == N_RUN && found.n_sample == N_SAMPLE);
        if (i == 0) {
            first = found;
            continue;
        }
        size_t size = (size_t)(N_RUN * found.n_sample * 2 * n) * sizeof *found.x;
        CHECK(found.n_sample == first.n_sample && !memcmp(found.x, first.x, size));
        free(found.x);
    }
    free(first.x);
}

/* Total energy and angular momentum about the base, from positions and velocities of the centres
 * of mass. */
static void measure(const struct ref_chain *chain, const double *x, double *energy,
                    double *momentum)
{
    double joint[2] = {0.0, 0.0}, v_joint[2] = {0.0, 0.0};
    *energy = *momentum = 0.0;
    for (int i = 0; i < chain->n; i++) {
        double omega = x[chain->n + i], p[2], v[2];
        const double u[2] = {sin(x[i]), -cos(x[i])}, normal[2] = {cos(x[i]), sin(x[i])};
        for (int c = 0; c < 2; c++) {
            p[c] = joint[c] + chain->d[i] * u[c];
            v[c] = v_joint[c] + chain->d[i] * omega * normal[c];
            joint[c] += chain->l[i] * u[c];
            v_joint[c] += chain->l[i] * omega * normal[c];
        }
        *energy += 0.5 * chain->m[i] * (v[0] * v[0] + v[1] * v[1]) +
                   0.5 * chain->inertia[i] * omega * omega -
                   chain->m[i] * (chain->g[0] * p[0] + chain->g[1] * p[1]);
        *momentum += chain->m[i] * (p[0] * v[1] - p[1] * v[0]) + chain->inertia[i] * omega;
    }
}

/* Worst change of energy and momentum along 8 runs of 1 s, relative to the largest of each. */
static void drifts(const struct ml_kernels *k, const struct ref_chain *chain, double *energy_drift,
                   double *momentum_drift)
{
    enum { N_RUN = 8, N_STEP = 16000, EVERY = 1000 };
    double x0[N_RUN * 2 * MAX_N];
    struct ref_runs runs;
    fan(chain->n, N_RUN, 0.25, x0);
    ref_runs_init(&runs, k, chain, false, N_RUN, x0);
    struct ref_samples found = ref_run(&runs, "rk4", 1.0 / N_STEP, N_STEP, EVERY);
    double largest_energy = 0.0, largest_momentum = 0.0;
    *energy_drift = *momentum_drift = 0.0;
    CHECK(found.n_finished == N_RUN);
    for (int r = 0; r < N_RUN; r++) {
        double e0, p0, e, p;
        measure(chain, ref_state(&found, r, 0), &e0, &p0);
        largest_energy = fmax(largest_energy, fabs(e0));
        largest_momentum = fmax(largest_momentum, fabs(p0));
        for (int64_t s = 1; s < found.n_sample; s++) {
            measure(chain, ref_state(&found, r, s), &e, &p);
            *energy_drift = ref_worse(*energy_drift, fabs(e - e0));
            *momentum_drift = ref_worse(*momentum_drift, fabs(p - p0));
        }
    }
    *energy_drift /= largest_energy;
    *momentum_drift /= largest_momentum;
    free(found.x);
}

static void a_free_chain_keeps_its_energy(const struct ml_kernels *k, int n, double bound)
{
    const struct ref_chain chain = rods(n, 0.0, 0.0);
    double energy, momentum;
    drifts(k, &chain, &energy, &momentum);
    CHECK_CASE("energy n=%d", n);
    CHECK_ERROR(energy, bound);
}

/* Torques between the segments do not change the total; only one at the base would. */
static void without_gravity_angular_momentum_is_kept(const struct ml_kernels *k, int n,
                                                     double bound)
{
    struct ref_chain chain = rods(n, 0.05, 0.5);
    double energy, momentum;
    chain.g[1] = chain.tau[0] = chain.b[0] = 0.0;
    drifts(k, &chain, &energy, &momentum);
    CHECK_CASE("momentum n=%d", n);
    CHECK_ERROR(momentum, bound);
    CHECK(n == 1 || energy > 1e-3);
}

int main(void)
{
    static const int sizes[] = {1, 2, 3, 5, 8};
    static const double energy_bounds[] = {1e-14, 1e-14, 1e-14, 3e-13, 1e-12};
    static const double momentum_bounds[] = {1e-15, 1e-13, 1e-13, 1e-13, 1e-13};
    static const double euler_bounds[] = {1e-15, 1e-15, 1e-15, 5e-15, 5e-14, 5e-13, 2e-12};
    static const double rk4_bounds[] = {1e-15, 1e-15, 1e-14, 2e-14, 5e-13, 5e-11};
    static const double pid_bounds[] = {1e-15, 1e-15, 1e-15, 5e-15, 5e-15, 1e-14};
    const struct ml_kernels *k = ref_fastest();
    trajectories_match_the_exact_solutions(k);
    discrete_solutions_and_orders_match(k);
    the_lecture_example_matches(k, "euler", "euler", euler_bounds);
    the_lecture_example_matches(k, "rk4", "rk4", rk4_bounds);
    the_lecture_example_matches(k, "rk4_pid", "rk4", pid_bounds);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int variant = 0; variant < 8; variant++)
            every_instruction_set_gives_the_same_bits(sizes[s], variant & 1, variant & 2,
                                                      variant & 4 ? "rk4" : "euler");
        a_free_chain_keeps_its_energy(k, sizes[s], energy_bounds[s]);
        without_gravity_angular_momentum_is_kept(k, sizes[s], momentum_bounds[s]);
    }
    return check_done();
}
