/* Direction numbers, and points of the Sobol sequence, by the Gray code of their index. */
#include "design/sobol.h"

#include <assert.h>
#include <stddef.h>

enum { MOST_DEGREE = 7 };

/* Primitive polynomial x^s + a_1 x^(s-1) + ... + a_(s-1) x + 1, `a` with a_1 as its highest bit,
 * and the first s direction integers m_1, ..., m_s. */
struct sobol_direction {
    int s;
    unsigned a;
    uint64_t m[MOST_DEGREE];
};

/* Dimensions 2 to 32; dimension 1 has all m_i = 1. */
static const struct sobol_direction directions[ML_SOBOL_DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
};

/* m_(k+1) from the s before it (Joe and Kuo's equation 2):
 * 2 a_1 m_k ^ 4 a_2 m_(k-1) ^ ... ^ 2^s m_(k+1-s) ^ m_(k+1-s). */
static uint64_t next(const struct sobol_direction *d, const uint64_t *m, int k)
{
    uint64_t value = m[k - d->s] ^ m[k - d->s] << d->s;
    for (int i = 1; i < d->s; i++)
        if (d->a >> (d->s - 1 - i) & 1)
            value ^= m[k - i] << i;
    return value;
}

uint64_t ml_sobol(uint64_t index, int dimension)
{
    assert(index < UINT64_C(1) << ML_SOBOL_BITS && dimension < ML_SOBOL_DIMENSIONS);
    const struct sobol_direction *d = dimension > 0 ? &directions[dimension - 1] : NULL;
    uint64_t gray = index ^ index >> 1, m[ML_SOBOL_BITS] = {0}, point = 0;
    for (int k = 0; k < ML_SOBOL_BITS && gray >> k; k++) {
        m[k] = !d ? 1 : k < d->s ? d->m[k] : next(d, m, k);
        if (gray >> k & 1)
            point ^= m[k] << (ML_SOBOL_BITS - 1 - k);
    }
    return point;
}
