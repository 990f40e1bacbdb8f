/* Motions from wherever they are given, smoothed and with all their derivatives. */
#ifndef ML_INVERSE_OPEN_MOTION_H
#define ML_INVERSE_OPEN_MOTION_H

#include <stdint.h>

#include "inverse/motion.h"
#include "inverse/segment_params.h"
#include "manylink/status.h"
#include "yaml/pool.h"

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

/* Motions of a table. The key `motion` of the study says which columns or markers have the angle of
 * each segment, and in which unit and direction.
 *
 *   time,angle/upper,angle/lower,rate/upper,rate/lower
 *   0,0.1,0.2,0,0
 *
 * Without that key: columns in any order, angle/NAME or NAME for every segment, rate/NAME and
 * acceleration/NAME for all segments or none; base/x and base/y of a base that moves. */

/* Fills in the times and values of *out. All mistakes are told at once, with line and column. */
enum ml_status ml_motion_table_open(const struct ml_study *study, const char *path,
                                    struct ml_motions *out, struct ml_error *err);

/* Replaces NaNs by values of the smoothing spline (see smooth.h) of all other samples, which stay
 * as they are. Between two samples the spline has degree 5: its value and two derivatives at both
 * samples give it.
 *   t  [n] s, increasing
 *   y  [n] in and out: at least ML_SMOOTH_LEAST numbers, the first and the last among them
 *
 * ML_E_INPUT if the times are too uneven, ML_E_MEMORY. */
enum ml_status ml_fill_gaps(int64_t n, const double *t, double *y, struct ml_error *err);

/* Times of a motion that are too far from each other, or too near, for a spline through all of
 * them.
 */

enum {
    ML_GAP = 10,     /* a gap is longer than as many usual intervals */
    ML_CROWD = 1000, /* and too short an interval is shorter than the usual one over this */
};

/* Median of the intervals between n >= 2 increasing times; 0 without memory, which the pool says.
 */
double ml_median_interval(struct ml_pool *pool, int64_t n, const double *time);

/* Motions that a study describes by `motion`: minimum-jerk ones,
 *
 *   q(s) = q0 + (q1 - q0) (10 s^3 - 15 s^4 + 6 s^5),  s = (t - onset) / duration in [0, 1],
 *
 * at rest before and after (Flash, Hogan, J. Neurosci. 5, 1985): of the study's angles, or of the
 * hand of two segments along a straight line. Then, with alpha_2 the angle of the elbow and its
 * sign the study's choice,
 *
 *   cos alpha_2 = (x^2 + y^2 - l_1^2 - l_2^2) / (2 l_1 l_2)
 *   alpha_1 = atan2(y, x) - atan2(l_2 sin alpha_2, l_1 + l_2 cos alpha_2)
 *
 * and rates and accelerations follow from the Jacobian of the hand. */

/* As ml_motions_open, of the motion that the study describes. */
enum ml_status ml_motion_spec_open(const struct ml_study *study, struct ml_motions *out,
                                   struct ml_error *err);

/* The study's motion in the run of these segments, rows [n][n_time]. */
void ml_motion_spec_read(const struct ml_motions *motions, const struct ml_segment_params *segments,
                         double *const rows[ML_N_MOTION]);

/* ML_E_INPUT if it is the path of a hand that does not get everywhere on it in run `run`, that of
 * these segments. */
enum ml_status ml_motion_spec_check(const struct ml_motions *motions,
                                    const struct ml_segment_params *segments, int64_t run,
                                    struct ml_error *err);

#endif
