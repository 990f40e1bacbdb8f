/* Whether accelerations are those of a motion or of the noise of its samples. */
#ifndef ML_INVERSE_NOISE_H
#define ML_INVERSE_NOISE_H

#include <stdint.h>

/* Doubles of scratch for n samples. */
int64_t ml_noise_work(int64_t n);

/* Share, 0 to 1, of the power of a curve (its mean square) above a frequency: what a low-pass
 * filter takes away. 0 if the samples are too few or too far apart to tell. interval   s, between
 * samples y          [n] frequency  Hz work       [ml_noise_work(n)] */
double ml_noise_share(int64_t n, double interval, const double *y, double frequency, double *work);

#endif
