/* computed_torque: a controller with a model of the mechanism. It exerts
 *
 *   Q = factor (M a - C - G),   a = theta_d'' + kd (theta_d' - theta') + kp (theta_d - theta)
 *
 * so that with factor 1 and no other forces the error of each angle is a damped oscillator of its
 * own (Craig, Introduction to Robotics, section 10.4). Factor is the ratio of masses and inertias
 * in the model to the true ones. */
#ifndef ML_MODEL_FORCES_COMPUTED_TORQUE_H
#define ML_MODEL_FORCES_COMPUTED_TORQUE_H

#include "model/forces/law_signal.kern.h"

/* rows of the table */
enum {
    COMPUTED_TORQUE_KP,
    COMPUTED_TORQUE_KD,
    COMPUTED_TORQUE_MASS_FACTOR,
    COMPUTED_TORQUE_LIMIT,
    COMPUTED_TORQUE_FEEDBACK,
    COMPUTED_TORQUE_TARGET = COMPUTED_TORQUE_FEEDBACK + ML_FEEDBACK_N_PARAM,
    COMPUTED_TORQUE_LIMIT_LOW,
    COMPUTED_TORQUE_LIMIT_HIGH,
    COMPUTED_TORQUE_N_PARAM
};

static const struct ml_param computed_torque_params[COMPUTED_TORQUE_N_PARAM] = {
    [COMPUTED_TORQUE_KP] = {"kp", "1/s^2", 0.0, -1e12, 1e12, ML_REQUIRED,
                            "acceleration per error of an angle"},
    [COMPUTED_TORQUE_KD] = {"kd", "1/s", 0.0, -1e12, 1e12, ML_REQUIRED,
                            "acceleration per error of a rate"},
    [COMPUTED_TORQUE_MASS_FACTOR] =
        {"mass_factor", "1", 1.0, 0.0, 1e6, 0,
         "masses and inertias in the controller's model, relative to the real ones"},
    ML_FEEDBACK_PARAMS(COMPUTED_TORQUE_FEEDBACK),
    [COMPUTED_TORQUE_TARGET] = {"target", "rad", 0.0, -1e6, 1e6,
                                ML_REQUIRED | ML_SIGNAL | ML_BY_JOINT,
                                "angles that are wanted, as the study counts them"},
    ML_LIMIT_PARAMS(COMPUTED_TORQUE_LIMIT, COMPUTED_TORQUE_LIMIT_LOW, COMPUTED_TORQUE_LIMIT_HIGH,
                    ML_BY_JOINT),
};

/* Acceleration that is wanted of the absolute angle i; proximal: that of i - 1. */
ML_INLINE struct ml_dual computed_torque_wanted(const struct ml_law_at *at, int i,
                                                struct ml_dual proximal)
{
    const int row = COMPUTED_TORQUE_TARGET + i * ML_SIGNAL_ROWS;
    struct ml_signal_now target = ml_law_signal(at, i, row);
    struct ml_dual error = ml_dual_sub(target.value, ml_law_angle(at, i));
    struct ml_dual rate = ml_dual_sub(target.rate, ml_law_rate(at, i));
    ml_law_error(at, i, i, row, error);
    struct ml_dual a = ml_dual_fma(ml_law_param(at, COMPUTED_TORQUE_KD), rate, target.acceleration);
    a = ml_dual_fma(ml_law_param(at, COMPUTED_TORQUE_KP), error, a);
    return at->view->is_joint && i > 0 ? ml_dual_add(a, proximal) : a;
}

/* Sine and cosine of segment i's angle as the controller sees it. */
ML_INLINE void computed_torque_sincos(const struct ml_law_at *at, int i, struct ml_dual *s,
                                      struct ml_dual *c)
{
    ml_law_sincos(at, i, s, c);
    if (at->law->feedback == 0)
        return;
    struct ml_dual phi = ml_law_phi(at, i);
    ml_sincos(1, &phi.v, &s->v, &c->v);
    *s = (struct ml_dual){s->v, c->v * phi.d};
    *c = (struct ml_dual){c->v, -s->v * phi.d};
}

/* Sums over segments of w (cos phi a - sin phi omega^2) and w (sin phi a + cos phi omega^2). */
struct computed_torque_sums {
    struct ml_dual x, y;
};

ML_INLINE struct computed_torque_sums
computed_torque_joined(const struct ml_law_at *at, int i, struct ml_dual weight, struct ml_dual a,
                       struct computed_torque_sums computed_torque_sums, double sign)
{
    struct ml_dual s, c, omega = ml_law_omega(at, i);
    struct ml_dual square = ml_dual_mul(omega, omega);
    computed_torque_sincos(at, i, &s, &c);
    weight = ml_dual_mul(ml_dual_splat(sign), weight);
    struct ml_dual x = ml_dual_fma(c, a, ml_dual_neg(ml_dual_mul(s, square)));
    struct ml_dual y = ml_dual_fma(s, a, ml_dual_mul(c, square));
    return (struct computed_torque_sums){ml_dual_fma(weight, x, computed_torque_sums.x),
                                         ml_dual_fma(weight, y, computed_torque_sums.y)};
}

/* M a - C - G of the absolute angle i: c_ij is l_j mu_i nearer to the base, whose sums begin with
 * gravity's term, and l_i mu_j beyond. */
ML_INLINE struct ml_dual computed_torque_needed(const struct ml_law_at *at, int i, struct ml_dual a,
                                                struct computed_torque_sums nearer,
                                                struct computed_torque_sums beyond)
{
    struct ml_dual s, c, mu = ml_law_mu(at, i), length = ml_law_length(at, i);
    computed_torque_sincos(at, i, &s, &c);
    struct ml_dual x = ml_dual_fma(length, beyond.x, ml_dual_mul(mu, nearer.x));
    struct ml_dual y = ml_dual_fma(length, beyond.y, ml_dual_mul(mu, nearer.y));
    return ml_dual_fma(c, x, ml_dual_fma(s, y, ml_dual_mul(ml_law_diagonal(at, i), a)));
}

/* Where the generalised forces go, one by one. */
enum computed_torque_pass { COMPUTED_TORQUE_ADD, COMPUTED_TORQUE_SUM, COMPUTED_TORQUE_HOLD };

/* Adds them, or their sum to `rest`, or from base to tip the torques at the joints, which are the
 * sum of the rest of them, within limits.
 *   beyond  of all segments */
ML_INLINE void computed_torque_each(const struct ml_law_at *at, enum computed_torque_pass pass,
                                    struct computed_torque_sums beyond, struct ml_dual *rest)
{
    const int n = at->view->n, low = COMPUTED_TORQUE_TARGET + n * ML_SIGNAL_ROWS;
    struct computed_torque_sums nearer = {ml_dual_neg(ml_law_gravity_along(at)),
                                          ml_dual_neg(ml_law_gravity_across(at))};
    struct ml_dual a = ml_dual_splat(0.0);
    ML_UNROLL
    for (int i = 0; i < n; i++) {
        a = computed_torque_wanted(at, i, a);
        beyond = computed_torque_joined(at, i, ml_law_mu(at, i), a, beyond, -1.0);
        struct ml_dual torque = computed_torque_needed(at, i, a, nearer, beyond);
        if (!ml_law_is_default(at, COMPUTED_TORQUE_MASS_FACTOR))
            torque = ml_dual_mul(ml_law_param(at, COMPUTED_TORQUE_MASS_FACTOR), torque);
        if (pass == COMPUTED_TORQUE_ADD)
            ml_law_add_generalised_force(at, i, torque);
        if (pass == COMPUTED_TORQUE_SUM)
            *rest = ml_dual_add(*rest, torque);
        if (pass == COMPUTED_TORQUE_HOLD) {
            ml_law_add_torque(
                at, i, ml_law_limited(at, *rest, COMPUTED_TORQUE_LIMIT, low + i, low + n + i));
            *rest = ml_dual_sub(*rest, torque);
        }
        nearer = computed_torque_joined(at, i, ml_law_length(at, i), a, nearer, 1.0);
    }
}

ML_INLINE void computed_torque_law_at(const struct ml_law_at *at)
{
    const struct ml_dual none = ml_dual_splat(0.0);
    struct computed_torque_sums beyond = {none, none};
    struct ml_dual a = none, rest = none;
    ML_UNROLL
    for (int i = 0; i < at->view->n; i++) {
        a = computed_torque_wanted(at, i, a);
        beyond = computed_torque_joined(at, i, ml_law_mu(at, i), a, beyond, 1.0);
    }
    if (!at->law->has_limit) {
        computed_torque_each(at, COMPUTED_TORQUE_ADD, beyond, &rest);
        return;
    }
    computed_torque_each(at, COMPUTED_TORQUE_SUM, beyond, &rest);
    computed_torque_each(at, COMPUTED_TORQUE_HOLD, beyond, &rest);
}
ML_LAW(computed_torque_force, computed_torque_law_at)

static const struct ml_law_functions computed_torque_law = {.force = computed_torque_force,
                                                            .tangent = computed_torque_force_deriv};

ML_DESCRIPTOR(ml_force, computed_torque) = {
    .name = "computed_torque",
    .doc = "torques at all joints that make the angles follow a target, from a model of the chain",
    .params = computed_torque_params,
    .n_param = COMPUTED_TORQUE_N_PARAM,
    .feedback = COMPUTED_TORQUE_FEEDBACK,
    .law = &computed_torque_law,
};

#endif
