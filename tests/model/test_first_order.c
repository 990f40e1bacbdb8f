/* Systems of a few numbers: against references, exact solutions, invariants and symmetries. */
#include "check.h"
#include "model/transition.h"

static double largest_difference(int n, const double *a, const double *b)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

/* A case of lyapunov.json over a finite time. */
struct finite_time {
    struct numbers numbers;
    int n;
    double t, x_t[MOST_ROWS], exponents[MOST_ROWS];
};

static void read_finite_time(const json_t *root, const char *name, const char *system,
                             struct finite_time *out)
{
    const json_t *cases = json_object_get(root, "finite_time"), *item = NULL, *value;
    const char *key;
    double x0[MOST_ROWS];
    for (size_t i = 0; i < json_array_size(cases) && !item; i++)
        if (strcmp(ref_name(json_array_get(cases, i)), name) == 0)
            item = json_array_get(cases, i);
    out->n = ref_numbers(json_object_get(item, "x0"), MOST_ROWS, x0);
    out->t = ref_number(item, "T");
    CHECK(ref_numbers(json_object_get(item, "x_T"), MOST_ROWS, out->x_t) == out->n);
    CHECK(ref_numbers(json_object_get(item, "exponents"), MOST_ROWS, out->exponents) == out->n);
    numbers_init(&out->numbers, ref_fastest(), system, x0);
    json_object_foreach(json_object_get(item, "params"), key, value)
        numbers_set(&out->numbers, key, json_number_value(value));
}

/* (1/T) log R_ii of the tangents, orthonormalised now and then, in `exponents`; the end state. */
static struct transition measure_spectrum(const struct finite_time *c, int64_t n_step,
                                          double *exponents)
{
    enum { N_PART = 200 };
    struct bench bench;
    _Alignas(64) double r[MOST_ROWS * (MOST_ROWS + 1) / 2 * ML_LANES];
    const double step = c->t / (double)n_step;
    bench_init(&bench, &c->numbers.ensemble, c->n, "rk4", 1);
    for (int i = 0; i < c->n; i++)
        exponents[i] = 0.0;
    for (int part = 0; part < N_PART; part++) {
        bench_advance(&bench, 0.0, step, part * (n_step / N_PART), n_step / N_PART);
        c->numbers.ensemble.kernels->orthonormalise(c->n, c->n, 0.0,
                                                    bench.batch.x + c->n * ML_LANES, r);
        for (int i = 0; i < c->n; i++)
            exponents[i] += log(r[ml_tri(i, i) * ML_LANES]) / c->t;
    }
    struct transition end = bench_lane(&bench, 0);
    bench_free(&bench);
    return end;
}

static void finite_time_exponents_match(const json_t *root, const char *name, const char *system,
                                        int64_t n_step, double bound, double x_bound)
{
    struct finite_time c;
    double exponents[MOST_ROWS];
    CHECK_CASE("%s", system);
    read_finite_time(root, name, system, &c);
    struct transition end = measure_spectrum(&c, n_step, exponents);
    CHECK_ERROR(largest_difference(c.n, end.x, c.x_t), x_bound);
    CHECK_ERROR(largest_difference(c.n, exponents, c.exponents), bound);
}

/* By what halving the step changes; that it ends at the solution is shown above. */
static void rk4_is_of_order_4(const char *name, const double *x0, int n_step, double bound)
{
    enum { N_HALVING = 4 };
    struct numbers numbers;
    struct transition end[N_HALVING];
    double change[N_HALVING - 1];
    CHECK_CASE("%s, order", name);
    numbers_init(&numbers, ref_fastest(), name, x0);
    for (int i = 0; i < N_HALVING; i++)
        end[i] = advance(&numbers.ensemble, 0, 0.0, 2.0 / (n_step << i), n_step << i, 0, 0.0);
    for (int i = 0; i < N_HALVING - 1; i++)
        change[i] = largest_difference(MOST_ROWS, end[i].x, end[i + 1].x);
    for (int i = 0; i < N_HALVING - 2; i++)
        CHECK_ERROR(fabs(log2(change[i] / change[i + 1]) - 4.0), bound);
}

/* x'' + delta x' + alpha x = gamma cos(omega t) from x0, v0 at time `start`, below critical
 * damping: a stationary oscillation, and one that dies away. */
static void oscillate(const double *p, double start, double t, const double *x0, double *out)
{
    const double delta = p[0], alpha = p[1], gamma = p[3], omega = p[4];
    double own = sqrt(alpha - delta * delta / 4.0), decay = exp(-delta * t / 2.0);
    double stiffness = alpha - omega * omega, loss = delta * omega;
    double size = gamma / (stiffness * stiffness + loss * loss);
    double stationary[2][2]; /* [start, end][x, v] */
    for (int i = 0; i < 2; i++) {
        double phase = omega * (i ? start + t : start), c = cos(phase), s = sin(phase);
        stationary[i][0] = size * (stiffness * c + loss * s);
        stationary[i][1] = size * omega * (loss * c - stiffness * s);
    }
    double x = x0[0] - stationary[0][0], v = x0[1] - stationary[0][1];
    double b = (v + delta / 2.0 * x) / own, c = cos(own * t), s = sin(own * t);
    out[0] = stationary[1][0] + decay * (x * c + b * s);
    out[1] = stationary[1][1] +
             decay * ((b * own - delta / 2.0 * x) * c - (x * own + delta / 2.0 * b) * s);
}

/* Also from a late start, where the drive's angle is beyond what the fast cosine is made for. */
static void a_linear_duffing_oscillator_matches_its_solution(const struct ml_kernels *k,
                                                             double start, double bound)
{
    const double t = 7.0, x0[2] = {0.4, -1.3};
    const double p[5] = {0.25, 2.3, 0.0, 0.9, 1.7};
    double exact[2], error[3];
    struct numbers numbers;
    CHECK_CASE("duffing %s from %g", k->isa, start);
    numbers_init(&numbers, k, "duffing", x0);
    memcpy(numbers.values, p, sizeof p);
    oscillate(p, start, t, x0, exact);
    for (int i = 0; i < 3; i++) {
        struct transition end =
            advance(&numbers.ensemble, 0, start, t / (100 << i), 100 << i, 0, 0.0);
        error[i] = largest_difference(2, end.x, exact);
    }
    for (int i = 0; i < 2; i++)
        CHECK_ERROR(fabs(log2(error[i] / error[i + 1]) - 4.0), 0.1);
    struct transition end = advance(&numbers.ensemble, 0, start, t / 5000, 5000, 0, 0.0);
    CHECK_ERROR(largest_difference(2, end.x, exact), bound);
}

/* Late in a run, where the drive's angle moves by many times what its frequency does. */
static void a_late_derivative_by_the_frequency_is_exact(const struct ml_kernels *k)
{
    enum { OMEGA = 4 };
    const double start = 2e4, t = 7.0, x0[2] = {0.4, -1.3}, p[5] = {0.25, 2.3, 0.0, 0.9, 1.7};
    const double shifts[4] = {1e-7, -1e-7, 5e-8, -5e-8}, one = 1.0;
    const int slot = OMEGA;
    const struct ml_direction direction = {1, &slot, &one};
    double end[4][2], exact[2];
    struct numbers numbers;
    CHECK_CASE("duffing %s by omega", k->isa);
    for (int i = 0; i < 4; i++) {
        double moved[5];
        memcpy(moved, p, sizeof p);
        moved[OMEGA] += shifts[i];
        oscillate(moved, start, t, x0, end[i]);
    }
    for (int i = 0; i < 2; i++)
        exact[i] = (8.0 * (end[2][i] - end[3][i]) - (end[0][i] - end[1][i])) / (6.0 * shifts[0]);
    numbers_init(&numbers, k, "duffing", x0);
    memcpy(numbers.values, p, sizeof p);
    numbers.ensemble.model.n_sens = 1;
    numbers.ensemble.derivatives.directions = &direction;
    struct transition got = advance(&numbers.ensemble, 1, start, t / 5000, 5000, 0, 0.0);
    CHECK_ERROR(largest_difference(2, got.column[0], exact) / fabs(exact[0]), 2e-8);
}

/* The step of rk4 written out, with the C library's cosine: for the cubic term. */
static void a_cubic_duffing_oscillator_matches_plain_steps(void)
{
    const double x0[2] = {1.1, -0.2}, h = 0.01, start = 2.0;
    double x[2] = {x0[0], x0[1]};
    struct numbers numbers;
    CHECK_CASE("duffing, plain");
    numbers_init(&numbers, ref_fastest(), "duffing", x0);
    for (int k = 0; k < 500; k++) {
        static const double nodes[4] = {0.0, 0.5, 0.5, 1.0}, weights[4] = {1.0, 2.0, 2.0, 1.0};
        double deriv[2] = {0.0, 0.0}, sum[2] = {0.0, 0.0};
        for (int s = 0; s < 4; s++) {
            double at = x[0] + nodes[s] * h * deriv[0], v = x[1] + nodes[s] * h * deriv[1];
            double t = start + (k + nodes[s]) * h;
            deriv[0] = v;
            deriv[1] = 0.5 * cos(1.2 * t) - 0.3 * v + at - at * at * at;
            sum[0] += weights[s] * deriv[0];
            sum[1] += weights[s] * deriv[1];
        }
        x[0] += h / 6.0 * sum[0];
        x[1] += h / 6.0 * sum[1];
    }
    struct transition end = advance(&numbers.ensemble, 0, start, h, 500, 0, 0.0);
    CHECK_ERROR(largest_difference(2, end.x, x), 5e-15);
}

/* The tangents are the derivative of the steps themselves, so only the difference quotient errs. */
static void tangents_are_the_derivative_of_the_flow(const struct ml_kernels *k, const char *name,
                                                    const double *x0)
{
    const double h = 1e-3, step = 0.01, start = 0.7;
    const int n_step = 100;
    struct numbers numbers;
    struct transition quotient;
    CHECK_CASE("%s %s, tangents", name, k->isa);
    numbers_init(&numbers, k, name, x0);
    const int n = numbers.ensemble.model.system->tables.n_state;
    for (int c = 0; c < n; c++) {
        struct transition at[4];
        const double offsets[4] = {h, -h, 2.0 * h, -2.0 * h};
        for (int o = 0; o < 4; o++)
            at[o] = advance(&numbers.ensemble, 0, start, step, n_step, c, offsets[o]);
        for (int i = 0; i < n; i++) {
            double near = (at[0].x[i] - at[1].x[i]) / (2.0 * h);
            double far = (at[2].x[i] - at[3].x[i]) / (4.0 * h);
            quotient.column[c][i] = (4.0 * near - far) / 3.0;
        }
    }
    struct transition got = advance(&numbers.ensemble, n, start, step, n_step, 0, 0.0);
    CHECK_ERROR(transition_error(&got, &quotient, n), 5e-11);
}

/* All lanes differ. */
static void bits_do_not_depend_on_isa_columns_or_neighbours(const struct ml_kernels *k,
                                                            const char *name, const double *x0,
                                                            const char *integrator, double start,
                                                            double spread)
{
    const double step = 5e-3;
    enum { N_STEP = 60, N_KIND = 4 };
    struct numbers first, numbers;
    struct bench benches[N_KIND];
    numbers_init(&first, ml_kernels_at(0), name, x0);
    numbers_init(&numbers, k, name, x0);
    const int n = numbers.ensemble.model.system->tables.n_state;
    const int columns[N_KIND] = {n, n, n - 1, 0};
    CHECK_CASE("%s %s %s, bits", name, k->isa, integrator);
    for (int i = 0; i < N_KIND; i++) {
        struct numbers *of = i ? &numbers : &first;
        of->spread = spread;
        bench_init(&benches[i], &of->ensemble, columns[i], integrator, ML_LANES);
        bench_advance(&benches[i], start, step, 0, N_STEP);
        for (int lane = 0; lane < ML_LANES; lane++) {
            struct transition one = bench_lane(&benches[0], lane);
            struct transition other = bench_lane(&benches[i], lane);
            CHECK(memcmp(one.x, other.x, sizeof one.x) == 0);
            CHECK(memcmp(one.column, other.column, (size_t)columns[i] * sizeof *one.column) == 0);
        }
    }
    struct bench alone;
    bench_init(&alone, &numbers.ensemble, n, integrator, 1);
    bench_advance(&alone, start, step, 0, N_STEP);
    struct transition one = bench_lane(&benches[0], 0), other = bench_lane(&alone, ML_LANES - 1);
    CHECK(memcmp(&one, &other, sizeof one) == 0);
    bench_free(&alone);
    for (int i = 0; i < N_KIND; i++)
        bench_free(&benches[i]);
}

/* Also by kernels that are made for smaller ones. */
static void an_angle_too_large_for_a_cosine_ends_a_run(const struct ml_kernels *k)
{
    const double x0[2] = {1.0, 0.0}, start = 1e13;
    struct numbers numbers;
    numbers_init(&numbers, k, "duffing", x0);
    numbers_set(&numbers, "omega", 1e3);
    for (int n_column = 0; n_column <= 2; n_column++) {
        struct bench bench;
        CHECK_CASE("duffing %s, %d tangents, large angle", k->isa, n_column);
        bench_init(&bench, &numbers.ensemble, n_column, "rk4", 1);
        const struct ml_lane_faults faults = bench_try(&bench, start, 1.0, 0, 1);
        CHECK(faults.nonfinite == ML_ALL_LANES && faults.singular == 0);
        bench_free(&bench);
    }
}

static void lorenz_is_symmetric_to_the_bit(const struct ml_kernels *k)
{
    const double x0[3] = {1.0, 2.0, 20.0}, mirrored[3] = {-1.0, -2.0, 20.0};
    static const double sign[3] = {-1.0, -1.0, 1.0};
    struct numbers a, b;
    CHECK_CASE("lorenz %s, symmetry", k->isa);
    numbers_init(&a, k, "lorenz", x0);
    numbers_init(&b, k, "lorenz", mirrored);
    struct transition one = advance(&a.ensemble, 3, 0.0, 0.01, 1000, 0, 0.0);
    struct transition other = advance(&b.ensemble, 3, 0.0, 0.01, 1000, 0, 0.0);
    for (int i = 0; i < 3; i++) {
        CHECK(one.x[i] == sign[i] * other.x[i]);
        for (int c = 0; c < 3; c++)
            CHECK(one.column[c][i] == sign[c] * sign[i] * other.column[c][i]);
    }
}

/* Energies of the first lane, as the system gives and records them. */
static void read_energies(struct bench *bench, double *kinetic, double *potential)
{
    const struct ml_ensemble *e = &bench->ensemble;
    const struct ml_batch *b = &bench->batch;
    _Alignas(64) double rows[7][ML_LANES];
    double *out[7] = {NULL};
    e->model.system->energy.measure(&e->model, b->constants, b->x, b->work, b->energy.kinetic,
                                    b->energy.potential, b->energy.scale);
    *kinetic = b->energy.kinetic[0];
    *potential = b->energy.potential[0];
    CHECK(b->energy.scale[0] > 0.0);
    for (int q = 0; q < e->model.system->tables.n_record; q++)
        out[q] = rows[q];
    e->model.system->dynamics.record(&e->model, ml_times(0.0).lane, b->constants, b->x, b->work,
                                     out);
    const double *energy = rows[ref_quantity(e->model.system->tables.records,
                                             e->model.system->tables.n_record, "energy")];
    CHECK(energy[0] == *kinetic + *potential && energy[ML_LANES] == *kinetic);
    CHECK(energy[2 * ML_LANES] == *potential);
    for (int q = 0; q < e->model.system->tables.n_state; q++)
        CHECK(rows[q][0] == b->x[q * ML_LANES]);
}

static void henon_heiles_keeps_its_hamiltonian(void)
{
    const double x0[4] = {0.0, -0.1, 0.5, 0.1};
    struct numbers numbers;
    struct bench bench;
    double kinetic, potential, worst = 0.0, start = 0.0;
    CHECK_CASE("henon_heiles, H");
    numbers_init(&numbers, ref_fastest(), "henon_heiles", x0);
    bench_init(&bench, &numbers.ensemble, 0, "rk4", 1);
    for (int part = 0; part <= 20; part++) {
        double x = bench.batch.x[0], y = bench.batch.x[ML_LANES];
        double px = bench.batch.x[2 * ML_LANES], py = bench.batch.x[3 * ML_LANES];
        double v = (x * x + y * y) / 2.0 + x * x * y - y * y * y / 3.0;
        double h = (px * px + py * py) / 2.0 + v;
        read_energies(&bench, &kinetic, &potential);
        CHECK_ERROR(fabs(potential - v) + fabs(kinetic + potential - h), 1e-16);
        start = part ? start : h;
        worst = fmax(worst, fabs(h - start));
        bench_advance(&bench, 0.0, 2e-3, 2500 * part, 2500);
    }
    CHECK_ERROR(worst, 1e-13);
    bench_free(&bench);
}

static void duffing_keeps_its_energy_without_damping_and_drive(void)
{
    const double x0[2] = {1.4, 0.3};
    struct numbers numbers;
    struct bench bench;
    double kinetic, potential;
    CHECK_CASE("duffing, energy");
    numbers_init(&numbers, ref_fastest(), "duffing", x0);
    numbers_set(&numbers, "delta", 0.0);
    numbers_set(&numbers, "gamma", 0.0);
    bench_init(&bench, &numbers.ensemble, 0, "rk4", 1);
    read_energies(&bench, &kinetic, &potential);
    double start = 0.5 * 0.3 * 0.3 - 0.5 * 1.4 * 1.4 + 0.25 * 1.4 * 1.4 * 1.4 * 1.4;
    CHECK_ERROR(fabs(kinetic + potential - start), 5e-17);
    bench_advance(&bench, 0.0, 1e-3, 0, 20000);
    read_energies(&bench, &kinetic, &potential);
    CHECK_ERROR(fabs(kinetic + potential - start), 1e-13);
    bench_free(&bench);
}

int main(void)
{
    static const char *const names[] = {"lorenz", "roessler", "henon_heiles", "duffing"};
    static const double x0[4][4] = {
        {1.0, 2.0, 20.0}, {1.0, -2.0, 0.3}, {0.1, 0.2, 0.3, -0.2}, {0.7, -0.4}};
    static const double landed[8] = {6e-3, 7e-3, 15e-3, 17e-3, 0.3, 0.5, 1.5, 1.8};
    json_t *root = ref_load("lyapunov.json");
    finite_time_exponents_match(root, "lorenz", "lorenz", 100000, 3e-12, 1e-11);
    finite_time_exponents_match(root, "rossler", "roessler", 50000, 1e-9, 2e-10);
    finite_time_exponents_match(root, "henon_heiles", "henon_heiles", 20000, 1e-12, 3e-11);
    json_decref(root);
    henon_heiles_keeps_its_hamiltonian();
    duffing_keeps_its_energy_without_damping_and_drive();
    a_cubic_duffing_oscillator_matches_plain_steps();
    for (int i = 0; i < 4; i++)
        rk4_is_of_order_4(names[i], x0[i], i ? 150 : 2000, i ? 0.02 : 0.2);
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        a_linear_duffing_oscillator_matches_its_solution(k, 0.0, 4e-12);
        a_linear_duffing_oscillator_matches_its_solution(k, 1e6, 3e-10);
        a_late_derivative_by_the_frequency_is_exact(k);
        lorenz_is_symmetric_to_the_bit(k);
        an_angle_too_large_for_a_cosine_ends_a_run(k);
        /* The drive's angle is beyond the fast cosine, but 0 in one lane. */
        bits_do_not_depend_on_isa_columns_or_neighbours(k, "duffing", x0[3], "rk4", 1e12, -0.1);
        bits_do_not_depend_on_isa_columns_or_neighbours(k, "four_mass_runner", landed, "rk4", 0.0,
                                                        0.01);
        for (int s = 0; s < 4; s++) {
            tangents_are_the_derivative_of_the_flow(k, names[s], x0[s]);
            bits_do_not_depend_on_isa_columns_or_neighbours(k, names[s], x0[s], "rk4", 0.0, 0.01);
            bits_do_not_depend_on_isa_columns_or_neighbours(k, names[s], x0[s], "euler", 0.0, 0.01);
        }
    }
    return check_done();
}
