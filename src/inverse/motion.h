/* Given motions of a chain: angles over time in the study's coordinates, with the rates and
 * accelerations that came with them. */
#ifndef ML_INVERSE_MOTION_H
#define ML_INVERSE_MOTION_H

#include "plan/study.h"

/* Rows of a motion: the angle of each segment, then x and y of the first joint where the base
 * moves, each with its derivatives. */
enum ml_motion_row {
    ML_MOTION_ANGLE,
    ML_MOTION_RATE,
    ML_MOTION_ACCELERATION,
    ML_MOTION_BASE,
    ML_MOTION_BASE_RATE,
    ML_MOTION_BASE_ACCELERATION,
    ML_N_MOTION
};

/* The markers of a segment, over the samples that have both. */
struct ml_marker_pair {
    double apart;       /* m, median distance in the plane; 0: the markers have no unit */
    double jump, usual; /* largest and median change of the distance from sample to sample, over
                           the median distance */
    double when;        /* s, of the sample before which the largest is */
    int64_t n_zero; /* samples with a marker at exactly 0, 0, of a marker that also is elsewhere */
    double zero_when; /* s, of the first of these */
    int64_t n_held;   /* samples of a marker at exactly one place, from which it jumps */
    double held_when; /* s, of the first of these */
};

/* A cycle of a gait, between two foot strikes. */
struct ml_cycle {
    double start, end, toe_off; /* s */
    double toe_off_before;      /* s, of the stance before; NaN: not in the motion */
    int64_t first;              /* sample, at or behind the start */
};

/* A point of a cycle: the sum of some samples with weights. */
enum { ML_CYCLE_POINTS = 101, ML_CYCLE_SAMPLES = 4 };
struct ml_cycle_point {
    int64_t first; /* of the samples */
    double weight[ML_CYCLE_SAMPLES];
};

/* Bursts of power that have a name (bursts.c). */
enum { ML_N_BURST = 9 };

struct ml_cycles {
    int64_t n;                            /* 0: none are asked for */
    int n_burst, burst_joint[ML_N_BURST]; /* of the chain; -1: the chain has no such joint */
    struct ml_cycle *cycle;
    struct ml_cycle_point *points; /* [n][ML_CYCLE_POINTS] */
};

/* One or more motions at the same times. */
struct ml_motions {
    const char *source; /* file, or type of the study's own motion; borrowed */
    bool is_of_study;   /* that is the study's own */
    bool is_unit_said;  /* of the angles, by the file or the study; or they are between markers */
    int n;              /* segments */
    int64_t n_time, n_motion;
    double *time;               /* [n_time] s, increasing */
    double header_rate;         /* Hz, by the file, if its times have another; else 0 */
    int64_t said, named;        /* markers by the header, if it says more than it names; else 0 */
    int64_t n_lost;             /* frames that the file's numbers leave out while times go on */
    double lost_when;           /* s, of the sample behind the first of these */
    const char *prefixed;       /* a marker's column that was found behind a prefix; NULL */
    int64_t n_whole, first;     /* samples that are smoothed, and where those of `time` begin */
    double *whole;              /* [n_whole] s; `time` is a part of it, or all */
    bool is_given[ML_N_MOTION]; /* the others are derivatives of splines */
    double
        *values[ML_N_MOTION]; /* [n, or 2][n_whole] of the only motion, as given; NULL: not given */
    struct ml_marker_pair *pairs; /* [n]; NULL: there are no markers */
    double metre, overruled; /* m, of the numbers of markers as they are taken; and by the file, if
                                `length` of the study replaces that unit; 0: not said */
    int64_t *run; /* [n_motion] numbers of the runs in the file; NULL: the motion has no number */
    void *h5;     /* struct ml_motion_h5, the result with the motions; NULL: not from a result */
    const struct ml_smoothing *smoothing;     /* of the given rows; NULL: they stay as they are */
    const struct ml_inverse_outputs *outputs; /* datasets that the study keeps; NULL: the usual */
    const struct ml_study *study;             /* which they are for */
    struct ml_cycles cycles;                  /* of the only motion */
    bool is_by_parameters; /* it differs between sets of parameters: a hand path by lengths, any by
                              numbers that are swept */
    struct ml_pool pool;   /* owns the arrays above */
};

/* s, mean, between samples; n_whole >= 2. */
static inline double ml_motions_interval(const struct ml_motions *m)
{
    return (m->whole[m->n_whole - 1] - m->whole[0]) / (double)(m->n_whole - 1);
}

/* One motion. */
struct ml_motion_rows {
    double *row[ML_N_MOTION]; /* [n, or 2][n_time]; of the base NULL if it stays */
    double *raw;              /* [n][n_time] angles before smoothing; NULL: not wanted */
    double *residual; /* [n] rad, root mean square of the change of the angle by smoothing */
    double *cutoff;   /* [n] Hz, of the spline that smooths the angle; NULL: not wanted */
};

/* Name that all motions have in common: "angle"; and its unit. */
const char *ml_motion_name(enum ml_motion_row row);
const char *ml_motion_unit(enum ml_motion_row row);

/* Number of curves of a row: n segments, or x and y; and the name of curve i: of segment i, or
 * "x". */
int ml_motion_curves(int n, enum ml_motion_row row);
const char *ml_motion_curve(const struct ml_study *study, enum ml_motion_row row, int i);

/* Whether the base moves. */
static inline bool ml_motions_have_base(const struct ml_motions *m)
{
    return m->is_given[ML_MOTION_BASE];
}

/* Whether motions have a row, given or filled in. */
static inline bool ml_motions_have(const struct ml_motions *m, enum ml_motion_row row)
{
    return row < ML_MOTION_BASE || ml_motions_have_base(m);
}

/* Whether all rows are given, so that no derivative is computed. */
bool ml_motions_are_whole(const struct ml_motions *motions);

#endif
