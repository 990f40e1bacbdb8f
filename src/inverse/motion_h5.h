/* Motions that a run has saved: /study/trajectories of a result file. */
#ifndef ML_INVERSE_MOTION_H5_H
#define ML_INVERSE_MOTION_H5_H

#include "inverse/motion.h"

struct ml_motion_h5;

/* Whether a file is HDF5. */
bool ml_motion_h5_is(const char *path);

/* Opens the saved runs of a result, or one of them; see inverse/open_motion.h. It stays open. */
enum ml_status ml_motion_h5_open(const struct ml_study *study, const char *path, int64_t run,
                                 struct ml_motions *out, struct ml_error *err);
void ml_motion_h5_close(struct ml_motion_h5 *h5); /* NULL is allowed */

enum ml_status ml_motion_h5_read(const struct ml_motions *motions, int64_t i,
                                 double *const rows[ML_N_MOTION], struct ml_error *err);

/* The value that a swept quantity of the result has in motion i; false if it has none of that
 * name. */
bool ml_motion_h5_swept(const struct ml_motions *motions, int64_t i, const char *path,
                        double *value);

#endif
