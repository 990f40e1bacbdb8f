/* Where signals jump, or some derivative of theirs does: at the onset and end of pulses, ramps and
 * reaches, and at the samples of tables. Steps end there, and a signal is on one piece of its curve
 * all through a step (model/forces/law_signal.kern.h), so that a method keeps its order. */
#ifndef ML_ENGINE_JUMPS_H
#define ML_ENGINE_JUMPS_H

#include "engine/team/ensemble.h"

struct ml_feedback;

/* The lanes of a batch, as its kernel advances them. */
struct ml_jumps_lanes {
    const struct ml_ensemble *ensemble;
    const struct ml_kernel *kernel;
    const double *constants;
    double *x, *work;
    struct ml_feedback *feedback; /* steps end too where a controller sees a break; NULL: all
                                     controllers see the present */
};

/* Whether some force has a signal that jumps.
 *   with_tables  tables count, which jump at the same times in every lane */
bool ml_jumps_are(const struct ml_ensemble *ensemble, bool with_tables);

/* The first of the steps k0 .. end - 1 in which a signal of some active lane jumps, other than, up
 * to rounding, at its ends; `end` if no signal jumps; k0 with feedback, told before each step.
 *   step  [ML_LANES] s */
int64_t ml_jumps_next_step(const struct ml_jumps_lanes *lanes, const double *step, int64_t k0,
                           int64_t end, unsigned active);

/* Takes one step of the active lanes, in parts where signals jump in it.
 *   begin, step  [ML_LANES] s */
struct ml_lane_faults ml_jumps_step(const struct ml_jumps_lanes *lanes, const double *begin,
                                    const double *step, unsigned active, double *residual);

/* Tries steps of lanes that choose them, as the kernel does, up to leg->end or to where a signal
 * jumps before: such lanes are underway then. */
struct ml_lane_faults ml_jumps_try(const struct ml_jumps_lanes *lanes, const struct ml_leg *leg);

#endif
