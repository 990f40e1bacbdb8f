/* Residual analysis of a measured curve (D. A. Winter, Biomechanics and Motor Control of Human
 * Movement, 4th ed., 2009): the root mean square R(f) of the change by a low-pass
 * filter with cutoff f. At high cutoffs the filter removes noise alone, and R falls along a line,
 * whose value at 0 Hz is the size of all noise. The cutoff is the frequency at which R has that
 * value: the signal that is lost is then as large as the noise that stays.
 *
 * The book draws the line by eye; here it is that of least squares through R at cutoffs that are
 * evenly spaced from an eighth to a quarter of the samples' rate. The filter is that of a study
 * with `order: 2`. */
#ifndef ML_INVERSE_RESIDUAL_H
#define ML_INVERSE_RESIDUAL_H

#include <stdint.h>

/* Least rate, Hz: below, the line would go through frequencies that people move at. */
#define ML_RESIDUAL_LEAST_RATE 60.0

struct ml_residual {
    double noise;  /* of the line at 0 Hz, in the unit of the curve */
    double cutoff; /* Hz, below an eighth of the rate; NaN: R has no such value there */
};

/* Samples that the analysis takes at least, and doubles of scratch for n of them. */
int64_t ml_residual_least(void);
int64_t ml_residual_work(int64_t n);

/* Analyses one curve.
 *   rate  Hz, of the samples, at least ML_RESIDUAL_LEAST_RATE
 *   y     [n], n >= ml_residual_least()
 *   work  [ml_residual_work(n)] */
struct ml_residual ml_residual_find(int64_t n, double rate, const double *y, double *work);

#endif
