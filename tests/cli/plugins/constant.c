/* Three coordinates with a mass matrix and a force that never change, and no parameters. */
#include <manylink/plugin.h>
#include <stddef.h>

static const struct ml_plugin_quantity state[6] = {
    {"a", "1", "first"},           {"b", "1", "second"},          {"c", "1", "third"},
    {"a_rate", "1/s", "its rate"}, {"b_rate", "1/s", "its rate"}, {"c_rate", "1/s", "its rate"},
};

static void terms(int n_lane, const double *t, const double *params, const double *q,
                  const double *qd, double *mass, double *force)
{
    static const double m[6] = {4.0, 1.0, 5.0, 2.0, -1.0, 6.0}, f[3] = {1.0, -2.0, 3.0};
    (void)t, (void)params, (void)q, (void)qd;
    for (int i = 0; i < n_lane; i++) {
        for (int row = 0; row < 6; row++)
            mass[row * n_lane + i] = m[row];
        for (int row = 0; row < 3; row++)
            force[row * n_lane + i] = f[row];
    }
}

const struct ml_plugin manylink_plugin = {
    .version = ML_PLUGIN_VERSION,
    .size = sizeof(struct ml_plugin),
    .name = "constant",
    .doc = "accelerations that never change",
    .state = state,
    .n_state = 6,
    .terms = terms,
};
