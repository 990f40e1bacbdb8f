/* Names of the rows of a motion. */
#include "inverse/motion.h"

static const struct {
    const char *name, *unit;
} rows[ML_N_MOTION] = {
    [ML_MOTION_ANGLE] = {"angle", "rad"},
    [ML_MOTION_RATE] = {"rate", "rad/s"},
    [ML_MOTION_ACCELERATION] = {"acceleration", "rad/s^2"},
    [ML_MOTION_BASE] = {"base", "m"},
    [ML_MOTION_BASE_RATE] = {"base_rate", "m/s"},
    [ML_MOTION_BASE_ACCELERATION] = {"base_acceleration", "m/s^2"},
};

const char *ml_motion_name(enum ml_motion_row row) { return rows[row].name; }

const char *ml_motion_unit(enum ml_motion_row row) { return rows[row].unit; }

int ml_motion_curves(int n, enum ml_motion_row row) { return row < ML_MOTION_BASE ? n : 2; }

const char *ml_motion_curve(const struct ml_study *study, enum ml_motion_row row, int i)
{
    static const char *const coordinates[] = {"x", "y"};
    return row < ML_MOTION_BASE ? study->spec.segment_names[i] : coordinates[i];
}

/* Whether the derivatives of the rows from `first` on are given. */
static bool is_whole(const struct ml_motions *motions, enum ml_motion_row first)
{
    return motions->is_given[first + ML_MOTION_RATE] &&
           motions->is_given[first + ML_MOTION_ACCELERATION];
}

bool ml_motions_are_whole(const struct ml_motions *motions)
{
    return is_whole(motions, ML_MOTION_ANGLE) &&
           (!ml_motions_have_base(motions) || is_whole(motions, ML_MOTION_BASE));
}
