/* A step that the lanes of a batch have taken, as a curve: the polynomial through the states and
 * rates at a few points of it. Everything that asks for the motion within a step asks here. */
#ifndef ML_ENGINE_STEP_H
#define ML_ENGINE_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "integrators/method.h"
#include "simd/layout.h"

enum { ML_STEP_POINTS = 6 };

/* Rows of ML_LANES. */
struct ml_step {
    double begin[ML_LANES], length[ML_LANES];               /* s */
    int n_point;                                            /* its ends among them */
    int n_row;                                              /* of a state */
    bool takes_rates;                                       /* else states alone make the curve */
    const double *x[ML_STEP_POINTS], *rate[ML_STEP_POINTS]; /* [n_row] at each point */
};

/* Shares of a step at which its n points are: those of Gauss and Lobatto. With rates errors are of
 * order 2 n in the step. */
const double *ml_step_points(int n);

/* How many points make a curve as exact as the method. */
int ml_step_n_point(const struct ml_method *method);

/* The state at these shares [1] of the step: x [n_row] out. */
void ml_step_state(const struct ml_step *step, const double *share, double *x);

#endif
