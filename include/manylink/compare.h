/* Work and precision: what integrators cost on a study's own runs, and how exact they are. */
#ifndef MANYLINK_COMPARE_H
#define MANYLINK_COMPARE_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/kernel.h"
#include "manylink/status.h"
#include "manylink/study.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ML_COMPARE_MAX_LEVELS = 16 };

/* What is 0 or NULL is as usual. */
struct ml_compare_options {
    size_t size;                    /* sizeof(struct ml_compare_options) */
    const char *const *integrators; /* [n_integrator] names; NULL: all there are */
    int n_integrator;
    int levels;                 /* steps or tolerances of each, 2 .. ML_COMPARE_MAX_LEVELS; 0: 8 */
    enum ml_kernel_mode kernel; /* as of ml_run_options */
    int no_native;              /* the same */
    int (*stop)(void *context); /* NULL, or as of ml_run */
    void *context;              /* of it */
};

struct ml_comparison;

/* What the errors are measured against. Texts are static. */
struct ml_comparison_reference {
    size_t size;              /* sizeof(struct ml_comparison_reference) */
    const char *integrator;   /* that computed it */
    const char *check;        /* that computed it once more */
    double tolerance;         /* of both */
    double difference;        /* largest between the two, of the runs that are compared; the unit of
                                 each number of the state: nothing below it is known */
    int64_t runs;             /* looked at, spread over the study by a fixed sequence */
    int64_t compared;         /* of them, those whose end state both agree on */
    int64_t undetermined;     /* the two differ by more than 1e-8 of the state's size: chaos */
    int64_t unfinished;       /* did not reach the end with one of the two */
    const char *fixed_kernel; /* "general", "built in" or "made": of given steps; NULL: there are
                                 none */
    const char *chosen_kernel; /* the same of steps chosen by tolerance */
    const char *isa;           /* instruction set */
};

/* An integrator with one step or tolerance. Numbers per run are means over those compared. */
struct ml_comparison_row {
    size_t size;            /* sizeof(struct ml_comparison_row) */
    const char *integrator; /* static */
    double step;            /* s; 0: chosen by `tolerance` */
    double tolerance;       /* 0: the step is given */
    int64_t failed;         /* runs compared that did not reach the end with it */
    double error;           /* largest of `largest` */
    const double *largest;  /* [quantities of ml_study_state] error of the end state, in the unit of
                               each; the largest of all runs. NaN if one failed. Borrowed from the
                               comparison, as the next */
    const double *median;   /* [the same] of each run's largest the median */
    double seconds;         /* CPU time per run on one thread, runs side by side as in a study, all
                               that were looked at; the only numbers here that differ from call to
                               call */
    double evaluations;     /* of the equations of motion, per run */
    double steps, rejected; /* per run */
    double energy_drift; /* largest, as the output of that name has it, at the end; NaN without */
};

/* Integrates up to 64 of the study's runs by every integrator: those with an error estimate by
 * tolerances from 1e-3 to 1e-12, the others by steps, each half the one before. Only the motion:
 * without the study's tangent vectors, indicators and trajectories. On one thread.
 *   out  freed with ml_comparison_free; NULL on failure
 * ML_E_INPUT for an unknown integrator, levels out of range, and if no run has an end state that
 * both references agree on. Thread-safe. */
ML_API enum ml_status ml_compare(const struct ml_study *study,
                                 const struct ml_compare_options *options,
                                 struct ml_comparison **out, struct ml_error *err);
ML_API void ml_comparison_free(struct ml_comparison *comparison);

ML_API void ml_comparison_reference(const struct ml_comparison *comparison,
                                    struct ml_comparison_reference *reference);

/* Row i, from 0 on, in the order of the integrators and from the least exact on; 0 past the last.
 */
ML_API int ml_comparison_row(const struct ml_comparison *comparison, int i,
                             struct ml_comparison_row *row);

/* The row of the least CPU time among those whose error, with the difference of the references
 * added, is at most this; -1: there is none. */
ML_API int ml_comparison_cheapest(const struct ml_comparison *comparison, double error);

#ifdef __cplusplus
}
#endif

#endif
