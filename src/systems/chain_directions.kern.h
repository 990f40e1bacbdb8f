/* How the chain's constants and initial state change with its parameters: the functions of
 * chain_constants.kern.h differentiated, and all of it together. */
#ifndef ML_SYSTEMS_CHAIN_DIRECTIONS_H
#define ML_SYSTEMS_CHAIN_DIRECTIONS_H

#include "systems/chain_start.kern.h"

/* Length and mass of a part of the body. */
static void chain_derive_part_deriv(const struct chain_part *part, const double *given,
                                    const double *deriv, double *out)
{
    if (isnan(given[CHAIN_LENGTH]))
        out[CHAIN_LENGTH] += part->length * deriv[CHAIN_BODY_HEIGHT];
    if (isnan(given[CHAIN_MASS]))
        out[CHAIN_MASS] += part->mass * deriv[CHAIN_BODY_MASS];
}

/* com: over length; inertia: over mass length^2 */
static void chain_derive_segment_deriv(double com, double inertia, const double *given,
                                       const double *derived, double *out)
{
    const double length = derived[CHAIN_LENGTH], mass = derived[CHAIN_MASS];
    const double longer = out[CHAIN_LENGTH], heavier = out[CHAIN_MASS];
    if (isnan(given[CHAIN_COM]))
        out[CHAIN_COM] += com * longer;
    if (isnan(given[CHAIN_INERTIA]))
        out[CHAIN_INERTIA] += inertia * length * (heavier * length + 2.0 * mass * longer);
}

static void chain_derive_deriv(const struct ml_shape *shape, const double *given,
                               const double *derived, double *deriv)
{
    if (isnan(given[CHAIN_GRAVITY_Y]))
        deriv[CHAIN_GRAVITY_Y] -= deriv[CHAIN_GRAVITY];
    for (int i = 0; i < shape->n; i++) {
        const int at = CHAIN_N_PARAM + i * CHAIN_N_SEGMENT_PARAM;
        const struct chain_part *part = chain_part_of(shape, i);
        if (part)
            chain_derive_part_deriv(part, given + at, deriv, deriv + at);
        chain_derive_segment_deriv(part ? part->com : 0.5,
                                   part ? part->gyration * part->gyration : 1.0 / 12.0, given + at,
                                   derived + at, deriv + at);
    }
}

/* Of each segment's length, mu and inertia, from the tip inwards. */
ML_INLINE void chain_segment_derivs(int n, const double *values, const double *deriv, double *out)
{
    ml_vec distal = ml_splat(0.0), distal_deriv = distal; /* mass beyond the segment */
    for (int i = n - 1; i >= 0; i--) {
        const long at = (CHAIN_N_PARAM + i * CHAIN_N_SEGMENT_PARAM) * ML_LANES;
        const double *segment = values + at, *change = deriv + at;
        ml_vec l = ml_get(segment, CHAIN_LENGTH), dl = ml_get(change, CHAIN_LENGTH);
        ml_vec m = ml_get(segment, CHAIN_MASS), dm = ml_get(change, CHAIN_MASS);
        ml_vec d = ml_get(segment, CHAIN_COM), dd = ml_get(change, CHAIN_COM);
        ml_vec own = ml_fma(dm, d, m * dd), beyond = ml_fma(l, distal_deriv, dl * distal);
        ml_vec inertia = ml_fma(d, ml_fma(m, dd, own), ml_get(change, CHAIN_INERTIA));
        ml_put(out, chain_row_length(i), dl);
        ml_put(out, chain_row_mu(i), own + beyond);
        ml_put(out, chain_row_diagonal(i), ml_fma(l, ml_fma(dl, distal, beyond), inertia));
        ml_put(out, chain_row_com(i), dd);
        ml_put(out, chain_row_torque(i), ml_splat(0.0));
        ml_put(out, chain_row_damping(i), ml_splat(0.0));
        distal += m;
        distal_deriv += dm;
    }
}

/* Of the rows of pairs and weights, from the other rows and their derivatives. */
ML_INLINE void chain_pair_derivs(int n, const double *constants, double *out)
{
    ml_vec along = ml_get(constants, CHAIN_ROW_ALONG), across = ml_get(constants, CHAIN_ROW_ACROSS);
    ml_vec d_along = ml_get(out, CHAIN_ROW_ALONG), d_across = ml_get(out, CHAIN_ROW_ACROSS);
    for (int i = 0; i < n; i++) {
        ml_vec mu = ml_get(constants, chain_row_mu(i)), dmu = ml_get(out, chain_row_mu(i));
        ml_put(out, chain_row_along(n, i), ml_fma(dmu, along, mu * d_along));
        ml_put(out, chain_row_across(n, i), ml_fma(dmu, across, mu * d_across));
        for (int j = 0; j < i; j++)
            ml_put(out, chain_row_coupling(n, i, j),
                   ml_fma(dmu, ml_get(constants, chain_row_length(j)),
                          mu * ml_get(out, chain_row_length(j))));
    }
}

static void chain_prepare_deriv(const struct ml_shape *shape, const double *values,
                                const double *deriv, const double *constants,
                                double *constant_deriv, double *x_deriv)
{
    const int n = shape->n, at = (CHAIN_N_PARAM + n * CHAIN_N_SEGMENT_PARAM) * ML_LANES;
    const bool is_joint = shape->choice[CHAIN_ANGLES] == CHAIN_JOINT;
    ML_EACH_GROUP(g) {
        chain_prepare_gravity(shape->choice[CHAIN_ZERO] == CHAIN_DOWN, deriv + g,
                              constant_deriv + g);
        chain_segment_derivs(n, values + g, deriv + g, constant_deriv + g);
        if (n <= CHAIN_MAX_PAIRWISE)
            chain_pair_derivs(n, constants + g, constant_deriv + g);
        chain_prepare_state(n, is_joint, deriv + at + g, x_deriv + g);
        for (int i = 2 * n; i < 2 * n + shape->n_law_state; i++)
            ml_put(x_deriv + g, i, ml_splat(0.0));
    }
}

#endif
