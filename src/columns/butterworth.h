/* Low-pass filter for measured angles and forces: a digital Butterworth filter run forwards and
 * backwards, so that nothing is delayed.
 *
 * One pass is SciPy's butter(order, cutoff, fs = 1/interval), by the bilinear transform with the
 * cutoff prewarped, in sections of second order; both are its filtfilt, with its default ends: 3
 * (order + 1) samples turned about the first and the last one (odd), each pass begun as if the
 * first number had always been there. The two passes have the gain 1 / (1 + w^(2 order)), w =
 * tan(pi f interval) / tan(pi cutoff interval): 1/2 at the cutoff, which is not corrected. */
#ifndef ML_COLUMNS_BUTTERWORTH_H
#define ML_COLUMNS_BUTTERWORTH_H

#include <stdint.h>

enum { ML_MOST_FILTER_ORDER = 8 };

/* Samples that the filter needs at least. */
int64_t ml_butterworth_least(int order);

/* Filters in place.
 *   order   of one pass, 1 to ML_MOST_FILTER_ORDER
 *   cutoff  over the sampling rate, > 0 and < 1/2
 *   n       samples, at least ml_butterworth_least(order)
 *   y       [n]
 *   work    [n + 2 (ml_butterworth_least(order) - 1)] scratch */
void ml_butterworth(int order, double cutoff, int64_t n, double *y, double *work);

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
