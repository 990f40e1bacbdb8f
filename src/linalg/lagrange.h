/* Interpolation by Lagrange's polynomial. */
#ifndef ML_LINALG_LAGRANGE_H
#define ML_LINALG_LAGRANGE_H

/* Weights of the values at n places, whose sum of products is the polynomial at x.
 *   at       [n] places, distinct
 *   weights  [n] */
static inline void ml_lagrange_weights(int n, const double *at, double x, double *weights)
{
    for (int i = 0; i < n; i++) {
        weights[i] = 1.0;
        for (int j = 0; j < n; j++)
            weights[i] *= j == i ? 1.0 : (x - at[j]) / (at[i] - at[j]);
    }
}

#endif
