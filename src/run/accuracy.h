/* Runs of a study computed again with smaller steps, for the error that the step leaves. */
#ifndef ML_RUN_ACCURACY_H
#define ML_RUN_ACCURACY_H

#include "engine/team/team.h"
#include "store/accuracy.h"

/* Computing n runs again costs so many batches of the study, with a given step: with its step, with
 * half of it from two starts, and a quarter of them with a quarter. */
int64_t ml_accuracy_batches(int64_t n);

/* Runs that can be computed again for at most 4 % of the steps of all: a multiple of ML_LANES up to
 * 64, 0 if there are too few to begin with. */
int ml_accuracy_count(int64_t n_run);

/* Steps of a run that can be computed again with all smaller ones in about a second on a slow
 * processor, by the number of operations. */
double ml_accuracy_most_steps(const struct ml_ensemble *ensemble);

/* Runs that accuracy is measured with in a study of few runs: up to a batch; 0 if the study has
 * given steps and more runs than that. */
int ml_accuracy_count_small(const struct ml_ensemble *ensemble);

/* Whether there is anything finer: step counts stay exact as doubles, and tolerances above
 * rounding. */
bool ml_accuracy_can_refine(const struct ml_ensemble *ensemble);

/* Memory for those of n runs, spread over the study by a fixed sequence, that are in a shard: which
 * ones depends on the numbers of runs only. False without memory. Free in any case.
 *   n  > 0 */
bool ml_accuracy_choose(struct ml_accuracy *accuracy, const struct ml_ensemble *ensemble, int n,
                        struct ml_shard shard);

/* Computes the runs that are not done yet: with the ensemble's step, with half of it and, those
 * that are marked, with a quarter; or with the tolerance, a tenth and a hundredth. One more time
 * with a slightly displaced start, which distinguishes chaotic runs from too large a step. The same
 * bits for any number of threads and instruction set.
 *   most_steps  runs that choose more are taken away; INFINITY: none are
 *   keep  called now and then, and when it stops; NULL: finished runs are not kept
 * ML_STOPPED if it was asked to stop before the end. */
typedef enum ml_status ml_accuracy_keep_fn(void *context, const struct ml_accuracy *accuracy,
                                           struct ml_error *err);
enum ml_status ml_accuracy_compute(struct ml_accuracy *accuracy, const struct ml_ensemble *ensemble,
                                   double most_steps, const struct ml_ensemble_options *how,
                                   ml_accuracy_keep_fn *keep, void *context, struct ml_error *err);

/* Computes some of the runs behind the step's error again, for the cost of about n_run runs of
 * the study, and compares all their numbers bit by bit. ML_E_FILE naming the first that differs.
 *   path   of the result, for messages
 *   there  the numbers in the result */
enum ml_status ml_verify_accuracy(const char *path, const struct ml_accuracy *there,
                                  const struct ml_ensemble *ensemble, int64_t n_run,
                                  const struct ml_ensemble_options *how, struct ml_error *err);

#endif
