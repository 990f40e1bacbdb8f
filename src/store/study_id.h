/* The id of a study: whether what is on disk belongs to the study that is run. */
#ifndef ML_STORE_STUDY_ID_H
#define ML_STORE_STUDY_ID_H

#include <stdint.h>

#include "manylink/status.h"

/* Two resolved texts that differ in the line of the title only are one study. */

/* FNV-1a: parts are told apart by it, their study's text is compared in full once. */
uint64_t ml_study_id_hash(const char *resolved);

/* ML_OK if two resolved texts are of one study, else ML_E_OTHER_STUDY naming the first line that
 * differs.
 *   there   of what is at `path`
 *   remedy  last line of the message */
enum ml_status ml_study_id_compare(const char *path, const char *there, const char *here,
                                   const char *remedy, struct ml_error *err);

/* The first line of a text as a message quotes it: not too long, and printable. */
enum { ML_STUDY_ID_LINE = 161 };
const char *ml_study_id_line(const char *text, char line[ML_STUDY_ID_LINE]);

/* For what is in the way of a result. */
#define ML_STUDY_ID_REMEDY "Give another name with -o, or discard what is there with --restart"

#endif
