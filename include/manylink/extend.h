/* Finished results that are asked for more: more samples, another grid, a later end, further
 * indicators and events. */
#ifndef MANYLINK_EXTEND_H
#define MANYLINK_EXTEND_H

#include "manylink/api.h"
#include "manylink/run.h"
#include "manylink/status.h"
#include "manylink/study.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the study of a result again, from the text in the result, with further overrides behind
 * those that the result was made with. ml_run with the result as `donor` then takes its runs. If
 * the study differs in its runs alone, tangent vectors are made orthonormal at the times of the
 * result, which the study of more runs might choose otherwise.
 *   source  `path`: the study file, if it has moved, or to allow the plugin that it names; NULL.
 *           `text` and `length` have no meaning
 *   result  path of the finished result, of a whole study or of a shard
 *   out     freed with ml_study_free; NULL on failure
 * ML_E_FILE if the result, or `path`, cannot be read, ML_E_INPUT as of ml_study_load and if it is
 * of inverse dynamics, a fit or a comparison, ML_E_OTHER_STUDY if the text gives another study than
 * that of the result: of a single run of a study, or if tables have changed. Thread-safe. */
ML_API enum ml_status ml_extend_study(const struct ml_study_source *source, const char *result,
                                      struct ml_study **out, struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
