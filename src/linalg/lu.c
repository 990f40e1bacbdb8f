/* LU factorisation of a complex matrix. */
#include "linalg/lu.h"

#include <math.h>

static void lu_exchange(double complex *a, double complex *b)
{
    const double complex kept = *a;
    *a = *b;
    *b = kept;
}

/* Row of the largest entry of column k, from row k on. */
static int lu_pivot(int n, const double complex *a, int k)
{
    int best = k;
    for (int i = k + 1; i < n; i++)
        if (ml_complex_square(a[i * n + k]) > ml_complex_square(a[best * n + k]))
            best = i;
    return best;
}

double complex ml_lu_factor(int n, double complex *a, int *pivots)
{
    double complex direction = 1.0;
    for (int k = 0; k < n; k++) {
        pivots[k] = lu_pivot(n, a, k);
        for (int j = 0; j < n && pivots[k] != k; j++)
            lu_exchange(&a[k * n + j], &a[pivots[k] * n + j]);
        const double complex pivot = a[k * n + k];
        const double size = ml_complex_size(pivot);
        if (!(size > 0.0 && isfinite(size)))
            return 0.0;
        direction *= ml_complex(creal(pivot) / size, cimag(pivot) / size);
        if (pivots[k] != k)
            direction = -direction;
        for (int i = k + 1; i < n; i++) {
            const double complex factor = ml_complex_quotient(a[i * n + k], pivot);
            a[i * n + k] = factor;
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return direction;
}

void ml_lu_solve(int n, const double complex *a, const int *pivots, double complex *b)
{
    for (int k = 0; k < n; k++)
        lu_exchange(&b[k], &b[pivots[k]]);
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++)
            b[i] -= a[i * n + j] * b[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= a[i * n + j] * b[j];
        b[i] = ml_complex_quotient(b[i], a[i * n + i]);
    }
}

/* A band matrix in the layout of ml_band_solve. */
struct band {
    int64_t n;
    int lower, upper; /* upper: with the room for pivoting */
    double *columns;
};

/* The place of A(i, j). */
static double *element(const struct band *a, int64_t i, int64_t j)
{
    return &a->columns[j * (a->lower + a->upper + 1) + a->upper + i - j];
}

static int64_t band_least(int64_t i, int64_t j) { return i < j ? i : j; }

static void exchange(double *x, double *y)
{
    const double before = *x;
    *x = *y;
    *y = before;
}

/* y += factor x. */
static void add_multiple(int64_t n, double factor, const double *x, double *y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = fma(factor, x[i], y[i]);
}

/* The row of the largest element of column j from the diagonal down. */
static int64_t pivot_of(const struct band *a, int64_t j)
{
    int64_t pivot = j;
    const int64_t end = band_least(j + a->lower + 1, a->n);
    for (int64_t i = j + 1; i < end; i++)
        if (fabs(*element(a, i, j)) > fabs(*element(a, pivot, j)))
            pivot = i;
    return pivot;
}

static int64_t band_factorise(const struct band *a, int64_t *pivots)
{
    int64_t end = 0; /* of the columns that rows up to j reach into */
    for (int64_t j = 0; j < a->n; j++) {
        const int64_t below = band_least(a->lower, a->n - 1 - j), pivot = pivot_of(a, j);
        pivots[j] = pivot;
        if (!(fabs(*element(a, pivot, j)) > 0.0))
            return j + 1;
        const int64_t reach = band_least(pivot + a->upper - a->lower + 1, a->n);
        end = reach > end ? reach : end;
        for (int64_t k = j; pivot != j && k < end; k++)
            exchange(element(a, j, k), element(a, pivot, k));
        double *column = element(a, j, j) + 1;
        const double reciprocal = 1.0 / column[-1];
        for (int64_t i = 0; i < below; i++)
            column[i] *= reciprocal;
        for (int64_t k = j + 1; k < end; k++)
            add_multiple(below, -*element(a, j, k), column, element(a, j, k) + 1);
    }
    return 0;
}

/* One right-hand side. */
static void substitute(const struct band *a, const int64_t *pivots, double *b)
{
    for (int64_t j = 0; j + 1 < a->n; j++) {
        if (pivots[j] != j)
            exchange(&b[j], &b[pivots[j]]);
        add_multiple(band_least(a->lower, a->n - 1 - j), -b[j], element(a, j, j) + 1, &b[j + 1]);
    }
    for (int64_t j = a->n - 1; j >= 0; j--) {
        const int64_t above = band_least(a->upper, j);
        b[j] /= *element(a, j, j);
        add_multiple(above, -b[j], element(a, j - above, j), &b[j - above]);
    }
}

int64_t ml_band_solve(int64_t n, int lower, int upper, int n_rhs, double *band, int64_t *pivots,
                      double *b)
{
    struct band a = {.n = n, .lower = lower, .upper = lower + upper};
    a.columns = band;
    const int64_t lacking = band_factorise(&a, pivots);
    for (int i = 0; i < n_rhs && lacking == 0; i++)
        substitute(&a, pivots, b + i * n);
    return lacking;
}
