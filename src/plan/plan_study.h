/* From the spec of a study to its ensemble. */
#ifndef ML_PLAN_PLAN_STUDY_H
#define ML_PLAN_PLAN_STUDY_H

#include "config/schema/reader.h"
#include "plan/study.h"

/* Derives the values that the spec leaves out (intervals, sizes), checks the spec against them, and
 * gives the study its ensemble, notices and resolved text. Integrates some steps of a few runs if
 * there are tangent vectors: some milliseconds. ML_E_INPUT with all problems of the reading, or
 * ML_E_MEMORY. */
enum ml_status ml_plan_study(struct ml_reader *r, struct ml_study *study, struct ml_error *err);

/* Completes a study whose values are derived: block size and resolved texts. False without memory.
 */
bool ml_plan_settle(struct ml_study *study);

/* Makes study->ensemble of the spec, without the values that ml_plan_study derives. The ensemble
 * points into the study, which must not move. */
void ml_make_ensemble(struct ml_study *study);

/* spans.c: refuses and notices times that contradict each other; and against the interval between
 * orthonormalisations, once that is known. */
void ml_plan_spans(struct ml_reader *r, const struct ml_study *study);
void ml_plan_rounded_spans(struct ml_reader *r, const struct ml_study *study);

/* energy_shell.c: draws the points of a sample on an energy shell, of a study that has no problem
 * so far; refuses energies and systems without such points. */
void ml_plan_energy_shell(struct ml_reader *r, struct ml_study *study);

/* tangents.c: how many tangent vectors there are and how often they are made orthonormal, of a
 * study that has no problem so far. ML_E_MEMORY on failure. */
enum ml_status ml_plan_tangents(struct ml_reader *r, struct ml_study *study, struct ml_error *err);

/* feedback.c: how far back controllers see, of a study that has no problem so far; refuses methods,
 * steps and indicators that do not go with that. */
void ml_plan_feedback(struct ml_reader *r, struct ml_study *study);

/* feedback_views.c: who sees the past, of a planned study with its laws; false without memory. */
bool ml_plan_views(struct ml_study *study);

/* mass.c: refuses a mass matrix by formulas that is singular where the first run starts, of a study
 * that has no problem so far. */
void ml_plan_mass(struct ml_reader *r, const struct ml_study *study);

/* laws.c: marks the laws of the ensemble with the numbers that are the default in all runs, and
 * gives rows behind all constants to controllers that see the past. False without memory.
 *   scratch  freed by the caller */
bool ml_plan_laws(struct ml_study *study, struct ml_pool *scratch);

/* show.c: refuses to show first an output that the study lacks; and, once the study is settled,
 * gives a notice if no picture of it is as `show` says. */
void ml_plan_show(struct ml_reader *r, const struct ml_study *study);
void ml_plan_notice_show(struct ml_reader *r, const struct ml_study *study);

/* As ml_study_load, of a text that ends in NUL.
 *   source  `no_native` has no meaning: `native` has it */
enum ml_status ml_study_parse_native(const struct ml_study_source *source,
                                     const struct ml_native *native, struct ml_study **out,
                                     struct ml_error *err);

#endif
