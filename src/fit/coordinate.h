/* Numbers that a fit varies as coordinates z from 0 to 1, of a logarithmic range by the logarithm.
 */
#ifndef ML_FIT_COORDINATE_H
#define ML_FIT_COORDINATE_H

#include "config/sections/fit_spec.h"

/* The number in its unit of a coordinate z in 0 .. 1, its derivative by z, and z of a number. */
double ml_fit_number(const struct ml_fit_range *range, double z);
double ml_fit_scale(const struct ml_fit_range *range, double z);
double ml_fit_coordinate(const struct ml_fit_range *range, double number);

/* Of the numbers that vary an experiment: their derivatives by z.
 *   z       [n_range]
 *   scales  [n_direction] out */
void ml_fit_scales(const struct ml_fit_spec *fit, const struct ml_experiment *experiment,
                   const double *z, double *scales);

/* The distance of a number from the mean of its prior in standard deviations, those of the
 * logarithm with a lognormal prior, and its derivative by z. */
struct ml_fit_distance {
    double residual, slope;
};
struct ml_fit_distance ml_fit_prior(const struct ml_fit_range *range, double z);

/* The distances s of all priors at a point as independent residuals L^-1 s, 0 of numbers without.
 *   z          [n_range]
 *   residuals  [n_range] out
 *   jacobian   [n_range][n_range] out: d residual / dz */
void ml_fit_priors(const struct ml_fit_spec *fit, const double *z, double *residuals,
                   double *jacobian);

#endif
