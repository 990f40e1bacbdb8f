/* GSL's odeiv2 rk4. It estimates its error by doing every step a second time as two halves, and
 * keeps those: 11 evaluations or more for the 4 of the method, and a smaller error. */
#include <math.h>

#define REAL double
#define RODS_LANES 1
#define RODS_SINCOS sincos
#include "rods.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "peer.h"
#include "rods_load.h"

#define RHS(n)                                                                 \
    static int rhs_##n(double t, const double *x, double *dx, void *constants) \
    {                                                                          \
        (void)t;                                                               \
        rods_rhs(n, RODS_PASSIVE, constants, x, dx);                           \
        return GSL_SUCCESS;                                                    \
    }
RHS(2)
RHS(3)
RHS(4)
RHS(5)
RHS(8)

typedef int function(double t, const double *x, double *dx, void *constants);
static function *const rhs[RODS_MAX + 1] = {
    [2] = rhs_2, [3] = rhs_3, [4] = rhs_4, [5] = rhs_5, [8] = rhs_8};

static void run(void *self, const struct ml_bench_runs *runs, int64_t n_run, int64_t n_step,
                double *end)
{
    (void)self;
    const int n = runs->n;
    struct rods k;
    gsl_odeiv2_system system = {
        .function = rhs[n],
        .dimension = 2 * (size_t)n,
        .params = &k,
    };
    gsl_odeiv2_step *stepper = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk4, 2 * (size_t)n);
    for (int64_t r = 0; r < n_run; r++) {
        double x[RODS_MAX_STATE], error[2 * RODS_MAX];
        rods_load(runs, r, &k, x);
        (void)gsl_odeiv2_step_reset(stepper);
        for (int64_t i = 0; i < n_step; i++)
            (void)gsl_odeiv2_step_apply(stepper, (double)i * ML_BENCH_STEP, ML_BENCH_STEP, x, error,
                                        NULL, NULL, &system);
        rods_store(n, r, x, end);
    }
    gsl_odeiv2_step_free(stepper);
}

extern const struct ml_bench_peer ml_peer_gsl[];
const struct ml_bench_peer ml_peer_gsl[] = {
    {.name = "GSL odeiv2 rk4",
     .doc = "the bare stepper; each step also as two halves",
     .bound = 1e-7,
     .run = run},
    {0},
};
