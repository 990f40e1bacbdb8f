/* A study's equations at one state: rates and their derivatives, the terms of M q'' = f, energies.
 */
#ifndef MANYLINK_EVALUATE_H
#define MANYLINK_EVALUATE_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/status.h"
#include "manylink/study.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Degrees of freedom of a system of the form M q'' = f: M is [n][n], and the state is q, then q'. 0
 * of a system of another form. */
ML_API int ml_study_freedom(const struct ml_study *study);

/* The point of evaluation. A field that is 0 or NULL is as at the start of the first run. */
struct ml_evaluate_options {
    size_t size;               /* sizeof(struct ml_evaluate_options) */
    int64_t run;               /* whose parameters are taken */
    const double *state;       /* [n_state] in the order of ml_study_state; NULL: the run's start */
    int has_time;              /* not 0: at `time`, s; else when the study starts */
    double time;               /* of forces that follow time */
    const char *const *params; /* [n_param] keys as a sweep names them: "system.gravity" */
    int n_param;
};

/* Outputs: arrays of the caller in row order, NULL for an array that is not wanted. Units are SI, n
 * = ml_study_freedom, n_state is the sum of the sizes by ml_study_state. */
struct ml_evaluation {
    size_t size;            /* sizeof(struct ml_evaluation) */
    double *state;          /* [n_state] */
    double *rates;          /* [n_state] of its change, per s */
    double *rates_by_state; /* [n_state][n_state] d rates[i] / d state[j] */
    double *rates_by_param; /* [n_state][n_param] d rates[i] / d params[j]; numbers derived from a
                               parameter change with that parameter */
    /* M q'' = c + g + q + d + e, of a system of that form: */
    double *m;   /* [n][n] */
    double *c;   /* [n] centrifugal and Coriolis terms */
    double *g;   /* [n] weight */
    double *q;   /* [n] within the system: joint torques, springs */
    double *d;   /* [n] dampers */
    double *e;   /* [n] forces from outside: ground, point forces, a motion of the support */
    double *qdd; /* [n] q'' */
    double kinetic, potential; /* out, J; NaN if the system has none */
    const char *mass_unit;     /* out, of M; NULL of a system without. Static */
    const char *force_unit;    /* out, the same of c, g, q, d and e */
};

/* Evaluates. Derivatives are exact where the system has tangents in closed form (`manylink list
 * systems`), central differences, good to some 1e-10, where it has none. Thread-safe. ML_E_INPUT if
 * there is no such run or parameter, the run cannot start, M is not positive definite, or terms of
 * M q'' = f are wanted of a system that has none. */
ML_API enum ml_status ml_evaluate(const struct ml_study *study,
                                  const struct ml_evaluate_options *options,
                                  struct ml_evaluation *out, struct ml_error *err);

/* Path of number i of a run, of those that derivatives can be by; NULL past the last. Borrowed. */
ML_API const char *ml_study_number(const struct ml_study *study, int i);

/* Compares derivatives of dx/dt by every number of a run, as they are advanced with it, with
 * differences of dx/dt, at the start of the run: a test of systems and forces.
 *   error      [numbers] largest difference of the two over the largest derivative plus the size of
 *              dx/dt per size of the number: some 1e-11 if both are right
 *   is_closed  out: whether derivatives by the state are in closed form; 0: central differences.
 *              May be NULL
 * Thread-safe. ML_E_INPUT if there is no such run, or a controller acts on past states. */
ML_API enum ml_status ml_study_check_derivatives(const struct ml_study *study, int64_t run,
                                                 double *error, int *is_closed,
                                                 struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
