/* Given motions of a chain: angles over time in the study's coordinates, with the rates and
 * accelerations that came with them. */
#ifndef ML_INVERSE_MOTION_H
#define ML_INVERSE_MOTION_H

#include "plan/study.h"

enum ml_motion_row { ML_MOTION_ANGLE, ML_MOTION_RATE, ML_MOTION_ACCELERATION, ML_N_MOTION };

/* One or more motions at the same times. */
struct ml_motions {
    const char *source; /* file, or type of the study's own motion; borrowed */
    bool is_of_study;   /* that is the study's own */
    int n;              /* segments */
    int64_t n_time, n_motion;
    double *time;                /* [n_time] s, increasing */
    bool is_given[ML_N_MOTION];  /* the others are derivatives of splines */
    double *values[ML_N_MOTION]; /* [n][n_time] of the only motion, what is given; NULL: none */
    int64_t *run; /* [n_motion] what the file calls them; NULL: the motion has no number */
    void *h5;     /* struct ml_motion_h5, the result they are read from; NULL: none */
    const struct ml_smoothing *smoothing; /* of what is given; NULL: it stays as it is */
    const struct ml_study *hand_path;     /* study whose hand path it is: other angles for
                                             other lengths; NULL: none */
    struct ml_pool pool;                  /* owns them */
};

/* s, mean, between samples; n_time >= 2. */
static inline double ml_motions_interval(const struct ml_motions *m)
{
    return (m->time[m->n_time - 1] - m->time[0]) / (double)(m->n_time - 1);
}

/* One motion. */
struct ml_motion_rows {
    double *row[ML_N_MOTION]; /* [n][n_time] */
    double *raw;              /* [n][n_time] angles before smoothing; NULL: not wanted */
    double *residual;         /* [n] rad, root mean square of what smoothing takes from the angle */
    double *cutoff;           /* [n] Hz, of the spline that smooths the angle; NULL: not wanted */
};

/* What all motions are called: "angle"; and its unit. */
const char *ml_motion_name(enum ml_motion_row row);
const char *ml_motion_unit(enum ml_motion_row row);

/* Whether all is given, so that nothing is to be filled in. */
bool ml_motions_are_whole(const struct ml_motions *motions);

#endif
