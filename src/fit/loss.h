/* Losses of a fit: rho((r / scale)^2) in place of squared residuals r. */
#ifndef ML_FIT_LOSS_H
#define ML_FIT_LOSS_H

#include "config/sections/fit_spec.h"

/* At a residual: rho scale^2, its weight rho', and the derivative of r rho' by r. */
struct ml_loss_value {
    double cost, weight, slope;
};

/*   scale  beyond which residuals count less; 0: their squares count */
struct ml_loss_value ml_loss_at(enum ml_fit_loss loss, double scale, double residual);

/* The scale in standard deviations of the noise, by which estimates from normal noise have 95 % of
 * the efficiency of least squares, or a little less. */
double ml_loss_tuning(enum ml_fit_loss loss);

#endif
