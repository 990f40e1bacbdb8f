/* The runs on which integrators are compared: a fixed sample of a study's, the motion alone. */
#ifndef ML_RUN_COMPARE_SAMPLE_H
#define ML_RUN_COMPARE_SAMPLE_H

#include "plan/study.h"

enum { ML_COMPARE_RUNS = 64 };

struct ml_compare_sample {
    const struct ml_ensemble *all;  /* the study's, borrowed */
    struct ml_ensemble motion;      /* the sample's, without all that does not move it */
    struct ml_event *events;        /* those that end runs; owned */
    double end;                     /* s */
    int64_t n_tick;                 /* where steps are chosen by tolerance */
    bool is_analysed;               /* the study asks for indicators */
    bool is_splittable;             /* x'' = F(x, t), as splitting methods need it */
    bool is_end_only;               /* nothing is measured or kept on the way */
    int64_t index[ML_COMPARE_RUNS]; /* [n_run] numbers in the study */
    int n_run, n_row;               /* runs; numbers of the end state */
    int n_quantity;                 /* of the end state, as ml_study_state counts them */
    int *first;                     /* [n_quantity + 1] rows of the end state before each; owned */
};

/* What one integrator with one step or tolerance makes of the sample. */
struct ml_compare_outcome {
    double *end;              /* [n_run][n_row] NaN of a run that failed */
    int8_t *outcome;          /* [n_run] */
    double *evaluations;      /* [n_run] of the right-hand side; the next four are [n_run] too */
    double *steps, *rejected; /* accepted; 0 rejected of given steps */
    double *residual;         /* of the sweeps of an implicit method, else 0 */
    double *drift;            /* of the energy, NaN without */
    double seconds;           /* CPU time per run, one thread */
    bool is_late;             /* it was given up: it took longer than it may */
};

/* How the sample is integrated. */
struct ml_compare_how {
    int method;                   /* in ml_methods */
    double tolerance;             /* 0: by so many steps */
    int64_t n_step;               /* of given steps */
    bool is_compensated;          /* sums so, whatever the study does */
    int rounds;                   /* to time it by, the least of which counts; 0: one */
    double patience;              /* s of CPU time that a round may take */
    const struct ml_kernel *made; /* as of ml_ensemble */
    bool takes_general;
    struct ml_stop stop;
};

/* Borrows the study; false without memory. Freed in any case. */
bool ml_compare_sample_init(struct ml_compare_sample *sample, const struct ml_study *study);
void ml_compare_sample_free(struct ml_compare_sample *sample);

/* Keeps the runs [n_run] that are told. At least one. */
void ml_compare_sample_keep(struct ml_compare_sample *sample, const bool *is_kept);

/* The sample's ensemble as it is integrated: of whole batches, where the study has that many runs,
 * with some runs again. Valid as long as the sample stays where it is. */
struct ml_ensemble ml_compare_ensemble(const struct ml_compare_sample *sample,
                                       const struct ml_compare_how *how);

/* false without memory; freed in any case. */
bool ml_compare_outcome_init(struct ml_compare_outcome *outcome,
                             const struct ml_compare_sample *sample);
void ml_compare_outcome_free(struct ml_compare_outcome *outcome);

/* Integrates the sample on this thread. ML_STOPPED, ML_E_MEMORY */
enum ml_status ml_compare_integrate(const struct ml_compare_sample *sample,
                                    const struct ml_compare_how *how,
                                    struct ml_compare_outcome *out, struct ml_error *err);

#endif
