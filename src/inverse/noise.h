/* Whether accelerations are those of a motion or of the noise of its samples. */
#ifndef ML_INVERSE_NOISE_H
#define ML_INVERSE_NOISE_H

#include <stdint.h>

/* Doubles of scratch for n samples. */
int64_t ml_noise_work(int64_t n);

/* Frequency [Hz] above which accelerations are those of noise: 10, which is faster than people
 * move, but at most a third of the samples' rate, as nothing is above the half; 0 below 20 samples
 * per second, which are too few to judge.
 *   interval  s, between samples */
double ml_noise_frequency(double interval);

/* Share, 0 to 1, of the power of an acceleration (its mean square) that a low-pass filter at a
 * frequency takes away. Some samples at either end are left out: a spline is worst there, and slow.
 * 0 if there are too few.
 *   interval   s, between samples
 *   y          [n]
 *   frequency  Hz, below half of the samples' rate; 0: the share is 0
 *   work       [ml_noise_work(n)] */
double ml_noise_share(int64_t n, double interval, const double *y, double frequency, double *work);

#endif
