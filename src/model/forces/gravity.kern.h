/* gravity: a uniform field of acceleration that may change over time, besides the system's own. On
 * segment i it exerts mu_i a . n_i, n_i across the segment, as sum m_k p_k = sum mu_i u_i. While it
 * is constant it has the potential -a . sum mu_i u_i. */
#ifndef ML_MODEL_FORCES_GRAVITY_H
#define ML_MODEL_FORCES_GRAVITY_H

#include "model/forces/law_signal.kern.h"

enum {
    GRAVITY_ACCELERATION,
    GRAVITY_ACCELERATION_X,
    GRAVITY_ACCELERATION_Y = GRAVITY_ACCELERATION_X + ML_SIGNAL_ROWS,
    GRAVITY_N_PARAM
};

static const struct ml_param gravity_params[GRAVITY_N_PARAM] = {
    [GRAVITY_ACCELERATION] = {"acceleration", "m/s^2", (double)NAN, -1e6, 1e6,
                              ML_REQUIRED | ML_VECTOR | ML_DERIVED,
                              "acceleration, [x, y]; that of a base that moves by a is -a"},
    [GRAVITY_ACCELERATION_X] = {"acceleration.x", "m/s^2", (double)NAN, -1e6, 1e6,
                                ML_DERIVED | ML_SIGNAL, "acceleration along x"},
    [GRAVITY_ACCELERATION_Y] = {"acceleration.y", "m/s^2", (double)NAN, -1e6, 1e6,
                                ML_DERIVED | ML_SIGNAL, "acceleration along y"},
};

ML_INLINE struct ml_dual_xy gravity_acceleration_of(const struct ml_law_at *at)
{
    return (struct ml_dual_xy){ml_law_signal(at, 0, GRAVITY_ACCELERATION_X).value,
                               ml_law_signal(at, 1, GRAVITY_ACCELERATION_Y).value};
}

ML_INLINE void gravity_law_at(const struct ml_law_at *at)
{
    const struct ml_dual_xy a = gravity_acceleration_of(at);
    if (at->view->field) {
        at->view->field[at->j] += a.x.v;
        at->view->field[at->view->n_group + at->j] += a.y.v;
        return;
    }
    ML_UNROLL
    for (int i = 0; i < at->view->n; i++)
        ml_law_add_generalised_force(
            at, i, ml_dual_mul(ml_law_mu(at, i), ml_dual_dot(a, ml_law_across(at, i))));
}
ML_LAW(gravity_force, gravity_law_at)

ML_INLINE void gravity_potential_at(const struct ml_law_at *at)
{
    const struct ml_dual_xy a = gravity_acceleration_of(at);
    for (int i = 0; i < at->view->n; i++)
        ml_law_add_potential(
            at, ml_dual_neg(ml_dual_mul(ml_law_mu(at, i), ml_dual_dot(a, ml_law_along(at, i)))));
}
ML_LAW(gravity_potential, gravity_potential_at)

static const struct ml_law_functions gravity_law = {
    .force = gravity_force,
    .tangent = gravity_force_deriv,
    .potential = gravity_potential,
    .potential_deriv = gravity_potential_deriv,
};

ML_DESCRIPTOR(ml_force, gravity) = {
    .name = "gravity",
    .doc =
        "uniform field of acceleration, such as gravity that changes or that of a base that moves",
    .params = gravity_params,
    .n_param = GRAVITY_N_PARAM,
    .is_external = true,
    .is_conservative = true,
    .law = &gravity_law,
};

#endif
