/* Discrete Fourier transforms of any length, without functions of a mathematical library: the same
 * bits on every machine. */
#ifndef ML_STATISTICS_FOURIER_H
#define ML_STATISTICS_FOURIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ml_complex {
    double re, im;
};

/* Tables and room of transforms of n numbers. */
struct ml_fourier {
    size_t n, m;                      /* m: the power of two that is 2 n - 1 at least */
    struct ml_complex *root;          /* [m/2] exp(-2 pi i k/m) */
    struct ml_complex *chirp;         /* [n] exp(-i pi k^2/n) */
    struct ml_complex *filter, *room; /* [m] */
};

/* False without memory; 0 < n < 2^31. To be freed in any case. */
bool ml_fourier_make(struct ml_fourier *fourier, size_t n);
void ml_fourier_free(struct ml_fourier *fourier);

/* x[k] becomes the sum of x[j] exp(-2 pi i j k/n), [n]; and the inverse of that. */
void ml_fourier_forward(struct ml_fourier *fourier, struct ml_complex *x);
void ml_fourier_inverse(struct ml_fourier *fourier, struct ml_complex *x);

#endif
