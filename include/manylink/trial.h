/* Trials: the bare motion of some of a study's runs by any integrator, with any steps and on a
 * chosen kernel. Result: end states, counts of the work, and CPU time. */
#ifndef MANYLINK_TRIAL_H
#define MANYLINK_TRIAL_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/kernel.h"
#include "manylink/status.h"
#include "manylink/study.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A study's motion, ready to be integrated: without tangent vectors, indicators and trajectories,
 * and with those of its events that move or end runs. */
struct ml_trial;

/* Opens the motion of a study.
 *   study  borrowed until ml_trial_free
 *   out    freed with ml_trial_free; NULL on failure
 * ML_E_INPUT if runs of the study cannot be integrated by another method, each by itself and all
 * over the same time: maps, `continue`, delays, swept times. Thread-safe. */
ML_API enum ml_status ml_trial_open(const struct ml_study *study, struct ml_trial **out,
                                    struct ml_error *err);
ML_API void ml_trial_free(struct ml_trial *trial); /* NULL is allowed */

/* The motion of a study, and the parts of the study that trials leave out. */
struct ml_trial_info {
    size_t size;         /* sizeof(struct ml_trial_info) */
    double start, end;   /* s, of every run */
    int64_t ticks;       /* between these, where steps are chosen by tolerance */
    int n_state;         /* numbers of an end state: all of ml_study_state */
    int tangents;        /* tangent vectors of the study */
    int is_end_only;     /* the study measures nothing on the way and keeps none of the motion */
    int is_compensated;  /* the study's sums over steps are compensated, and so are all trials' */
    int carries_tangent; /* implicit methods can carry tangent vectors of the study's system, or
                            `analyse` asks for no indicator; 0: implicit methods suit trials only */
    const char *isa;     /* instruction set. Static */
};
ML_API void ml_trial_info(const struct ml_trial *trial, struct ml_trial_info *info);

/* An integrator of trials. */
struct ml_trial_method {
    size_t size;      /* sizeof(struct ml_trial_method) */
    const char *name; /* static */
    int order;
    int is_adaptive;      /* has an estimate of its error: its steps are chosen by tolerance */
    int is_implicit;      /* solves linear equations with the Jacobian */
    int step_evaluations; /* of the equations of motion, in a given step */
};

/* Integrator i, from 0 on, in the order of `manylink list integrators`, without maps; 0 past the
 * last. Thread-safe. */
ML_API int ml_trial_method(int i, struct ml_trial_method *method);

/* How runs are integrated. A field that is 0 or NULL has its default. */
struct ml_trial_options {
    size_t size;            /* sizeof(struct ml_trial_options) */
    const char *integrator; /* name of an ml_trial_method */
    double tolerance;       /* relative and absolute; 0: n_step steps of one length */
    int64_t n_step;         /* at least 1, unless a tolerance is given */
    const int64_t *runs;    /* [n_run] numbers of the runs, from 0 on; any order */
    int n_run;              /* at least 1 */
    int is_compensated;     /* not 0: sums over steps are compensated, whatever the study says */
    int rounds;             /* integrations, of which the least time counts; 0: one */
    double patience;        /* s of CPU time, of all rounds; 0: without limit */
    int (*stop)(void *context); /* NULL, or as of ml_run */
    void *context;              /* of `stop` */
};

/* Results, in arrays of the caller; NULL where an array is not wanted. */
struct ml_trial_outcome {
    size_t size;     /* sizeof(struct ml_trial_outcome) */
    double *end;     /* [n_run][n_state] end states, in the units and the order of ml_study_state;
                        NaN of a run that failed */
    int8_t *outcome; /* [n_run] enum ml_outcome */
    double *evaluations; /* [n_run] of the equations of motion; a Jacobian counts one for each
                            number of the state */
    double *steps;       /* [n_run] accepted */
    double *rejected;    /* [n_run] 0 with given steps */
    double *residual;    /* [n_run] output sweep_residual; 0 of a method without sweeps */
    double *drift;       /* [n_run] output energy_drift; NaN of a system without energy */
    double seconds;      /* out: CPU time per run, least of the rounds, runs side by side in lanes
                            as in a study */
    int is_late;         /* out: `patience` was over before the end; the arrays are unchanged */
    int converges;       /* out: 0: the sweeps of an implicit method left more than 1e-6 */
};

/* Integrates runs on the calling thread. End states have the bits of a study with the same
 * integrator and steps. Several threads may integrate the same trial at once.
 * ML_E_INPUT for an unknown integrator or run, and for a splitting method of a system that is not
 * of the form x'' = F(x, t); ML_STOPPED when `stop` asked for it, ML_E_MEMORY. */
ML_API enum ml_status ml_trial_integrate(const struct ml_trial *trial,
                                         const struct ml_trial_options *options,
                                         struct ml_trial_outcome *out, struct ml_error *err);

/* The checks of ml_trial_integrate without the integration: ML_OK, ML_E_INPUT, ML_E_MEMORY.
 * Thread-safe. */
ML_API enum ml_status ml_trial_check(const struct ml_trial *trial,
                                     const struct ml_trial_options *options, struct ml_error *err);

/* Chooses a kernel, as for a study of all runs with these options: may compile. The kernel is that
 * of all later trials of the same kind of steps, given or chosen by tolerance; trials without a
 * choice are on the general or built-in kernel. Results do not depend on the kernel.
 *   mode, no_native  as of ml_run_options
 *   kernel           out: "general", "built in" or "made". Static
 * No other thread may use the trial meanwhile. ML_E_INPUT and ML_E_FILE as of ml_run with `mode`,
 * ML_STOPPED, ML_E_MEMORY. */
ML_API enum ml_status ml_trial_choose_kernel(struct ml_trial *trial,
                                             const struct ml_trial_options *options,
                                             enum ml_kernel_mode mode, int no_native,
                                             const char **kernel, struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
