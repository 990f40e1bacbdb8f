/* impedance: joint torques of muscles that hold a posture, which may move (the equilibrium-point
 * hypothesis),
 *
 *   tau = K (alpha_e - alpha) + B (share alpha_e' - alpha')
 *
 * with the joint angles alpha, and alpha_e those of the equilibrium, given as the study counts
 * angles. Entries of K off its diagonal are muscles that span two joints (Hogan 1985; Flash 1987,
 * where share is 0). */
#ifndef ML_MODEL_FORCES_IMPEDANCE_H
#define ML_MODEL_FORCES_IMPEDANCE_H

#include "model/forces/law_signal.kern.h"

/* rows of the table */
enum {
    IMPEDANCE_RATE_SHARE,
    IMPEDANCE_LIMIT,
    IMPEDANCE_FEEDBACK,
    IMPEDANCE_STIFFNESS = IMPEDANCE_FEEDBACK + ML_FEEDBACK_N_PARAM,
    IMPEDANCE_DAMPING,
    IMPEDANCE_EQUILIBRIUM,
    IMPEDANCE_LIMIT_LOW,
    IMPEDANCE_LIMIT_HIGH,
    IMPEDANCE_N_PARAM
};

static const struct ml_param impedance_params[IMPEDANCE_N_PARAM] = {
    [IMPEDANCE_RATE_SHARE] =
        {"rate_share", "1", 1.0, 0.0, 1.0, 0,
         "share of the equilibrium's own rate that the damping is relative to: 1 damps "
         "motion about the equilibrium, 0 any motion"},
    ML_FEEDBACK_PARAMS(IMPEDANCE_FEEDBACK),
    [IMPEDANCE_STIFFNESS] = {"stiffness", "N m/rad", 0.0, -1e12, 1e12, ML_REQUIRED | ML_MATRIX,
                             "torque at a joint (row) per angle of a joint (column)"},
    [IMPEDANCE_DAMPING] = {"damping", "N m s/rad", 0.0, -1e12, 1e12, ML_MATRIX,
                           "torque at a joint (row) per rate of a joint (column)"},
    [IMPEDANCE_EQUILIBRIUM] = {"equilibrium", "rad", 0.0, -1e6, 1e6,
                               ML_REQUIRED | ML_SIGNAL | ML_BY_JOINT,
                               "angles without torque, as the study counts them"},
    ML_LIMIT_PARAMS(IMPEDANCE_LIMIT, IMPEDANCE_LIMIT_LOW, IMPEDANCE_LIMIT_HIGH, ML_BY_JOINT),
};

/* The joint's part of how far the equilibrium is, and how fast it and the joint come apart. */
ML_INLINE void impedance_apart(const struct ml_law_at *at, int i, struct ml_signal_now now,
                               struct ml_signal_now proximal, struct ml_dual *angle,
                               struct ml_dual *rate)
{
    struct ml_dual posture = now.value, speed = now.rate;
    if (!at->view->is_joint && i > 0) {
        posture = ml_dual_sub(posture, proximal.value);
        speed = ml_dual_sub(speed, proximal.rate);
    }
    *angle = ml_dual_sub(posture, ml_law_joint_angle(at, i));
    *rate = ml_dual_sub(ml_dual_mul(ml_law_param(at, IMPEDANCE_RATE_SHARE), speed),
                        ml_law_joint_rate(at, i));
}

/* Torque at joint i by how far joint j is off; false if they have no muscle in common, as most
 * pairs of joints. */
ML_INLINE bool impedance_pull(const struct ml_law_at *at, int i, int j, struct ml_dual angle,
                              struct ml_dual rate, struct ml_dual *out)
{
    const int n = at->view->n, stiffness = IMPEDANCE_STIFFNESS + i * n + j;
    const int damping = stiffness + n * n;
    const bool is_stiff = !ml_law_is_default(at, stiffness);
    struct ml_dual torque = ml_dual_splat(0.0);
    if (!ml_law_is_default(at, damping))
        torque = ml_dual_mul(ml_law_param(at, damping), rate);
    else if (!is_stiff)
        return false;
    if (is_stiff)
        torque = ml_dual_fma(ml_law_param(at, stiffness), angle, torque);
    *out = torque;
    return true;
}

/* Torques of an impedance whose torque at each joint has limits. */
ML_INLINE void impedance_limited(const struct ml_law_at *at)
{
    const int n = at->view->n, equilibrium = IMPEDANCE_STIFFNESS + 2 * n * n;
    const int low = equilibrium + n * ML_SIGNAL_ROWS;
    for (int i = 0; i < n; i++) {
        struct ml_dual sum = ml_dual_splat(0.0);
        struct ml_signal_now proximal = {0};
        for (int j = 0; j < n; j++) {
            struct ml_signal_now now = ml_law_signal(at, j, equilibrium + j * ML_SIGNAL_ROWS);
            struct ml_dual angle, rate, torque;
            if (i == 0)
                ml_law_error(at, j, j, equilibrium + j * ML_SIGNAL_ROWS,
                             ml_dual_sub(now.value, ml_law_angle(at, j)));
            impedance_apart(at, j, now, proximal, &angle, &rate);
            proximal = now;
            if (impedance_pull(at, i, j, angle, rate, &torque))
                sum = ml_dual_add(sum, torque);
        }
        ml_law_add_torque(at, i, ml_law_limited(at, sum, IMPEDANCE_LIMIT, low + i, low + n + i));
    }
}

ML_INLINE void impedance_law_at(const struct ml_law_at *at)
{
    if (at->law->has_limit) {
        impedance_limited(at);
        return;
    }
    const int n = at->view->n, equilibrium = IMPEDANCE_STIFFNESS + 2 * n * n;
    struct ml_signal_now proximal = {0};
    ML_UNROLL
    for (int j = 0; j < n; j++) {
        struct ml_signal_now now = ml_law_signal(at, j, equilibrium + j * ML_SIGNAL_ROWS);
        struct ml_dual angle, rate, torque;
        ml_law_error(at, j, j, equilibrium + j * ML_SIGNAL_ROWS,
                     ml_dual_sub(now.value, ml_law_angle(at, j)));
        impedance_apart(at, j, now, proximal, &angle, &rate);
        proximal = now;
        ML_UNROLL
        for (int i = 0; i < n; i++)
            if (impedance_pull(at, i, j, angle, rate, &torque))
                ml_law_add_torque(at, i, torque);
    }
}
ML_LAW(impedance_force, impedance_law_at)

static const struct ml_law_functions impedance_law = {.force = impedance_force,
                                                      .tangent = impedance_force_deriv};

ML_DESCRIPTOR(ml_force, impedance) = {
    .name = "impedance",
    .doc = "stiffness and damping of all joints about an equilibrium posture that may move",
    .params = impedance_params,
    .n_param = IMPEDANCE_N_PARAM,
    .feedback = IMPEDANCE_FEEDBACK,
    .law = &impedance_law,
};

#endif
