/* pid: a continuous proportional-integral-derivative torque at a joint,
 *
 *   u = kp e - kd omega + ki z,   e = target - angle,   z' = e,   z = 0 at the start
 *
 * with the derivative on the measurement (for a constant target it is that of e). With a limit u
 * stays within it, and z where u is beyond and e would push it further (clamping: Astrom, Hagglund,
 * PID Controllers, section 3.5). */
#include "forces/pid.kern.h"

static const struct ml_param params[PID_N_PARAM] = {
    [PID_TARGET] = {"target", "rad", 0.0, -1e6, 1e6, ML_REQUIRED | ML_COURSE,
                    "angle of the segment that is wanted, as the study counts it"},
    [PID_KP] = {"kp", "N m/rad", 0.0, -1e12, 1e12, ML_REQUIRED, "proportional gain"},
    [PID_KI] = {"ki", "N m/(rad s)", 0.0, -1e12, 1e12, 0, "integral gain"},
    [PID_KD] = {"kd", "N m s/rad", 0.0, -1e12, 1e12, 0, "derivative gain"},
    [PID_LIMIT] = {"limit", "N m", (double)NAN, 0.0, 1e12, ML_DERIVED | ML_OPEN_LOW,
                   "largest |torque| (default: none)"},
};

ML_LAW(force, pid_law_at)

static const struct ml_law_functions law = {.force = force, .tangent = force_slope};

extern const struct ml_force ML_K(ml_force_pid);
const struct ml_force ML_K(ml_force_pid) = {
    .name = "pid",
    .doc = "PID torque at a joint that brings a segment's angle to a target",
    .params = params,
    .n_param = PID_N_PARAM,
    .places = ML_AT_JOINT | ML_OF_SEGMENT,
    .n_state = 1,
    .law = &law,
};
