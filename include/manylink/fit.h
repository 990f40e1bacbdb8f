/* Fits of a study's trajectories to measured numbers. */
#ifndef MANYLINK_FIT_H
#define MANYLINK_FIT_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/kernel.h"
#include "manylink/status.h"
#include "manylink/study.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A field that is 0 or NULL has its default. */
struct ml_fit_options {
    size_t size;        /* sizeof(struct ml_fit_options) */
    const char *output; /* path of the result file; a fit that is there is replaced, any other file
                           refused: ML_E_INPUT, ML_E_FILE */
    int n_thread;       /* 0: as OpenMP decides */
    int (*stop)(void *context);                      /* NULL, or as of struct ml_run_options */
    void (*notice)(void *context, const char *text); /* NULL, or called with notices */
    void *context;                                   /* of these */
    enum ml_kernel_mode kernel; /* which kernels may be taken: results are the same */
    int no_native;              /* no kernel is made or loaded */
    int profile; /* the profile likelihood of every number, and intervals by it, are found too */
};

struct ml_fit_report {
    size_t size;       /* sizeof(struct ml_fit_report) */
    char *page;        /* out: the estimates, their errors and all that is known of them as lines of
                          text, to be freed with free(); NULL unless ML_OK */
    int64_t runs;      /* that were integrated */
    int64_t converged; /* starts */
    int64_t met_best;  /* starts that met the best minimum */
    double squares;    /* sum of squared residuals, in their standard deviations if given */
    double seconds;
    int threads;
};

/* Least squares of records and formulas at the times of a table: minimises over the numbers p that
 * the study's `sample` draws, within the bounds of its ranges,
 *
 *   sum over columns c and times t of ((measured_c(t) - model_c(t; p)) / sd_c)^2
 *
 * by Levenberg-Marquardt with the exact derivatives of the discrete solution, from every point of
 * the sample, all starts side by side; of torques and forces of the study's motion if its `fit` has
 * of: inverse (docs/fit.md). Results are the same bits for any number of
 * threads, instruction set and kernel. ML_E_INPUT, with places and remedies, where the study has no
 * `fit`, the table does not go with the study, or the numbers do not depend on the varied ones.
 * ML_STOPPED when `stop` asked for it: nothing is written.
 *   report  NULL: not wanted
 * Several threads may call it at once. */
ML_API enum ml_status ml_fit(const struct ml_study *study, const struct ml_fit_options *options,
                             struct ml_fit_report *report, struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
