/* The formula of a study's own system that has no value near a state. */
#ifndef ML_RUN_FORMULA_FAULT_H
#define ML_RUN_FORMULA_FAULT_H

#include "plan/study.h"

struct ml_formula_fault {
    bool is_there;
    bool is_of_domain; /* arguments outside of the function's domain; else numbers overflow */
    bool is_root;      /* the function is sqrt */
    const char *state; /* whose rate, or next value, has no value */
    char text[250];    /* "`sqrt(h)` where `h` is -2e-09" */
};

/* Looks at the state of a run, and along its rates up to `reach` s behind it.
 *   values  [n_value] of the run
 *   state   [rows of the state quantities]
 * Nothing is found of systems without formulas, with delays, or without memory. */
void ml_formula_fault_find(const struct ml_study *study, const double *values, const double *state,
                           double time, double reach, struct ml_formula_fault *out);

#endif
