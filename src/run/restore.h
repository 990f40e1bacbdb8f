/* The study of a result. */
#ifndef ML_RUN_RESTORE_H
#define ML_RUN_RESTORE_H

#include "store/source.h"

struct ml_restoring {
    const char *study;  /* the study file, if it is not where it was; NULL: where the result says */
    const char *plugin; /* its plugin, if it is not where it was or `study` is NULL; else NULL */
    bool no_native;     /* a study with a plugin is refused */
    const char *isa;    /* as of ml_study_read */
};

/* Reads the study that a result says it is of. Tables and plugins are read where the study read
 * them, and must be what they were.
 *   path   of the result, for messages
 *   how    what the user says of it
 *   out    freed with ml_study_free; NULL on failure */
enum ml_status ml_restore(const char *path, const struct ml_origin *origin,
                          const struct ml_restoring *how, struct ml_study **out,
                          struct ml_error *err);

#endif
