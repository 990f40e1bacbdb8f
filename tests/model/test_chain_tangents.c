/* Tangent vectors of the chain: the state-transition matrix against references and against central
 * differences of the context itself, for every solver, and its determinant. */
#include "check.h"
#include "engine/team/batch_run.h"
#include "reference/reference.h"

enum { MAX_X = 2 * REF_MAX_N + 1 };

/* A run and its tangent vectors after some steps. */
struct transition {
    double x[MAX_X], column[MAX_X][MAX_X]; /* column[c][i] = dx_i/dx0_c */
};

/* Advances x0 + offset e_c; n_column unit vectors go with it. */
static struct transition advance(const struct ref_runs *runs, enum ml_solver_kind solver,
                                 int n_column, double step, int64_t n_step, int c, double offset)
{
    struct transition out;
    struct ml_ensemble e = runs->ensemble;
    struct ml_arena arena = {0};
    struct ml_batch batch;
    e.model.solver = solver;
    e.model.n_column = n_column;
    e.time.step = step;
    e.time.n_step = n_step;
    e.method = ref_integrator(e.kernels, "rk4");
    const int n_x = ml_n_x(&e.model), lane = 3;
    ml_batch_layout(&e, &arena, &batch);
    if (!ml_arena_reserve(&arena))
        ref_stop("no memory");
    ml_batch_layout(&e, &arena, &batch);
    ml_batch_load(&e, &batch, 0, 1);
    batch.x[c * ML_LANES + lane] += offset;
    e.time.start = 0.0;
    struct ml_lane_faults faults = ml_batch_advance(&e, &batch, 1.0, 0, n_step, ML_ALL_LANES);
    CHECK(!faults.nonfinite && !faults.singular);
    for (int i = 0; i < n_x; i++) {
        out.x[i] = batch.x[i * ML_LANES + lane];
        for (int k = 0; k < n_column; k++)
            out.column[k][i] = batch.x[(n_x * (1 + k) + i) * ML_LANES + lane];
    }
    ml_arena_free(&arena);
    return out;
}

/* References from another integrator in 180 bits; rk4's error is left, which falls with step^4. */
static void agrees_with_reference(const json_t *root, const char *name, int64_t n_step,
                                  double tolerance)
{
    static double expected[MAX_X * MAX_X], x0[MAX_X];
    const json_t *item = ref_case(root, name), *params = json_object_get(item, "params");
    struct ref_chain chain = ref_chain(params);
    struct ref_runs runs;
    const int n_x = 2 * chain.n + ref_n_state(&chain);
    CHECK_CASE("%s", name);
    CHECK(ref_numbers(json_object_get(item, "x0"), MAX_X, x0) == n_x);
    CHECK(ref_numbers(json_object_get(item, "dxT_dx0"), MAX_X * MAX_X, expected) == n_x * n_x);
    ref_runs_init(&runs, ref_fastest(), &chain, false, 1, x0);
    const double step = ref_number(item, "T") / (double)n_step;
    struct transition got = advance(&runs, ML_SOLVER_interleaved, n_x, step, n_step, 0, 0.0);
    double worst = 0.0, scale = 0.0;
    for (int i = 0; i < n_x; i++)
        for (int c = 0; c < n_x; c++) {
            scale = fmax(scale, fabs(expected[i * n_x + c]));
            worst = ref_worse(worst, fabs(got.column[c][i] - expected[i * n_x + c]));
        }
    CHECK_ERROR(worst / scale, tolerance);
}

/* Any chain: segments and joints that differ. */
static struct ref_chain chain_of(int n, bool has_joint_terms)
{
    struct ref_chain chain = {.n = n, .right = n % 2, .g = {0.7, -9.81}};
    for (int i = 0; i < n; i++) {
        chain.m[i] = 1.0 + 0.3 * i;
        chain.l[i] = 0.6 + 0.1 * (i % 3);
        chain.d[i] = 0.25 + 0.02 * i;
        chain.inertia[i] = 0.03 + 0.004 * i;
        chain.b[i] = has_joint_terms ? 0.2 + 0.1 * i : 0.0;
        chain.tau[i] = has_joint_terms ? 0.5 - 0.3 * i : 0.0;
    }
    return chain;
}

static void fill_state(int n, double *x0)
{
    for (int i = 0; i < n; i++) {
        x0[i] = 0.9 - 0.55 * i;
        x0[n + i] = 1.5 - 0.8 * i;
    }
}

/* The tangents are the derivative of the steps themselves, so only the difference quotient errs:
 * by h^4 after extrapolation, and rounding over h. */
static void is_the_derivative_of_the_flow(const struct ml_kernels *k, enum ml_solver_kind solver,
                                          int n, bool has_joint_terms)
{
    const double h = 2e-3, step = 2e-3;
    const int n_step = 50, n_x = 2 * n;
    double x0[MAX_X], worst = 0.0, scale = 0.0;
    struct ref_chain chain = chain_of(n, has_joint_terms);
    struct ref_runs runs;
    CHECK_CASE("%s %s n=%d%s", k->isa, k->solvers[solver].name, n,
               has_joint_terms ? " with joint torques" : "");
    fill_state(n, x0);
    ref_runs_init(&runs, k, &chain, false, 1, x0);
    struct transition got = advance(&runs, solver, n_x, step, n_step, 0, 0.0);
    for (int c = 0; c < n_x; c++) {
        struct transition at[4];
        const double offsets[4] = {h, -h, 2.0 * h, -2.0 * h};
        for (int o = 0; o < 4; o++)
            at[o] = advance(&runs, solver, 0, step, n_step, c, offsets[o]);
        for (int i = 0; i < n_x; i++) {
            double near = (at[0].x[i] - at[1].x[i]) / (2.0 * h);
            double far = (at[2].x[i] - at[3].x[i]) / (4.0 * h);
            scale = fmax(scale, fabs(near));
            worst = fmax(worst, fabs(got.column[c][i] - (4.0 * near - far) / 3.0));
        }
    }
    CHECK_ERROR(worst / scale, 1e-9);
}

/* A kernel that is unrolled for all columns, and the general one for all but one of them. */
static void bits_do_not_depend_on_isa_or_columns(const struct ml_kernels *k, int n)
{
    double x0[MAX_X];
    struct ref_chain chain = chain_of(n, n % 2);
    struct ref_runs first, runs;
    const int n_x = 2 * n;
    fill_state(n, x0);
    ref_runs_init(&first, ml_kernels_at(0), &chain, false, 1, x0);
    ref_runs_init(&runs, k, &chain, false, 1, x0);
    for (int solver = 0; solver < ML_N_SOLVER; solver++) {
        if (solver == ML_SOLVER_lapacke)
            continue;
        CHECK_CASE("%s %s n=%d, bits", k->isa, k->solvers[solver].name, n);
        struct transition one = advance(&first, solver, n_x, 1e-2, 40, 0, 0.0);
        struct transition other = advance(&runs, solver, n_x, 1e-2, 40, 0, 0.0);
        struct transition fewer = advance(&runs, solver, n_x - 1, 1e-2, 40, 0, 0.0);
        struct transition none = advance(&runs, solver, 0, 1e-2, 40, 0, 0.0);
        CHECK(memcmp(one.x, none.x, sizeof(double) * (size_t)n_x) == 0);
        for (int c = 0; c < n_x; c++) {
            CHECK(memcmp(one.column[c], other.column[c], sizeof(double) * (size_t)n_x) == 0);
            CHECK(c == n_x - 1 ||
                  memcmp(one.column[c], fewer.column[c], sizeof(double) * (size_t)n_x) == 0);
        }
    }
}

int main(void)
{
    json_t *root = ref_load("sensitivities.json");
    agrees_with_reference(root, "n1_rod_T3", 30000, 1e-9);
    agrees_with_reference(root, "dp_regular_T5", 50000, 1e-9);
    agrees_with_reference(root, "dp_pid_T2", 20000, 2e-11);
    agrees_with_reference(root, "arm3_spring_force_T0.8", 16000, 5e-12);
    json_decref(root);
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++)
        for (int n = 1; n <= REF_MAX_N; n++) {
            bits_do_not_depend_on_isa_or_columns(k, n);
            for (int solver = 0; solver < ML_N_SOLVER; solver++)
                for (int joint = 0; joint < 2; joint++)
                    is_the_derivative_of_the_flow(k, (enum ml_solver_kind)solver, n, joint);
        }
    return check_done();
}
