/* Numbers of a study so that a cost is least, under requirements. */
#ifndef MANYLINK_TUNE_H
#define MANYLINK_TUNE_H

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
struct ml_tune_options {
    size_t size;                /* sizeof(struct ml_tune_options) */
    int n_thread;               /* 0: as OpenMP decides */
    int (*stop)(void *context); /* NULL, or as of struct ml_run_options */
    void *context;              /* of `stop` */
    enum ml_kernel_mode kernel; /* which kernels may be taken: results are the same */
    int no_native;              /* no kernel is made or loaded */
};

/* A range of `vary`. */
struct ml_tuned_number {
    const char *key, *unit; /* its first key; `value`, `from` and `to` are in `unit` */
    double value, from, to;
    int bound; /* -1: the value is at `from`, 1: at `to`, each to a part of 1e-6 of the range */
};

/* A requirement at these numbers. */
struct ml_tuned_requirement {
    const char *text; /* "overshoot.lower < 0.3" */
    double value;     /* the number in the run that decides */
    int is_met;
};

struct ml_tuning {
    size_t size; /* sizeof(struct ml_tuning) */
    int n;
    const struct ml_tuned_number *numbers; /* [n] */
    const char *cost_text;                 /* "iae.lower, worst of 64 runs" */
    double cost,
        cost_before; /* the latter of the study's own numbers; NaN: these are not all in
                        their ranges, or the keys of a range differ, or a run has no cost */
    int n_requirement;
    const struct ml_tuned_requirement *requirements; /* [n_requirement] */
    int is_met, is_converged;                        /* all requirements; the search */
    int64_t points, runs;                            /* that were tried; runs of all of these */
    const char *set; /* "--set KEY=VALUE ..." that gives a study these numbers */
    const char *end; /* the end of the search and remedies, in lines */
    int threads;     /* that were used */
    double seconds;  /* of the search, wall clock */
    void *memory;    /* of the arrays and texts */
};

/* Finds the numbers of the ranges of `tune` with the least cost: of points whose runs keep to all
 * requirements (`require`) the cost counts, else how far the runs are off (docs/tune.md). Numbers
 * have the bits of `manylink run` with --set, for any number of threads. Where `stop` ends the
 * search, the best point so far is the result.
 *   source  as of ml_prepare
 *   out     freed with ml_tuning_free; empty on failure
 * ML_E_INPUT where the study has no `tune`, and where no point has the cost; ML_STOPPED before the
 * first points. Several threads may call it at once. */
ML_API enum ml_status ml_tune(const struct ml_study_source *source,
                              const struct ml_tune_options *options, struct ml_tuning *out,
                              struct ml_error *err);
ML_API void ml_tuning_free(struct ml_tuning *tuning); /* NULL is allowed */

#ifdef __cplusplus
}
#endif

#endif
