/* Whether the step of an ensemble is one that its integrator is stable with. */
#ifndef ML_ENGINE_STABILITY_H
#define ML_ENGINE_STABILITY_H

#include "engine/team/ensemble.h"

/* The reason why a step is too large. */
struct ml_instability {
    bool is_there;   /* false: nothing was found, and the rest means nothing */
    int64_t run;     /* the one with the smallest `largest` of those looked at */
    double time;     /* s, of the state where that is so */
    int force;       /* of the ensemble, without which it is not so; -1: no single one */
    bool is_engaged; /* that force acts on one side only, and was taken as acting there */
    double step;     /* s, of that run */
    double product;  /* |step lambda|, lambda the eigenvalue that grows though it should not */
    double limit;   /* |h lambda| up to which the integrator is stable in the direction of lambda */
    double largest; /* s, largest step with which no part grows that should not */
};

/* Looks at some of the first states of some runs: at the eigenvalues lambda of the derivative of
 * dx/dt by x, as the study has it and with each force that acts on one side only acting. A part of
 * the motion grows that should not if |R(step lambda)|, the factor by which one step multiplies it,
 * is above 1 where lambda says that it decays or keeps its size, by so much that it at least
 * doubles within the run; or is above exp(Re step lambda) by a fifth where it should grow. n, runs
 * 1 to ML_LANES of the ensemble's. Large systems, of more than some tens of state rows, are not
 * looked at. The work is bounded: some ten milliseconds. ML_E_MEMORY on failure. */
enum ml_status ml_ensemble_instability(const struct ml_ensemble *ensemble, int n,
                                       const int64_t *runs, struct ml_instability *out,
                                       struct ml_error *err);

/* The instability of a run that has diverged, which is integrated again, at some of the states
 * before it fails: for stiffness that comes later. Systems of up to some hundred rows; nothing is
 * found where that takes more than a second or two. */
enum ml_status ml_ensemble_instability_before(const struct ml_ensemble *ensemble, int64_t run,
                                              struct ml_instability *out, struct ml_error *err);

/* Finds what bounds the step: the eigenvalue with the smallest stable step, judged as if one step
 * were as long as the run. n, runs as above.
 *   out->largest  largest stable step, s
 *   out->force    what bounds it, -1: the system itself
 * out->is_there is false for linearly implicit methods, systems of more than some tens of state
 * rows, runs with steps of their own, and where no step up to the run's length is unstable.
 * ML_E_MEMORY on failure. */
enum ml_status ml_ensemble_stiffest(const struct ml_ensemble *ensemble, int n, const int64_t *runs,
                                    struct ml_instability *out, struct ml_error *err);

/* The instability at the start of one run alone. */
enum ml_status ml_ensemble_stiffness(const struct ml_ensemble *ensemble, int64_t run,
                                     struct ml_instability *out, struct ml_error *err);

/* Found in a batch of runs from all over the ensemble, over some of their first steps. */
struct ml_growth_rate {
    double spread;       /* 1/s, largest mean of ln R_11 - ln R_kk, k the last vector looked at, or
                            of ln R_11 if that is larger */
    double swing;        /* 1/s, largest mean of |ln R_ii| of single steps */
    int64_t quiet_steps; /* fewest in which a vector grew or shrank, or the first grew away from the
                            last, by a factor of 1e6; those looked at if none did */
};

/* Growth rates of the ensemble's first n_tangent tangent vectors; the same on every instruction
 * set. ML_E_MEMORY on failure. */
enum ml_status ml_ensemble_growth_rate(const struct ml_ensemble *ensemble,
                                       struct ml_growth_rate *out, struct ml_error *err);

#endif
