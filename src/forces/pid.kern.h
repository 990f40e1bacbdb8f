/* The law of pid, also for kernels that have it built in: see pid.kern.c. */
#ifndef ML_FORCES_PID_KERN_H
#define ML_FORCES_PID_KERN_H

#include "forces/course.kern.h"

enum { PID_TARGET, PID_KP = PID_TARGET + ML_COURSE_ROWS, PID_KI, PID_KD, PID_LIMIT, PID_N_PARAM };

/* Torque without a limit, and the error. */
ML_INLINE struct ml_dual pid_torque(const struct ml_law_at *at, struct ml_dual *error)
{
    const int i = at->law->segment;
    struct ml_dual rate = ml_dual_negative(ml_law_rate(at, i));
    struct ml_dual u = ml_dual_product(ml_law_param(at, PID_KI), ml_law_state(at, 0));
    *error = ml_dual_less(ml_law_course(at, 0, PID_TARGET).value, ml_law_angle(at, i));
    ml_law_miss(at, i, *error);
    return ml_dual_fma(ml_law_param(at, PID_KP), *error,
                       ml_dual_fma(ml_law_param(at, PID_KD), rate, u));
}

ML_INLINE void pid_law_at(const struct ml_law_at *at)
{
    struct ml_dual limit = ml_law_param(at, PID_LIMIT), zero = ml_dual_splat(0.0), error;
    struct ml_dual u = pid_torque(at, &error);
    /* comparisons with a NaN, which is no limit, are false */
    ml_mask is_above = (ml_mask)(u.v > limit.v), is_below = (ml_mask)(u.v < -limit.v);
    ml_mask is_held = (is_above & (ml_mask)(error.v > 0.0)) | (is_below & (ml_mask)(error.v < 0.0));
    u = ml_dual_select(is_above, limit, u);
    u = ml_dual_select(is_below, ml_dual_negative(limit), u);
    ml_law_twist(at, at->law->joint, u);
    ml_law_set_rate(at, 0, ml_dual_select(is_held, zero, error));
}

/* The same where no lane has a limit. */
ML_INLINE void pid_unlimited_law_at(const struct ml_law_at *at)
{
    struct ml_dual error, u = pid_torque(at, &error);
    ml_law_twist(at, at->law->joint, u);
    ml_law_set_rate(at, 0, error);
}

#endif
