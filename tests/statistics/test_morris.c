/* Effects of Morris' design against SALib's numbers of the same trajectories; a trajectory without
 * a number, effects that are the same, and runs that are no trajectory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "manylink/indices.h"
#include "reference/reference.h"

enum { N = 3, MOST_RUNS = 256 };

struct effects {
    struct ml_index mu_star[N], mu[N], sigma[N];
    struct ml_morris_indices found;
};

static int find(const double *x, const double *y, int64_t n_point, struct effects *e)
{
    e->found = (struct ml_morris_indices){
        .size = sizeof e->found, .mu_star = e->mu_star, .mu = e->mu, .sigma = e->sigma};
    return ml_morris_indices_find(x, y, n_point, N, 2.0 / 3.0, 200, &e->found);
}

int main(void)
{
    json_t *root = ref_load("sensitivity_global.json");
    const json_t *morris = json_object_get(root, "morris");
    double x[MOST_RUNS * N], y[MOST_RUNS], mu[N], mu_star[N], sigma[N];
    struct effects e, without;
    const int n_run = ref_numbers(json_object_get(morris, "y"), MOST_RUNS, y), n = n_run / (N + 1);
    CHECK(ref_numbers(json_object_get(morris, "trajectories"), MOST_RUNS * N, x) == n_run * N);
    CHECK(ref_numbers(json_object_get(morris, "mu"), N, mu) == N);
    CHECK(ref_numbers(json_object_get(morris, "mu_star"), N, mu_star) == N);
    CHECK(ref_numbers(json_object_get(morris, "sigma"), N, sigma) == N);
    CHECK(find(x, y, n, &e));
    CHECK(e.found.n_complete == n);
    for (int i = 0; i < N; i++) {
        CHECK_ERROR(fabs(e.mu_star[i].value - mu_star[i]), 2e-14);
        CHECK_ERROR(fabs(e.mu[i].value - mu[i]), 2e-14);
        CHECK_ERROR(fabs(e.sigma[i].value - sigma[i]), 2e-14);
        /* The bootstrap of a mean is near sigma / sqrt(n); of 20 trajectories, within a third. */
        CHECK_ERROR(fabs(e.mu[i].half / (1.96 * sigma[i] / sqrt(n)) - 1.0), 0.33);
    }
    y[n_run - 2] = (double)NAN; /* of the last trajectory */
    CHECK(find(x, y, n, &e));
    CHECK(find(x, y, n - 1, &without));
    CHECK(e.found.n_complete == n - 1 && memcmp(e.sigma, without.sigma, sizeof e.sigma) == 0);
    for (int r = 0; r < n_run; r++) /* straight, and large: sigma is 0 but for rounding */
        y[r] = (2.0 * x[r * N] - x[r * N + 1] + 3.0 * x[r * N + 2]) * 1e200;
    CHECK(find(x, y, n, &e));
    CHECK_ERROR(fabs(e.mu[1].value / 1e200 + 1.0), 1e-14);
    CHECK_ERROR(fabs(e.mu_star[2].value / 1e200 - 3.0), 1e-14);
    CHECK_ERROR(e.sigma[2].value / 1e200, 1e-14);
    CHECK(isfinite(e.mu[2].half));
    x[N] = x[0];
    x[N + 1] = x[1];
    x[N + 2] = x[2]; /* no step */
    CHECK(!find(x, y, n, &e));
    CHECK(e.found.n_complete == n);
    CHECK(!find(x, y, 1, &e));
    json_decref(root);
    return check_done();
}
