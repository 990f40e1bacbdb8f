/* The fit of a study's trajectories to measured columns, as plain data. */
#ifndef ML_CONFIG_FIT_SPEC_H
#define ML_CONFIG_FIT_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "design/direction.h"
#include "design/distribution.h"

/* Least standard deviation, in SI units: squares of numbers over smaller ones overflow. */
#define ML_FIT_LEAST_SD 1e-30

/* A measured number: of the state, of another record, or a formula of these. */
struct ml_fit_column {
    const char *name;      /* path of the number: "angle.upper"; or the formula */
    const char *unit;      /* SI; "1" of a formula */
    bool is_formula;       /* without a unit of its own: any unit of the table will do */
    const char *column;    /* of the table */
    int record, row;       /* of the system's records, row in the record; of torques the dataset of
                              config/sections/inverse_sets.h, joint or 2 joint + coordinate */
    double sd;             /* in `unit`; NaN: not given, or */
    const char *sd_column; /* of the table: a deviation for each number; NULL: none */
};

/* A number that the fit varies: a range of the sample. */
struct ml_fit_range {
    const char *name; /* its first key; of a factor "factor of KEY" */
    const char *keys; /* "KEY, KEY": all its keys; "" of a number of an experiment */
    const char *unit;
    const char *place;             /* of the key in the study, for messages */
    double from, to;               /* bounds, in `unit` */
    bool is_own;                   /* of one experiment */
    bool is_log;                   /* steps and intervals are those of the logarithm */
    double own;                    /* the study's own number; NaN: none, or it is out of bounds */
    struct ml_distribution prior;  /* normal or lognormal; uniform: none */
    struct ml_direction direction; /* the numbers of a run that move with it */
};

/* The model: trajectories of runs, or torques and forces of the motion of the study, by inverse
 * dynamics. */
enum ml_fit_of { ML_FIT_RUNS, ML_FIT_TORQUES };

/* Functions of the residuals whose sum is least. */
enum ml_fit_loss { ML_LOSS_SQUARES, ML_LOSS_HUBER, ML_LOSS_SOFT_L1, ML_LOSS_CAUCHY };

enum { ML_FIT_COLUMNS = 256, ML_FIT_RANGES = 64 }; /* at most */

/* Measured runs of the system with numbers of their own: a fit without `experiments` has one. */
struct ml_experiment {
    const char *name;        /* NULL: the only one */
    const char *file, *path; /* of the table, as given and as it is opened */
    const char **left_out;   /* [n_left_out] names of columns that the table lacks */
    int n_left_out;
    const char **keys; /* [n_set] numbers that its runs have in place of the study's */
    int *slots;
    double *values;
    int n_set;
    int first, n_column; /* its columns among those of the fit */
    int *ranges;         /* [n_direction] of the fit, which directions are in its runs; ascending */
};

/* Whether the number is known beforehand, beside the measured numbers. */
static inline bool ml_fit_has_prior(const struct ml_fit_range *range)
{
    return range->prior.kind != ML_UNIFORM;
}

/* Walkers that draw from the posterior density. */
struct ml_walkers {
    int64_t walkers; /* 0: not wanted */
    int64_t steps, burn_in, seed;
};

struct ml_fit_spec {
    int of;                        /* enum ml_fit_of */
    const char *file;              /* of the table, as given; NULL: those of the experiments */
    const char *time;              /* column of times; NULL: `time` */
    struct ml_fit_column *listed;  /* [n_listed] of each experiment, as `columns` has them */
    int n_listed;                  /* 0: the study has no fit */
    struct ml_fit_column *columns; /* [n_column] the same, experiment by experiment */
    int n_column;
    bool has_deviations;               /* every column has an sd */
    bool is_joint;                     /* of the key `experiments` */
    struct ml_experiment *experiments; /* [n_experiment] */
    int n_experiment;
    const char **own; /* [n_own] keys that each experiment has a number of */
    int n_own;
    struct ml_fit_range *ranges; /* [n_range] */
    int n_range;
    const double *prior_factor; /* [n_range][n_range] L of the correlations of priors, L L^T; NULL:
                                   these are independent */
    const char *prior_path;     /* of the earlier fit that gives the priors; NULL: none does */
    int n_direction; /* along which a run varies: the common ranges and those of its experiment */
    int loss;        /* enum ml_fit_loss */
    int64_t iterations; /* most of a start */
    int64_t segments;   /* of multiple shooting; 1: runs are whole */
    struct ml_walkers posterior;
};

#endif
