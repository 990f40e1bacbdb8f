/* Motions from wherever they are given, smoothed and with all their derivatives. */
#ifndef ML_INVERSE_OPEN_MOTION_H
#define ML_INVERSE_OPEN_MOTION_H

#include "inverse/motion.h"
#include "inverse/segment_params.h"

/* Opens the motions of a file, or those of the study if path is NULL.
 *   run  of a result file; -1: all
 *   out  freed with ml_motions_close, whatever is returned
 * ML_E_INPUT with a line for each fault and its place. */
enum ml_status ml_motions_open(const struct ml_study *study, const char *path, int64_t run,
                               struct ml_motions *out, struct ml_error *err);
void ml_motions_close(struct ml_motions *motions);

/* Hz, of the filter in the run of these segments; 0: there is no filter. */
double ml_motions_cutoff(const struct ml_motions *motions,
                         const struct ml_segment_params *segments);

/* ML_E_INPUT if the study's motion, or the filter of another, is impossible in run `run`, that of
 * these segments. */
enum ml_status ml_motions_check(const struct ml_motions *motions,
                                const struct ml_segment_params *segments, int64_t run,
                                struct ml_error *err);

/* Reads the given angles, rates and accelerations of motion i into rows [n][n_time]; of the study's
 * own motion, those of the run with these segments. Not thread-safe. */
enum ml_status ml_motions_read(const struct ml_motions *motions, int64_t i,
                               const struct ml_segment_params *segments,
                               double *const rows[ML_N_MOTION], struct ml_error *err);

/* Smooths the given data by the keys of the study, and computes the missing rows: the rate as
 * derivative of the angle, the acceleration as derivative of the rate if that is given and else as
 * second derivative of the angle. Thread-safe.
 *   cutoff  Hz, of the filter, if there is one */
enum ml_status ml_motion_complete(const struct ml_motions *motions, double cutoff,
                                  const struct ml_motion_rows *rows, struct ml_error *err);

#endif
