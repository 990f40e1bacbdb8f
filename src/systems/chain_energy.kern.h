/* Energy of the chain, summed segment by segment from the base outwards. With the velocity of a
 * segment's joint at hand,
 *
 *   T = sum omega_i (c_ii omega_i / 2 + mu_i n_i . sum_{j<i} l_j omega_j n_j)
 *   V = sum mu_i (across cos phi_i - along sin phi_i) */
#ifndef ML_SYSTEMS_CHAIN_ENERGY_H
#define ML_SYSTEMS_CHAIN_ENERGY_H

#include "systems/chain_constants.kern.h"

struct chain_energy {
    ml_vec twice_kinetic, potential; /* J */
    ml_vec velocity_s, velocity_c;   /* m/s, of the next segment's joint */
};

ML_INLINE struct chain_energy chain_energy_none(void)
{
    ml_vec zero = ml_splat(0.0);
    return (struct chain_energy){zero, zero, zero, zero};
}

/* Adds segment i, which turns with omega at an angle with sine s and cosine c. */
ML_INLINE void chain_energy_add(struct chain_energy *sum, const double *constants, int i,
                                ml_vec omega, ml_vec s, ml_vec c)
{
    ml_vec along = ml_get(constants, CHAIN_ROW_ALONG), across = ml_get(constants, CHAIN_ROW_ACROSS);
    ml_vec mu = ml_get(constants, chain_row_mu(i));
    ml_vec step = ml_get(constants, chain_row_length(i)) * omega;
    ml_vec joint = ml_fma(c, sum->velocity_c, s * sum->velocity_s);
    ml_vec momentum = ml_fma(2.0 * mu, joint, ml_get(constants, chain_row_diagonal(i)) * omega);
    sum->twice_kinetic = ml_fma(momentum, omega, sum->twice_kinetic);
    sum->velocity_s = ml_fma(step, s, sum->velocity_s);
    sum->velocity_c = ml_fma(step, c, sum->velocity_c);
    sum->potential = ml_fma(mu, ml_fma(across, c, -(along * s)), sum->potential);
}

#endif
