/* The id of a study: whether data on disk belongs to the study of a run. */
#ifndef ML_PLAN_STUDY_ID_H
#define ML_PLAN_STUDY_ID_H

#include <stdint.h>

#include "plan/study.h"

/* Two resolved texts are of the same study if they are equal except for the title and the derived
 * values. */

/* FNV-1a: parts are told apart by it, their study's text is compared in full once. */
uint64_t ml_study_id_hash(const char *resolved);

/* ML_OK if a resolved text is of the study, or is of an older version, with the same derived values
 * at their keys; else ML_E_OTHER_STUDY naming the first line that differs.
 *   there   resolved text of the data at `path`
 *   remedy  last line of the message */
enum ml_status ml_study_id_check(const char *path, const char *there, const struct ml_study *study,
                                 const char *remedy, struct ml_error *err);

/* Checks a text of the study: ML_E_OTHER_STUDY if something else was derived there, so that runs of
 * there and of here are not computed in the same way. */
enum ml_status ml_study_id_check_derived(const char *path, const char *there,
                                         const struct ml_study *study, const char *remedy,
                                         struct ml_error *err);

/* The first line of a text as a message quotes it: not too long, and printable. */
enum { ML_STUDY_ID_LINE = 161 };
const char *ml_study_id_line(const char *text, char line[ML_STUDY_ID_LINE]);

/* Remedy for a file in the way of a result. */
#define ML_STUDY_ID_REMEDY "Give another name with -o, or discard that file with --restart"

#endif
