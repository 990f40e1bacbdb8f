/* Linear equations with complex matrices, lane by lane. For *.kern.* files. */
#ifndef ML_LINALG_COMPLEX_SOLVE_H
#define ML_LINALG_COMPLEX_SOLVE_H

#include "simd/lanes.h"

struct ml_complex_vec {
    ml_vec re, im;
};

ML_INLINE struct ml_complex_vec ml_complex_load(const double *a, int i)
{
    return (struct ml_complex_vec){ml_load(a, 2 * i), ml_load(a, 2 * i + 1)};
}

ML_INLINE void ml_complex_store(double *a, int i, struct ml_complex_vec z)
{
    ml_store(a, 2 * i, z.re);
    ml_store(a, 2 * i + 1, z.im);
}

ML_INLINE ml_vec ml_complex_squares(struct ml_complex_vec z) { return z.re * z.re + z.im * z.im; }

/* a_i -= factor b, for entry i. */
ML_INLINE void ml_complex_subtract(double *a, int i, struct ml_complex_vec factor,
                                   struct ml_complex_vec b)
{
    const struct ml_complex_vec z = ml_complex_load(a, i);
    ml_complex_store(a, i,
                     (struct ml_complex_vec){z.re - (factor.re * b.re - factor.im * b.im),
                                             z.im - (factor.re * b.im + factor.im * b.re)});
}

/* a / b, as ml_complex_quotient. */
ML_INLINE struct ml_complex_vec ml_complex_divide(struct ml_complex_vec a, struct ml_complex_vec b)
{
    const ml_vec square = ml_complex_squares(b);
    return (struct ml_complex_vec){(a.re * b.re + a.im * b.im) / square,
                                   (a.im * b.re - a.re * b.im) / square};
}

/* Exchanges rows k and i, from column k on, in the lanes in which row i has the larger entry. */
ML_INLINE void ml_complex_pivot(int stride, double *a, int k, int i)
{
    const ml_mask is_larger = (ml_mask)(ml_complex_squares(ml_complex_load(a, i * stride + k)) >
                                        ml_complex_squares(ml_complex_load(a, k * stride + k)));
    if (ml_bits(is_larger) == 0)
        return;
    for (int j = 2 * k; j < 2 * stride; j++) {
        const ml_vec upper = ml_load(a, 2 * k * stride + j), lower = ml_load(a, 2 * i * stride + j);
        ml_store(a, 2 * k * stride + j, ml_select(is_larger, lower, upper));
        ml_store(a, 2 * i * stride + j, ml_select(is_larger, upper, lower));
    }
}

/* Solves A X = B by Gaussian elimination with partial pivoting in each lane, with the bits of
 * ml_lu_factor and ml_lu_solve where no two entries are the largest.
 *   a  [n][n + n_rhs] pairs of batched rows, real and imaginary parts: A and B in; X in place of B
 *      out, not finite in lanes without a pivot. Points at the first lane of the vector */
ML_INLINE void ml_complex_solve(int n, int n_rhs, double *a)
{
    const int stride = n + n_rhs;
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++)
            ml_complex_pivot(stride, a, k, i);
        for (int i = k + 1; i < n; i++) {
            const struct ml_complex_vec factor = ml_complex_divide(
                ml_complex_load(a, i * stride + k), ml_complex_load(a, k * stride + k));
            for (int j = k + 1; j < stride; j++)
                ml_complex_subtract(a, i * stride + j, factor, ml_complex_load(a, k * stride + j));
        }
    }
    for (int i = n - 1; i >= 0; i--)
        for (int r = n; r < stride; r++) {
            for (int j = i + 1; j < n; j++)
                ml_complex_subtract(a, i * stride + r, ml_complex_load(a, i * stride + j),
                                    ml_complex_load(a, j * stride + r));
            ml_complex_store(a, i * stride + r,
                             ml_complex_divide(ml_complex_load(a, i * stride + r),
                                               ml_complex_load(a, i * stride + i)));
        }
}

#endif
