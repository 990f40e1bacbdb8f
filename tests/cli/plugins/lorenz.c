/* The built-in system `lorenz` once more, by the same operations. */
#include <manylink/plugin.h>
#include <math.h>
#include <stddef.h>

enum { SIGMA, RHO, BETA, N_PARAM };
enum { X, Y, Z, N_STATE };

static const struct ml_plugin_param params[N_PARAM] = {
    [SIGMA] = {"sigma", "1", "Prandtl number", 10.0, -1e6, 1e6},
    [RHO] = {"rho", "1", "Rayleigh number", 28.0, -1e6, 1e6},
    [BETA] = {"beta", "1", "aspect of the rolls", 8.0 / 3.0, -1e6, 1e6},
};

static const struct ml_plugin_quantity state[N_STATE] = {
    [X] = {"x", "1", "intensity of the convection"},
    [Y] = {"y", "1", "temperature difference"},
    [Z] = {"z", "1", "deviation of the temperature"},
};

#define AT(array, row) (array)[(row)*n_lane + i]

static void rates(int n_lane, const double *t, const double *p, const double *x, double *dx)
{
    (void)t;
    for (int i = 0; i < n_lane; i++) {
        AT(dx, X) = AT(p, SIGMA) * (AT(x, Y) - AT(x, X));
        AT(dx, Y) = fma(AT(x, X), AT(p, RHO) - AT(x, Z), -AT(x, Y));
        AT(dx, Z) = fma(AT(x, X), AT(x, Y), -(AT(p, BETA) * AT(x, Z)));
    }
}

#ifndef TANGENT
#define TANGENT tangent
static void tangent(int n_lane, const double *t, const double *p, const double *x, const double *y,
                    double *dy)
{
    (void)t;
    for (int i = 0; i < n_lane; i++) {
        AT(dy, X) = AT(p, SIGMA) * (AT(y, Y) - AT(y, X));
        AT(dy, Y) = fma(AT(p, RHO) - AT(x, Z), AT(y, X), fma(-AT(x, X), AT(y, Z), -AT(y, Y)));
        AT(dy, Z) = fma(AT(x, Y), AT(y, X), fma(AT(x, X), AT(y, Y), -(AT(p, BETA) * AT(y, Z))));
    }
}
#endif

const struct ml_plugin manylink_plugin = {
    .version = ML_PLUGIN_VERSION,
    .size = sizeof(struct ml_plugin),
    .name = "lorenz",
    .doc = "convection in three numbers",
    .params = params,
    .n_param = N_PARAM,
    .state = state,
    .n_state = N_STATE,
    .rates = rates,
    .tangent = TANGENT,
};
