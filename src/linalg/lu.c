/* LU factorisation of a complex matrix. Quotients are taken by real arithmetic: a compiler's own
 * complex division is not the same everywhere. */
#include "linalg/lu.h"

#include <math.h>

static double square_of(double complex z) { return creal(z) * creal(z) + cimag(z) * cimag(z); }

double complex ml_lu_quotient(double complex a, double complex b)
{
    const double complex c = a * conj(b);
    const double square = square_of(b);
    return ml_complex(creal(c) / square, cimag(c) / square);
}

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
        if (square_of(a[i * n + k]) > square_of(a[best * n + k]))
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
        const double size = sqrt(square_of(pivot));
        if (!(size > 0.0 && isfinite(size)))
            return 0.0;
        direction *= ml_complex(creal(pivot) / size, cimag(pivot) / size);
        if (pivots[k] != k)
            direction = -direction;
        for (int i = k + 1; i < n; i++) {
            const double complex factor = ml_lu_quotient(a[i * n + k], pivot);
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
        b[i] = ml_lu_quotient(b[i], a[i * n + i]);
    }
}
