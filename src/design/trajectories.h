/* Trajectories of Morris' design that are spread over the space of the inputs: of many candidates
 * those with the largest distances from each other (Campolongo, Cariboni, Saltelli, Environ. Model.
 * Softw. 22, 2007), chosen one after the other (Ruano, Ribes, Ferrer, Sin, Simul. Model. Pract.
 * Theory 2012). */
#ifndef ML_DESIGN_TRAJECTORIES_H
#define ML_DESIGN_TRAJECTORIES_H

#include "design/sample.h"
#include "yaml/pool.h"

/* Sets which of the first n_candidate trajectories are taken: the two with the largest distance,
 * then always the trajectory with the largest sum of squared distances from those taken; the first
 * of equals. The distance of two trajectories is the sum of the distances of all pairs of their
 * points. Without candidates, and of other designs, nothing is chosen.
 *   pool  owns the choice; its is_short says that memory ran out */
void ml_trajectories_choose(struct ml_sample_points *points, struct ml_pool *pool);

/* Candidates whose distances, for so many inputs, are found in some seconds. */
int64_t ml_trajectories_most(int n_input);

#endif
