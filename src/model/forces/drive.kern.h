/* drive: a force on one degree of freedom of a system of arrays, which follows a signal. */
#ifndef ML_MODEL_FORCES_DRIVE_H
#define ML_MODEL_FORCES_DRIVE_H

#include "model/forces/law_signal.kern.h"

enum { DRIVE_FORCE, DRIVE_N_PARAM };

static const struct ml_param drive_params[DRIVE_N_PARAM] = {
    [DRIVE_FORCE] = {"force", "N", 0.0, -1e15, 1e15, ML_REQUIRED | ML_SIGNAL, "generalised force"},
};

ML_INLINE void drive_law_at(const struct ml_law_at *at)
{
    ml_law_add_generalised_force(at, at->law->joint, ml_law_signal(at, 0, DRIVE_FORCE).value);
}
ML_LAW(drive_force, drive_law_at)

static const struct ml_law_functions drive_law = {.force = drive_force,
                                                  .tangent = drive_force_deriv};

ML_DESCRIPTOR(ml_force, drive) = {
    .name = "drive",
    .doc = "force on a degree of freedom that may change over time",
    .params = drive_params,
    .n_param = DRIVE_N_PARAM,
    .places = ML_AT_DOF,
    .is_external = true,
    .law = &drive_law,
};

#endif
