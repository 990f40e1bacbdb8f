/* The runner's forces, with their derivatives by state and parameters. */
#ifndef ML_MODEL_FOUR_MASS_RUNNER_MOTION_H
#define ML_MODEL_FOUR_MASS_RUNNER_MOTION_H

#include "model/first_order.kern.h"
#include "simd/exp.h"
#include "simd/log.h"

enum {
    RUNNER_M1,
    RUNNER_M2,
    RUNNER_M3,
    RUNNER_M4,
    RUNNER_K1,
    RUNNER_K2,
    RUNNER_K3,
    RUNNER_K4,
    RUNNER_K5,
    RUNNER_C1,
    RUNNER_C2,
    RUNNER_C4,
    RUNNER_GRAVITY,
    RUNNER_AREA,
    RUNNER_STIFFNESS,
    RUNNER_EXPONENT,
    RUNNER_DAMPING,
    RUNNER_DAMPING_EXPONENT,
    RUNNER_ENERGY,
    FOUR_MASS_RUNNER_N_PARAM
};
enum { RUNNER_X1, RUNNER_X2, RUNNER_X3, RUNNER_X4 };
enum { RUNNER_V1 = 4, RUNNER_V2, RUNNER_V3, RUNNER_V4, FOUR_MASS_RUNNER_N_STATE };
enum { RUNNER_N_MASS = 4 };
enum { FOUR_MASS_RUNNER_FIRST_RATE = RUNNER_V1, FOUR_MASS_RUNNER_N_RATE = RUNNER_N_MASS };
enum { FOUR_MASS_RUNNER_N_POSITION = 0 }; /* its dampers act on rates */

/* Forces of springs and dampers on the four masses, downwards; linear in p and in x. */
ML_INLINE void runner_links(const ml_vec *p, const ml_vec *x, ml_vec *force)
{
    const ml_vec *v = x + RUNNER_V1;
    ml_vec f1 = ml_fma(p[RUNNER_K1], x[0] - x[2], p[RUNNER_C1] * (v[0] - v[2]));
    ml_vec f2 = ml_fma(p[RUNNER_K2], x[0] - x[1], p[RUNNER_C2] * (v[0] - v[1]));
    ml_vec f3 = p[RUNNER_K3] * (x[1] - x[2]);
    ml_vec f4 = ml_fma(p[RUNNER_K4] + p[RUNNER_K5], x[2] - x[3], p[RUNNER_C4] * (v[2] - v[3]));
    force[0] = -(f1 + f2);
    force[1] = f2 - f3;
    force[2] = f1 + f3 - f4;
    force[3] = f4;
}

/* The ground force and its terms: all 0 without contact. */
struct runner_contact {
    ml_vec force;               /* N */
    ml_vec log;                 /* ln x1 */
    ml_vec elastic, resistance; /* A x1^b, A x1^d: per unit of a and of c x1' */
};

ML_INLINE struct runner_contact runner_contact(const ml_vec *p, const ml_vec *x)
{
    ml_mask is_down = (ml_mask)(x[RUNNER_X1] > 0.0);
    ml_vec log = ml_log(ml_select(is_down, x[RUNNER_X1], ml_splat(1.0)));
    ml_vec elastic = p[RUNNER_AREA] * ml_exp(p[RUNNER_EXPONENT] * log);
    ml_vec resistance = p[RUNNER_AREA] * ml_exp(p[RUNNER_DAMPING_EXPONENT] * log);
    ml_vec force =
        ml_fma(p[RUNNER_DAMPING] * resistance, x[RUNNER_V1], p[RUNNER_STIFFNESS] * elastic);
    ml_mask pushes = is_down & (ml_mask)(force > 0.0);
    ml_vec none = ml_splat(0.0);
    return (struct runner_contact){
        .force = ml_select(pushes, force, none),
        .log = ml_select(pushes, log, none),
        .elastic = ml_select(pushes, elastic, none),
        .resistance = ml_select(pushes, resistance, none),
    };
}

ML_INLINE void runner_params(const struct ml_rhs_ctx *ctx, int j, ml_vec *p)
{
    for (int i = 0; i < FOUR_MASS_RUNNER_N_PARAM; i++)
        p[i] = first_order_param(ctx, j, i);
}

/* dx/dt from the parameters of one vector of lanes, p. */
ML_INLINE void runner_deriv(const ml_vec *p, const ml_vec *x, ml_vec *dx)
{
    ml_vec force[RUNNER_N_MASS];
    runner_links(p, x, force);
    force[0] -= runner_contact(p, x).force;
    for (int i = 0; i < RUNNER_N_MASS; i++) {
        dx[RUNNER_X1 + i] = x[RUNNER_V1 + i];
        dx[RUNNER_V1 + i] = force[i] / p[RUNNER_M1 + i] + p[RUNNER_GRAVITY];
    }
}

ML_INLINE void four_mass_runner_deriv(const struct ml_rhs_ctx *ctx, int j, ml_vec t,
                                      const ml_vec *x, ml_vec *dx)
{
    ml_vec p[FOUR_MASS_RUNNER_N_PARAM];
    (void)t;
    runner_params(ctx, j, p);
    runner_deriv(p, x, dx);
}

ML_INLINE void four_mass_runner_jacobian(const struct ml_rhs_ctx *ctx, int j, const ml_vec *x,
                                         const ml_vec *y, ml_vec *dy)
{
    ml_vec p[FOUR_MASS_RUNNER_N_PARAM], force[RUNNER_N_MASS];
    runner_params(ctx, j, p);
    const struct runner_contact contact = runner_contact(p, x);
    ml_vec drag = p[RUNNER_DAMPING] * contact.resistance; /* dF/dx1' */
    ml_vec steepness = ml_fma(p[RUNNER_DAMPING_EXPONENT] * drag, x[RUNNER_V1],
                              p[RUNNER_EXPONENT] * (p[RUNNER_STIFFNESS] * contact.elastic));
    ml_mask pushes = (ml_mask)(contact.force > 0.0);
    steepness = steepness / ml_select(pushes, x[RUNNER_X1], ml_splat(1.0)); /* dF/dx1 */
    runner_links(p, y, force);
    force[0] -= ml_fma(steepness, y[RUNNER_X1], drag * y[RUNNER_V1]);
    for (int i = 0; i < RUNNER_N_MASS; i++) {
        dy[RUNNER_X1 + i] = y[RUNNER_V1 + i];
        dy[RUNNER_V1 + i] = force[i] / p[RUNNER_M1 + i];
    }
}

/* Change of the ground force along changes d of the parameters. */
ML_INLINE ml_vec runner_contact_change(const ml_vec *p, const ml_vec *d, const ml_vec *x)
{
    const struct runner_contact contact = runner_contact(p, x);
    ml_vec area = p[RUNNER_AREA], wider = d[RUNNER_AREA];
    ml_vec grown = contact.force / ml_select((ml_mask)(area > 0.0), area, ml_splat(1.0));
    ml_vec stiffer =
        ml_fma(p[RUNNER_STIFFNESS] * contact.log, d[RUNNER_EXPONENT], d[RUNNER_STIFFNESS]);
    ml_vec slower =
        ml_fma(p[RUNNER_DAMPING] * contact.log, d[RUNNER_DAMPING_EXPONENT], d[RUNNER_DAMPING]);
    ml_vec dragged = contact.resistance * x[RUNNER_V1];
    return ml_fma(grown, wider, ml_fma(contact.elastic, stiffer, dragged * slower));
}

ML_INLINE void four_mass_runner_forcing(const struct ml_rhs_ctx *ctx, int j, ml_vec t,
                                        const ml_vec *x, ml_vec *dy)
{
    ml_vec p[FOUR_MASS_RUNNER_N_PARAM], d[FOUR_MASS_RUNNER_N_PARAM], dx[FOUR_MASS_RUNNER_N_STATE];
    ml_vec force[RUNNER_N_MASS];
    (void)t;
    runner_params(ctx, j, p);
    for (int i = 0; i < FOUR_MASS_RUNNER_N_PARAM; i++)
        d[i] = first_order_param_deriv(ctx, FOUR_MASS_RUNNER_N_PARAM, j, i);
    runner_deriv(p, x, dx);
    runner_links(d, x, force);
    force[0] -= runner_contact_change(p, d, x);
    for (int i = 0; i < RUNNER_N_MASS; i++) {
        ml_vec pushed = dx[RUNNER_V1 + i] - p[RUNNER_GRAVITY]; /* force over mass */
        ml_vec change = ml_fnma(d[RUNNER_M1 + i], pushed, force[i]);
        dy[RUNNER_V1 + i] += change / p[RUNNER_M1 + i] + d[RUNNER_GRAVITY];
    }
}

#endif
