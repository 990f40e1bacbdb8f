/* Measures by derivatives: closed forms of Ishigami's function, with intervals that cover these
 * over seeds and bounds above its total indices; of a logarithm; eigenvalues of a quadratic
 * function and of one direction; runs without a number, large numbers, and constant outputs. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "manylink/indices.h"
#include "statistics/closed_forms.h"
#include "statistics/resample.h"

enum { N = 3, N_RUN = 1000, N_SEED = 200 };

struct measures {
    struct ml_index nu[N], bound[N], activity[N], eigenvalues[N];
    double eigenvectors[N * N];
    struct ml_derivative_measures found;
};

static const double ishigami_constants[N] = {4.0, 4.0, 4.0};
static const int no_log[N] = {0, 0, 0};

static int find(const double *x, const double *g, const double *y, const double *constants,
                const int *is_log, int64_t n, int n_row, struct measures *m)
{
    m->found = (struct ml_derivative_measures){.size = sizeof m->found,
                                               .nu = m->nu,
                                               .bound = m->bound,
                                               .activity = m->activity,
                                               .eigenvalues = m->eigenvalues,
                                               .eigenvectors = m->eigenvectors};
    const struct ml_derivative_runs runs = {.size = sizeof runs,
                                            .n_input = N,
                                            .n_row = n_row,
                                            .n_point = n,
                                            .stride = n * n_row,
                                            .x = x,
                                            .derivatives = g,
                                            .y = y,
                                            .constants = constants,
                                            .is_log = is_log};
    return ml_derivative_measures_find(&runs, 200, &m->found);
}

struct runs {
    double x[N * N_RUN], g[N * N_RUN], y[N_RUN];
};

static double uniform(uint64_t *state)
{
    return (double)(ml_resample_random(state) >> 11) * 0x1p-53;
}

static void draw_ishigami(struct runs *r, uint64_t seed)
{
    uint64_t state = (seed + 1) << 40;
    for (int k = 0; k < N_RUN; k++) {
        double u[N];
        for (int i = 0; i < N; i++) {
            u[i] = uniform(&state);
            r->x[i * N_RUN + k] = pi * (2.0 * u[i] - 1.0);
        }
        const double x = r->x[k], y = r->x[N_RUN + k], z = r->x[2 * N_RUN + k];
        r->y[k] = ishigami(N, u);
        r->g[k] = cos(x) * (1.0 + 0.1 * z * z * z * z);
        r->g[N_RUN + k] = 7.0 * sin(2.0 * y);
        r->g[2 * N_RUN + k] = 0.4 * z * z * z * sin(x);
    }
}

/* Means of squares of the derivatives over the cube, and the variance. */
static void ishigami_measures_hold(struct runs *r)
{
    const double p4 = pi * pi * pi * pi, p8 = p4 * p4;
    const double nu[N] = {0.5 * (1.0 + 0.2 * p4 / 5.0 + 0.01 * p8 / 9.0), 24.5,
                          0.08 * pi * pi * p4 / 7.0};
    const double variance = 49.0 / 8.0 + 0.1 * p4 / 5.0 + 0.01 * p8 / 18.0 + 0.5;
    int covered_nu = 0, covered_bound = 0;
    double mean[N] = {0};
    const int n_seed = check_is_sanitized() ? 5 : N_SEED;
    struct measures m;
    for (int seed = 0; seed < n_seed; seed++) {
        draw_ishigami(r, (uint64_t)seed);
        CHECK(find(r->x, r->g, r->y, ishigami_constants, no_log, N_RUN, 1, &m));
        for (int i = 0; i < N; i++) {
            mean[i] += m.nu[i].value / n_seed;
            covered_nu += fabs(m.nu[i].value - nu[i]) <= m.nu[i].half;
            covered_bound += fabs(m.bound[i].value - 4.0 * nu[i] / variance) <= m.bound[i].half;
            CHECK(m.bound[i].value > ishigami_total[i]);
        }
        CHECK(m.found.dimension >= 1 && m.found.n_complete == N_RUN);
    }
    for (int i = 0; i < N && n_seed == N_SEED; i++)
        CHECK_ERROR(fabs(mean[i] / nu[i] - 1.0), 0.02);
    CHECK(n_seed < N_SEED || (covered_nu > 540 && covered_nu < 588)); /* 90 .. 98 % of 600 */
    CHECK(n_seed < N_SEED || (covered_bound > 540 && covered_bound < 588));
}

/* A run without a number is as if it were not there; a power of two scales nothing. */
static void runs_are_left_out(struct runs *r)
{
    struct measures m, without, large;
    draw_ishigami(r, 3);
    CHECK(find(r->x, r->g, r->y, ishigami_constants, no_log, N_RUN, 1, &m));
    r->g[N_RUN + 5] = (double)INFINITY;
    r->y[17] = (double)NAN;
    CHECK(find(r->x, r->g, r->y, ishigami_constants, no_log, N_RUN, 1, &without));
    CHECK(without.found.n_complete == N_RUN - 2);
    CHECK_ERROR(fabs(without.nu[0].value / m.nu[0].value - 1.0), 0.01);
    draw_ishigami(r, 3);
    for (int k = 0; k < N_RUN; k++) {
        r->y[k] *= 0x1p600;
        for (int i = 0; i < N; i++)
            r->g[i * N_RUN + k] *= 0x1p600;
    }
    CHECK(find(r->x, r->g, r->y, ishigami_constants, no_log, N_RUN, 1, &large));
    for (int i = 0; i < N; i++) {
        CHECK(large.bound[i].value == m.bound[i].value && large.bound[i].half == m.bound[i].half);
        CHECK(large.eigenvalues[i].value == m.eigenvalues[i].value);
    }
    for (int k = 0; k < N_RUN; k++)
        r->y[k] = 1.0;
    CHECK(!find(r->x, r->g, r->y, ishigami_constants, no_log, N_RUN, 1, &large));
    CHECK(large.found.n_complete == N_RUN);
    CHECK(!find(r->x, r->g, r->y, ishigami_constants, no_log, 1, 1, &large));
}

/* Points of two runs: each has the same numbers twice, and intervals are those of the points. */
static void points_are_drawn_whole(struct runs *r)
{
    static struct runs twice;
    const int n = N_RUN / 2;
    struct measures once, both;
    draw_ishigami(r, 9);
    for (int k = 0; k < N_RUN; k++) {
        twice.y[k] = r->y[k / 2];
        for (int i = 0; i < N; i++) {
            twice.x[i * N_RUN + k] = r->x[i * N_RUN + k / 2];
            twice.g[i * N_RUN + k] = r->g[i * N_RUN + k / 2];
        }
    }
    for (int i = 1; i < N; i++) {
        memmove(r->x + i * n, r->x + i * N_RUN, n * sizeof *r->x);
        memmove(r->g + i * n, r->g + i * N_RUN, n * sizeof *r->g);
    }
    CHECK(find(r->x, r->g, r->y, ishigami_constants, no_log, n, 1, &once));
    CHECK(find(twice.x, twice.g, twice.y, ishigami_constants, no_log, n, 2, &both));
    for (int i = 0; i < N; i++) {
        CHECK_ERROR(fabs(both.nu[i].value / once.nu[i].value - 1.0), 1e-14);
        CHECK_ERROR(fabs(both.bound[i].half / once.bound[i].half - 1.0), 1e-12);
    }
}

/* y = x A x / 2 at the points +-sqrt(3) e_i, whose mean of x x is 1: the matrix is A^2. */
static void quadratic_has_squared_eigenvalues(void)
{
    const double a[N][N] = {{5, 2, 0}, {2, 5, 0}, {0, 0, 1}}; /* eigenvalues 7, 3, 1 */
    const double root = sqrt(3.0);
    double x[N * 6] = {0}, g[N * 6], y[6];
    struct measures m;
    for (int k = 0; k < 6; k++) {
        const int i = k / 2;
        x[i * 6 + k] = k % 2 ? root : -root;
        y[k] = 1.5 * a[i][i];
        for (int j = 0; j < N; j++)
            g[j * 6 + k] = a[j][i] * x[i * 6 + k];
    }
    CHECK(find(x, g, y, ishigami_constants, no_log, 6, 1, &m));
    const double expected[N] = {49.0, 9.0, 1.0};
    for (int k = 0; k < N; k++)
        CHECK_ERROR(fabs(m.eigenvalues[k].value * m.found.variance / expected[k] - 1.0), 1e-14);
    CHECK(m.found.dimension == 2); /* 9 of 9/1 is larger than 49/9 */
    CHECK_ERROR(fabs(m.eigenvectors[0] - sqrt(0.5)) + fabs(m.eigenvectors[1] - sqrt(0.5)), 1e-14);
    CHECK_ERROR(fabs(m.activity[0].value * m.found.variance - 29.0), 1e-12);
    CHECK_ERROR(m.activity[2].value, 1e-14);
}

/* y = exp(0.7 a + 0.3 ln b): one direction in a and ln b, whatever the scales. */
static void one_direction_is_found(struct runs *r)
{
    const int is_log[N] = {0, 1, 0};
    const double constants[N] = {0.4, 0.4, (double)NAN};
    uint64_t state = 5;
    struct measures m;
    for (int k = 0; k < N_RUN; k++) {
        const double a = 2.0 * uniform(&state) - 1.0, b = exp(2.0 * uniform(&state) - 1.0);
        r->x[k] = a;
        r->x[N_RUN + k] = b;
        r->x[2 * N_RUN + k] = uniform(&state);
        r->y[k] = exp(0.7 * a + 0.3 * log(b));
        r->g[k] = 0.7 * r->y[k];
        r->g[N_RUN + k] = 0.3 * r->y[k] / b;
        r->g[2 * N_RUN + k] = 0.0;
    }
    CHECK(find(r->x, r->g, r->y, constants, is_log, N_RUN, 1, &m));
    CHECK(m.found.dimension == 1);
    CHECK_ERROR(fabs(m.eigenvalues[1].value), 4e-15);
    CHECK_ERROR(fabs(m.eigenvectors[1] / m.eigenvectors[0] * 7.0 / 3.0 - 1.0), 0.05);
    CHECK_ERROR(fabs(m.bound[1].value / m.bound[0].value * 49.0 / 9.0 - 1.0), 1e-14);
    CHECK(isnan(m.bound[2].value) && m.nu[2].value == 0.0);
}

int main(void)
{
    static struct runs runs;
    ishigami_measures_hold(&runs);
    runs_are_left_out(&runs);
    points_are_drawn_whole(&runs);
    quadratic_has_squared_eigenvalues();
    one_direction_is_found(&runs);
    return check_done();
}
