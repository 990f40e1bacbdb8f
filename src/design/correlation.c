/* Mixes normal scores by the factor of their correlation matrix. */
#include "design/correlation.h"

#include <math.h>
#include <string.h>

#include "base/cholesky.h"
#include "base/singular.h"

static const double least_pivot = 1e-10;

/* L of R with coefficients times `share`; false where R is not positive definite.
 *   factor  [n][n] out */
static bool factorise(const struct ml_correlation *c, double share, double *factor)
{
    const int n = c->n;
    memset(factor, 0, (size_t)n * (size_t)n * sizeof *factor);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            factor[i * n + j] = (i == j ? 1.0 : share) * c->matrix[i * n + j];
    return ml_cholesky_factorise(n, n, least_pivot, factor);
}

bool ml_correlation_is_any(const struct ml_correlation *correlation)
{
    const int n = correlation->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (correlation->matrix[i * n + j] != 0.0)
                return true;
    return false;
}

bool ml_correlation_factorise(struct ml_correlation *correlation)
{
    return factorise(correlation, 1.0, correlation->factor);
}

double ml_correlation_share(const struct ml_correlation *correlation)
{
    double low = 0.0, high = 1.0;
    while (high - low > 1e-3) {
        const double share = 0.5 * (low + high);
        if (factorise(correlation, share, correlation->factor))
            low = share;
        else
            high = share;
    }
    return low;
}

/* The nearest matrix with eigenvalues of `least` at least, in place. The singular values of a
 * matrix that is shifted to be positive definite are its eigenvalues.
 *   columns, vectors, values  [n][n], [n][n], [n] scratch */
static void project(int n, double least, double *matrix, double *columns, double *vectors,
                    double *values)
{
    double shift = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += fabs(matrix[i * n + j]);
        shift = fmax(shift, sum);
    }
    memcpy(columns, matrix, (size_t)n * (size_t)n * sizeof *columns);
    for (int i = 0; i < n; i++)
        columns[i * n + i] += shift;
    ml_singular_values(n, n, columns, values, vectors);
    for (int k = 0; k < n; k++) {
        const double raise = fmax(least - (values[k] - shift), 0.0), *v = vectors + k * n;
        for (int i = 0; raise > 0.0 && i < n; i++)
            for (int j = 0; j < n; j++)
                matrix[i * n + j] += raise * v[i] * v[j];
    }
}

/* The nearest matrix with a diagonal of 1 and eigenvalues of about `least` at least. */
static bool nearest(const struct ml_correlation *c, double least, double *matrix, double *work)
{
    enum { MOST_PROJECTIONS = 2000 };
    const double moved_least = 1e-7;
    const int n = c->n, size = n * n;
    double *correction = work, *columns = work + size, *vectors = columns + size,
           *values = vectors + size, moved = 1.0;
    memcpy(matrix, c->matrix, (size_t)size * sizeof *matrix);
    memset(correction, 0, (size_t)size * sizeof *correction);
    for (int count = 0; count < MOST_PROJECTIONS && moved > moved_least; count++) {
        for (int i = 0; i < size; i++) {
            matrix[i] -= correction[i];
            correction[i] = matrix[i];
        }
        project(n, least, matrix, columns, vectors, values);
        for (int i = 0; i < size; i++)
            correction[i] = matrix[i] - correction[i];
        moved = 0.0;
        for (int i = 0; i < n; i++) {
            moved = fmax(moved, fabs(matrix[i * n + i] - 1.0));
            matrix[i * n + i] = 1.0;
        }
    }
    return moved <= moved_least;
}

bool ml_correlation_nearest(const struct ml_correlation *correlation, double *matrix, double *work)
{
    const double decimals = 1e4;
    struct ml_correlation rounded = {correlation->n, matrix, correlation->factor};
    for (int doublings = 0; doublings < 10; doublings++) {
        if (!nearest(correlation, ldexp(1.0 / decimals, doublings), matrix, work))
            return false;
        for (int i = 0; i < rounded.n * rounded.n; i++)
            matrix[i] = nearbyint(matrix[i] * decimals) / decimals;
        if (ml_correlation_factorise(&rounded))
            return true;
    }
    return false;
}

void ml_correlation_remove(struct ml_correlation *correlation, int i)
{
    const int n = correlation->n;
    double *to = correlation->matrix;
    if (n == 0)
        return;
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++)
            if (row != i && column != i)
                *to++ = correlation->matrix[row * n + column];
    correlation->n--;
    if (!ml_correlation_is_any(correlation))
        correlation->n = 0;
    (void)ml_correlation_factorise(correlation); /* a principal minor is positive definite too */
}

double ml_rank_correlation(double r) { return 1.909859317102744 * asin(0.5 * r); /* 6/pi */ }

struct ml_probability ml_correlated(const struct ml_correlation *correlation, int i,
                                    double (*u)(const void *context, int j), const void *context)
{
    const double *row = correlation->factor + (size_t)i * (size_t)correlation->n;
    long double z = 0.0L;
    if (row[i] == 1.0) /* it depends on no other */
        return ml_probability_of(u(context, i));
    for (int j = 0; j <= i; j++)
        if (row[j] != 0.0)
            z += (long double)row[j] * ml_normal_quantile(ml_probability_of(u(context, j)));
    return ml_normal_probability(z);
}

long double ml_correlated_score(const struct ml_correlation *correlation, int i,
                                const double *scores)
{
    long double z = 0.0L;
    for (int j = 0; j < correlation->n && j <= i; j++)
        z += (long double)correlation->factor[i * correlation->n + j] * (long double)scores[j];
    return correlation->n > 0 ? z : (long double)scores[i];
}
