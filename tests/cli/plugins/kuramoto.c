/* N phases that pull at each other (Y. Kuramoto, 1975): x_i' = w_i + K/N sum_j sin(x_j - x_i), with
 * frequencies w_i evenly from -1 to 1. With N r e^(i psi) = sum_j e^(i x_j) it is
 *   x_i' = w_i + K r sin(psi - x_i),
 * and the divergence K (1 - N r^2). The potential energy is that of the pull, -K N r^2 / 2. */
#include <manylink/plugin.h>
#include <math.h>
#include <stddef.h>

#ifndef N
#define N 128
#endif
#define UNIT "rad"
#include "hex_names.h"

static const struct ml_plugin_param params[] = {{"K", "rad/s", "coupling", 4.0, -1e3, 1e3}};

#define AT(array, i) (array)[(long)(i)*n_lane + l]

static void rates(int n_lane, const double *t, const double *p, const double *x, double *dx)
{
    (void)t;
    for (int l = 0; l < n_lane; l++) {
        double c = 0.0, s = 0.0;
        for (int i = 0; i < N; i++) {
            c += cos(AT(x, i));
            s += sin(AT(x, i));
        }
        for (int i = 0; i < N; i++)
            AT(dx, i) =
                (2.0 * i - (N - 1)) / (N - 1) + p[l] / N * (s * cos(AT(x, i)) - c * sin(AT(x, i)));
    }
}

static void tangent(int n_lane, const double *t, const double *p, const double *x, const double *y,
                    double *dy)
{
    (void)t;
    for (int l = 0; l < n_lane; l++) {
        double c = 0.0, s = 0.0, cy = 0.0, sy = 0.0;
        for (int i = 0; i < N; i++) {
            const double cosine = cos(AT(x, i)), sine = sin(AT(x, i));
            c += cosine;
            s += sine;
            cy += cosine * AT(y, i);
            sy += sine * AT(y, i);
        }
        for (int i = 0; i < N; i++) {
            const double cosine = cos(AT(x, i)), sine = sin(AT(x, i));
            AT(dy, i) = p[l] / N * (cy * cosine + sy * sine - (c * cosine + s * sine) * AT(y, i));
        }
    }
}

static void energy(int n_lane, const double *p, const double *x, double *kinetic, double *potential,
                   double *scale)
{
    for (int l = 0; l < n_lane; l++) {
        double c = 0.0, s = 0.0;
        for (int i = 0; i < N; i++) {
            c += cos(AT(x, i));
            s += sin(AT(x, i));
        }
        kinetic[l] = 0.0;
        potential[l] = -0.5 * p[l] / N * (c * c + s * s);
        scale[l] = p[l] * N;
    }
}

const struct ml_plugin manylink_plugin = {
    .version = ML_PLUGIN_VERSION,
    .size = sizeof(struct ml_plugin),
    .name = "kuramoto",
    .doc = "phases that pull at each other",
    .params = params,
    .n_param = 1,
    .state = state,
    .n_state = N,
    .rates = rates,
    .energy = energy,
    .tangent = tangent,
};
