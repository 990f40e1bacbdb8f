/* How the chain's start changes with its parameters: the functions of chain_start.kern.h
 * differentiated. With the rates' factor s,
 *
 *   s' = (E' - V' - s^2 T') / (2 s T),   (s omega)' = s' omega + s omega' */
#ifndef ML_SYSTEMS_CHAIN_START_SLOPE_H
#define ML_SYSTEMS_CHAIN_START_SLOPE_H

#include "simd/dual.h"
#include "systems/chain_start.kern.h"

/* struct chain_energy with derivatives. */
struct chain_energy_dual {
    struct ml_dual twice_kinetic, potential, velocity_s, velocity_c;
};

/* chain_energy_add differentiated. */
ML_INLINE void chain_energy_dual_add(struct chain_energy_dual *sum, const double *constants,
                                     const double *slopes, int i, struct ml_dual omega,
                                     struct ml_dual s, struct ml_dual c)
{
    struct ml_dual along = ml_dual_get(constants, slopes, CHAIN_ROW_ALONG);
    struct ml_dual across = ml_dual_get(constants, slopes, CHAIN_ROW_ACROSS);
    struct ml_dual mu = ml_dual_get(constants, slopes, chain_row_mu(i));
    struct ml_dual length = ml_dual_get(constants, slopes, chain_row_length(i));
    struct ml_dual diagonal = ml_dual_get(constants, slopes, chain_row_diagonal(i));
    struct ml_dual step = ml_dual_product(length, omega);
    struct ml_dual joint = ml_dual_fma(c, sum->velocity_c, ml_dual_product(s, sum->velocity_s));
    struct ml_dual twice_joint = {2.0 * joint.v, 2.0 * joint.d};
    struct ml_dual momentum = ml_dual_fma(mu, twice_joint, ml_dual_product(diagonal, omega));
    struct ml_dual minus_along = {-along.v, -along.d};
    struct ml_dual height = ml_dual_fma(across, c, ml_dual_product(minus_along, s));
    sum->twice_kinetic = ml_dual_fma(momentum, omega, sum->twice_kinetic);
    sum->velocity_s = ml_dual_fma(step, s, sum->velocity_s);
    sum->velocity_c = ml_dual_fma(step, c, sum->velocity_c);
    sum->potential = ml_dual_fma(mu, height, sum->potential);
}

/* Energy of the start before its rates are scaled, with derivatives. */
ML_INLINE struct chain_energy_dual chain_start_energy(int n, bool is_joint, const double *initial,
                                                      const double *initial_slope,
                                                      const double *constants,
                                                      const double *constant_slope)
{
    const struct ml_dual zero = {ml_splat(0.0), ml_splat(0.0)};
    struct chain_energy_dual sum = {zero, zero, zero, zero};
    struct ml_dual angle = zero, rate = zero;
    for (int i = 0; i < n; i++) {
        ml_vec s, c;
        chain_next_state(n, is_joint, initial, i, &angle.v, &rate.v);
        chain_next_state(n, is_joint, initial_slope, i, &angle.d, &rate.d);
        ml_sincos(1, &angle.v, &s, &c);
        chain_energy_dual_add(&sum, constants, constant_slope, i, rate,
                              (struct ml_dual){s, c * angle.d}, (struct ml_dual){c, -s * angle.d});
    }
    return sum;
}

/* Scales the rates' derivatives in x_slope, and adds what the factor's own derivative makes of the
 * rates, in lanes that are given an energy. */
ML_INLINE void chain_rate_slopes(int n, bool is_joint, const double *initial, struct ml_dual energy,
                                 const struct chain_energy_dual *sum, double *x_slope)
{
    ml_mask is_given = chain_has_energy(energy.v);
    ml_vec kinetic = 0.5 * sum->twice_kinetic.v, kinetic_slope = 0.5 * sum->twice_kinetic.d;
    ml_vec factor = chain_rate_factor(energy.v, kinetic, sum->potential.v);
    ml_vec gain = ml_fnma(factor * factor, kinetic_slope, energy.d - sum->potential.d);
    ml_vec change = gain / (factor * sum->twice_kinetic.v), zero = ml_splat(0.0);
    change = ml_select((ml_mask)(gain == zero), zero, change); /* at rest nothing has to change */
    ml_vec angle = ml_splat(0.0), rate = ml_splat(0.0);
    for (int i = 0; i < n; i++) {
        ml_vec own = ml_get(x_slope, n + i);
        chain_next_state(n, is_joint, initial, i, &angle, &rate);
        ml_put(x_slope, n + i, ml_select(is_given, ml_fma(change, rate, factor * own), own));
    }
}

#endif
