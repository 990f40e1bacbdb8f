/* Shapley effects of a linear function of three normal inputs, of which two are correlated, against
 * their closed form (Owen and Prieur, SIAM/ASA J. Uncertain. Quantif. 5, 2017), with intervals that
 * cover the form over seeds; of Ishigami's function against sums of Sobol' indices; and of inputs
 * that are the same. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "manylink/indices.h"
#include "statistics/closed_forms.h"
#include "statistics/resample.h"

enum { N = 3, N_RUN = 1000, N_SEED = 200, N_LONG = 8192 };

struct effects {
    struct ml_index effects[N], first[N], total[N];
    struct ml_shapley_effects found;
};

static int find(const double *x, const double *y, int64_t n, struct effects *e)
{
    struct ml_given_inputs *inputs = ml_given_inputs_make(x, n, N);
    e->found = (struct ml_shapley_effects){
        .size = sizeof e->found, .effects = e->effects, .first = e->first, .total = e->total};
    const int is_found = inputs && ml_shapley_effects_find(inputs, y, 200, &e->found);
    ml_given_inputs_free(inputs);
    return is_found;
}

static double uniform(uint64_t *state)
{
    return ((double)(ml_resample_random(state) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state)
{
    const double u = uniform(state);
    return sqrt(-2.0 * log(u)) * cos(2.0 * pi * uniform(state));
}

/* y = sum b_i x_i of normal inputs of deviations s_i, inputs 1 and 2 with the correlation r. */
static const double b[N] = {1.0, 1.0, 1.0}, s[N] = {1.0, 1.0, 2.0}, r = 0.9;

static void draw_linear(double *x, double *y, int64_t n, uint64_t seed)
{
    uint64_t state = (seed + 1) << 40;
    for (int64_t k = 0; k < n; k++) {
        const double z = normal(&state);
        x[k] = s[0] * normal(&state);
        x[n + k] = s[1] * z;
        x[2 * n + k] = s[2] * (r * z + sqrt(1.0 - r * r) * normal(&state));
        y[k] = b[0] * x[k] + b[1] * x[n + k] + b[2] * x[2 * n + k];
    }
}

static void linear_effects_hold(double *x, double *y)
{
    const double c = b[1] * s[1], d = b[2] * s[2], a = b[0] * b[0] * s[0] * s[0];
    const double variance = a + c * c + d * d + 2.0 * r * c * d, rest = 1.0 - r * r;
    const double shared = r * c * d + 0.5 * r * r * (d * d - c * c); /* of input 1 beyond c^2 */
    const double effects[N] = {a / variance, (c * c + shared) / variance,
                               (d * d + 2.0 * r * c * d - shared) / variance};
    const double first[N] = {a / variance, (c + r * d) * (c + r * d) / variance,
                             (d + r * c) * (d + r * c) / variance};
    const double total[N] = {a / variance, c * c * rest / variance, d * d * rest / variance};
    const int n_seed = check_is_sanitized() ? 3 : N_SEED;
    double mean[3][N] = {{0}};
    int covered[3] = {0};
    struct effects e = {0};
    for (int seed = 0; seed < n_seed; seed++) {
        draw_linear(x, y, N_RUN, (uint64_t)seed);
        CHECK(find(x, y, N_RUN, &e));
        CHECK_ERROR(fabs(e.effects[0].value + e.effects[1].value + e.effects[2].value - 1.0),
                    1e-14);
        for (int i = 0; i < N; i++) {
            mean[0][i] += e.effects[i].value / n_seed;
            mean[1][i] += e.first[i].value / n_seed;
            mean[2][i] += e.total[i].value / n_seed;
            covered[0] += fabs(e.effects[i].value - effects[i]) <= e.effects[i].half;
            covered[1] += fabs(e.first[i].value - first[i]) <= e.first[i].half;
            covered[2] += fabs(e.total[i].value - total[i]) <= e.total[i].half;
        }
        CHECK_ERROR(e.found.unexplained.value, 1e-20);
    }
    for (int i = 0; i < N && n_seed == N_SEED; i++) {
        CHECK_ERROR(fabs(mean[0][i] - effects[i]), 0.005);
        CHECK_ERROR(fabs(mean[1][i] - first[i]), 0.01);
        CHECK_ERROR(fabs(mean[2][i] - total[i]), 0.002);
    }
    for (int k = 0; k < 3; k++)
        CHECK(n_seed < N_SEED || (covered[k] >= 540 && covered[k] <= 588));
}

/* Of independent inputs a term of several inputs counts for each of these alike. */
static void ishigami_effects_hold(double *x, double *y)
{
    uint64_t state = 11;
    struct effects e = {0};
    for (int k = 0; k < N_LONG; k++) {
        double u[N];
        for (int i = 0; i < N; i++)
            x[i * N_LONG + k] = u[i] = uniform(&state);
        y[k] = ishigami(N, u);
    }
    CHECK(find(x, y, N_LONG, &e));
    for (int i = 0; i < N; i++) {
        CHECK_ERROR(fabs(e.effects[i].value - 0.5 * (ishigami_first[i] + ishigami_total[i])), 0.02);
    }
    CHECK(e.found.unexplained.value > 0.0 && e.found.unexplained.value < 0.03);
    y[5] = (double)NAN;
    CHECK(find(x, y, N_LONG, &e));
    CHECK(e.found.n_complete == N_LONG - 1 && e.found.n_used == N_LONG - 1);
}

/* Two inputs that are the same share the effect; constants have no effects. */
static void same_inputs_share(double *x, double *y)
{
    struct effects e = {0};
    draw_linear(x, y, N_RUN, 1);
    memcpy(x + N_RUN, x, N_RUN * sizeof *x);
    for (int k = 0; k < N_RUN; k++) {
        x[2 * N_RUN + k] = 3.0;
        y[k] = x[k] * x[k] * x[k];
    }
    CHECK(find(x, y, N_RUN, &e));
    CHECK_ERROR(fabs(e.effects[0].value - e.effects[1].value), 1e-14);
    CHECK_ERROR(fabs(e.effects[0].value - 0.5), 0.05);
    for (int k = 0; k < N_RUN; k++)
        y[k] = 1.0;
    CHECK(!find(x, y, N_RUN, &e));
    CHECK(!find(x, y, 7, &e));
}

int main(void)
{
    static double x[N * N_LONG], y[N_LONG];
    linear_effects_hold(x, y);
    ishigami_effects_hold(x, y);
    same_inputs_share(x, y);
    return check_done();
}
