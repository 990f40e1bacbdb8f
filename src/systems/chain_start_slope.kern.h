/* How the chain's start changes with its parameters: the functions of chain_start.kern.h
 * differentiated. With the rates' factor s,
 *
 *   s' = (E' - V' - s^2 T') / (2 s T),   (s omega)' = s' omega + s omega' */
#ifndef ML_SYSTEMS_CHAIN_START_SLOPE_H
#define ML_SYSTEMS_CHAIN_START_SLOPE_H

#include "systems/chain_start.kern.h"

/* A number and its derivative. */
struct chain_dual {
    ml_vec v, d;
};

ML_INLINE struct chain_dual chain_dual_get(const double *values, const double *slopes, int row)
{
    return (struct chain_dual){ml_get(values, row), ml_get(slopes, row)};
}

/* a b */
ML_INLINE struct chain_dual chain_dual_product(struct chain_dual a, struct chain_dual b)
{
    return (struct chain_dual){a.v * b.v, ml_fma(a.v, b.d, a.d * b.v)};
}

/* a b + c */
ML_INLINE struct chain_dual chain_dual_fma(struct chain_dual a, struct chain_dual b,
                                           struct chain_dual c)
{
    return (struct chain_dual){ml_fma(a.v, b.v, c.v), ml_fma(a.v, b.d, ml_fma(a.d, b.v, c.d))};
}

/* struct chain_energy with derivatives. */
struct chain_energy_dual {
    struct chain_dual twice_kinetic, potential, velocity_s, velocity_c;
};

/* chain_energy_add differentiated. */
ML_INLINE void chain_energy_dual_add(struct chain_energy_dual *sum, const double *constants,
                                     const double *slopes, int i, struct chain_dual omega,
                                     struct chain_dual s, struct chain_dual c)
{
    struct chain_dual along = chain_dual_get(constants, slopes, CHAIN_ROW_ALONG);
    struct chain_dual across = chain_dual_get(constants, slopes, CHAIN_ROW_ACROSS);
    struct chain_dual mu = chain_dual_get(constants, slopes, chain_row_mu(i));
    struct chain_dual length = chain_dual_get(constants, slopes, chain_row_length(i));
    struct chain_dual diagonal = chain_dual_get(constants, slopes, chain_row_diagonal(i));
    struct chain_dual step = chain_dual_product(length, omega);
    struct chain_dual joint =
        chain_dual_fma(c, sum->velocity_c, chain_dual_product(s, sum->velocity_s));
    struct chain_dual twice_joint = {2.0 * joint.v, 2.0 * joint.d};
    struct chain_dual momentum =
        chain_dual_fma(mu, twice_joint, chain_dual_product(diagonal, omega));
    struct chain_dual minus_along = {-along.v, -along.d};
    struct chain_dual height = chain_dual_fma(across, c, chain_dual_product(minus_along, s));
    sum->twice_kinetic = chain_dual_fma(momentum, omega, sum->twice_kinetic);
    sum->velocity_s = chain_dual_fma(step, s, sum->velocity_s);
    sum->velocity_c = chain_dual_fma(step, c, sum->velocity_c);
    sum->potential = chain_dual_fma(mu, height, sum->potential);
}

/* Energy of the start before its rates are scaled, with derivatives. */
ML_INLINE struct chain_energy_dual chain_start_energy(int n, bool is_joint, const double *initial,
                                                      const double *initial_slope,
                                                      const double *constants,
                                                      const double *constant_slope)
{
    const struct chain_dual zero = {ml_splat(0.0), ml_splat(0.0)};
    struct chain_energy_dual sum = {zero, zero, zero, zero};
    struct chain_dual angle = zero, rate = zero;
    for (int i = 0; i < n; i++) {
        ml_vec s, c;
        chain_next_state(n, is_joint, initial, i, &angle.v, &rate.v);
        chain_next_state(n, is_joint, initial_slope, i, &angle.d, &rate.d);
        ml_sincos(1, &angle.v, &s, &c);
        chain_energy_dual_add(&sum, constants, constant_slope, i, rate,
                              (struct chain_dual){s, c * angle.d},
                              (struct chain_dual){c, -s * angle.d});
    }
    return sum;
}

/* Scales the rates' derivatives in x_slope, and adds what the factor's own derivative makes of the
 * rates, in lanes that are given an energy. */
ML_INLINE void chain_rate_slopes(int n, bool is_joint, const double *initial,
                                 struct chain_dual energy, const struct chain_energy_dual *sum,
                                 double *x_slope)
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
