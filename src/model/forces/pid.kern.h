/* pid: a continuous proportional-integral-derivative torque at a joint,
 *
 *   u = kp e - kd omega + ki z,   e = target - angle,   z' = e,   z = 0 at the start
 *
 * with the derivative on the measurement (for a constant target it is that of e). With a limit u
 * stays within it, and z where u is beyond and e would push it further (clamping: Astrom, Hagglund,
 * PID Controllers, section 3.5). */
#ifndef ML_MODEL_FORCES_PID_H
#define ML_MODEL_FORCES_PID_H

#include "model/forces/law_signal.kern.h"

enum {
    PID_TARGET,
    PID_KP = PID_TARGET + ML_SIGNAL_ROWS,
    PID_KI,
    PID_KD,
    PID_LIMIT,
    PID_LIMIT_LOW,
    PID_LIMIT_HIGH,
    PID_FEEDBACK,
    PID_N_PARAM = PID_FEEDBACK + ML_FEEDBACK_N_PARAM
};

/* Torque without a limit, and the error. */
ML_INLINE struct ml_dual pid_torque(const struct ml_law_at *at, struct ml_dual *error)
{
    const int i = at->law->segment;
    struct ml_dual rate = ml_dual_neg(ml_law_rate(at, i));
    struct ml_dual u = ml_dual_mul(ml_law_param(at, PID_KI), ml_law_state(at, 0));
    *error = ml_dual_sub(ml_law_signal(at, 0, PID_TARGET).value, ml_law_angle(at, i));
    ml_law_error(at, i, 0, PID_TARGET, *error);
    return ml_dual_fma(ml_law_param(at, PID_KP), *error,
                       ml_dual_fma(ml_law_param(at, PID_KD), rate, u));
}

ML_INLINE void pid_law_at(const struct ml_law_at *at)
{
    struct ml_dual error, u = pid_torque(at, &error);
    if (!at->law->has_limit) {
        ml_law_add_torque(at, at->law->joint, u);
        ml_law_set_rate(at, 0, error);
        return;
    }
    struct ml_dual torque = ml_law_limited(at, u, PID_LIMIT, PID_LIMIT_LOW, PID_LIMIT_HIGH);
    ml_mask is_beyond = (ml_mask)(u.v > torque.v) | (ml_mask)(u.v < torque.v);
    ml_mask is_same_way =
        ~((ml_mask)(u.v - torque.v) ^ (ml_mask)error.v) >> 63; /* by their signs */
    ml_mask is_held = is_beyond & is_same_way;
    ml_law_add_torque(at, at->law->joint, torque);
    ml_law_set_rate(at, 0, ml_dual_select(is_held, ml_dual_splat(0.0), error));
}

static const struct ml_plausible_range pid_away = {
    0.0, 1e12,
    "a negative gain pushes away from the target; a loop that grows does so with any step"};

static const struct ml_param pid_params[PID_N_PARAM] = {
    [PID_TARGET] = {"target", "rad", 0.0, -1e6, 1e6, ML_REQUIRED | ML_SIGNAL,
                    "angle of the segment that is wanted, as the study counts it"},
    [PID_KP] = {"kp", "N m/rad", 0.0, -1e12, 1e12, ML_REQUIRED, "proportional gain",
                .doubt = &pid_away},
    [PID_KI] = {"ki", "N m/(rad s)", 0.0, -1e12, 1e12, 0, "integral gain", .doubt = &pid_away},
    [PID_KD] = {"kd", "N m s/rad", 0.0, -1e12, 1e12, 0, "derivative gain", .doubt = &pid_away},
    ML_LIMIT_PARAMS(PID_LIMIT, PID_LIMIT_LOW, PID_LIMIT_HIGH, 0),
    ML_FEEDBACK_PARAMS(PID_FEEDBACK),
};

ML_LAW(pid_force, pid_law_at)

static const struct ml_law_functions pid_law = {.force = pid_force, .tangent = pid_force_deriv};

ML_DESCRIPTOR(ml_force, pid) = {
    .name = "pid",
    .doc = "PID torque at a joint that brings a segment's angle to a target",
    .params = pid_params,
    .n_param = PID_N_PARAM,
    .places = ML_AT_JOINT | ML_OF_SEGMENT,
    .n_state = 1,
    .feedback = PID_FEEDBACK,
    .law = &pid_law,
};

#endif
