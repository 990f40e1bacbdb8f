/* Derivatives of the chain's motion by its parameters: of accelerations and of whole runs against
 * references, and against central differences of runs with other values. */
#include "check.h"
#include "engine/team/batch_run.h"
#include "reference/reference.h"

enum {
    MAX_X = 2 * REF_MAX_N + 1,
    MAX_PARAMETER = 6 * REF_MAX_N + 16,
    MAX_COLUMN = 1 + MAX_PARAMETER,
    MAX_VALUE = 6 + 6 * REF_MAX_N + 2 * REF_MAX_N,
};

/* The runs of one batch after some steps, and the tangent vectors of one of them. */
struct outcome {
    double x[ML_LANES][MAX_X], column[MAX_COLUMN][MAX_X];
};

/* Advances runs first .. first + n - 1; the columns are those of the last lane. */
static struct outcome advance(const struct ml_ensemble *e, int64_t first, int n)
{
    struct outcome out = {0};
    struct ml_arena arena = {0};
    struct ml_batch batch;
    const int n_x = ml_n_x(&e->model);
    ml_batch_layout(e, &arena, &batch);
    if (!ml_arena_reserve(&arena))
        ref_stop("no memory");
    ml_batch_layout(e, &arena, &batch);
    ml_batch_load(e, &batch, first, n);
    struct ml_lane_faults faults =
        ml_batch_advance(e, &batch, 1.0, 0, e->time.n_step, ML_ALL_LANES);
    CHECK(!faults.nonfinite && !faults.singular);
    for (int i = 0; i < n_x; i++) {
        for (int lane = 0; lane < n; lane++)
            out.x[lane][i] = batch.x[i * ML_LANES + lane];
        for (int c = 0; c < e->model.n_column; c++)
            out.column[c][i] = batch.x[(n_x * (1 + c) + i) * ML_LANES + ML_LANES - 1];
    }
    ml_arena_free(&arena);
    return out;
}

/* Slot of a parameter of an element, "spring.A.x"; -1 if no parameter has that name. */
static int slot_of_element(const struct ref_runs *runs, const char *name)
{
    char own[32];
    const size_t length = strcspn(name, ".");
    for (size_t k = 0; k < sizeof ref_element_kinds / sizeof *ref_element_kinds; k++) {
        if (length != strlen(ref_element_kinds[k].key) ||
            strncmp(name, ref_element_kinds[k].key, length) != 0)
            continue;
        const char *letters = name + length + 1;
        const size_t n = strcspn(letters, ".");
        for (int i = 0; ref_element_kinds[k].letters[i]; i++)
            if (strlen(ref_element_kinds[k].letters[i]) == n &&
                strncmp(letters, ref_element_kinds[k].letters[i], n) == 0)
                (void)snprintf(own, sizeof own, "%s%s", ref_element_kinds[k].names[i], letters + n);
        for (int f = 0; f < runs->ensemble.n_force; f++)
            if (!strcmp(runs->forces[f].type->name, ref_element_kinds[k].type))
                return runs->forces[f].slot +
                       ref_param(runs->forces[f].type->params, runs->forces[f].type->n_param, own);
    }
    return -1;
}

/* Slot of a parameter in the letters of the reference files: "m.1", "g.x", "tau.2". */
static int slot_of(const struct ref_runs *runs, const char *name)
{
    static const char *const letters[][2] = {
        {"m", "mass"}, {"l", "length"}, {"d", "com"}, {"I", "inertia"}};
    const struct ml_system *system = runs->ensemble.model.system;
    const int length = (int)strcspn(name, "."), i_segment = atoi(name + length + 1) - 1;
    if (slot_of_element(runs, name) >= 0)
        return slot_of_element(runs, name);
    if (name[0] == 'g')
        return ml_slot_param(ref_param(system->tables.params, system->tables.n_param,
                                       strcmp(name, "g.x") ? "gravity.y" : "gravity.x"));
    for (int k = 0; k < 4; k++)
        if (length == 1 && name[0] == letters[k][0][0])
            return ml_slot_segment(system, i_segment,
                                   ref_param(system->tables.segment_params,
                                             system->tables.n_segment_param, letters[k][1]));
    for (int f = 0; f < runs->ensemble.n_force; f++)
        if (runs->forces[f].joint == i_segment &&
            !strcmp(runs->forces[f].name, name[0] == 'b' ? "damper" : "torque"))
            return runs->forces[f].slot;
    ref_stop("no parameter '%s'", name);
}

/* Parameters of a reference case as directions along one slot each. */
struct single_slots {
    int n, slot[MAX_PARAMETER];
    struct ml_direction direction[MAX_PARAMETER];
};

static void single_slots_init(struct single_slots *s, const struct ref_runs *runs,
                              const json_t *names)
{
    static const double one = 1.0;
    s->n = (int)json_array_size(names);
    for (int p = 0; p < s->n; p++) {
        s->slot[p] = slot_of(runs, json_string_value(json_array_get(names, (size_t)p)));
        s->direction[p] = (struct ml_direction){1, &s->slot[p], &one};
    }
}

/* Largest error relative to the largest entry of its column, columns of rows row .. n_x - 1. */
static double column_error(const struct outcome *got, int row, int n_x, int n_sens,
                           const double *expected)
{
    double error = 0.0;
    for (int p = 0; p < n_sens; p++) {
        double worst = 0.0, scale = 0.0;
        for (int i = row; i < n_x; i++) {
            double e = expected[(i - row) * n_sens + p];
            worst = ref_worse(worst, fabs(got->column[p][i] - e));
            scale = fmax(scale, fabs(e));
        }
        error = ref_worse(error, worst / (scale > 0.0 ? scale : 1.0));
    }
    return error;
}

/* From columns of zeros an Euler step of 1 s gives the derivatives of the accelerations. */
static void accelerations_agree_with_reference(const struct ml_kernels *k, int n, bool joint)
{
    static double expected[REF_MAX_N * MAX_PARAMETER];
    char file[32];
    (void)snprintf(file, sizeof file, "static_n%d.json", n);
    json_t *root = ref_load(file), *cases = json_object_get(root, "cases");
    int n_case = 0;
    for (size_t c = 0; c < json_array_size(cases); c++) {
        const json_t *item = json_array_get(cases, c), *params = json_object_get(item, "params");
        struct ref_chain chain = ref_chain(params);
        struct ref_runs runs;
        struct single_slots slots;
        double x0[MAX_X];
        chain.all_forces = true;
        (void)ref_numbers(json_object_get(item, "phi"), n, x0);
        (void)ref_numbers(json_object_get(item, "omega"), n, x0 + n);
        (void)ref_numbers(json_object_get(item, "dphidd_dparam"), REF_MAX_N * MAX_PARAMETER,
                          expected);
        ref_runs_init(&runs, k, &chain, joint, 1, x0);
        single_slots_init(&slots, &runs, json_object_get(item, "param_names"));
        struct ml_ensemble e = runs.ensemble;
        e.model.n_column = e.model.n_sens = slots.n;
        e.derivatives.directions = slots.direction;
        e.method = ref_integrator(k, "euler");
        e.time.n_step = 1;
        for (int solver = 0; solver < ML_N_SOLVER; solver++) {
            CHECK_CASE("%s %s %s", k->isa, k->solvers[solver].name, ref_name(item));
            e.model.solver = (enum ml_solver_kind)solver;
            struct outcome got = advance(&e, 0, 1);
            CHECK_ERROR(column_error(&got, n, 2 * n, slots.n, expected), n < 8 ? 1e-12 : 1e-11);
        }
        n_case++;
    }
    CHECK(n_case > 0);
    json_decref(root);
}

/* References from another integrator in 180 bits; rk4's error is left, which falls with step^4. */
static void runs_agree_with_reference(const json_t *root, const char *name, int64_t n_step,
                                      double tolerance)
{
    static double expected[MAX_X * MAX_PARAMETER], x0[MAX_X];
    const json_t *item = ref_case(root, name), *params = json_object_get(item, "params");
    struct ref_chain chain = ref_chain(params);
    struct ref_runs runs;
    struct single_slots slots;
    const int n_x = 2 * chain.n + ref_n_state(&chain);
    CHECK_CASE("%s", name);
    chain.all_forces = true;
    (void)ref_numbers(json_object_get(item, "x0"), MAX_X, x0);
    ref_runs_init(&runs, ref_fastest(), &chain, false, 1, x0);
    single_slots_init(&slots, &runs, json_object_get(item, "param_names"));
    CHECK(ref_numbers(json_object_get(item, "dxT_dparam"), MAX_X * MAX_PARAMETER, expected) ==
          n_x * slots.n);
    struct ml_ensemble e = runs.ensemble;
    e.model.n_column = e.model.n_sens = slots.n;
    e.derivatives.directions = slots.direction;
    e.method = ref_integrator(e.kernels, "rk4");
    e.time.n_step = n_step;
    e.time.step = ref_number(item, "T") / (double)n_step;
    struct outcome got = advance(&e, 0, 1);
    CHECK_ERROR(column_error(&got, 0, n_x, slots.n, expected), tolerance);
}

enum { N_DIRECTION = 9, N_OFFSET = 4, MAX_SLOT = 4, RATE_OF_TIP = 6 };

/* A chain of which some parameters are derived from others, and directions to move it in. Run 0 is
 * the chain, run 1 + 4 p + o has it moved along direction p by offset o. */
struct rods {
    double base[MAX_VALUE], weight[N_DIRECTION][MAX_SLOT];
    int slot[N_DIRECTION][MAX_SLOT];
    struct ml_direction direction[N_DIRECTION];
    struct ml_force_use force[2];
    struct ml_ensemble ensemble;
};

static const double offsets[N_OFFSET] = {4e-4, -4e-4, 8e-4, -8e-4};

static void rods_values(const void *context, int64_t run, double *values)
{
    const struct rods *rods = context;
    memcpy(values, rods->base, sizeof(double) * (size_t)rods->ensemble.numbers.n);
    if (run == 0)
        return;
    const struct ml_direction *d = &rods->direction[(run - 1) / N_OFFSET];
    for (int i = 0; i < d->n; i++)
        values[d->slot[i]] += offsets[(run - 1) % N_OFFSET] * d->weight[i];
}

/* Uniform rods in plain gravity, but for the first one's centre of mass. */
static void fill_base(struct rods *rods, int n)
{
    const struct ml_system *system = rods->ensemble.model.system;
    double *base = rods->base;
    base[0] = 9.81;
    base[1] = 0.7;
    base[2] = base[3] = (double)NAN;
    for (int i = 0; i < n; i++) {
        double *segment = base + ml_slot_segment(system, i, 0);
        segment[0] = 0.6 + 0.1 * (i % 3);
        segment[1] = 1.0 + 0.3 * i;
        segment[2] = i == 0 ? 0.25 : (double)NAN;
        segment[3] = (double)NAN;
        base[ml_slot_initial(&(struct ml_instance){system, n}, 0, i)] = 0.9 - 0.55 * i;
        base[ml_slot_initial(&(struct ml_instance){system, n}, 1, i)] = 1.5 - 0.8 * i;
    }
    for (int i = rods->force[0].slot; i < rods->force[1].slot; i++)
        base[i] = (double)NAN; /* no limits */
    base[rods->force[0].slot] = 0.5;
    base[rods->force[1].slot] = 0.3;
}

/* Along the numbers that are given, one by one and several at once. */
static void fill_directions(struct rods *rods, int n)
{
    const struct ml_system *system = rods->ensemble.model.system;
    const int first = ml_slot_segment(system, 0, 0), last = ml_slot_segment(system, n - 1, 0);
    const int slots[N_DIRECTION][MAX_SLOT] = {
        {0},        /* gravity, and with it gravity.y */
        {first},    /* length */
        {last + 1}, /* mass */
        {first + 2},
        {ml_slot_initial(&rods->ensemble.model, 0, 0)},
        {rods->force[0].slot},
        [RATE_OF_TIP] = {ml_slot_initial(&rods->ensemble.model, 1, n - 1)},
        {rods->force[1].slot},
        {last, first + 1, 1, 3}, /* the energy with them, if it is given */
    };
    memcpy(rods->slot, slots, sizeof slots);
    for (int p = 0; p < N_DIRECTION; p++) {
        for (int i = 0; i < MAX_SLOT; i++)
            rods->weight[p][i] = 1.0 - 0.7 * i;
        rods->direction[p] = (struct ml_direction){p == N_DIRECTION - 1 ? MAX_SLOT : 1,
                                                   rods->slot[p], rods->weight[p]};
    }
}

/* Must stay where it is. `variant` bit 0: joint angles; bit 1: zero to the right; both: and the
 * energy at the start is given. */
static void rods_init(struct rods *rods, const struct ml_kernels *k, int n, int variant)
{
    const struct ml_system *system = ref_system(k, "chain");
    *rods = (struct rods){0};
    struct ml_ensemble *e = &rods->ensemble;
    *e = (struct ml_ensemble){.kernels = k,
                              .model = {.system = system, .n = n, .has_joint_terms = true},
                              .forces = rods->force,
                              .n_force = 2,
                              .method = ref_integrator(k, "rk4"),
                              .time.step = 5e-3,
                              .time.n_step = 20,
                              .indicators.observe_every = 20,
                              .saving = {.run_every = 1},
                              .n_run = 1 + N_OFFSET * N_DIRECTION,
                              .numbers.values = rods_values,
                              .numbers.context = rods,
                              .derivatives.directions = rods->direction};
    ref_choose(&e->model, system, "angles", variant & 1 ? "joint" : "segment");
    ref_choose(&e->model, system, "zero", variant & 2 ? "right" : "down");
    e->block_runs = ml_ensemble_block_runs(e);
    e->numbers.n = ml_slot_forces(&e->model);
    for (int f = 0; f < 2; f++) {
        const struct ml_force *type = k->registry->forces[ref_force(k, f ? "damper" : "torque")];
        rods->force[f] =
            (struct ml_force_use){.type = type, .joint = f ? n - 1 : n / 2, .slot = e->numbers.n};
        e->numbers.n += ml_force_first_number(type, n, type->n_param);
    }
    fill_base(rods, n);
    if (variant == 3 && n > 1)        /* it would fix the rate of one segment alone */
        rods->base[3] = 15.0 * n * n; /* J */
    fill_directions(rods, n);
}

/* The columns are the derivative of the steps themselves, so only the difference quotient errs: by
 * h^4 after extrapolation, and rounding over h. One unit vector goes first. */
static void is_the_derivative_of_whole_runs(const struct ml_kernels *k, enum ml_solver_kind solver,
                                            int n, int variant)
{
    const int n_x = 2 * n;
    struct rods rods;
    rods_init(&rods, k, n, variant);
    struct ml_ensemble e = rods.ensemble;
    e.model.solver = solver;
    struct ml_ensemble with = e;
    with.model.n_column = 1 + N_DIRECTION;
    with.model.n_sens = N_DIRECTION;
    struct outcome got = advance(&with, 0, 1);
    for (int p = 0; p < N_DIRECTION; p++) {
        double worst = 0.0, scale = 0.0;
        struct outcome at = advance(&e, 1 + N_OFFSET * p, N_OFFSET);
        CHECK_CASE("%s %s n=%d variant %d, direction %d", k->isa, k->solvers[solver].name, n,
                   variant, p);
        for (int i = 0; i < n_x; i++) {
            double near = (at.x[0][i] - at.x[1][i]) / (2.0 * offsets[0]);
            double far = (at.x[2][i] - at.x[3][i]) / (2.0 * offsets[2]);
            scale = fmax(scale, fabs(near));
            worst = ref_worse(worst, fabs(got.column[1 + p][i] - (4.0 * near - far) / 3.0));
        }
        CHECK_ERROR(worst / scale, 1e-9);
    }
}

/* The state alone, with one unit vector, and with parameters behind that. */
static void bits_do_not_depend_on_isa_or_parameters(const struct ml_kernels *k, int n)
{
    const size_t size = sizeof(double) * 2 * (size_t)n;
    struct rods first, rods;
    rods_init(&first, ml_kernels_at(0), n, n % 4);
    rods_init(&rods, k, n, n % 4);
    for (int solver = 0; solver < ML_N_SOLVER; solver++) {
        if (solver == ML_SOLVER_lapacke)
            continue;
        CHECK_CASE("%s %s n=%d, bits", k->isa, k->solvers[solver].name, n);
        struct ml_ensemble e = rods.ensemble, base = first.ensemble;
        e.model.solver = base.model.solver = (enum ml_solver_kind)solver;
        struct outcome none = advance(&e, 0, 1);
        e.model.n_column = 1;
        struct outcome unit = advance(&e, 0, 1);
        e.model.n_column = base.model.n_column = 1 + N_DIRECTION;
        e.model.n_sens = base.model.n_sens = N_DIRECTION;
        struct outcome got = advance(&e, 0, 1), expected = advance(&base, 0, 1);
        CHECK(memcmp(got.x[0], none.x[0], size) == 0);
        CHECK(memcmp(got.column[0], unit.column[0], size) == 0);
        for (int c = 0; c < 1 + N_DIRECTION; c++)
            CHECK(memcmp(got.column[c], expected.column[c], size) == 0);
        e.model.n_column = n < 5 ? 2 * n : N_DIRECTION; /* as many as kernels are unrolled for */
        e.model.n_sens = e.model.n_column - 1;
        struct outcome fewer = advance(&e, 0, 1);
        for (int c = 0; c < e.model.n_column; c++)
            CHECK(memcmp(got.column[c], fewer.column[c], size) == 0);
    }
}

/* A unit vector is the direction of the initial state that it is named after. */
static void an_initial_rate_is_a_unit_vector(const struct ml_kernels *k, int n)
{
    struct rods rods;
    rods_init(&rods, k, n, 0);
    struct ml_ensemble e = rods.ensemble;
    e.model.n_column = 2 * n;
    struct outcome unit = advance(&e, 0, 1);
    e.model.n_column = e.model.n_sens = N_DIRECTION;
    struct outcome got = advance(&e, 0, 1);
    CHECK_CASE("%s n=%d, unit vector", k->isa, n);
    CHECK_ERROR(ref_error(2 * n, got.column[RATE_OF_TIP], unit.column[2 * n - 1]), 1e-15);
}

int main(void)
{
    static const int sizes[] = {1, 2, 3, 5, 8};
    const struct ml_kernels *k;
    json_t *root = ref_load("sensitivities.json");
    runs_agree_with_reference(root, "n1_rod_T3", 15000, 1e-12);
    runs_agree_with_reference(root, "dp_regular_T5", 25000, 1e-11);
    runs_agree_with_reference(root, "dp_pid_T2", 20000, 1e-10);
    runs_agree_with_reference(root, "arm3_spring_force_T0.8", 16000, 2e-11);
    json_decref(root);
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            accelerations_agree_with_reference(k, sizes[s], false);
            accelerations_agree_with_reference(k, sizes[s], true);
        }
        for (int n = 1; n <= REF_MAX_N; n++) {
            bits_do_not_depend_on_isa_or_parameters(k, n);
            an_initial_rate_is_a_unit_vector(k, n);
            for (int solver = 0; solver < ML_N_SOLVER; solver++)
                for (int variant = 0; variant < 4; variant++)
                    if (solver == 0 || variant == n % 4)
                        is_the_derivative_of_whole_runs(k, (enum ml_solver_kind)solver, n, variant);
        }
    }
    return check_done();
}
