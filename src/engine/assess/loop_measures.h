/* Measures of the linearised control loops of a batch, each where an indicator asks for it. */
#ifndef ML_ENGINE_LOOP_MEASURES_H
#define ML_ENGINE_LOOP_MEASURES_H

#include "engine/steps/loop.h"
#include "engine/team/batch.h"

/* Measures the first n runs of a batch that is loaded.
 *   out  [ML_N_LOOP] rows of the batch as of enum ml_loop_measure; NULL where no indicator asks */
void ml_loops_measure(const struct ml_ensemble *ensemble, struct ml_batch *batch, int n,
                      const double **out);

/* Of one lane, to work->measures: gain, phase and delay margins and bandwidth; poles; the open
 * loops over frequencies.
 *   is_there  the loop of the lane is in work, in full; else numbers are NAN */
void ml_margins_measure(const struct ml_kernels *kernels, struct ml_loop_work *work, int lane,
                        bool is_there);
void ml_poles_measure(const struct ml_kernels *kernels, struct ml_loop_work *work, int lane,
                      bool is_there);

/* Gains of a regulator, in the same way.
 *   measure   ML_LOOP_REGULATOR, by cost, or ML_LOOP_PLACEMENT, by poles
 *   settings  of its indicator */
void ml_regulator_measure(struct ml_loop_work *work, enum ml_loop_measure measure,
                          const double *settings, int lane, bool is_there);

#endif
