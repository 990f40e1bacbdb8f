/* The probability that a run fails a requirement of its study, also where failures are rare. */
#ifndef MANYLINK_FAILURE_H
#define MANYLINK_FAILURE_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/kernel.h"
#include "manylink/status.h"
#include "manylink/study.h"

#ifdef __cplusplus
extern "C" {
#endif

enum ml_failure_method {
    ML_FAILURE_SUBSET,     /* subset simulation, of any number and shape of failures */
    ML_FAILURE_FORM,       /* the design point, FORM and SORM */
    ML_FAILURE_IMPORTANCE, /* draws about the design point */
};

/* A field that is 0 or NULL has its default. */
struct ml_failure_options {
    size_t size; /* sizeof(struct ml_failure_options) */
    enum ml_failure_method method;
    int n_thread;                                    /* 0: as OpenMP decides */
    int (*stop)(void *context);                      /* NULL, or as of struct ml_run_options */
    void (*notice)(void *context, const char *text); /* NULL, or called with notices */
    void *context;                                   /* of both */
    enum ml_kernel_mode kernel; /* which kernels may be taken: results are the same */
    int no_native;              /* no kernel is made or loaded */
};

/* An input: a range of the sample. */
struct ml_failure_input {
    const char *key, *unit; /* of its first key */
};

/* The failures of one requirement at one point of the grid. Numbers that a method lacks are NaN. */
struct ml_failure {
    const char *requirement; /* "overshoot.lower < 0.3"; of all requirements together "any" */
    int64_t run;             /* first run of the study at this point of the grid */
    double probability;
    double low, high;      /* interval of 95 % of `probability`; NaN of ML_FAILURE_FORM */
    double variation;      /* standard deviation of `probability` over `probability` */
    double index;          /* reliability index: of ML_FAILURE_SUBSET -Phi^-1(probability), else the
                              distance of the design point, negative where the medians fail */
    double curved;         /* ML_FAILURE_FORM: the probability by SORM */
    int levels;            /* of ML_FAILURE_SUBSET */
    int64_t runs;          /* that were integrated */
    int64_t without;       /* of them, those that count as failed as they did not finish or lack the
                              number */
    const double *point;   /* [n_input] of the design point, or the middle of draws where the search
                              did not converge: numbers in the units of the keys, */
    const double *scores;  /* [n_input] independent standard normal scores, */
    const double *factors; /* [n_input] and unit vector towards failure. NULL: no point */
    const char *doubt;     /* reason why numbers are missing or doubtful; "": no doubt */
};

struct ml_failures {
    size_t size; /* sizeof(struct ml_failures) */
    int n;
    const struct ml_failure *failures; /* [n] points of the grid, requirements of each */
    int n_input;
    const struct ml_failure_input *inputs; /* [n_input] */
    int threads;
    double seconds;
    void *memory; /* of the arrays */
};

/* Finds the probabilities of failure of all requirements (`require`) over the distributions of the
 * study's sample, at each point of its grid. A run fails where the number is not between the
 * bounds; a run that does not finish, or lacks the number, fails. Sizes and seed are those of the
 * sample: `count` is the points of a level of ML_FAILURE_SUBSET (rounded down to tens) and the
 * draws of ML_FAILURE_IMPORTANCE. Results are the same bits for any number of threads, instruction
 * set and kernel. ML_E_INPUT where the study has no requirements or no distributions, or a
 * discrete one with a method of the design point. ML_STOPPED when `stop` asked for it.
 *   out  freed with ml_failures_free; empty on failure
 * Several threads may call it at once. */
ML_API enum ml_status ml_failures_find(const struct ml_study *study,
                                       const struct ml_failure_options *options,
                                       struct ml_failures *out, struct ml_error *err);
ML_API void ml_failures_free(struct ml_failures *failures); /* NULL is allowed */

#ifdef __cplusplus
}
#endif

#endif
