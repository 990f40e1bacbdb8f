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
#ifndef ML_INVERSE_MOTION_SPEC_H
#define ML_INVERSE_MOTION_SPEC_H

#include "inverse/motion.h"
#include "inverse/segment_params.h"

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
