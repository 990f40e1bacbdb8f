/* The products of rates in the equations of motion, from the mass matrix. */
#ifndef ML_EXPR_CORIOLIS_H
#define ML_EXPR_CORIOLIS_H

#include "expr/motion.h"

/* Replaces the terms C of a motion by Christoffel's form of them,
 *
 *   C_i = - sum_jk (dM_ij/dq_k - dM_jk/dq_i / 2) q_j' q_k'
 *
 * where the kinetic energy is quadratic in the rates and does not depend on time, and that takes
 * fewer operations: derivatives of M that cancel are seen to. False where the graph is full or
 * there is no memory. */
bool ml_motion_shorten_coriolis(struct ml_graph *graph, struct ml_motion *motion);

#endif
