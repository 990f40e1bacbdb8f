/* Indices of FAST's curves against sums of the spectrum as they stand in the paper, a function
 * whose indices are exact, and closed forms; the transform against its definition. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "closed_forms.h"
#include "design/sample.h"
#include "manylink/indices.h"
#include "statistics/fourier.h"

enum { MOST_RUNS = 4100, N_HARMONIC = 4 };

struct result {
    struct ml_index first[MOST], total[MOST];
    struct ml_fast_indices found;
};

static double y[MOST * MOST_RUNS];

typedef double function(int n, const double *u);

static int find(function *f, int n, int n_point, uint64_t seed, struct result *r)
{
    const struct ml_sample_points points = {
        .seed = seed, .n_point = n_point, .n_input = n, .design = ML_DESIGN_FAST};
    double u[MOST] = {0};
    for (int run = 0; run < n * n_point; run++) {
        for (int i = 0; i < n; i++)
            u[i] = ml_sample_input(&points, run, i);
        y[run] = f(n, u);
    }
    r->found =
        (struct ml_fast_indices){.size = sizeof r->found, .first = r->first, .total = r->total};
    return ml_fast_indices_find(y, n_point, n, 200, &r->found);
}

/* |sum of y exp(-2 pi i k t/n)|^2 */
static double power(const double *curve, int n, int k)
{
    long double re = 0.0L, im = 0.0L;
    for (int t = 0; t < n; t++) {
        const long double angle =
            2.0L * 3.14159265358979323846L * (long double)((int64_t)k * t % n) / n;
        re += (long double)curve[t] * cosl(angle);
        im += (long double)curve[t] * sinl(angle);
    }
    return (double)(re * re + im * im);
}

static void check_spectrum(function *f, int n, int n_point)
{
    struct result r;
    CHECK(find(f, n, n_point, 3, &r) && r.found.n_complete == n);
    const int highest = (n_point - 1) / (2 * N_HARMONIC);
    for (int i = 0; i < n; i++) {
        double all = 0.0, own = 0.0, slow = 0.0;
        for (int k = 1; k < (n_point + 1) / 2; k++) {
            const double p = power(y + i * n_point, n_point, k);
            all += p;
            own += k % highest == 0 && k <= N_HARMONIC * highest ? p : 0.0;
            slow += k <= highest / 2 ? p : 0.0;
        }
        CHECK_ERROR(fabs(r.first[i].value - own / all), 1e-14);
        CHECK_ERROR(fabs(r.total[i].value - (1.0 - slow / all)), 1e-14);
    }
}

static void check_transform(size_t n)
{
    struct ml_fourier fourier;
    struct ml_complex *z = calloc(n, sizeof *z);
    double *x = calloc(n, sizeof *x);
    if (!ml_fourier_make(&fourier, n) || !z || !x)
        exit(1);
    for (size_t t = 0; t < n; t++) {
        x[t] = sin(1.0 + 3.0 * (double)(t * t));
        z[t].re = x[t];
    }
    ml_fourier_forward(&fourier, z);
    for (size_t k = 0; k < n; k++)
        CHECK_ERROR(fabs(hypot(z[k].re, z[k].im) - sqrt(power(x, (int)n, (int)k))),
                    20.0 * DBL_EPSILON * sqrt((double)n));
    ml_fourier_inverse(&fourier, z);
    for (size_t t = 0; t < n; t++)
        CHECK_ERROR(fabs(z[t].re - x[t]) + fabs(z[t].im), 20.0 * DBL_EPSILON);
    ml_fourier_free(&fourier);
    free(z);
    free(x);
}

/* Of each input one harmonic: the indices are exact. */
static double sines(int n, const double *u)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (i + 1) * sin(pi * (u[i] - 0.5));
    return sum;
}

/* The longest distance to the closed forms of 20 seeds. */
static void check_interference(function *f, int n, int n_point, const double *first,
                               const double *total, double limit)
{
    struct result r;
    double worst = 0.0;
    CHECK(n_point >= ml_fast_indices_points(n));
    for (uint64_t seed = 0; seed < 20; seed++) {
        CHECK(find(f, n, n_point, seed, &r));
        for (int i = 0; i < n; i++) {
            worst = fmax(worst, fabs(r.first[i].value - first[i]));
            worst = fmax(worst, fabs(r.total[i].value - total[i]));
        }
    }
    CHECK_ERROR(worst, limit);
}

int main(void)
{
    struct result r;
    const size_t lengths[] = {1, 2, 3, 64, 65, 97, 100, 513};
    for (int i = 0; i < (int)(sizeof lengths / sizeof *lengths); i++)
        check_transform(lengths[i]);
    check_spectrum(ishigami, 3, 65);
    check_spectrum(ishigami, 3, 258);
    check_spectrum(sobol_g, 8, 401);

    CHECK(find(sines, 4, 513, 1, &r));
    for (int i = 0; i < 4; i++) {
        CHECK_ERROR(fabs(r.first[i].value - (i + 1) * (i + 1) / 30.0), 3e-15);
        CHECK_ERROR(fabs(r.total[i].value - (i + 1) * (i + 1) / 30.0), 3e-15);
    }
    check_interference(ishigami, 3, 4097, ishigami_first, ishigami_total, 0.0075);
    check_interference(ishigami, 3, 2052, ishigami_first, ishigami_total, 0.0075);
    check_interference(sobol_g, 8, 4097, g_first, g_total, 0.015);
    int n_in = 0, n_all = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        CHECK(find(ishigami, 3, 257, seed, &r));
        for (int i = 0; i < 3; i++, n_all += 2) {
            n_in += fabs(r.first[i].value - ishigami_first[i]) < r.first[i].half;
            n_in += fabs(r.total[i].value - ishigami_total[i]) < r.total[i].half;
        }
    }
    CHECK(n_in > 0.95 * n_all);

    /* A curve without a number, and one that is flat, have no index; others keep theirs. */
    struct result other;
    CHECK(find(ishigami, 3, 65, 0, &other) && find(ishigami, 3, 65, 0, &r));
    y[3] = (double)INFINITY;
    for (int t = 0; t < 65; t++)
        y[65 + t] = 0.1;
    CHECK(ml_fast_indices_find(y, 65, 3, 200, &r.found) && r.found.n_complete == 1);
    CHECK(isnan(r.first[0].value) && isnan(r.total[1].value) && isnan(r.first[1].half));
    CHECK(r.total[2].value == other.total[2].value && r.first[2].half == other.first[2].half);
    CHECK(!ml_fast_indices_find(y, 65, 2, 200, &r.found) && r.found.n_complete == 0);
    CHECK(!ml_fast_indices_find(y, 64, 3, 200, &r.found));
    return check_done();
}
