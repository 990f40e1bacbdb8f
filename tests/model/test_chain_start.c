/* Chains that start with a given energy: that they have it, by the motion of their centres of mass;
 * that the rates keep their proportions; and what becomes of runs for which no rates have it. */
#include "check.h"
#include "engine/team/batch.h"
#include "engine/team/batch_run.h"
#include "reference/reference.h"

enum { MAX_VALUE = 6 + 6 * REF_MAX_N, MAX_X = 2 * REF_MAX_N, N_STEP = 7 };

/* Runs with energies of their own; NaN: not given. */
struct shells {
    struct ml_ensemble ensemble;
    int energy_slot;
    double base[MAX_VALUE], energy[ML_LANES];
};

static void shell_values(const void *context, int64_t run, double *values)
{
    const struct shells *shells = context;
    const struct ml_ensemble *e = &shells->ensemble;
    memcpy(values, shells->base, sizeof *values * (size_t)e->numbers.n);
    for (int v = ml_slot_initial(&e->model, 0, 0); v < e->numbers.n; v++)
        values[v] += 0.05 * (double)run; /* angles and rates */
    values[shells->energy_slot] = shells->energy[run];
}

/* Chains of unequal segments, their centres of mass off the middle, gravity aslant. */
static void fill_base(struct shells *shells)
{
    const struct ml_ensemble *e = &shells->ensemble;
    const struct ml_system *system = e->model.system;
    const int n = e->model.n;
    for (int p = 0; p < system->tables.n_param; p++)
        shells->base[ml_slot_param(p)] = system->tables.params[p].default_value;
    shells->base[ref_param(system->tables.params, system->tables.n_param, "gravity.x")] = 1.7;
    shells->base[ref_param(system->tables.params, system->tables.n_param, "gravity.y")] = -9.3;
    for (int i = 0; i < n; i++) {
        const struct {
            const char *name;
            double value;
        } given[] = {{"length", 0.4 + 0.1 * (i % 3)},
                     {"mass", 0.8 + 0.3 * (i % 4)},
                     {"com", 0.25 - 0.02 * i},
                     {"inertia", 0.01 + 0.005 * i}};
        for (size_t p = 0; p < sizeof given / sizeof *given; p++)
            shells
                ->base[ml_slot_segment(system, i,
                                       ref_param(system->tables.segment_params,
                                                 system->tables.n_segment_param, given[p].name))] =
                given[p].value;
        shells->base[ml_slot_initial(&(struct ml_instance){system, n}, 0, i)] = 0.7 - 0.45 * i;
        shells->base[ml_slot_initial(&(struct ml_instance){system, n}, 1, i)] =
            i % 2 ? -0.6 : 0.8 + 0.3 * i;
    }
}

/* Must stay where it is. `variant` bit 0: joint angles; bit 1: zero to the right. */
static void shells_init(struct shells *shells, const struct ml_kernels *k, int n, int variant)
{
    const struct ml_system *system = ref_system(k, "chain");
    struct ml_ensemble *e = &shells->ensemble;
    *shells = (struct shells){
        .energy_slot = ref_param(system->tables.params, system->tables.n_param, "energy")};
    *e = (struct ml_ensemble){.kernels = k,
                              .model = {.system = system, .n = n},
                              .numbers.n = ml_slot_forces(&(struct ml_instance){system, n}),
                              .method = ref_integrator(k, "rk4"),
                              .time.start = 1.5,
                              .time.step = 1e-3,
                              .time.n_step = N_STEP,
                              .indicators.observe_every = N_STEP,
                              .saving = {.run_every = 1},
                              .n_run = ML_LANES,
                              .block_runs = ML_LANES,
                              .numbers.values = shell_values,
                              .numbers.context = shells};
    ref_choose(&e->model, system, "angles", variant & 1 ? "joint" : "segment");
    ref_choose(&e->model, system, "zero", variant & 2 ? "right" : "down");
    fill_base(shells);
    for (int run = 0; run < ML_LANES; run++) /* J; above what gravity can give to any of them */
        shells->energy[run] = 30.0 * n * n + 3.0 * run;
}

/* States after loading a batch, [lane][row]. */
static void load(const struct ml_ensemble *e, double x[ML_LANES][MAX_X])
{
    struct ml_arena arena = {0};
    struct ml_batch batch;
    ml_batch_layout(e, &arena, &batch);
    if (!ml_arena_reserve(&arena))
        ref_stop("no memory");
    ml_batch_layout(e, &arena, &batch);
    ml_batch_load(e, &batch, 0, (int)e->n_run);
    for (int lane = 0; lane < ML_LANES; lane++)
        for (int i = 0; i < 2 * e->model.n; i++)
            x[lane][i] = batch.x[i * ML_LANES + lane];
    ml_arena_free(&arena);
}

struct energies {
    double kinetic, potential; /* J */
};

/* By position and velocity of each centre of mass in the plane. */
static struct energies energies_of(const struct shells *shells, bool is_right, const double *x)
{
    const struct ml_ensemble *e = &shells->ensemble;
    const double gx = 1.7, gy = -9.3;
    double jx = 0.0, jy = 0.0, vx = 0.0, vy = 0.0;
    struct energies sum = {0.0, 0.0};
    for (int i = 0; i < e->model.n; i++) {
        const double *segment = shells->base + ml_slot_segment(e->model.system, i, 0);
        const double length = segment[0], mass = segment[1], com = segment[2];
        const double w = x[e->model.n + i], s = sin(x[i]), c = cos(x[i]);
        const double ux = is_right ? c : s, uy = is_right ? s : -c;
        double px = jx + com * ux, py = jy + com * uy;
        double qx = vx - com * w * uy, qy = vy + com * w * ux;
        sum.kinetic += 0.5 * (mass * (qx * qx + qy * qy) + segment[3] * w * w);
        sum.potential -= mass * (gx * px + gy * py);
        jx += length * ux;
        jy += length * uy;
        vx -= length * w * uy;
        vy += length * w * ux;
    }
    return sum;
}

static void starts_have_their_energy(const struct ml_kernels *k, int n, int variant)
{
    static double x[ML_LANES][MAX_X], as_given[ML_LANES][MAX_X];
    struct shells shells, free;
    shells_init(&shells, k, n, variant);
    shells_init(&free, k, n, variant);
    for (int run = 0; run < ML_LANES; run++)
        free.energy[run] = (double)NAN;
    load(&shells.ensemble, x);
    load(&free.ensemble, as_given);
    CHECK_CASE("%s n=%d variant %d", k->isa, n, variant);
    for (int run = 0; run < ML_LANES; run++) {
        struct energies e = energies_of(&shells, variant & 2, x[run]);
        struct energies unscaled = energies_of(&shells, variant & 2, as_given[run]);
        double factor = sqrt((shells.energy[run] - unscaled.potential) / unscaled.kinetic);
        CHECK_ERROR(fabs(e.kinetic + e.potential - shells.energy[run]) /
                        (e.kinetic + fabs(e.potential)),
                    4e-15);
        CHECK(memcmp(x[run], as_given[run], sizeof(double) * (size_t)n) == 0);
        for (int i = n; i < 2 * n; i++)
            CHECK_ERROR(fabs(x[run][i] / as_given[run][i] / factor - 1.0), 4e-15);
    }
}

/* A state of a reference file, slowed down, and the energy it has there. */
struct slowed {
    struct ref_runs runs;
    int energy_slot;
    double energy; /* J */
};

static void slowed_values(const void *context, int64_t run, double *values)
{
    const struct slowed *slowed = context;
    ref_values(&slowed->runs, run, values);
    values[slowed->energy_slot] = slowed->energy;
}

static void energy_gives_the_rates_of_the_reference(const struct ml_kernels *k, int n, bool joint)
{
    static double got[ML_LANES][MAX_X];
    const struct ml_system *system = ref_system(k, "chain");
    char file[32];
    (void)snprintf(file, sizeof file, "static_n%d.json", n);
    json_t *root = ref_load(file), *cases = json_object_get(root, "cases");
    CHECK(json_array_size(cases) > 0);
    for (size_t c = 0; c < json_array_size(cases); c++) {
        const json_t *item = json_array_get(cases, c), *energy = json_object_get(item, "energy");
        const struct ref_chain chain = ref_chain(json_object_get(item, "params"));
        double x0[MAX_X], slow[MAX_X];
        struct slowed slowed = {
            .energy_slot = ref_param(system->tables.params, system->tables.n_param, "energy"),
            .energy = ref_number(energy, "kinetic") + ref_number(energy, "gravity") +
                      ref_number(energy, "spring") + ref_number(energy, "constant_force")};
        (void)ref_numbers(json_object_get(item, "phi"), n, x0);
        (void)ref_numbers(json_object_get(item, "omega"), n, x0 + n);
        for (int i = 0; i < 2 * n; i++)
            slow[i] = i < n ? x0[i] : 0.3 * x0[i];
        ref_runs_init(&slowed.runs, k, &chain, joint, 1, slow);
        slowed.runs.ensemble.numbers.values = slowed_values;
        slowed.runs.ensemble.numbers.context = &slowed;
        load(&slowed.runs.ensemble, got);
        CHECK_CASE("%s %s%s", k->isa, ref_name(item), joint ? ", joint angles" : "");
        for (int i = 0; i < n; i++)
            CHECK_ERROR(fabs(got[0][n + i] / x0[n + i] - 1.0), 5e-14);
    }
    json_decref(root);
}

/* Whatever the instruction set, and whatever the other lanes are given. */
static void bits_are_those_of_a_run_alone(const struct ml_kernels *k, int n, int variant)
{
    static double all[ML_LANES][MAX_X], some[ML_LANES][MAX_X], none[ML_LANES][MAX_X];
    const size_t size = sizeof(double) * 2 * (size_t)n;
    struct shells shells;
    shells_init(&shells, ml_kernels_at(0), n, variant);
    load(&shells.ensemble, all);
    shells_init(&shells, k, n, variant);
    for (int run = 0; run < ML_LANES; run += 3)
        shells.energy[run] = (double)NAN;
    load(&shells.ensemble, some);
    for (int run = 0; run < ML_LANES; run++)
        shells.energy[run] = (double)NAN;
    load(&shells.ensemble, none);
    CHECK_CASE("%s n=%d variant %d, bits", k->isa, n, variant);
    for (int run = 0; run < ML_LANES; run++)
        CHECK(memcmp(some[run], run % 3 ? all[run] : none[run], size) == 0);
}

/* Summary of a batch that is run from start to end. */
struct outcome {
    struct ml_arena arena;
    struct ml_block block;
};

static void integrate(const struct ml_ensemble *e, struct outcome *out)
{
    struct ml_arena arena = {0};
    struct ml_batch batch;
    *out = (struct outcome){0};
    ml_batch_layout(e, &arena, &batch);
    ml_block_layout(e, &out->arena, &out->block);
    if (!ml_arena_reserve(&arena) || !ml_arena_reserve(&out->arena))
        ref_stop("no memory");
    ml_batch_layout(e, &arena, &batch);
    ml_block_layout(e, &out->arena, &out->block);
    out->block.n_run = ML_LANES;
    (void)ml_batch_run(e, &batch, 0, ML_LANES, &out->block);
    ml_arena_free(&arena);
}

enum { TOO_LOW = 2, AT_REST = 5, AT_REST_THERE = 6 };

/* Without gravity a chain at rest has no energy, and no factor gives it any. */
static void values_that_cannot_start(const void *context, int64_t run, double *values)
{
    const struct shells *shells = context;
    const struct ml_ensemble *e = &shells->ensemble;
    shell_values(context, run, values);
    if (run == TOO_LOW)
        values[shells->energy_slot] = -1e3;
    if (run == AT_REST || run == AT_REST_THERE) {
        values[shells->energy_slot] = run == AT_REST ? 1.0 : 0.0;
        values[1] = values[2] = 0.0; /* gravity.x, .y */
        for (int i = 0; i < e->model.n; i++)
            values[ml_slot_initial(&e->model, 1, i)] = 0.0;
    }
}

static void runs_that_cannot_start_leave_others_alone(const struct ml_kernels *k, int n)
{
    struct shells shells;
    struct outcome good, bad;
    struct ml_results results;
    struct ml_pool pool = {0};
    shells_init(&shells, k, n, n % 4);
    struct ml_ensemble *e = &shells.ensemble;
    CHECK(ml_results_describe(e, &pool, &results));
    integrate(e, &good);
    e->numbers.values = values_that_cannot_start;
    integrate(e, &bad);
    for (int run = 0; run < ML_LANES; run++) {
        const bool cannot = run == TOO_LOW || run == AT_REST;
        CHECK_CASE("%s n=%d run %d, some cannot start", k->isa, n, run);
        CHECK(bad.block.outcome[run] == (cannot ? ML_IMPOSSIBLE_START : ML_FINISHED));
        CHECK(bad.block.steps[run] == (cannot ? 0 : N_STEP));
        CHECK(bad.block.end_time[run] ==
              (cannot ? e->time.start : fma(N_STEP, e->time.step, e->time.start)));
        for (int o = 0; o < results.n_output && run != AT_REST_THERE; o++)
            for (int r = 0; r < ml_output_rows(&results.outputs[o], n); r++) {
                const int at = run * ml_output_rows(&results.outputs[o], n) + r;
                CHECK(cannot ? isnan(bad.block.summary[o][at])
                             : bad.block.summary[o][at] == good.block.summary[o][at]);
            }
    }
    ml_pool_free(&pool);
    ml_arena_free(&good.arena);
    ml_arena_free(&bad.arena);
}

int main(void)
{
    static const int sizes[] = {1, 2, 3, 5, 8};
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            energy_gives_the_rates_of_the_reference(k, sizes[s], false);
            energy_gives_the_rates_of_the_reference(k, sizes[s], true);
        }
        for (int n = 1; n <= REF_MAX_N; n++) {
            runs_that_cannot_start_leave_others_alone(k, n);
            for (int variant = 0; variant < 4; variant++) {
                starts_have_their_energy(k, n, variant);
                bits_are_those_of_a_run_alone(k, n, variant);
            }
        }
    }
    return check_done();
}
