/* The functions of one instruction set, for code outside kernels: with the bits that kernels
 * give. */
#ifndef ML_SIMD_FUNCTIONS_H
#define ML_SIMD_FUNCTIONS_H

struct ml_function {
    const char *name;
    int n_argument; /* 1 or 2 */

    /* Values v and derivatives d of n rows, [n][ML_LANES], of arguments a and b, whose derivatives
     * are da and db; b and db are NULL where there is one argument. */
    void (*rows)(int n, const double *a, const double *da, const double *b, const double *db,
                 double *v, double *d);
};

#endif
