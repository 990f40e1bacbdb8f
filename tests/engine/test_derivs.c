/* Derivatives of constants and initial states by parameters, for whatever systems and forces there
 * are, and what becomes of them in a run that fails. */
#include <string.h>

#include "check.h"
#include "config/formulas/makers.h"
#include "engine/team/batch.h"
#include "engine/team/batch_run.h"
#include "model/forces/laws.h"
#include "model/forces/numbers.h"
#include "simd/layout.h"

enum { MAX_N = 6, MAX_VALUE = 512, MAX_FORCE = 24, MAX_SIGNAL = 64, N_OFFSET = 4 };

/* Runs of a system with all kinds of forces, moved from each other along one direction. */
struct moved {
    struct ml_ensemble ensemble;
    struct ml_force_use forces[MAX_FORCE];
    struct ml_law laws[MAX_FORCE];
    struct ml_signal signals[MAX_SIGNAL];
    double base[MAX_VALUE], weight[MAX_VALUE];
    int slot[MAX_VALUE], part[MAX_N];
    struct ml_direction direction;
};

static const double offsets[N_OFFSET] = {1e-3, -1e-3, 2e-3, -2e-3};

/* Runs 0 and 1 differ, run 2 + 4 r + o is run r moved by offset o. */
static void moved_values(const void *context, int64_t run, double *values)
{
    const struct moved *m = context;
    const int64_t origin = run < 2 ? run : (run - 2) / N_OFFSET;
    const double offset = run < 2 ? 0.0 : offsets[(run - 2) % N_OFFSET];
    for (int v = 0; v < m->ensemble.numbers.n; v++)
        values[v] = m->base[v] * (1.0 + 0.1 * (double)origin);
    for (int i = 0; i < m->direction.n; i++)
        values[m->slot[i]] += offset * m->weight[i];
}

/* What is left to `derive`: nothing, what a segment can do without, or all that a body gives. */
enum leave { LEAVE_NOTHING, LEAVE_DERIVED, LEAVE_BODY };

static bool is_left(const struct ml_param *param, enum leave leave)
{
    const bool is_of_body = param->flags & ML_OF_BODY;
    const bool is_body = param->group && strcmp(param->group, ML_BODY) == 0;
    if (is_of_body || is_body)
        return leave == (is_of_body ? LEAVE_BODY : LEAVE_DERIVED);
    return leave != LEAVE_NOTHING && param->flags & ML_DERIVED;
}

/* A number that suits a parameter; different ones differ. */
static double number_for(const struct ml_param *param, enum leave leave, int slot)
{
    if (param && is_left(param, leave))
        return (double)NAN;
    if (param && ml_param_is_of_start(param))
        return 50.0; /* J: there are rates with that energy */
    double small = 0.4 + 0.1 * (slot * 7 % 11);
    if (!param)
        return small;
    if (param->group && param->flags & ML_DERIVED)
        return 10.0 * small; /* kg, m: of which a segment has a fraction */
    bool is_large = fabs(param->default_value) > 100.0; /* would hide what the others change by */
    if (!(param->flags & (ML_REQUIRED | ML_DERIVED)) && param->default_value != 0.0 && !is_large)
        return param->default_value * (1.0 + 0.01 * small);
    return fmin(fmax(small, param->low), param->high);
}

/* Constants where there could be signals. */
static void fill_force(struct moved *m, const struct ml_force_use *use)
{
    struct ml_force_number number[MAX_VALUE];
    (void)ml_force_numbers(use->type, m->ensemble.model.n, number);
    for (int p = 0; p < use->n_number; p++) {
        const struct ml_param param = ml_force_number_param(&number[p]);
        m->base[use->slot + p] = number_for(&param, LEAVE_NOTHING, use->slot + p);
    }
}

/* The values, and a direction along all that are not derived. */
static void fill(struct moved *m, enum leave leave)
{
    const struct ml_ensemble *e = &m->ensemble;
    const struct ml_system *system = e->model.system;
    const int n = e->model.n, initial = ml_slot_initial(&e->model, 0, 0);
    for (int v = 0; v < e->numbers.n; v++) {
        const struct ml_param *param = NULL;
        if (v < system->tables.n_param)
            param = &system->tables.params[v];
        else if (v < initial)
            param =
                &system->tables
                     .segment_params[(v - system->tables.n_param) % system->tables.n_segment_param];
        m->base[v] = number_for(param, leave, v);
    }
    for (int f = 0; f < e->n_force; f++)
        fill_force(m, &m->forces[f]);
    if (system->tables.arrays) /* positive definite */
        for (int i = 0; i < n; i++)
            m->base[ml_slot_param(ml_tri(i, i))] += 2.0 * n;
    m->direction = (struct ml_direction){0, m->slot, m->weight};
    for (int v = 0; v < e->numbers.n; v++)
        if (!isnan(m->base[v])) {
            m->slot[m->direction.n] = v;
            m->weight[m->direction.n++] = 0.3 + 0.1 * (v * 5 % 9);
        }
}

/* Parts up to this one have all fractions in every table of bodies. */
enum { LAST_WHOLE_PART = 4 };

/* Must stay where it is. `choice` is counted through each choice's words. */
static void moved_init(struct moved *m, const struct ml_kernels *k, const struct ml_system *system,
                       int n, int choice, enum leave leave)
{
    *m = (struct moved){0};
    struct ml_ensemble *e = &m->ensemble;
    *e = (struct ml_ensemble){.method = ml_methods[0],
                              .kernels = k,
                              .model = {.system = system, .n = n, .n_column = 1, .n_sens = 1},
                              .forces = m->forces,
                              .numbers.n = ml_slot_forces(&(struct ml_instance){system, n}),
                              .time.step = 1e-2,
                              .time.n_step = 100,
                              .indicators.observe_every = 100,
                              .saving = {.run_every = 1},
                              .n_run = 2 + 2 * N_OFFSET,
                              .block_runs = ML_LANES,
                              .numbers.values = moved_values,
                              .numbers.context = m,
                              .derivatives.directions = &m->direction};
    int n_signal = 0;
    for (int c = 0; c < system->tables.n_choice; c++) {
        int n_word = 1;
        while (n_word < ML_MAX_CHOICE_VALUES && system->tables.choices[c].values[n_word])
            n_word++;
        e->model.choice[c] = (choice >> c) % n_word;
    }
    for (int f = 0; system->forces.joint_terms && k->registry->forces[f]; f++) {
        m->forces[f] = (struct ml_force_use){
            .type = k->registry->forces[f],
            .i_type = f,
            .name = "f",
            .joint = f % n,
            .segment = (f + 1) % n,
            .n_number = ml_force_numbers(k->registry->forces[f], n, NULL),
            .signals = m->signals + n_signal,
            .n_signal = ml_force_signals(k->registry->forces[f], n),
            .slot = e->numbers.n,
        };
        n_signal += m->forces[f].n_signal;
        e->numbers.n += m->forces[f].n_number;
        e->n_force++;
    }
    ml_instance_set_laws(&e->model, e->forces, e->n_force, m->laws);
    for (int i = 0; i < n && leave == LEAVE_BODY; i++)
        while (m->part[i] < i && m->part[i] < LAST_WHOLE_PART)
            m->part[i]++;
    e->model.part = leave == LEAVE_BODY ? m->part : NULL;
    fill(m, leave);
}

static void allocate(const struct ml_ensemble *e, struct ml_arena *arena, struct ml_batch *batch)
{
    *arena = (struct ml_arena){0};
    ml_batch_layout(e, arena, batch);
    CHECK(ml_arena_reserve(arena));
    memset(arena->base, 0xFF, arena->size); /* NaN */
    ml_batch_layout(e, arena, batch);
}

/* Largest error of derivatives [n] of runs 0 and 1 against difference quotients of the rows of runs
 * 2 and on, relative to the largest. */
static double quotient_error(int n, const double *deriv, const double *at)
{
    double worst = 0.0, scale = 0.0;
    for (int i = 0; i < n; i++)
        for (int run = 0; run < 2; run++) {
            const double *moved = at + i * ML_LANES + 2 + N_OFFSET * run;
            double near = (moved[0] - moved[1]) / (2.0 * offsets[0]);
            double far = (moved[2] - moved[3]) / (2.0 * offsets[2]);
            double error = fabs(deriv[i * ML_LANES + run] - (4.0 * near - far) / 3.0);
            worst = error > worst || isnan(error) ? error : worst;
            scale = fmax(scale, fabs(near));
        }
    return scale > 0.0 ? worst / scale : worst;
}

/* Of kinetic and potential energy and their scale. */
static void energy_derivs_are_derivatives(const struct ml_ensemble *e, const struct ml_batch *batch,
                                          double bound)
{
    _Alignas(64) double energy[3][ML_LANES], deriv[3][ML_LANES];
    if (!e->model.system->energy.measure)
        return;
    e->model.system->energy.measure(&e->model, batch->constants, batch->x, batch->work, energy[0],
                                    energy[1], energy[2]);
    memset(deriv, 0xFF, sizeof deriv);
    ml_derivs_of_energy(e, batch, deriv[0], deriv[1], deriv[2]);
    for (int i = 0; i < 3; i++)
        CHECK_ERROR(quotient_error(1, deriv[i], energy[i]), bound);
}

/* Systems without segments or arrays copy the energy at the start behind the constants, where
 * nobody reads it. */
static bool is_energy_last(const struct ml_system *system)
{
    return !system->tables.segment_params && !system->tables.arrays && ml_slot_energy(system) >= 0;
}

static void derivs_are_derivatives(const struct moved *m)
{
    const struct ml_ensemble *e = &m->ensemble;
    const int n_x = ml_n_x(&e->model), n_row = e->model.system->dynamics.constant_rows(&e->model);
    const int n_read = n_row - is_energy_last(e->model.system);
    struct ml_arena arena;
    struct ml_batch batch;
    allocate(e, &arena, &batch);
    ml_batch_load(e, &batch, 0, (int)e->n_run);
    double *constant_deriv = batch.constants + n_row * ML_LANES;
    double *x_deriv = batch.x + n_x * ML_LANES;
    CHECK_ERROR(quotient_error(n_read, constant_deriv, batch.constants), 3e-12);
    CHECK_ERROR(quotient_error(n_x, x_deriv, batch.x), 1e-11);
    energy_derivs_are_derivatives(e, &batch, 5e-10);
    for (int i = 0; i < n_row; i++) /* the last run again in unused lanes */
        for (int lane = (int)e->n_run; lane < ML_LANES; lane++)
            CHECK(constant_deriv[i * ML_LANES + lane] ==
                  constant_deriv[i * ML_LANES + e->n_run - 1]);

    /* Differences in place of the system's own derivatives: one step, that of the smallest number.
     */
    struct ml_system plain = *e->model.system;
    struct ml_ensemble copy = *e;
    plain.parameters.derive_deriv = NULL;
    plain.parameters.prepare_deriv = NULL;
    plain.energy.deriv = NULL;
    copy.model.system = &plain;
    memset(constant_deriv, 0xFF, (size_t)n_row * ML_LANES * sizeof(double));
    memset(x_deriv, 0xFF, (size_t)n_x * ML_LANES * sizeof(double));
    ml_batch_load(&copy, &batch, 0, (int)e->n_run);
    CHECK_ERROR(quotient_error(n_read, constant_deriv, batch.constants), 2e-8);
    CHECK_ERROR(quotient_error(n_x, x_deriv, batch.x), 1e-8);
    energy_derivs_are_derivatives(&copy, &batch, 7e-8);
    ml_arena_free(&arena);
}

/* Numbers of segments to try; none of a system that has no equations without its file. */
static int most_segments(const struct ml_system *system)
{
    return ml_system_part(system, 1) ? MAX_N : system->file_key || system->has_formulas ? 0 : 1;
}

static void system_has_its_derivatives(const struct ml_kernels *k, const struct ml_system *system,
                                       int n)
{
    static const char *const names[MAX_N] = {"1", "2", "3", "4", "5", "6"};
    const int most = system->tables.parts ? LEAVE_BODY : LEAVE_DERIVED;
    struct ml_pool pool = {0};
    if (system->tables.arrays)
        system = ml_expand(&pool, system, n, names);
    for (int choice = 0; choice < 1 << system->tables.n_choice; choice++)
        for (int leave = LEAVE_NOTHING; leave <= most; leave++) {
            struct moved m;
            CHECK_CASE("%s %s n=%d choice %d, leave %d", k->isa, system->name, n, choice, leave);
            moved_init(&m, k, system, n, choice, (enum leave)leave);
            derivs_are_derivatives(&m);
        }
    ml_pool_free(&pool);
}

static void every_system_and_force_has_its_derivatives(const struct ml_kernels *k)
{
    for (int s = 0; k->registry->systems[s]; s++)
        for (int n = 1; n <= most_segments(k->registry->systems[s]); n++)
            system_has_its_derivatives(k, k->registry->systems[s], n);
}

/* A direction may move what is otherwise derived: as if that had been given. */
static void a_derived_slot_can_be_moved(const struct ml_kernels *k)
{
    const struct ml_system *system = k->registry->systems[0];
    struct moved m;
    moved_init(&m, k, system, 2, 0, LEAVE_DERIVED);
    const struct ml_ensemble *e = &m.ensemble;
    const int slots[] = {2, ml_slot_segment(system, 1, 2), ml_slot_segment(system, 0, 3)};
    for (size_t s = 0; s < sizeof slots / sizeof *slots; s++) {
        struct ml_arena arena[2];
        struct ml_batch batch[2];
        CHECK_CASE("%s derived slot %d", k->isa, slots[s]);
        m.slot[0] = slots[s];
        m.direction.n = 1;
        m.base[slots[s]] = (double)NAN;
        for (int given = 0; given < 2; given++) {
            allocate(e, &arena[given], &batch[given]);
            ml_batch_load(e, &batch[given], 0, 1);
            m.base[slots[s]] = batch[given].values[slots[s] * ML_LANES];
        }
        CHECK(memcmp(batch[0].constants, batch[1].constants,
                     (size_t)ml_rows_constants(&e->model) * ML_LANES * sizeof(double)) == 0);
        m.base[slots[s]] = (double)NAN;
        ml_arena_free(&arena[0]);
        ml_arena_free(&arena[1]);
    }
}

/* The energy's slot; the other runs are given none. */
enum { ENERGY = 3, NO_START = 2, TOO_FAST = 5, WEIGHTLESS = 9 };

static void values_with_failures(const void *context, int64_t run, double *values)
{
    const struct moved *m = context;
    const struct ml_system *system = m->ensemble.model.system;
    moved_values(context, run % 2, values);
    if (run == NO_START)
        values[ENERGY] = -1e3;
    if (run == TOO_FAST)
        values[ml_slot_initial(&(struct ml_instance){system, 2}, 1, 0)] = 3e7; /* rad/s */
    if (run == WEIGHTLESS)
        values[ml_slot_segment(system, 1, 2)] = values[ml_slot_segment(system, 1, 3)] = 0.0;
}

static void values_without_failures(const void *context, int64_t run, double *values)
{
    moved_values(context, run % 2, values);
}

static void batch_run(const struct ml_ensemble *e, struct ml_arena *arena, struct ml_batch *batch,
                      int8_t *outcome)
{
    struct ml_arena block_arena = {0};
    struct ml_block block;
    allocate(e, arena, batch);
    ml_block_layout(e, &block_arena, &block);
    CHECK(ml_arena_reserve(&block_arena));
    ml_block_layout(e, &block_arena, &block);
    block.n_run = ML_LANES;
    (void)ml_batch_run(e, batch, 0, ML_LANES, &block);
    memcpy(outcome, block.outcome, ML_LANES);
    ml_arena_free(&block_arena);
}

/* A failed lane takes the constants of lane 0, their derivatives included, and finite numbers for
 * its state, which then stays. */
static void a_failing_run_leaves_derivatives_alone(const struct ml_kernels *k, int solver)
{
    struct moved m;
    struct ml_arena arena[2];
    struct ml_batch batch[2];
    int8_t outcome[2][ML_LANES];
    moved_init(&m, k, k->registry->systems[0], 2, 0, LEAVE_NOTHING);
    m.base[ENERGY] = (double)NAN;
    struct ml_ensemble e = m.ensemble;
    e.n_run = ML_LANES;
    e.model.n_column = 2;
    e.model.solver = (enum ml_solver_kind)solver;
    CHECK_CASE("%s %s, failing runs", k->isa, k->solvers[solver].name);
    for (int fails = 0; fails < 2; fails++) {
        e.numbers.values = fails ? values_with_failures : values_without_failures;
        batch_run(&e, &arena[fails], &batch[fails], outcome[fails]);
    }
    CHECK(outcome[1][TOO_FAST] == ML_DIVERGED && outcome[1][WEIGHTLESS] == ML_SINGULAR_MASS);
    CHECK(outcome[1][NO_START] == ML_IMPOSSIBLE_START);
    for (int lane = 0; lane < ML_LANES; lane++) {
        bool fails = lane == TOO_FAST || lane == WEIGHTLESS || lane == NO_START;
        int as = fails ? 0 : lane;
        CHECK(outcome[0][lane] == ML_FINISHED && (fails || outcome[1][lane] == ML_FINISHED));
        for (int i = 0; i < ml_rows_x(&e.model); i++)
            CHECK(fails ? isfinite(batch[1].x[i * ML_LANES + lane])
                        : batch[1].x[i * ML_LANES + lane] == batch[0].x[i * ML_LANES + lane]);
        for (int i = 0; i < ml_rows_constants(&e.model); i++)
            CHECK(batch[1].constants[i * ML_LANES + lane] == batch[0].constants[i * ML_LANES + as]);
    }
    ml_arena_free(&arena[0]);
    ml_arena_free(&arena[1]);
}

int main(void)
{
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        every_system_and_force_has_its_derivatives(k);
        a_derived_slot_can_be_moved(k);
        for (int solver = 0; solver < ML_N_SOLVER; solver++)
            a_failing_run_leaves_derivatives_alone(k, solver);
    }
    return check_done();
}
