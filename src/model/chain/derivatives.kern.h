/* Derivatives by the chain's parameters: of its constants, its start and its energies. */
#ifndef ML_MODEL_CHAIN_DERIVATIVES_H
#define ML_MODEL_CHAIN_DERIVATIVES_H

#include "model/chain/observe.kern.h"
#include "model/chain/start.kern.h"

/* How the chain's constants and initial state change with its parameters: the functions of
 * params.kern.h differentiated, and all of it together. */

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

static void chain_derive_deriv(const struct ml_instance *model, const double *given,
                               const double *derived, double *deriv)
{
    if (isnan(given[CHAIN_GRAVITY_Y]))
        deriv[CHAIN_GRAVITY_Y] -= deriv[CHAIN_GRAVITY];
    for (int i = 0; i < model->n; i++) {
        const int at = CHAIN_N_PARAM + i * CHAIN_N_SEGMENT_PARAM;
        const struct chain_part *part = chain_part_of(model, i);
        if (part)
            chain_derive_part_deriv(part, given + at, deriv, deriv + at);
        chain_derive_segment_deriv(part ? part->com : 0.5,
                                   part ? part->gyration * part->gyration : 1.0 / 12.0, given + at,
                                   derived + at, deriv + at);
    }
}

/* Derivatives of each segment's length, mu and inertia, from the tip inwards. */
ML_INLINE void chain_segment_derivs(int n, const double *values, const double *deriv, double *out)
{
    ml_vec distal = ml_splat(0.0), distal_deriv = distal; /* mass beyond the segment */
    for (int i = n - 1; i >= 0; i--) {
        const long at = (CHAIN_N_PARAM + i * CHAIN_N_SEGMENT_PARAM) * ML_LANES;
        const double *segment = values + at, *change = deriv + at;
        ml_vec l = ml_load(segment, CHAIN_LENGTH), dl = ml_load(change, CHAIN_LENGTH);
        ml_vec m = ml_load(segment, CHAIN_MASS), dm = ml_load(change, CHAIN_MASS);
        ml_vec d = ml_load(segment, CHAIN_COM), dd = ml_load(change, CHAIN_COM);
        ml_vec own = ml_fma(dm, d, m * dd), beyond = ml_fma(l, distal_deriv, dl * distal);
        ml_vec inertia = ml_fma(d, ml_fma(m, dd, own), ml_load(change, CHAIN_INERTIA));
        ml_store(out, chain_row_length(i), dl);
        ml_store(out, chain_row_mu(i), own + beyond);
        ml_store(out, chain_row_diagonal(i), ml_fma(l, ml_fma(dl, distal, beyond), inertia));
        ml_store(out, chain_row_com(i), dd);
        ml_store(out, chain_row_mass(i), dm);
        ml_store(out, chain_row_torque(i), ml_splat(0.0));
        ml_store(out, chain_row_damping(i), ml_splat(0.0));
        distal += m;
        distal_deriv += dm;
    }
}

/* Derivatives of the rows of pairs and weights, from the other rows and their derivatives. */
ML_INLINE void chain_pair_derivs(int n, const double *constants, double *out)
{
    ml_vec along = ml_load(constants, CHAIN_ROW_ALONG),
           across = ml_load(constants, CHAIN_ROW_ACROSS);
    ml_vec d_along = ml_load(out, CHAIN_ROW_ALONG), d_across = ml_load(out, CHAIN_ROW_ACROSS);
    for (int i = 0; i < n; i++) {
        ml_vec mu = ml_load(constants, chain_row_mu(i)), dmu = ml_load(out, chain_row_mu(i));
        ml_store(out, chain_row_along(n, i), ml_fma(dmu, along, mu * d_along));
        ml_store(out, chain_row_across(n, i), ml_fma(dmu, across, mu * d_across));
        for (int j = 0; j < i; j++)
            ml_store(out, chain_row_coupling(n, i, j),
                     ml_fma(dmu, ml_load(constants, chain_row_length(j)),
                            mu * ml_load(out, chain_row_length(j))));
    }
}

static void chain_prepare_deriv(const struct ml_instance *model, const double *values,
                                const double *deriv, const double *constants,
                                double *constant_deriv, double *x_deriv)
{
    const int n = model->n, at = (CHAIN_N_PARAM + n * CHAIN_N_SEGMENT_PARAM) * ML_LANES;
    const bool is_joint = model->choice[CHAIN_ANGLES] == CHAIN_JOINT;
    ML_EACH_GROUP(g) {
        chain_prepare_gravity(model->choice[CHAIN_ZERO] == CHAIN_DOWN, deriv + g,
                              constant_deriv + g);
        chain_segment_derivs(n, values + g, deriv + g, constant_deriv + g);
        if (n <= CHAIN_MAX_PAIRWISE)
            chain_pair_derivs(n, constants + g, constant_deriv + g);
        chain_prepare_state(n, is_joint, deriv + at + g, x_deriv + g);
        chain_prepare_law_states(model, deriv + g, x_deriv + g);
    }
}

/* How the chain's energies change with a parameter: chain_energy of observe.kern.h
 * differentiated, by the constants and by the state. */

/* A vector sum over the segments as chain_sum, and its derivative. */
struct chain_moving_sum {
    struct chain_sum sum, deriv;
};

/* Adds l omega n of segment i, with its derivative.
 *   step, change  l omega, and its derivative
 *   dphi          derivative of the angle */
ML_INLINE void chain_add_velocity(ml_vec step, ml_vec change, ml_vec dphi, ml_vec s, ml_vec c,
                                  struct chain_moving_sum *v)
{
    v->deriv.s = ml_fma(change, s, ml_fma(step * c, dphi, v->deriv.s));
    v->deriv.c = ml_fma(change, c, ml_fnma(step * s, dphi, v->deriv.c));
    v->sum.s = ml_fma(step, s, v->sum.s);
    v->sum.c = ml_fma(step, c, v->sum.c);
}

/* Derivatives of the energies, for one vector of lanes.
 *   constants, derivatives  and their derivatives
 *   x, dx              the state and its derivative
 *   work               [3 n] */
ML_INLINE struct chain_energy chain_energy_deriv_lanes(int n, const double *constants,
                                                       const double *derivs, const double *x,
                                                       const double *dx, ml_vec *work)
{
    const ml_vec zero = ml_splat(0.0);
    ml_vec *s = work, *c = s + n, twice_t = zero, v = zero;
    ml_vec along = ml_load(constants, CHAIN_ROW_ALONG), d_along = ml_load(derivs, CHAIN_ROW_ALONG);
    ml_vec across = ml_load(constants, CHAIN_ROW_ACROSS);
    ml_vec d_across = ml_load(derivs, CHAIN_ROW_ACROSS);
    struct chain_moving_sum velocity = {{zero, zero}, {zero, zero}};
    chain_sincos(n, x, s, c, c + n);
    for (int i = 0; i < n; i++) {
        ml_vec omega = ml_load(x, n + i), domega = ml_load(dx, n + i), dphi = ml_load(dx, i);
        ml_vec mu = ml_load(constants, chain_row_mu(i)), dmu = ml_load(derivs, chain_row_mu(i));
        ml_vec own = ml_load(constants, chain_row_diagonal(i));
        ml_vec joint = ml_fma(c[i], velocity.sum.c, s[i] * velocity.sum.s);
        ml_vec d_joint = ml_fma(c[i], velocity.deriv.c, s[i] * velocity.deriv.s);
        d_joint = ml_fma(ml_fma(c[i], velocity.sum.s, -(s[i] * velocity.sum.c)), dphi, d_joint);
        ml_vec momentum = ml_fma(2.0 * mu, joint, own * omega);
        ml_vec change = 2.0 * ml_fma(dmu, joint, mu * d_joint);
        change = ml_fma(ml_load(derivs, chain_row_diagonal(i)), omega, ml_fma(own, domega, change));
        twice_t = ml_fma(change, omega, ml_fma(momentum, domega, twice_t));
        ml_vec height = ml_fma(across, c[i], -(along * s[i])); /* times gravity */
        ml_vec d_height = ml_fma(d_across, c[i], -(d_along * s[i]));
        d_height = ml_fnma(ml_fma(across, s[i], along * c[i]), dphi, d_height);
        v = ml_fma(dmu, height, ml_fma(mu, d_height, v));
        ml_vec l = ml_load(constants, chain_row_length(i));
        ml_vec dl = ml_load(derivs, chain_row_length(i));
        chain_add_velocity(l * omega, ml_fma(dl, omega, l * domega), dphi, s[i], c[i], &velocity);
    }
    return (struct chain_energy){.twice_kinetic = twice_t, .potential = v};
}

static void chain_energy_scale_deriv(int n, const double *constants, const double *derivs,
                                     double *scale)
{
    ML_EACH_GROUP(g) {
        ml_vec sum = ml_splat(0.0);
        ml_vec along = ml_load(constants + g, CHAIN_ROW_ALONG);
        ml_vec across = ml_load(constants + g, CHAIN_ROW_ACROSS);
        ml_vec gravity = ml_abs(along) + ml_abs(across);
        ml_vec change = ml_abs_deriv(along, ml_load(derivs + g, CHAIN_ROW_ALONG)) +
                        ml_abs_deriv(across, ml_load(derivs + g, CHAIN_ROW_ACROSS));
        for (int i = 0; i < n; i++) {
            ml_vec mu = ml_load(constants + g, chain_row_mu(i));
            ml_vec dmu = ml_abs_deriv(mu, ml_load(derivs + g, chain_row_mu(i)));
            sum = ml_fma(dmu, gravity, ml_fma(ml_abs(mu), change, sum));
        }
        ml_store(scale + g, 0, sum);
    }
}

static void chain_energy_deriv(const struct ml_instance *model, int p, const double *constants,
                               const double *x, double *work, const struct ml_energies *out)
{
    const int n = model->n, n_unit = model->n_column - model->n_sens;
    const double *derivs = constants + (long)(1 + p) * chain_constant_rows(model) * ML_LANES;
    const double *dx = x + (long)(1 + n_unit + p) * chain_n_x(model) * ML_LANES;
    ML_EACH_GROUP(g) {
        const struct chain_energy change =
            chain_energy_deriv_lanes(n, constants + g, derivs + g, x + g, dx + g, (ml_vec *)work);
        ml_store(out->kinetic + g, 0, 0.5 * change.twice_kinetic);
        ml_store(out->potential + g, 0, change.potential);
        if (model->n_law > 0)
            chain_law_potential_derivs(model, constants + g, derivs + g, x + g, dx + g,
                                       (ml_vec *)work, out->potential + g);
    }
    if (out->scale)
        chain_energy_scale_deriv(n, constants, derivs, out->scale);
}

#endif
