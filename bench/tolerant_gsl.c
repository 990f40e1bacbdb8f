/* GSL's odeiv2 driver with rk8pd, Prince and Dormand's pair of orders 8 and 7. */
#include <math.h>

#define REAL double
#define RODS_LANES 1
#define RODS_SINCOS sincos
#include "rods.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "rods_load.h"
#include "tolerant.h"

static int rhs(double t, const double *x, double *dx, void *constants)
{
    (void)t;
    rods_rhs(2, RODS_PASSIVE, constants, x, dx);
    return GSL_SUCCESS;
}

static void run(const struct ml_bench_runs *runs, double tolerance, double last, int64_t n_run,
                double *end)
{
    struct rods k;
    const gsl_odeiv2_system system = {.function = rhs, .dimension = 4, .params = &k};
    gsl_odeiv2_driver *driver =
        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-2, tolerance, tolerance);
    for (int64_t r = 0; r < n_run; r++) {
        double x[RODS_MAX_STATE], t = 0.0;
        rods_load(runs, r, &k, x);
        (void)gsl_odeiv2_driver_reset_hstart(driver, 1e-2);
        if (gsl_odeiv2_driver_apply(driver, &t, last, x) != GSL_SUCCESS)
            x[0] = NAN;
        rods_store(2, r, x, end);
    }
    gsl_odeiv2_driver_free(driver);
}

extern const struct ml_bench_tolerant ml_tolerant_gsl[];
const struct ml_bench_tolerant ml_tolerant_gsl[] = {
    {"GSL rk8pd", "odeiv2 driver, one run after the other", run}, {0}};
