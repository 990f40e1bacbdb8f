/* pid: a continuous proportional-integral-derivative torque at a joint,
 *
 *   u = kp e - kd omega + ki z,   e = target - angle,   z' = e,   z = 0 at the start
 *
 * with the derivative on the measurement (for a constant target it is that of e). With a limit u
 * stays within it, and z where u is beyond and e would push it further (clamping: Astrom, Hagglund,
 * PID Controllers, section 3.5). */
#include "forces/course.kern.h"

enum { TARGET, KP = TARGET + ML_COURSE_ROWS, KI, KD, LIMIT, N_PARAM };

static const struct ml_param params[N_PARAM] = {
    [TARGET] = {"target", "rad", 0.0, -1e6, 1e6, ML_REQUIRED | ML_COURSE,
                "angle of the segment that is wanted, as the study counts it"},
    [KP] = {"kp", "N m/rad", 0.0, -1e12, 1e12, ML_REQUIRED, "proportional gain"},
    [KI] = {"ki", "N m/(rad s)", 0.0, -1e12, 1e12, 0, "integral gain"},
    [KD] = {"kd", "N m s/rad", 0.0, -1e12, 1e12, 0, "derivative gain"},
    [LIMIT] = {"limit", "N m", (double)NAN, 0.0, 1e12, ML_DERIVED | ML_OPEN_LOW,
               "largest |torque| (default: none)"},
};

ML_INLINE void law_at(const struct ml_law_at *at)
{
    const int i = at->law->segment;
    struct ml_dual limit = ml_law_param(at, LIMIT), zero = ml_dual_splat(0.0);
    struct ml_dual error = ml_dual_less(ml_law_course(at, 0, TARGET).value, ml_law_angle(at, i));
    struct ml_dual rate = ml_dual_negative(ml_law_rate(at, i));
    struct ml_dual u = ml_dual_product(ml_law_param(at, KI), ml_law_state(at, 0));
    u = ml_dual_fma(ml_law_param(at, KP), error, ml_dual_fma(ml_law_param(at, KD), rate, u));
    /* comparisons with a NaN, which is no limit, are false */
    ml_mask is_above = (ml_mask)(u.v > limit.v), is_below = (ml_mask)(u.v < -limit.v);
    ml_mask is_held = (is_above & (ml_mask)(error.v > 0.0)) | (is_below & (ml_mask)(error.v < 0.0));
    u = ml_dual_select(is_above, limit, u);
    u = ml_dual_select(is_below, ml_dual_negative(limit), u);
    ml_law_twist(at, at->law->joint, u);
    ml_law_set_rate(at, 0, ml_dual_select(is_held, zero, error));
}
ML_LAW(force, law_at)

static const struct ml_law_functions law = {.force = force, .tangent = force_slope};

extern const struct ml_force ML_K(ml_force_pid);
const struct ml_force ML_K(ml_force_pid) = {
    .name = "pid",
    .doc = "PID torque at a joint that brings a segment's angle to a target",
    .params = params,
    .n_param = N_PARAM,
    .places = ML_AT_JOINT | ML_OF_SEGMENT,
    .n_state = 1,
    .law = &law,
};
