/* N numbers around a circle of latitude (E. N. Lorenz, Predictability: a problem partly solved,
 * 1996): x_i' = (x_(i+1) - x_(i-2)) x_(i-1) - x_i + F. The divergence is -N everywhere, so that the
 * Lyapunov exponents add up to it. */
#include <manylink/plugin.h>
#include <stddef.h>

#ifndef N
#define N 40
#endif
#define UNIT "1"
#include "hex_names.h"

static const struct ml_plugin_param params[] = {{"F", "1", "forcing", 8.0, -1e3, 1e3}};

/* Row i of an array, around the circle. */
#define AROUND(array, i) ((array) + (long)(((i) + N) % N) * n_lane)

static void rates(int n_lane, const double *t, const double *p, const double *x, double *dx)
{
    (void)t;
    for (int i = 0; i < N; i++) {
        const double *next = AROUND(x, i + 1), *last = AROUND(x, i - 1), *far = AROUND(x, i - 2);
        const double *own = AROUND(x, i);
        double *out = AROUND(dx, i);
        for (int l = 0; l < n_lane; l++)
            out[l] = (next[l] - far[l]) * last[l] - own[l] + p[l];
    }
}

static void tangent(int n_lane, const double *t, const double *p, const double *x, const double *y,
                    double *dy)
{
    (void)t, (void)p;
    for (int i = 0; i < N; i++) {
        const double *next = AROUND(x, i + 1), *last = AROUND(x, i - 1), *far = AROUND(x, i - 2);
        const double *y_next = AROUND(y, i + 1), *y_last = AROUND(y, i - 1);
        const double *y_far = AROUND(y, i - 2), *own = AROUND(y, i);
        double *out = AROUND(dy, i);
        for (int l = 0; l < n_lane; l++)
            out[l] = (y_next[l] - y_far[l]) * last[l] + (next[l] - far[l]) * y_last[l] - own[l];
    }
}

const struct ml_plugin manylink_plugin = {
    .version = ML_PLUGIN_VERSION,
    .size = sizeof(struct ml_plugin),
    .name = "lorenz96",
    .doc = "a circle of latitude in N numbers",
    .params = params,
    .n_param = 1,
    .state = state,
    .n_state = N,
    .rates = rates,
    .tangent = tangent,
};
