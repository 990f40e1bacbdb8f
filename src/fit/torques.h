/* Torques and forces of a given motion as the model of a fit: inverse dynamics in place of runs. */
#ifndef ML_FIT_TORQUES_H
#define ML_FIT_TORQUES_H

#include "fit/starts.h"

/* Opens the motion of the study. Close with ml_inverse_task_close in any case. ML_E_INPUT without a
 * motion, or with a motion that differs between the starts. */
enum ml_status ml_torques_open(struct ml_inverse_task *task, const struct ml_study *study,
                               struct ml_error *err);

/* Has the starts computed by inverse dynamics of an open motion, which is borrowed. Derivatives are
 * central differences, exact but for rounding in numbers of which torques are polynomials of degree
 * 2: masses, lengths, inertias, stiffnesses. */
void ml_torques_prepare(struct ml_starts *starts, const struct ml_inverse_task *task);

#endif
