/* Tangent vectors of an earlier time, in terms of the present orthonormal vectors: the
 * product of the factors R since then, upper triangular like each of them. Columns are stored one
 * after the other, entry (p, c) in row ml_tri(c, p). For *.kern.* files. */
#ifndef ML_ANALYSIS_TRIANGLE_H
#define ML_ANALYSIS_TRIANGLE_H

#include "linalg/solve.h"
#include "simd/lanes.h"

ML_INLINE void ml_triangle_unit(int n, double *a)
{
    for (int c = 0; c < n; c++)
        for (int p = 0; p <= c; p++)
            ml_store(a, ml_tri(c, p), ml_splat(p == c ? 1.0 : 0.0));
}

/* a = r a, of the first n columns. */
ML_INLINE void ml_triangle_multiply(int n, const double *r, double *a)
{
    for (int c = 0; c < n; c++)
        for (int p = 0; p <= c; p++) { /* from the top: the rows below are still unread */
            ml_vec sum = ml_load(r, ml_tri(p, p)) * ml_load(a, ml_tri(c, p));
            for (int j = p + 1; j <= c; j++)
                sum = ml_fma(ml_load(r, ml_tri(j, p)), ml_load(a, ml_tri(c, j)), sum);
            ml_store(a, ml_tri(c, p), sum);
        }
}

/* Sum of squares of columns first .. end - 1. */
ML_INLINE ml_vec ml_triangle_square(int first, int end, const double *a)
{
    ml_vec square = ml_splat(0.0);
    for (int i = ml_tri(first, 0); i < ml_tri(end, 0); i++)
        square = ml_fma(ml_load(a, i), ml_load(a, i), square);
    return square;
}

/* Multiplies columns first .. end - 1. */
ML_INLINE void ml_triangle_scale(int first, int end, ml_vec by, double *a)
{
    for (int i = ml_tri(first, 0); i < ml_tri(end, 0); i++)
        ml_store(a, i, ml_load(a, i) * by);
}

/* a = r a, each column scaled to length 1, in lanes where vectors have changed.
 *   span  as of ml_renormalisation */
ML_INLINE void ml_triangle_turn(int n, ml_vec span, const double *r, double *a)
{
    const ml_mask has_changed = (ml_mask)(span > 0.0);
    ml_triangle_multiply(n, r, a);
    for (int c = 0; c < n; c++) {
        const ml_vec size = ml_sqrt(ml_triangle_square(c, c + 1, a));
        ml_triangle_scale(c, c + 1, ml_select(has_changed, 1.0 / size, ml_splat(1.0)), a);
    }
}

#endif
