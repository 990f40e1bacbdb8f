/* The datasets of one result of inverse dynamics. */
#ifndef ML_INVERSE_INVERSE_SET_H
#define ML_INVERSE_INVERSE_SET_H

#include "inverse/dynamics.h"
#include "inverse/motion.h"

/* The joint whose acceleration a coupling torque is for has a dimension of its own. Of more
 * segments the coupling is left out: it would be most of the file. */
enum { ML_MAX_COUPLED = 64 };

/* Datasets: those of config/sections/inverse_sets.h, then these; over time, except those of
 * /study/summary.
 */
enum ml_inverse_dataset {
    ML_SET_PEAK = ML_N_JOINT_SET, /* [joint] of the summary */
    ML_SET_RMS,
    ML_SET_POSITIVE,
    ML_SET_NEGATIVE,
    ML_SET_CYCLE_TORQUE_MEAN, /* [joint][percent] of the cycles */
    ML_SET_CYCLE_TORQUE_SD,
    ML_SET_CYCLE_POWER_MEAN,
    ML_SET_CYCLE_POWER_SD,
    ML_SET_CYCLE_MAX, /* [joint][cycle] */
    ML_SET_CYCLE_MAX_AT,
    ML_SET_CYCLE_MAX_TIME,
    ML_SET_CYCLE_MIN,
    ML_SET_CYCLE_MIN_AT,
    ML_SET_CYCLE_MIN_TIME,
    ML_SET_CYCLE_POSITIVE,
    ML_SET_CYCLE_NEGATIVE,
    ML_SET_BURST, /* [burst][cycle] */
    ML_SET_BURST_POWER,
    ML_SET_BURST_POWER_AT,
    ML_SET_MEAN_MAX, /* [joint] of the summary: means over the cycles */
    ML_SET_MEAN_MAX_AT,
    ML_SET_MEAN_MIN,
    ML_SET_MEAN_MIN_AT,
    ML_SET_MEAN_POSITIVE,
    ML_SET_MEAN_NEGATIVE,
    ML_SET_MOTION, /* [segment], or [coordinate], each of enum ml_motion_row */
    ML_SET_RAW = ML_SET_MOTION + ML_N_MOTION, /* [segment] of smoothed data */
    ML_SET_RESIDUAL,                          /* [segment] of the summary */
    ML_SET_CUTOFF,
    ML_SET_CYCLE_ANGLE, /* [joint][cycle][percent] */
    ML_SET_CYCLE_ANGLE_MEAN,
    ML_SET_CYCLE_ANGLE_SD,
    ML_SET_CYCLE_START, /* [cycle] */
    ML_SET_CYCLE_DURATION,
    ML_SET_TOE_OFF,
    ML_SET_TOE_OFF_BEFORE,
    ML_N_SET
};

/* A dataset, and its dimensions behind those of items. */
enum { ML_INVERSE_MOST_DIM = 3 };
struct ml_inverse_set {
    const char *name, *unit, *doc; /* unit: where it is not by mass */
    const char *dim[ML_INVERSE_MOST_DIM];
    bool is_summary;       /* in /study/summary */
    const char *deviation; /* the dataset of its standard deviation; NULL: none */
};

const struct ml_inverse_set *ml_inverse_set(int set);

/* Whether a dataset is divided by the mass that a study may name (`per_mass`); and its unit in the
 * result. */
bool ml_inverse_set_is_by_mass(const struct ml_motions *motions, int set);
const char *ml_inverse_set_unit(const struct ml_motions *motions, int set);

/* Number of its own dimensions, and the size of one of that name. */
int ml_inverse_set_rank(int set);
bool ml_inverse_set_has_dim(int set, const char *dim);
int64_t ml_inverse_set_size(const struct ml_motions *motions, const char *dim);

/* The rows of the motion among the datasets of one result. */
struct ml_motion_rows ml_torque_motion(double *const sets[ML_N_SET]);

/* Numbers of a dataset for one motion and one set of parameters; 0: it is left out. */
int64_t ml_torque_numbers(const struct ml_motions *motions, int set);

/* Whether all results have the numbers of a dataset in common: those of the one motion. */
bool ml_inverse_set_is_shared(const struct ml_motions *motions, int set);

/* ML_E_INPUT if the study has too many axes, or their names are those of datasets. */
enum ml_status ml_inverse_names_check(const struct ml_study *study, struct ml_error *err);

#endif
