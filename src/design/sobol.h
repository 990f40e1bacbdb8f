/* Points of the Sobol sequence by their number.
 *
 * Direction numbers: S. Joe and F. Y. Kuo, Constructing Sobol sequences with better two-dimensional
 * projections, SIAM J. Sci. Comput. 30 (2008) 2635-2654, their file new-joe-kuo-6.21201. */
#ifndef ML_DESIGN_SOBOL_H
#define ML_DESIGN_SOBOL_H

#include <stdint.h>

enum { ML_SOBOL_DIMENSIONS = 1000, ML_SOBOL_BITS = 53 };

/* Coordinate `dimension` (from 0) of point `index` (< 2^53), times 2^53, in the order of Joe and
 * Kuo's program (Gray code). */
uint64_t ml_sobol(uint64_t index, int dimension);

#endif
