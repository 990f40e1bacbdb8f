/* Programs of systems M q'' = C + G + Q + D + E that formulas give. */
#ifndef ML_MODEL_EQUATIONS_MOTION_H
#define ML_MODEL_EQUATIONS_MOTION_H

#include "expr/motion.h"
#include "model/equations.h"

/* Fills in the members of `equations` for a motion, from n_coordinate to `seldom`. False without
 * memory, or if the graph is full. */
bool ml_equations_make_motion(struct ml_graph *graph, const struct ml_motion *motion,
                              struct ml_equations *equations);

/* Makes Hamilton's equations, as ml_equations_make does those of Lagrange.
 *   rates  [2 n] of coordinates and momenta */
bool ml_equations_make_hamiltonian(struct ml_graph *graph, const struct ml_motion *motion,
                                   const int *rates, struct ml_equations *equations);

#endif
