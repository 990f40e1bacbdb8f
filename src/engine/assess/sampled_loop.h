/* Sampled control loops in the z plane: a plant in continuous time, and torques that are held
 * between the samples. */
#ifndef ML_ENGINE_SAMPLED_LOOP_H
#define ML_ENGINE_SAMPLED_LOOP_H

#include "engine/steps/loop.h"

/* Rows of the characteristic matrix: of the state, and of held rates. */
static inline int ml_sampled_rows(const struct ml_loop_work *work)
{
    return work->loop.n_x + work->sampled.n_held;
}

/* Fills in work->sampled from work->loop; false if a matrix is not finite. */
bool ml_sampled_take(struct ml_loop_work *work);

/* The matrix of states and held rates, to work->matrix.
 *   stride  from row to row, at least ml_sampled_rows
 *   z       of the sampled loop: exp(i w interval)
 *   phases  [n_controller] z^-lag */
void ml_sampled_characteristic(struct ml_loop_work *work, int stride, double complex z,
                               const double complex *phases);

/* Torque of all controllers at joint j by the states and held rates in work->column. */
double complex ml_sampled_torque(const struct ml_loop_work *work, int j,
                                 const double complex *phases);

/* Fills in a cut, whose joint and time are given; false if a matrix is not finite. */
bool ml_sampled_cut_take(struct ml_loop_work *work, struct ml_sampled_cut *cut);

/* The matrix with one more row and column, of the torque of the controllers at cut->joint, which
 * acts late.
 *   later  z to the power of minus the whole intervals by which the torque is later still */
void ml_sampled_cut_characteristic(struct ml_loop_work *work, const struct ml_sampled_cut *cut,
                                   double complex z, double complex later,
                                   const double complex *phases);

#endif
