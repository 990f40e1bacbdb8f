/* Measured numbers that trajectories are compared with, and the samples of a run that stand beside
 * them. */
#ifndef ML_FIT_MEASURED_H
#define ML_FIT_MEASURED_H

#include "inverse/motion.h"

/* A time between samples is interpolated by the polynomial of degree 5 through as many samples
 * around it; at the time of a sample that sample alone counts. */
enum { ML_FIT_TAPS = 6 };

/* Residuals below this part of the numbers are rounding, of the numbers and of the model. */
#define ML_FIT_ROUNDING 1e-12

struct ml_measured_numbers {
    int64_t n_time;
    double *time;                   /* [n_time] s */
    double **values;                /* [column of the fit] -> [n_time]; NaN: not there */
    double **sd;                    /* the same of standard deviations; 1 where none is given */
    double *least_sd;               /* [n_column] of these, beside numbers that are there */
    int n_column;                   /* of the fit */
    double *size;                   /* [n_column] root of the mean of the squared numbers */
    int64_t n_number, n_missing;    /* of all columns */
    int64_t *first;                 /* [n_time] first of the samples around each time */
    double (*weights)[ML_FIT_TAPS]; /* [n_time] of these samples */
    int n_tap;             /* samples around each time; 1: all times are those of samples */
    int n_part;            /* steps of the fit in one of the study: ticks, at measured times */
    int64_t every, n_step; /* steps from sample to sample, and up to the last that counts */
    struct ml_pool pool;   /* owns all of it */
};

/* Reads the tables of the study's fit, for runs, or for torques of a motion (NULL: runs). The times
 * are those of all tables; a column has numbers at the times of its own. Times that the run does
 * not reach, columns that are missing or have another unit, and columns without a number are told
 * with their places: ML_E_INPUT. Free in any case. */
enum ml_status ml_measured_read(const struct ml_study *study, const struct ml_motions *motion,
                                struct ml_measured_numbers *out, struct ml_error *err);
void ml_measured_free(struct ml_measured_numbers *measured);

#endif
