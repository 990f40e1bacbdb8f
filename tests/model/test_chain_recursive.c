/* The recursive solver against factorising the full mass matrix: chains of any length, segments of
 * different size, any motion, with and without joint torques. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "engine/assess/evaluate.h"
#include "engine/team/ensemble.h"

/* Numbers of a chain besides those of its segments: gravity, its components, energy, body. */
enum { N_PARAM = 6 };

enum { MAX_N = 128, MAX_FORCE = 2 * MAX_N, MAX_VALUE = N_PARAM + 6 * MAX_N + MAX_FORCE };

static const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 16, 31, 64, 128};

/* Numbers in [0, 1) that look random, the same everywhere. */
static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

struct chain {
    struct ml_ensemble ensemble;
    struct ml_force_use forces[MAX_FORCE];
    double values[MAX_VALUE];
};

static void copy_values(const void *context, int64_t run, double *values)
{
    const struct chain *chain = context;
    (void)run;
    memcpy(values, chain->values, (size_t)chain->ensemble.numbers.n * sizeof *values);
}

static const struct ml_force *force_named(const struct ml_kernels *k, const char *name)
{
    for (int i = 0; k->registry->forces[i]; i++)
        if (strcmp(k->registry->forces[i]->name, name) == 0)
            return k->registry->forces[i];
    return NULL;
}

/* A torque and a damper on each joint. */
static void add_forces(struct chain *chain, const struct ml_kernels *k, uint64_t *seed)
{
    struct ml_ensemble *e = &chain->ensemble;
    e->model.has_joint_terms = true;
    e->forces = chain->forces;
    for (int joint = 0; joint < e->model.n; joint++)
        for (int damps = 0; damps < 2; damps++) {
            chain->forces[e->n_force++] =
                (struct ml_force_use){.type = force_named(k, damps ? "damper" : "torque"),
                                      .name = "",
                                      .joint = joint,
                                      .slot = e->numbers.n};
            chain->values[e->numbers.n++] = uniform(seed);
        }
}

static void fill(struct chain *chain, const struct ml_kernels *k, int n, bool has_forces,
                 uint64_t seed)
{
    double *v = chain->values, *angle = v + N_PARAM + 4 * n, *rate = angle + n;
    v[0] = 9.81;
    for (int p = 1; p < N_PARAM; p++)
        v[p] = (double)NAN;
    for (int i = 0; i < n; i++) {
        double *segment = v + N_PARAM + 4 * i;
        segment[0] = pow(10.0, 2.0 * uniform(&seed) - 1.0); /* m, 0.1 .. 10 */
        segment[1] = pow(10.0, 2.0 * uniform(&seed) - 1.0); /* kg */
        segment[2] = segment[0] * uniform(&seed);
        segment[3] = segment[1] * segment[0] * segment[0] * (0.02 + uniform(&seed));
        angle[i] = 20.0 * (uniform(&seed) - 0.5);
        rate[i] = 10.0 * (uniform(&seed) - 0.5);
    }
    chain->ensemble = (struct ml_ensemble){
        .method = ml_methods[0],
        .kernels = k,
        .model = {.system = k->registry->systems[0], .n = n},
        .numbers.n = N_PARAM + 6 * n,
        .time.step = 1e-3,
        .time.n_step = 1,
        .indicators.observe_every = 1,
        .saving = {.run_every = 1},
        .n_run = 1,
        .block_runs = ML_LANES,
        .numbers.values = copy_values,
        .numbers.context = chain,
    };
    if (has_forces)
        add_forces(chain, k, &seed);
}

/* q'' by one solver, and the size of the full matrix's terms in M. */
static void accelerate(struct chain *chain, enum ml_solver_kind solver, double *qdd, double *m)
{
    static double parts[5][MAX_N], state[2 * MAX_N];
    struct ml_terms terms = {m, parts[0], parts[1], parts[2], parts[3], parts[4], qdd};
    struct ml_error err = {0};
    double kinetic, potential;
    chain->ensemble.model.solver = solver;
    CHECK(ml_ensemble_evaluate(&chain->ensemble, 0, &terms, state, &kinetic, &potential, &err) ==
          ML_OK);
}

static void agrees_with_the_full_matrix(const struct ml_kernels *k, int n, bool has_forces)
{
    static struct chain chain;
    static double m[MAX_N * MAX_N], full[MAX_N], recursive[MAX_N];
    double worst = 0.0;
    CHECK_CASE("%s n=%d%s", k->isa, n, has_forces ? " with joint torques" : "");
    for (uint64_t seed = 1; seed <= 20; seed++) {
        double scale = 0.0;
        fill(&chain, k, n, has_forces, seed);
        accelerate(&chain, ML_SOLVER_interleaved, full, m);
        accelerate(&chain, ML_SOLVER_recursive, recursive, m);
        for (int i = 0; i < n; i++)
            scale = fmax(scale, fabs(full[i]));
        for (int i = 0; i < n; i++)
            worst = fmax(worst, fabs(recursive[i] - full[i]) / scale);
    }
    CHECK_ERROR(worst, 2e-14 + 6e-16 * n * n); /* below 1e-11 for all of them */
}

int main(void)
{
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            agrees_with_the_full_matrix(k, sizes[s], false);
            agrees_with_the_full_matrix(k, sizes[s], true);
        }
    return check_done();
}
