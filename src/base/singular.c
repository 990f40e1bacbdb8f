/* One-sided Jacobi rotations. */
#include "base/singular.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static double singular_dot(int64_t m, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < m; i++)
        sum += a[i] * b[i];
    return sum;
}

static void rotate(int64_t m, double c, double s, double *a, double *b)
{
    for (int64_t i = 0; i < m; i++) {
        const double x = a[i], y = b[i];
        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
}

static void swap(int64_t m, double *a, double *b)
{
    for (int64_t i = 0; i < m; i++) {
        const double x = a[i];
        a[i] = b[i];
        b[i] = x;
    }
}

/* Makes two columns orthogonal; false if they are. */
static bool make_orthogonal(int64_t m, int n, double *a, double *b, double *v, double *w)
{
    const double rounding = 1e-15;
    const double aa = singular_dot(m, a, a), bb = singular_dot(m, b, b), ab = singular_dot(m, a, b);
    if (!(fabs(ab) > rounding * sqrt(aa) * sqrt(bb)))
        return false;
    const double zeta = (bb - aa) / (2.0 * ab);
    const double t = (zeta < 0.0 ? -1.0 : 1.0) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
    const double c = 1.0 / sqrt(1.0 + t * t);
    rotate(m, c, c * t, a, b);
    rotate(n, c, c * t, v, w);
    return true;
}

void ml_singular_values(int64_t m, int n, double *columns, double *values, double *vectors)
{
    enum { MOST_SWEEPS = 60 };
    bool has_moved = true;
    memset(vectors, 0, (size_t)n * (size_t)n * sizeof *vectors);
    for (int i = 0; i < n; i++)
        vectors[i * n + i] = 1.0;
    for (int sweep = 0; has_moved && sweep < MOST_SWEEPS; sweep++) {
        has_moved = false;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++)
                has_moved |= make_orthogonal(m, n, columns + i * m, columns + j * m,
                                             vectors + i * n, vectors + j * n);
    }
    for (int i = 0; i < n; i++)
        values[i] = sqrt(singular_dot(m, columns + i * m, columns + i * m));
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (values[j] > values[i]) {
                swap(1, &values[i], &values[j]);
                swap(m, columns + i * m, columns + j * m);
                swap(n, vectors + i * n, vectors + j * n);
            }
}
