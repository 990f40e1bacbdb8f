/* The result file of inverse dynamics: /study/inverse, its datasets shaped [axes.., joint, time] on
 * the study's sweep, or [run, joint, time] on the runs of several motions. */
#ifndef ML_INVERSE_INVERSE_RESULT_H
#define ML_INVERSE_INVERSE_RESULT_H

#include "inverse/dynamics.h"
#include "inverse/motion.h"
#include "store/result.h"

/* The joint whose acceleration a coupling torque is for has a dimension of its own. Of more
 * segments the coupling is left out: it would be most of the file. */
enum { ML_MAX_COUPLED = 64 };

/* Datasets: torques in the order of enum ml_torque, then these. Over time but for those of
 * /study/summary. */
enum ml_inverse_dataset {
    ML_SET_COUPLING = ML_N_TORQUE, /* [joint, by_joint] */
    ML_SET_FORCE,                  /* [joint, coordinate] */
    ML_SET_PEAK,                   /* [joint] of the summary */
    ML_SET_RMS,
    ML_SET_POSITIVE,
    ML_SET_NEGATIVE,
    ML_SET_MOTION,                            /* [segment] each of enum ml_motion_row */
    ML_SET_RAW = ML_SET_MOTION + ML_N_MOTION, /* [segment] of what is smoothed */
    ML_SET_RESIDUAL,                          /* [segment] of the summary */
    ML_SET_CUTOFF,
    ML_N_SET
};

struct ml_inverse_result {
    struct ml_result_file result;
    struct ml_layout layout;
    const struct ml_motions *motions; /* borrowed */
    struct ml_extent lead;            /* of what torques are shaped on */
    bool is_by_run;                   /* that is the runs of several motions */
    hid_t set[ML_N_SET];              /* -1: left out */
};

/* The rows of the motion among the datasets of one result. */
struct ml_motion_rows ml_torque_motion(double *const sets[ML_N_SET]);

/* Numbers of a dataset for one motion and one set of parameters; 0: it is left out. */
int64_t ml_torque_numbers(const struct ml_motions *motions, int set);

/* Whether a file is a result of this kind. */
bool ml_inverse_result_is(const char *path);

/* ML_E_INPUT if the study's names cannot be those of datasets here. */
enum ml_status ml_inverse_result_check(const struct ml_study *study, struct ml_error *err);

/* Makes the file at `path`, borrowed, with everything but the numbers. */
void ml_inverse_result_begin(struct ml_inverse_result *file, const struct ml_study *study,
                             const struct ml_motions *motions, const char *path,
                             struct ml_error *err);

/* Adds result `item`, in row order of `lead`.
 *   sets  as of ml_torque_numbers, NULL what is left out */
void ml_inverse_result_add(struct ml_inverse_result *file, int64_t item,
                           double *const sets[ML_N_SET]);

/* Whether all results have the one motion. */
bool ml_inverse_result_shares_motion(const struct ml_motions *motions);

enum ml_status ml_inverse_result_end(struct ml_inverse_result *file,
                                     const struct ml_provenance *provenance);

#endif
