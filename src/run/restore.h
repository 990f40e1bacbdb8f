/* The study of a result. */
#ifndef ML_RUN_RESTORE_H
#define ML_RUN_RESTORE_H

#include "store/source.h"

/* Reads the study that a result says it is of. Tables and plugins are read where the study read
 * them, and must be what they were.
 *   path   of the result, for messages
 *   study  the study file, if it is not where it was; NULL: where the result says
 *   out    freed with ml_study_free; NULL on failure */
enum ml_status ml_restore(const char *path, const struct ml_origin *origin, const char *study,
                          const char *isa, struct ml_study **out, struct ml_error *err);

#endif
