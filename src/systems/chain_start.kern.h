/* The chain's start: absolute angles and rates from the study's, the rates scaled by one factor if
 * the study gives the energy,
 *
 *   s = sqrt((E - V) / T)   of E = s^2 T + V */
#ifndef ML_SYSTEMS_CHAIN_START_H
#define ML_SYSTEMS_CHAIN_START_H

#include <float.h>

#include "simd/vmath.h"
#include "systems/chain_energy.kern.h"

/* Makes angle and rate of the segment before, 0 at first, those of segment i. */
ML_INLINE void chain_next_state(int n, bool is_joint, const double *initial, int i, ml_vec *angle,
                                ml_vec *rate)
{
    if (!is_joint)
        *angle = *rate = ml_splat(0.0);
    *angle = *angle + ml_get(initial, i);
    *rate = *rate + ml_get(initial, n + i);
}

/* Absolute angles and rates from the study's. */
ML_INLINE void chain_prepare_state(int n, bool is_joint, const double *initial, double *x)
{
    ml_vec angle = ml_splat(0.0), rate = ml_splat(0.0);
    for (int i = 0; i < n; i++) {
        chain_next_state(n, is_joint, initial, i, &angle, &rate);
        ml_put(x, i, angle);
        ml_put(x, n + i, rate);
    }
}

/* Lanes that are given an energy. */
ML_INLINE ml_mask chain_has_energy(ml_vec energy) { return (ml_mask)(energy == energy); }

/* The factor of the rates; NaN where none gives that energy. */
ML_INLINE ml_vec chain_rate_factor(ml_vec energy, ml_vec kinetic, ml_vec potential)
{
    ml_vec left = energy - potential, factor = ml_sqrt(left / kinetic), zero = ml_splat(0.0);
    ml_mask is_at_rest = (ml_mask)(kinetic == zero) & (ml_mask)(left == zero);
    factor = ml_select(is_at_rest, ml_splat(1.0), factor);
    return ml_select(ml_within(factor, DBL_MAX), factor, ml_splat((double)NAN));
}

/* Scales the rates of x to the energy, J, in lanes that are given one. */
ML_INLINE void chain_prepare_rates(int n, ml_vec energy, const double *constants, double *x)
{
    struct chain_energy sum = chain_energy_none();
    for (int i = 0; i < n; i++) {
        ml_vec angle = ml_get(x, i), s, c;
        ml_sincos(1, &angle, &s, &c);
        chain_energy_add(&sum, constants, i, ml_get(x, n + i), s, c);
    }
    ml_vec factor = chain_rate_factor(energy, 0.5 * sum.twice_kinetic, sum.potential);
    factor = ml_select(chain_has_energy(energy), factor, ml_splat(1.0));
    for (int i = n; i < 2 * n; i++)
        ml_put(x, i, factor * ml_get(x, i));
}

static void chain_prepare(const struct ml_shape *shape, const double *values, double *constants,
                          double *x)
{
    const int n = shape->n;
    const double *initial = values + (CHAIN_N_PARAM + n * CHAIN_N_SEGMENT_PARAM) * ML_LANES;
    ML_EACH_GROUP(g) {
        ml_vec energy = ml_get(values + g, CHAIN_ENERGY);
        chain_prepare_constants(shape, values + g, constants + g);
        chain_prepare_state(n, shape->choice[CHAIN_ANGLES] == CHAIN_JOINT, initial + g, x + g);
        for (int i = 2 * n; i < 2 * n + shape->n_law_state; i++)
            ml_put(x + g, i, ml_splat(0.0));
        if (ml_bits(chain_has_energy(energy)))
            chain_prepare_rates(n, energy, constants + g, x + g);
    }
}

#endif
