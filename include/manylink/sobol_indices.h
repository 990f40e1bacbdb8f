/* Sobol' indices of an output from the runs of Saltelli's design. */
#ifndef MANYLINK_SOBOL_INDICES_H
#define MANYLINK_SOBOL_INDICES_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An estimate, and half of its 95 % interval: 1.96 standard deviations of the bootstrap. */
struct ml_sobol_index {
    double value, half;
};

struct ml_sobol_indices {
    size_t size;                          /* sizeof(struct ml_sobol_indices), set before */
    struct ml_sobol_index *first, *total; /* [n_input] of the caller */
    struct ml_sobol_index *second;        /* [n_input][n_input], row < column; NULL without these */
    int64_t n_complete;                   /* points of which all runs have a finite number */
    double variance;                      /* of the output over A and B */
};

/* Finds first-order indices, the mean of B (A_B - A) over the variance (Saltelli et al., Comput.
 * Phys. Commun. 181, 2010); total indices, half the mean of (A - A_B)^2 (Jansen, 1999); and of
 * second order the mean of B_A,i A_B,j - A B, less both of first order. Numbers are centred first.
 *   y           [n_point][2 + n_input], or with out->second [n_point][2 + 2 n_input]: A, A with one
 *               input of B, (B with one input of A,) B; changed: complete points come first
 *   n_resample  of the bootstrap, at least 2, whose numbers follow from a fixed seed
 * Returns 0 without memory, with fewer than two complete points, and where the output is the same
 * in all runs. Thread-safe. */
ML_API int ml_sobol_indices_find(double *y, int64_t n_point, int n_input, int n_resample,
                                 struct ml_sobol_indices *out);

#ifdef __cplusplus
}
#endif

#endif
