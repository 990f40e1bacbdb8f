/* Sums over a few equal stretches of a run whose length is not known beforehand: 16 to 32 of them,
 * from which follows the standard error of a mean of correlated numbers (Flyvbjerg, Petersen, Error
 * estimates on averages of correlated data, 1989). For *.kern.* files. */
#ifndef ML_ANALYSIS_BLOCK_SUMS_H
#define ML_ANALYSIS_BLOCK_SUMS_H

#include <stdbool.h>

#include "simd/lanes.h"

enum { ML_BLOCKS = 32, ML_LEAST_BLOCKS = ML_BLOCKS / 2 };

/* Numbers per block once `count` of them have come: a power of two. */
ML_INLINE int64_t ml_block_length(int64_t count)
{
    int64_t length = 1;
    while (length * ML_BLOCKS < count)
        length *= 2;
    return length;
}

/* Adds number `count` (from 0 on) of each of n sequences.
 *   sums   [ML_BLOCKS][n] rows
 *   value  [n] rows */
ML_INLINE void ml_blocks_add(int n, int64_t count, const double *value, double *sums)
{
    const int64_t length = ml_block_length(count + 1);
    if (count > 0 && length > ml_block_length(count)) /* all are full: two become one */
        for (int b = 0; b < ML_BLOCKS; b++)
            for (int i = 0; i < n; i++) {
                const bool is_left = b < ML_BLOCKS / 2;
                ml_vec two = ml_splat(0.0);
                if (is_left)
                    two = ml_load(sums, 2 * b * n + i) + ml_load(sums, (2 * b + 1) * n + i);
                ml_store(sums, b * n + i, two);
            }
    double *own = sums + count / length * n * ML_LANES;
    for (int i = 0; i < n; i++)
        ml_store(own, i, ml_load(own, i) + ml_load(value, i));
}

/* Standard error of the mean of one of n sequences, NaN of less than ML_LEAST_BLOCKS numbers.
 *   sums  at the row of the sequence in block 0 */
ML_INLINE ml_vec ml_blocks_error(int n, int64_t count, const double *sums)
{
    const int64_t length = ml_block_length(count), n_block = count / length;
    if (n_block < ML_LEAST_BLOCKS)
        return ml_splat((double)NAN);
    ml_vec mean = ml_splat(0.0), square = mean;
    for (int64_t b = 0; b < n_block; b++)
        mean += ml_load(sums, (int)b * n);
    mean /= (double)n_block;
    for (int64_t b = 0; b < n_block; b++) {
        ml_vec off = ml_load(sums, (int)b * n) - mean;
        square = ml_fma(off, off, square);
    }
    return ml_sqrt(square / (double)(n_block * (n_block - 1))) / (double)length;
}

#endif
