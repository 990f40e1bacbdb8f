/* The study of a result. */
#ifndef ML_RUN_RESTORE_H
#define ML_RUN_RESTORE_H

#include "inverse/inverse_task.h"
#include "store/source.h"

struct ml_restoring {
    const char *study;  /* the study file, if it is not where it was; NULL: where the result says */
    const char *plugin; /* its plugin, if it is not where it was or `study` is NULL; else NULL */
    bool no_native;     /* a study with a plugin is refused */
    const char *motion; /* of inverse dynamics: the motion, if it is not where it was; NULL */
};

/* Study and motion of a result. The struct must not be moved. */
struct ml_restored {
    struct ml_study *study;       /* that the result says it is of */
    const struct ml_study *shape; /* whose runs are those in the result: `study`, or the study that
                                     the task makes of that */
    const struct ml_result_kind *kind; /* of the result */
    bool is_inverse;
    struct ml_inverse_task task;     /* of inverse dynamics */
    struct ml_result_kind task_kind; /* of that */
};

/* Reads the study of a result, and of inverse dynamics the motion, which must be the same as when
 * the result was made.
 *   path    of the result, for messages
 *   origin its own description; borrowed until ml_restored_free, as `how`
 * Free in any case. */
enum ml_status ml_restore_result(const char *path, const struct ml_origin *origin,
                                 const struct ml_restoring *how, struct ml_restored *out,
                                 struct ml_error *err);
void ml_restored_free(struct ml_restored *restored);

/* ML_OK if another result of the study is of the same kind as `restored` and, of inverse dynamics,
 * of the same motion; else ML_E_OTHER_STUDY.
 *   remedy  last line of the message */
enum ml_status ml_restored_check_motion(const struct ml_restored *restored, const char *path,
                                        const struct ml_origin *origin, const char *remedy,
                                        struct ml_error *err);

/* Reads the study that a result says it is of. Tables and plugins are read where the study read
 * them, and must be unchanged.
 *   path   of the result, for messages
 *   how places that the user gives
 *   out    freed with ml_study_free; NULL on failure */
enum ml_status ml_restore(const char *path, const struct ml_origin *origin,
                          const struct ml_restoring *how, struct ml_study **out,
                          struct ml_error *err);

#endif
