/* What an integrator is: one step of a first-order system dx/dt = f(t, x). */
#ifndef ML_INTEGRATORS_INTEGRATOR_H
#define ML_INTEGRATORS_INTEGRATOR_H

enum { ML_MAX_STAGE = 4 };

struct ml_integrator {
    const char *name, *doc;
    int order;      /* of the global error */
    int n_stage;    /* evaluations of f per step */
    int state_rows; /* scratch, in units of the state's rows */
    /* Coefficients of the polynomial R, lowest first: a step h takes x' = lambda x from x to
     * R(h lambda) x */
    double growth[ML_MAX_STAGE + 1];
};

#endif
