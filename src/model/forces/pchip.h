/* Smooth curves through samples that rise and fall only where these do (PCHIP): piecewise cubic,
 * the derivative continuous, the second derivative not. */
#ifndef ML_MODEL_FORCES_PCHIP_H
#define ML_MODEL_FORCES_PCHIP_H

#include <stdint.h>

/* The cubic pieces through n >= 2 samples, whose times increase.
 *   cubic  [n - 1] by powers of the time since the piece's first sample, from the constant on */
void ml_pchip(int64_t n, const double *time, const double *value, double (*cubic)[4]);

#endif
