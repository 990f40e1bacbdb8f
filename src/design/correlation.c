/* Mixes normal scores by the factor of their correlation matrix. */
#include "design/correlation.h"

#include <math.h>
#include <string.h>

#include "base/cholesky.h"

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
