/* Direction numbers, and points of the Sobol sequence, by the Gray code of their index. */
#include "design/sobol.h"

#include <assert.h>
#include <stddef.h>

enum { MOST_DEGREE = 13 };

/* Primitive polynomial x^s + a_1 x^(s-1) + ... + a_(s-1) x + 1, `a` with a_1 as its highest bit,
 * and the first s direction integers m_1, ..., m_s. */
struct sobol_direction {
    uint16_t s, a, m[MOST_DEGREE];
};

/* Dimensions 2 on; dimension 1 has all m_i = 1. */
static const struct sobol_direction directions[ML_SOBOL_DIMENSIONS - 1] = {
#include "design/sobol_numbers.def"
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
