/* Orthonormal vectors from any, lane by lane. For *.kern.* files. */
#ifndef ML_LINALG_ORTHONORMALISE_H
#define ML_LINALG_ORTHONORMALISE_H

#include "linalg/solve.h"
#include "simd/lanes.h"

/* A = Q R, R upper triangular with a positive diagonal: Gram-Schmidt, each vector twice, which
 * leaves Q orthogonal to rounding (Giraud, Langou, Rozloznik, The loss of orthogonality in the
 * Gram-Schmidt orthogonalization process, 2005). A column of zeros, or that depends on those before
 * it, gives a small R_cc and no meaningful direction; with an R_cc of at most `least` times the
 * length of the column, both become 0.
 *   a  n_column vectors of n_row batched rows: A in, Q out
 *   r  [n_column(n_column+1)/2] batched rows out: R_pc at ml_tri(c, p), p <= c
 * Both point at the first lane of the vector. */
ML_INLINE void ml_orthonormalise(int n_row, int n_column, double least, double *a, double *r)
{
    const long size = (long)n_row * ML_LANES;
    for (int c = 0; c < n_column; c++) {
        double *own = a + c * size;
        for (int p = 0; p < c; p++)
            ml_store(r, ml_tri(c, p), ml_splat(0.0));
        for (int pass = 0; pass < 2; pass++)
            for (int p = 0; p < c; p++) {
                const double *other = a + p * size;
                ml_vec dot = ml_splat(0.0);
                for (int i = 0; i < n_row; i++)
                    dot = ml_fma(ml_load(other, i), ml_load(own, i), dot);
                for (int i = 0; i < n_row; i++)
                    ml_store(own, i, ml_fnma(dot, ml_load(other, i), ml_load(own, i)));
                ml_store(r, ml_tri(c, p), ml_load(r, ml_tri(c, p)) + dot);
            }
        ml_vec square = ml_splat(0.0);
        for (int i = 0; i < n_row; i++)
            square = ml_fma(ml_load(own, i), ml_load(own, i), square);
        ml_vec norm = ml_sqrt(square), reciprocal = 1.0 / norm;
        if (least > 0.0) {
            ml_vec length = square;
            for (int p = 0; p < c; p++)
                length = ml_fma(ml_load(r, ml_tri(c, p)), ml_load(r, ml_tri(c, p)), length);
            const ml_mask is_zero = (ml_mask)(square <= least * least * length);
            norm = ml_select(is_zero, ml_splat(0.0), norm);
            reciprocal = ml_select(is_zero, ml_splat(0.0), reciprocal);
        }
        ml_store(r, ml_tri(c, c), norm);
        for (int i = 0; i < n_row; i++)
            ml_store(own, i, ml_load(own, i) * reciprocal);
    }
}

#endif
