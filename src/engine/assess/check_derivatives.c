/* Compares the derivatives that a system and its forces give with central differences. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/assess/evaluate.h"
#include "engine/team/batch_run.h"
#include "manylink/fail.h"

/* Points around a run: number N_SHIFT v + k moves value v by shifts[k] times its size. Four give an
 * estimate; the small ones where dx/dt is far from a polynomial over the large, as it is of the
 * frequency of a drive late in a run. */
enum { N_SHIFT = 8, N_OF_ESTIMATE = 4 };
_Static_assert((int)N_SHIFT <= (int)ML_LANES, "the points of a value are one batch");
static const double shifts[N_SHIFT] = {0x1p-12, -0x1p-12, 0x1p-13, -0x1p-13,
                                       0x1p-23, -0x1p-23, 0x1p-24, -0x1p-24};

struct around {
    const struct ml_ensemble *all;
    int64_t run;
    double *given, *derived; /* [n_value] of the run itself */
    double *rate;            /* [N_SHIFT][n_x] */
    double *base;            /* [n_x (1 + n_value)] dx/dt and its derivatives */
    int *slot;               /* [n_value] 0, 1, 2, ... */
    struct ml_direction *directions;
};

static double check_derivatives_size_of(const struct around *a, int v)
{
    const double value = a->derived[v];
    return value != 0.0 && !isnan(value) ? fabs(value) : 1.0; /* NaN: has no effect */
}

static void shifted_values(const void *context, int64_t point, double *values)
{
    const struct around *a = context;
    int v = (int)(point / N_SHIFT);
    memcpy(values, a->given, (size_t)a->all->numbers.n * sizeof *values);
    values[v] = a->derived[v] + shifts[point % N_SHIFT] * check_derivatives_size_of(a, v);
}

static void run_values(const void *context, int64_t point, double *values)
{
    const struct around *a = context;
    (void)point;
    memcpy(values, a->given, (size_t)a->all->numbers.n * sizeof *values);
}

/* dx/dt of n points and, with them, of their tangent vectors: lane after lane, [rows] each. */
static bool find_rates(const struct ml_ensemble *e, int64_t first, int n, double *out)
{
    struct ml_arena arena = {0};
    struct ml_batch batch;
    const int n_row = ml_rows_x(&e->model);
    double *rate = NULL;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !ml_arena_reserve(&arena))
            return false;
        ml_batch_layout(e, &arena, &batch);
        rate = ml_arena_take(&arena, (size_t)n_row * ML_LANES, sizeof *rate);
    }
    ml_batch_load(e, &batch, first, n);
    batch.kernels.general->rates(&e->model, ml_times(e->time.start).lane, batch.constants, batch.x,
                                 rate, batch.work);
    for (int lane = 0; lane < n; lane++)
        for (int i = 0; i < n_row; i++)
            out[lane * n_row + i] = rate[i * ML_LANES + lane];
    ml_arena_free(&arena);
    return true;
}

static double largest(int n, const double *a)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = isnan(most) || fabs(a[i]) <= most ? most : fabs(a[i]);
    return most;
}

/* Error of the derivative by value v, from the rates at four of the points around. */
static double check_derivatives_error_of(const struct around *a, int v, int n_x, int first)
{
    const double *exact = a->base + (1 + v) * n_x, *rate = a->rate + first * n_x;
    const double h = shifts[first] * check_derivatives_size_of(a, v);
    double worst = 0.0, most = 0.0;
    for (int i = 0; i < n_x; i++) {
        double wide = (rate[i] - rate[n_x + i]) / (2.0 * h);
        double close = (rate[2 * n_x + i] - rate[3 * n_x + i]) / h;
        double deriv = (4.0 * close - wide) / 3.0, error = fabs(deriv - exact[i]);
        /* a corner is near, and differences say no more than this */
        if (fabs(wide - close) > 0.25 * fabs(deriv))
            error = fmax(error - fabs(wide - close), 0.0);
        worst = isnan(worst) || error <= worst ? worst : error;
        most = fmax(most, fabs(deriv));
    }
    double scale = most + largest(n_x, a->base) / check_derivatives_size_of(a, v);
    return scale > 0.0 ? worst / scale : worst;
}

static bool check_derivatives_compare(struct around *a, struct ml_ensemble *e, double *error)
{
    const int n_value = e->numbers.n, n_x = ml_n_x(&e->model);
    e->numbers.values = run_values;
    e->model.n_column = e->model.n_sens = n_value;
    e->derivatives.directions = a->directions;
    if (!find_rates(e, 0, 1, a->base))
        return false;
    e->numbers.values = shifted_values;
    e->model.n_column = e->model.n_sens = 0;
    for (int v = 0; v < n_value; v++) {
        if (!find_rates(e, (int64_t)v * N_SHIFT, N_SHIFT, a->rate))
            return false;
        error[v] = fmin(check_derivatives_error_of(a, v, n_x, 0),
                        check_derivatives_error_of(a, v, n_x, N_OF_ESTIMATE));
    }
    return true;
}

/* The run's values, and a direction along each. A rate that an energy finds and of which nothing is
 * given is 1: only its sign counts, and differences must not step across 0. */
static void check_derivatives_fill(struct around *a)
{
    static const double one = 1.0;
    const struct ml_ensemble *all = a->all;
    const struct ml_system *system = all->model.system;
    all->numbers.values(all->numbers.context, a->run, a->given);
    const int energy = ml_slot_energy(system);
    if (system->start.finds_rate && energy >= 0 && !isnan(a->given[energy])) {
        const int found = ml_slot_initial(&all->model, system->start.first_rate, 0);
        if (a->given[found] == 0.0)
            a->given[found] = 1.0;
    }
    memcpy(a->derived, a->given, (size_t)all->numbers.n * sizeof *a->derived);
    if (all->model.system->parameters.derive)
        all->model.system->parameters.derive(&all->model, a->derived);
    for (int v = 0; v < all->numbers.n; v++) {
        a->slot[v] = v;
        a->directions[v] = (struct ml_direction){1, &a->slot[v], &one};
    }
}

enum ml_status ml_ensemble_check_derivatives(const struct ml_ensemble *ensemble, int64_t run,
                                             double *error, struct ml_error *err)
{
    struct ml_ensemble e = ml_ensemble_bare(ensemble);
    struct ml_arena arena = {0};
    struct around a = {.all = ensemble, .run = run};
    const size_t n_value = (size_t)e.numbers.n, n_x = (size_t)ml_n_x(&e.model);
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !ml_arena_reserve(&arena))
            return ml_fail(err, ML_E_MEMORY, "no memory to check derivatives");
        a.given = ml_arena_take(&arena, n_value, sizeof *a.given);
        a.derived = ml_arena_take(&arena, n_value, sizeof *a.derived);
        a.slot = ml_arena_take(&arena, n_value, sizeof *a.slot);
        a.directions = ml_arena_take(&arena, n_value, sizeof *a.directions);
        a.rate = ml_arena_take(&arena, N_SHIFT * n_x, sizeof *a.rate);
        a.base = ml_arena_take(&arena, n_x * (1 + n_value), sizeof *a.base);
    }
    check_derivatives_fill(&a);
    e.numbers.context = &a;
    e.numbers.defined = NULL; /* every value is changed by itself */
    bool is_done = check_derivatives_compare(&a, &e, error);
    ml_arena_free(&arena);
    return is_done ? ML_OK : ml_fail(err, ML_E_MEMORY, "no memory to check derivatives");
}
