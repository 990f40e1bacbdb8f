/* Tangents by central differences against those in closed form: kernels of systems as if they had
 * no tangents of their own (CMakeLists.txt). */
#include "check.h"
#include "model/transition.h"

extern const struct ml_system ml_system_chain_central, ml_system_lorenz_central;
extern const struct ml_kernel ml_kernel_chain_central, ml_kernel_lorenz_central;

/* Laws are those of the slowest instruction set. */
extern const struct ml_law_functions *ml_law_functions_of_central(int type);
const struct ml_law_functions *ml_law_functions_of_central(int type)
{
    return ml_kernels_at(0)->registry->forces[type]->law;
}

static const struct ml_system *const systems[] = {&ml_system_chain_central,
                                                  &ml_system_lorenz_central, NULL};
static const struct ml_kernel *const general[] = {&ml_kernel_chain_central,
                                                  &ml_kernel_lorenz_central};
static const struct ml_kernel *const none[] = {NULL};

static struct ml_kernels central_kernels(void)
{
    static struct ml_registry registry;
    struct ml_kernels kernels = *ml_kernels_at(0);
    registry = *kernels.registry;
    registry.systems = systems;
    kernels.registry = &registry;
    kernels.general = general;
    kernels.built_in = none;
    return kernels;
}

/* The state has the same bits in all of them. */
static void differences_agree(const struct ml_ensemble *differences, const struct ml_ensemble *own,
                              double bound)
{
    const int n_x = ml_n_x(&own->model);
    struct transition got = advance(differences, n_x, 0.0, 5e-3, 200, 0, 0.0);
    struct transition expected = advance(own, n_x, 0.0, 5e-3, 200, 0, 0.0);
    struct transition bare = advance(differences, 0, 0.0, 5e-3, 200, 0, 0.0);
    CHECK(own->model.system->dynamics.has_tangents &&
          !differences->model.system->dynamics.has_tangents);
    CHECK(memcmp(got.x, expected.x, sizeof got.x) == 0);
    CHECK(memcmp(got.x, bare.x, sizeof got.x) == 0);
    CHECK_ERROR(transition_error(&got, &expected, n_x), bound);
}

static void chains_agree(const struct ml_kernels *k, int n, enum ml_solver_kind solver,
                         double bound)
{
    struct ref_chain chain = {.n = n, .g = {0.7, -9.81}};
    struct ref_runs differences, own;
    double x0[MOST_ROWS];
    for (int i = 0; i < n; i++) {
        chain.m[i] = 1.0 + 0.3 * i;
        chain.l[i] = 0.6 + 0.1 * (i % 3);
        chain.d[i] = 0.25 + 0.02 * i;
        chain.inertia[i] = 0.03;
        chain.b[i] = 0.2;
        x0[i] = 0.9 - 0.55 * i;
        x0[n + i] = 1.5 - 0.8 * i;
    }
    CHECK_CASE("chain n=%d %s", n, k->solvers[solver].name);
    ref_runs_init(&differences, k, &chain, false, 1, x0);
    ref_runs_init(&own, ml_kernels_at(0), &chain, false, 1, x0);
    differences.ensemble.model.solver = own.ensemble.model.solver = solver;
    differences_agree(&differences.ensemble, &own.ensemble, bound);
}

static const double lorenz_x0[3] = {1.0, 2.0, 20.0};

static void lorenz_agrees(const struct ml_kernels *k)
{
    struct numbers differences, own;
    CHECK_CASE("lorenz");
    numbers_init(&differences, k, "lorenz", lorenz_x0);
    numbers_init(&own, ml_kernels_at(0), "lorenz", lorenz_x0);
    differences_agree(&differences.ensemble, &own.ensemble, 5e-11);
}

/* Tangent vectors may have any length: the derivative is linear in them. */
static void the_length_of_a_tangent_does_not_matter(const struct ml_kernels *k)
{
    static const double lengths[] = {1.0, 1e-100, 1e100, 0.0};
    struct numbers numbers;
    double one[3];
    numbers_init(&numbers, k, "lorenz", lorenz_x0);
    for (int l = 0; l < 4; l++) {
        struct bench bench;
        double worst = 0.0, scale = 0.0;
        CHECK_CASE("length %g", lengths[l]);
        bench_init(&bench, &numbers.ensemble, 1, "rk4", 1);
        bench.batch.x[3 * ML_LANES] *= lengths[l];
        bench_advance(&bench, 0.0, 5e-3, 0, 100);
        struct transition got = bench_lane(&bench, 0);
        for (int i = 0; i < 3; i++) {
            one[i] = l ? one[i] : got.column[0][i];
            scale = fmax(scale, fabs(one[i]));
            worst = fmax(worst, fabs(got.column[0][i] - lengths[l] * one[i]));
        }
        CHECK_ERROR(worst, 1e-14 * scale * lengths[l]);
        bench_free(&bench);
    }
}

int main(void)
{
    const struct ml_kernels kernels = central_kernels();
    for (int solver = 0; solver < ML_N_SOLVER; solver++) {
        chains_agree(&kernels, 1, (enum ml_solver_kind)solver, 1e-10);
        chains_agree(&kernels, 3, (enum ml_solver_kind)solver, 1e-9);
        chains_agree(&kernels, 5, (enum ml_solver_kind)solver, 1e-8);
    }
    lorenz_agrees(&kernels);
    the_length_of_a_tangent_does_not_matter(&kernels);
    return check_done();
}
