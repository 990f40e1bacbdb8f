/* The least of functions under constraints, against closed forms and minima by SciPy 1.10
 * (minimize, of the angle on the circle, and of the coordinates left): Rosenbrock's function in a
 * disk and in a box that cuts its valley off, a plane at a half space in 5 coordinates, two minima
 * of which one is the least, no point that meets the constraints, no value at all. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "statistics/least.h"

struct problem {
    int n;
    double from, to; /* of each coordinate */
    double (*value)(int n, const double *x);
    double (*off)(int n, const double *x); /* at most 0: the constraints are met; NULL: none */
    int64_t n_point;
};

static enum ml_status find(void *context, int64_t n_point, const double *z, struct ml_merit *merits,
                           struct ml_error *err)
{
    struct problem *p = context;
    double x[8];
    (void)err;
    p->n_point += n_point;
    for (int64_t k = 0; k < n_point; k++) {
        for (int i = 0; i < p->n; i++) {
            CHECK(z[k * p->n + i] >= 0.0 && z[k * p->n + i] <= 1.0);
            x[i] = p->from + (p->to - p->from) * z[k * p->n + i];
        }
        const double off = p->off ? p->off(p->n, x) : 0.0;
        merits[k] = off > 0.0 ? (struct ml_merit){ML_MERIT_OFF, off}
                              : (struct ml_merit){ML_MERIT_MET, p->value(p->n, x)};
        if (isnan(merits[k].value))
            merits[k] = (struct ml_merit){ML_MERIT_NOTHING, 1.0};
    }
    return ML_OK;
}

/* The least point as x [n]. */
static struct ml_least search(struct problem *p, uint64_t seed, int64_t most, double *x)
{
    const double middle[] = {0.5, 0.5, 0.5, 0.5, 0.5};
    struct ml_pool pool = {0};
    struct ml_least found;
    const struct ml_least_of of = {.n = p->n,
                                   .n_start = 8,
                                   .most = most,
                                   .seed = seed,
                                   .own = middle,
                                   .find = find,
                                   .context = p};
    p->n_point = 0;
    CHECK(ml_least_find(&of, &pool, &found, NULL) == ML_OK);
    CHECK(found.n_point == p->n_point && found.n_point <= most);
    for (int i = 0; found.z && i < p->n; i++)
        x[i] = p->from + (p->to - p->from) * found.z[i];
    found.z = NULL;
    ml_pool_free(&pool);
    return found;
}

static double rosenbrock(int n, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i + 1 < n; i++)
        sum += 100.0 * pow(x[i + 1] - x[i] * x[i], 2.0) + pow(1.0 - x[i], 2.0);
    return sum;
}

static double disk(int n, const double *x) { return n * 0.0 + x[0] * x[0] + x[1] * x[1] - 1.0; }

static double total(int n, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static double half_space(int n, const double *x) { return n * 0.0 + 1.0 - x[0] - 2.0 * x[1]; }

/* Minima of -1 at -1, which is wide, and next to 1 of -1.2. */
static double two(int n, const double *x)
{
    double near = 0.0, far = 0.0;
    for (int i = 0; i < n; i++) {
        near += pow(x[i] + 1.0, 2.0);
        far += pow(x[i] - 1.0, 2.0);
    }
    return -exp(-near) - 1.2 * exp(-1.5 * far);
}

static double never(int n, const double *x) { return 2.0 + total(n, x); }
static double nothing(int n, const double *x) { return total(n, x) * (double)NAN; }

static void test_minima(void)
{
    double x[8];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct problem p = {2, -2.0, 2.0, rosenbrock, disk, 0};
        struct ml_least found = search(&p, seed, 100000, x);
        CHECK(found.is_converged && found.merit.rank == ML_MERIT_MET);
        CHECK_ERROR(fabs(found.merit.value - 0.0456748087195002), 5e-9);
        CHECK_ERROR(fabs(x[0] - 0.7864151542554466), 4e-6);
        CHECK_ERROR(fabs(x[1] - 0.6176983124126068), 4e-6);

        p = (struct problem){5, -2.0, 0.7, rosenbrock, NULL, 0};
        found = search(&p, seed, 100000, x);
        CHECK(found.is_converged && found.n_met >= 1);
        CHECK_ERROR(fabs(found.merit.value - 1.7625649207765295), 1e-9);
        CHECK_ERROR(fabs(x[0] - 0.7), 1e-6);

        p = (struct problem){5, 0.0, 2.0, total, half_space, 0};
        found = search(&p, seed, 100000, x);
        CHECK(found.is_converged);
        CHECK_ERROR(fabs(found.merit.value - 0.5), 3e-6);

        p = (struct problem){3, -3.0, 3.0, two, NULL, 0};
        found = search(&p, seed, 100000, x);
        CHECK(found.is_converged);
        CHECK_ERROR(fabs(x[2] - 1.0), 1e-4);
    }
}

static void test_no_minimum(void)
{
    double x[8];
    struct problem p = {2, -0.5, 1.0, rosenbrock, never, 0};
    struct ml_least found = search(&p, 1, 100000, x);
    CHECK(found.is_converged && found.merit.rank == ML_MERIT_OFF);
    CHECK_ERROR(fabs(found.merit.value - 1.0), 1e-5);
    p = (struct problem){2, 0.0, 1.0, nothing, NULL, 0};
    found = search(&p, 1, 100000, x);
    CHECK(found.is_converged && found.merit.rank == ML_MERIT_NOTHING);
    p = (struct problem){2, -2.0, 2.0, rosenbrock, disk, 0};
    found = search(&p, 1, 1000, x);
    CHECK(!found.is_converged && found.merit.rank == ML_MERIT_MET && found.n_point == 896);
    found = search(&p, 1, 10, x);
    CHECK(!found.is_converged && found.n_point == 0 && found.n_met == 0);
}

int main(void)
{
    test_minima();
    test_no_minimum();
    return check_done();
}
