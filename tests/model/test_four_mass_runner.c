/* The runner: against the reference file, its energy, and derivatives while the shoe pushes.
 *
 * Where the shoe touches down the right-hand side is like x^d, so that the error of a fixed step h
 * is of order 1 + d whatever the method: with rk4 1e-4 N at h = 10 us, 2e-6 N at 1 us. What is
 * known of the order takes most of it away, and what remains is compared. */
#include "check.h"
#include "model/transition.h"

enum { N_STATE = 8, MOST_SAMPLES = 121 };

/* A case of running_four_mass.json. */
struct landing {
    struct numbers numbers;
    const char *name;
    double exponent; /* d; of a law that is linear, 1 */
    int n_sample;
    double interval; /* s */
    double x[MOST_SAMPLES * N_STATE], force[MOST_SAMPLES];
};

static void set_array(struct landing *out, const json_t *params, const char *key,
                      const char *const *names)
{
    double values[N_STATE];
    int n = ref_numbers(json_object_get(params, key), N_STATE, values);
    for (int i = 0; i < n; i++)
        numbers_set(&out->numbers, names[i], values[i]);
}

static void read_landing(const json_t *item, struct landing *out)
{
    static const char *const masses[] = {"m1", "m2", "m3", "m4"};
    static const char *const springs[] = {"k1", "k2", "k3", "k4", "k5"};
    static const char *const dampers[] = {"c1", "c2", "c4"};
    static const char *const contact[][2] = {{"g", "gravity"},   {"Ac", "area"},
                                             {"a", "stiffness"}, {"b", "exponent"},
                                             {"cg", "damping"},  {"d", "damping_exponent"}};
    const json_t *params = json_object_get(item, "params");
    double x0[N_STATE], t[MOST_SAMPLES];
    CHECK(ref_numbers(json_object_get(item, "x0"), N_STATE, x0) == N_STATE);
    numbers_init(&out->numbers, ref_fastest(), "four_mass_runner", x0);
    set_array(out, params, "m", masses);
    set_array(out, params, "k", springs);
    set_array(out, params, "c", dampers);
    for (size_t i = 0; i < sizeof contact / sizeof *contact; i++)
        numbers_set(&out->numbers, contact[i][1], ref_number(params, contact[i][0]));
    out->name = ref_name(item);
    out->exponent = ref_number(params, "d");
    out->n_sample = ref_numbers(json_object_get(item, "t"), MOST_SAMPLES, t);
    out->interval = t[out->n_sample - 1] / (out->n_sample - 1);
    CHECK(ref_numbers(json_object_get(item, "x"), MOST_SAMPLES * N_STATE, out->x) ==
          out->n_sample * N_STATE);
    CHECK(ref_numbers(json_object_get(item, "GRF"), MOST_SAMPLES, out->force) == out->n_sample);
}

/* The record of that name in the first lane. */
static double shown(struct bench *bench, const char *name)
{
    const struct ml_system *system = bench->ensemble.model.system;
    _Alignas(64) double row[ML_LANES];
    double **out = &bench->batch.records
                        .rows[ref_quantity(system->tables.records, system->tables.n_record, name)];
    *out = row;
    system->dynamics.record(&bench->ensemble.model, ml_times(0.0).lane, bench->batch.constants,
                            bench->batch.x, bench->batch.work, bench->batch.records.rows);
    *out = NULL;
    return row[0];
}

struct motion {
    double x[MOST_SAMPLES * N_STATE], force[MOST_SAMPLES];
};

static void land(const struct landing *c, int n_step, struct motion *out)
{
    struct bench bench;
    bench_init(&bench, &c->numbers.ensemble, 0, "rk4", 1);
    for (int s = 0; s < c->n_sample; s++) {
        if (s > 0)
            bench_advance(&bench, 0.0, c->interval / n_step, (int64_t)(s - 1) * n_step, n_step);
        struct transition at = bench_lane(&bench, 0);
        memcpy(out->x + s * N_STATE, at.x, N_STATE * sizeof(double));
        out->force[s] = shown(&bench, "ground_force");
    }
    bench_free(&bench);
}

static double worst_of(int n, const double *a, const double *b)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++)
        worst = ref_worse(worst, fabs(a[i] - b[i]));
    return worst;
}

/* What two motions of half the step each say of none at all, errors being of that order. */
static void extrapolate(int n, double order, const double *coarse, double *fine)
{
    for (int i = 0; i < n; i++)
        fine[i] += (fine[i] - coarse[i]) / (exp2(order) - 1.0);
}

static void a_shoe_is_compressed_as_in_the_reference(const struct landing *c)
{
    enum { N_STEP = 200, N_HALVING = 3 };
    static struct motion motion[N_HALVING];
    double error[N_HALVING];
    const double order = 1.0 + c->exponent;
    CHECK_CASE("%s", c->name);
    for (int i = 0; i < N_HALVING; i++) {
        land(c, N_STEP << i, &motion[i]);
        error[i] = worst_of(c->n_sample, motion[i].force, c->force);
    }
    CHECK_ERROR(error[0], 1.2e-4); /* N, at steps of 10 us */
    for (int i = 1; i < N_HALVING; i++)
        CHECK_ERROR(fabs(log2(error[i - 1] / error[i]) - order), 0.03);
    struct motion *fine = &motion[N_HALVING - 1], *coarse = fine - 1;
    extrapolate(c->n_sample, order, coarse->force, fine->force);
    extrapolate(c->n_sample * N_STATE, order, coarse->x, fine->x);
    CHECK_ERROR(worst_of(c->n_sample, fine->force, c->force), 3e-7);
    CHECK_ERROR(worst_of(c->n_sample * N_STATE, fine->x, c->x), 2e-10);
}

/* There is nothing rough in it, so rk4 keeps its order. */
static void a_linear_shoe_is_compressed_as_in_the_reference(const struct landing *c)
{
    static struct motion motion[3];
    double error[3];
    CHECK_CASE("%s", c->name);
    for (int i = 0; i < 3; i++) {
        land(c, 2 << i, &motion[i]);
        error[i] = worst_of(c->n_sample, motion[i].force, c->force);
    }
    for (int i = 1; i < 3; i++)
        CHECK_ERROR(fabs(log2(error[i - 1] / error[i]) - 4.0), 0.2);
    land(c, 100, &motion[0]);
    CHECK_ERROR(worst_of(c->n_sample, motion[0].force, c->force), 5e-10);
    CHECK_ERROR(worst_of(c->n_sample * N_STATE, motion[0].x, c->x), 3e-12);
}

/* Positions and rates while the shoe pushes. */
static const double pressed[N_STATE] = {6e-3, 7e-3, 15e-3, 17e-3, 0.3, 0.5, 1.5, 1.8};

/* The law as it is printed, by the C library's pow: elastic and viscous part. */
static void ground_force(const struct numbers *numbers, double x, double v, double part[2])
{
    const struct ml_system *system = numbers->ensemble.model.system;
    static const char *const names[] = {"area", "stiffness", "exponent", "damping",
                                        "damping_exponent"};
    double p[5];
    for (int i = 0; i < 5; i++)
        p[i] = numbers->values[ref_param(system->tables.params, system->tables.n_param, names[i])];
    part[0] = x > 0.0 ? p[0] * p[1] * pow(x, p[2]) : 0.0;
    part[1] = x > 0.0 ? p[0] * p[3] * pow(x, p[4]) * v : 0.0;
}

static void the_ground_pushes_and_never_pulls(const struct ml_kernels *k)
{
    static const double at[][2] = {{0.0, 1.0},      {-1e-3, 1.0},  {5e-3, 0.9},  {5e-3, -0.4},
                                   {5e-3, -0.6},    {5e-3, -30.0}, {1e-12, 0.5}, {1e-12, -0.5},
                                   {-1e-300, -1.0}, {0.3, 2.0},    {1e-300, 1.0}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        double x0[N_STATE] = {[0] = at[i][0], [4] = at[i][1]};
        struct numbers numbers;
        struct bench bench;
        CHECK_CASE("%s, x1 %g, v1 %g", k->isa, at[i][0], at[i][1]);
        numbers_init(&numbers, k, "four_mass_runner", x0);
        bench_init(&bench, &numbers.ensemble, 0, "rk4", 1);
        double force = shown(&bench, "ground_force"), part[2];
        ground_force(&numbers, x0[0], x0[4], part);
        double law = fmax(0.0, part[0] + part[1]), pull = 2.0 * 6e3 * x0[0] + 950.0 * x0[4];
        double rounding = 3e-16 * (1.0 + fabs(log(fabs(x0[0]) + 1e-300)));
        CHECK_ERROR(fabs(force - law), rounding * (fabs(part[0]) + fabs(part[1])));
        CHECK(force >= 0.0);
        double a1 = 9.81 - (pull + law) / 6.15;
        CHECK_ERROR(fabs(shown(&bench, "a1") - a1), 1e-15 * (10.0 + fabs(pull) + law));
        bench_free(&bench);
    }
}

/* On a shoe that it does not leave, without dampers. */
static void energy_is_kept_without_dampers(void)
{
    static const char *const dampers[] = {"c1", "c2", "c4", "damping"};
    double drift[3];
    for (int halving = 0; halving < 3; halving++) {
        const double x0[N_STATE] = {4e-3, 30e-3, 90e-3, 110e-3, 0.02, 0.0, -0.03, 0.05};
        struct numbers numbers;
        struct bench bench;
        CHECK_CASE("energy");
        numbers_init(&numbers, ref_fastest(), "four_mass_runner", x0);
        for (int i = 0; i < 4; i++)
            numbers_set(&numbers, dampers[i], 0.0);
        bench_init(&bench, &numbers.ensemble, 0, "rk4", 1);
        double start = shown(&bench, "energy");
        CHECK_ERROR(
            fabs(start - shown(&bench, "kinetic_energy") - shown(&bench, "potential_energy")),
            1e-14);
        drift[halving] = 0.0;
        for (int part = 0; part < 100; part++) {
            bench_advance(&bench, 0.0, 4e-4 / (1 << halving), part * (5 << halving), 5 << halving);
            CHECK(shown(&bench, "ground_force") > 10.0);
            drift[halving] = fmax(drift[halving], fabs(shown(&bench, "energy") - start));
        }
        bench_free(&bench);
    }
    CHECK_ERROR(drift[2], 3e-9);
    for (int i = 0; i < 2; i++)
        CHECK_ERROR(fabs(log2(drift[i] / drift[i + 1]) - 5.0), 0.3);
}

/* Fourth-order differences of the end state along value number `slot`. */
static void differences(const struct numbers *like, int slot, double h, double *out)
{
    static const double sides[4] = {1.0, -1.0, 2.0, -2.0};
    double end[4][N_STATE];
    for (int i = 0; i < 4; i++) {
        struct numbers numbers = *like;
        numbers.ensemble.numbers.context = &numbers;
        numbers.values[slot] += sides[i] * h;
        struct transition at = advance(&numbers.ensemble, 0, 0.0, 1e-4, 100, 0, 0.0);
        memcpy(end[i], at.x, sizeof end[i]);
    }
    for (int i = 0; i < N_STATE; i++)
        out[i] = (8.0 * (end[0][i] - end[1][i]) - (end[2][i] - end[3][i])) / (12.0 * h);
}

static void derivatives_are_those_of_the_motion(const struct ml_kernels *k)
{
    static const double one = 1.0;
    struct numbers numbers;
    numbers_init(&numbers, k, "four_mass_runner", pressed);
    const struct ml_system *system = numbers.ensemble.model.system;
    for (int slot = 0; slot < system->tables.n_param + N_STATE; slot++) {
        const struct ml_direction direction = {1, &slot, &one};
        if (slot == ml_slot_energy(system))
            continue; /* it is not given */
        double exact[N_STATE], h = 1e-4 * fabs(numbers.values[slot]);
        CHECK_CASE("%s, by value %d", k->isa, slot);
        differences(&numbers, slot, h, exact);
        numbers.ensemble.model.n_sens = 1;
        numbers.ensemble.derivatives.directions = &direction;
        struct transition got = advance(&numbers.ensemble, 1, 0.0, 1e-4, 100, 0, 0.0);
        numbers.ensemble.model.n_sens = 0;
        CHECK_ERROR(ref_error(N_STATE, got.column[0], exact), 2e-9);
    }
}

int main(void)
{
    static struct landing landing;
    json_t *root = ref_load("running_four_mass.json");
    read_landing(ref_case(root, "soft_shoe"), &landing);
    a_shoe_is_compressed_as_in_the_reference(&landing);
    read_landing(ref_case(root, "hard_shoe"), &landing);
    a_shoe_is_compressed_as_in_the_reference(&landing);
    read_landing(ref_case(root, "linear_contact"), &landing);
    a_linear_shoe_is_compressed_as_in_the_reference(&landing);
    json_decref(root);
    energy_is_kept_without_dampers();
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        the_ground_pushes_and_never_pulls(k);
        derivatives_are_those_of_the_motion(k);
    }
    return check_done();
}
