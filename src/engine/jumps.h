/* Where signals jump, or some derivative of theirs does: at the onset and end of pulses, ramps and
 * reaches, and at the samples of tables. Steps end there, and a signal is on one piece of its curve
 * all through a step (model/forces/law_signal.kern.h), so that a method keeps its order. */
#ifndef ML_ENGINE_JUMPS_H
#define ML_ENGINE_JUMPS_H

#include "engine/batch.h"

/* The first of the steps k0 .. end - 1 in which a signal of some active lane jumps, other than, up
 * to rounding, at its ends; `end` if none does. Steps are this share of what they are. */
int64_t ml_jumps_next_step(const struct ml_ensemble *ensemble, const struct ml_batch *batch,
                           double share, int64_t k0, int64_t end, unsigned active);

/* Takes one step of the active lanes, in parts where signals jump in it.
 *   begin, step  [ML_LANES] s, aligned as vectors are */
struct ml_lane_faults ml_jumps_step(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                                    const double *begin, const double *step, unsigned active,
                                    double *residual);

/* Tries steps of lanes that choose them, as the batch's kernel does, up to leg->end or to where a
 * signal jumps before: such lanes are underway then.
 *   constants, x, step_control  of the batch, or like them */
struct ml_lane_faults ml_jumps_try(const struct ml_ensemble *ensemble, const struct ml_batch *batch,
                                   const struct ml_leg *leg, const double *constants, double *x,
                                   double *step_control);

#endif
