/* Largest singular value of small matrices, lane by lane. For *.kern.* files. */
#ifndef ML_ANALYSIS_SINGULAR_VALUES_H
#define ML_ANALYSIS_SINGULAR_VALUES_H

#include "simd/lanes.h"

/* Turns two columns of n rows so that they become orthogonal. */
ML_INLINE void ml_jacobi_pair(int n, double *p, double *q)
{
    ml_vec pp = ml_splat(0.0), qq = pp, pq = pp;
    for (int i = 0; i < n; i++) {
        ml_vec a = ml_load(p, i), b = ml_load(q, i);
        pp = ml_fma(a, a, pp);
        qq = ml_fma(b, b, qq);
        pq = ml_fma(a, b, pq);
    }
    ml_mask is_done = (ml_mask)(pq == 0.0);
    ml_vec zeta = (qq - pp) / ml_select(is_done, ml_splat(1.0), pq + pq);
    ml_vec size = 1.0 / (ml_abs(zeta) + ml_sqrt(ml_fma(zeta, zeta, ml_splat(1.0))));
    ml_vec t = ml_select((ml_mask)(zeta < 0.0), -size, size);
    t = ml_select(is_done, ml_splat(0.0), t);
    ml_vec c = 1.0 / ml_sqrt(ml_fma(t, t, ml_splat(1.0))), s = c * t;
    for (int i = 0; i < n; i++) {
        ml_vec a = ml_load(p, i), b = ml_load(q, i);
        ml_store(p, i, ml_fnma(s, b, c * a));
        ml_store(q, i, ml_fma(s, a, c * b));
    }
}

/* Largest singular value of a, [n columns][n rows], whose columns become orthogonal: one-sided
 * Jacobi rotations (Hestenes 1958; Golub, Van Loan, Matrix Computations, section 8.6.3). The number
 * of sweeps is fixed: they converge quadratically. */
ML_INLINE ml_vec ml_largest_singular_value(int n, double *a)
{
    const int n_sweep = 10;
    ml_vec largest = ml_splat(0.0);
    for (int sweep = 0; sweep < n_sweep; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                ml_jacobi_pair(n, a + (long)p * n * ML_LANES, a + (long)q * n * ML_LANES);
    for (int c = 0; c < n; c++) {
        ml_vec square = ml_splat(0.0);
        for (int i = 0; i < n; i++)
            square = ml_fma(ml_load(a, c * n + i), ml_load(a, c * n + i), square);
        ml_vec length = ml_sqrt(square);
        largest = ml_select((ml_mask)(length <= largest), largest, length); /* NaN stays */
    }
    return largest;
}

#endif
