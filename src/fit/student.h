/* Quantiles of Student's distribution. */
#ifndef ML_FIT_STUDENT_H
#define ML_FIT_STUDENT_H

#include <stdint.h>

/* t with a probability of 0.975 below, of `dof` degrees of freedom, >= 1: exact up to 8, then by
 * the expansion of Abramowitz and Stegun 26.7.5, to 1e-6. */
double ml_student_975(int64_t dof);

#endif
