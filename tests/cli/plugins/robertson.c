/* Robertson's chemical reaction: a' = -0.04 a + 1e4 b c, c' = 3e7 b^2, b' = -a' - c'. */
#include <manylink/plugin.h>
#include <stddef.h>

enum { A, B, C, N_STATE };

static const struct ml_plugin_quantity state[N_STATE] = {
    [A] = {"a", "1", "first concentration"},
    [B] = {"b", "1", "second concentration"},
    [C] = {"c", "1", "third concentration"},
};

#define AT(array, row) (array)[(row)*n_lane + i]

static void rates(int n_lane, const double *t, const double *p, const double *x, double *dx)
{
    (void)t, (void)p;
    for (int i = 0; i < n_lane; i++) {
        AT(dx, A) = -0.04 * AT(x, A) + 1e4 * AT(x, B) * AT(x, C);
        AT(dx, C) = 3e7 * AT(x, B) * AT(x, B);
        AT(dx, B) = -AT(dx, A) - AT(dx, C);
    }
}

static void tangent(int n_lane, const double *t, const double *p, const double *x, const double *y,
                    double *dy)
{
    (void)t, (void)p;
    for (int i = 0; i < n_lane; i++) {
        AT(dy, A) = -0.04 * AT(y, A) + 1e4 * (AT(y, B) * AT(x, C) + AT(x, B) * AT(y, C));
        AT(dy, C) = 6e7 * AT(x, B) * AT(y, B);
        AT(dy, B) = -AT(dy, A) - AT(dy, C);
    }
}

const struct ml_plugin manylink_plugin = {
    .version = ML_PLUGIN_VERSION,
    .size = sizeof(struct ml_plugin),
    .name = "robertson",
    .doc = "three reactions at rates of 0.04, 1e4 and 3e7",
    .state = state,
    .n_state = N_STATE,
    .rates = rates,
    .tangent = tangent,
};
