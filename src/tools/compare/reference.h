/* Reference of the errors of integrators: end states of a fixed sample of a study's runs, on which
 * two methods agree. */
#ifndef ML_TOOLS_COMPARE_REFERENCE_H
#define ML_TOOLS_COMPARE_REFERENCE_H

#include <stdbool.h>

#include "manylink/compare.h"
#include "manylink/trial.h"

enum { ML_COMPARE_RUNS = 64 };

struct ml_compare_sample {
    struct ml_trial *trial; /* owned */
    struct ml_trial_info info;
    int64_t runs[ML_COMPARE_RUNS]; /* [n_run] numbers in the study */
    int n_run;
    int (*stop)(void *context); /* as of ml_compare_options */
    void *context;
};

/* Arrays [n_run] of the sample. */
struct ml_compare_outcome {
    struct ml_trial_outcome of;
    double *memory; /* of its numbers; owned, as `of.outcome` */
};

/* Takes the runs; freed in any case. Errors as of ml_trial_open. */
enum ml_status ml_compare_sample_init(struct ml_compare_sample *sample,
                                      const struct ml_study *study, struct ml_error *err);
void ml_compare_sample_free(struct ml_compare_sample *sample);

/* false without memory; freed in any case. */
bool ml_compare_outcome_init(struct ml_compare_outcome *outcome,
                             const struct ml_compare_sample *sample);
void ml_compare_outcome_free(struct ml_compare_outcome *outcome);

/* Integrates the sample by two references, chosen by whether it is stiff, and reduces it to the
 * runs whose end states they agree on.
 *   truth        out: of those runs
 *   about        fills in the references
 *   evaluations  out: mean per run of an explicit method at a coarse tolerance
 * ML_E_INPUT if there is no such run. */
enum ml_status ml_compare_refer(struct ml_compare_sample *sample, struct ml_compare_outcome *truth,
                                struct ml_comparison_reference *about, double *evaluations,
                                struct ml_error *err);

/* Distance of run i's end state from that of the reference, as of ml_comparison_reference; and the
 * largest difference of its numbers first .. end - 1. NaN if one is not finite. */
double ml_compare_distance(const struct ml_compare_sample *sample,
                           const struct ml_compare_outcome *outcome,
                           const struct ml_compare_outcome *truth, int i);
double ml_compare_difference(const struct ml_compare_sample *sample,
                             const struct ml_compare_outcome *outcome,
                             const struct ml_compare_outcome *truth, int i, int first, int end);

#endif
