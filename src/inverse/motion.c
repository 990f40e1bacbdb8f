/* What rows of a motion are called. */
#include "inverse/motion.h"

const char *ml_motion_name(enum ml_motion_row row)
{
    static const char *const names[ML_N_MOTION] = {"angle", "rate", "acceleration"};
    return names[row];
}

const char *ml_motion_unit(enum ml_motion_row row)
{
    static const char *const units[ML_N_MOTION] = {"rad", "rad/s", "rad/s^2"};
    return units[row];
}

bool ml_motions_are_whole(const struct ml_motions *motions)
{
    return motions->is_given[ML_MOTION_RATE] && motions->is_given[ML_MOTION_ACCELERATION];
}
