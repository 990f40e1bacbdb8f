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

/* As ml_motions_read; ML_E_FILE if a trajectory does not have its checksum. */
enum ml_status ml_motion_h5_read(const struct ml_motions *motions, int64_t i,
                                 double *const rows[ML_N_MOTION], struct ml_error *err);

/* ML_E_INPUT if a motion has numbers that are not finite, judged by the outcomes of the runs: every
 * number of an unfinished run is checked. */
enum ml_status ml_motion_h5_check(const struct ml_motions *motions, struct ml_error *err);

/* [n_motion] Checksums of the trajectories of the motions as the result keeps them, of a quantity
 * that the file has (is_given); owned by the motions. */
const uint64_t *ml_motion_h5_checksums(const struct ml_motions *motions, enum ml_motion_row row);

/* [n] Which segment of the file is the study's i-th. */
const int *ml_motion_h5_segments(const struct ml_motions *motions);

/* The values that a swept quantity of the result has in the motions.
 *   values  [n_motion]; NaN where the result has none of that name */
enum ml_status ml_motion_h5_swept(const struct ml_motions *motions, const char *path,
                                  double *values, struct ml_error *err);

#endif
