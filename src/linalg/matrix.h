/* Products of small square matrices, row after row. */
#ifndef ML_LINALG_MATRIX_H
#define ML_LINALG_MATRIX_H

#include <stddef.h>
#include <string.h>

/* out = a b, each [n][n] */
static inline void ml_matrix_multiply(int n, const double *a, const double *b, double *out)
{
    memset(out, 0, (size_t)(n * n) * sizeof *out);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                out[i * n + j] += a[i * n + k] * b[k * n + j];
}

static inline void ml_matrix_transpose(int n, const double *a, double *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[j * n + i] = a[i * n + j];
}

#endif
