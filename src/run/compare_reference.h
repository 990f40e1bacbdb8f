/* What the errors of integrators are measured against: end states that two methods agree on. */
#ifndef ML_RUN_COMPARE_REFERENCE_H
#define ML_RUN_COMPARE_REFERENCE_H

#include "manylink/compare.h"
#include "run/compare_sample.h"

/* Number in ml_methods; -1 if not found. */
int ml_compare_method(const char *name);

/* Integrates the sample by two references, chosen by whether it is stiff, and reduces it to the
 * runs whose end states they agree on.
 *   truth        out: of those runs
 *   about        fills in what the references are
 *   evaluations  out: mean per run of an explicit method at a coarse tolerance
 * ML_E_INPUT if there is no such run. */
enum ml_status ml_compare_refer(struct ml_compare_sample *sample, struct ml_stop stop,
                                struct ml_compare_outcome *truth,
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
