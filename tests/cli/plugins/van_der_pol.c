/* Van der Pol's equation in the time of its slow phases: y' = v, v' = ((1 - y^2) v - y) / epsilon.
 */
#include <manylink/plugin.h>
#include <stddef.h>

enum { EPSILON, N_PARAM };
enum { Y, V, N_STATE };

static const struct ml_plugin_param params[N_PARAM] = {
    [EPSILON] = {"epsilon", "1", "inverse square of the damping", 1e-6, 1e-12, 1.0},
};

static const struct ml_plugin_quantity state[N_STATE] = {
    [Y] = {"y", "1", "displacement"},
    [V] = {"v", "1", "velocity"},
};

#define AT(array, row) (array)[(row)*n_lane + i]

static void rates(int n_lane, const double *t, const double *p, const double *x, double *dx)
{
    (void)t;
    for (int i = 0; i < n_lane; i++) {
        AT(dx, Y) = AT(x, V);
        AT(dx, V) = ((1.0 - AT(x, Y) * AT(x, Y)) * AT(x, V) - AT(x, Y)) / AT(p, EPSILON);
    }
}

const struct ml_plugin manylink_plugin = {
    .version = ML_PLUGIN_VERSION,
    .size = sizeof(struct ml_plugin),
    .name = "van_der_pol",
    .doc = "relaxation oscillator",
    .params = params,
    .n_param = N_PARAM,
    .state = state,
    .n_state = N_STATE,
    .rates = rates,
};
