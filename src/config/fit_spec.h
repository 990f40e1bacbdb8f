/* The fit of a study's trajectories to measured columns, as plain data. */
#ifndef ML_CONFIG_FIT_SPEC_H
#define ML_CONFIG_FIT_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "design/direction.h"

/* A measured number of the state. */
struct ml_fit_column {
    const char *name;   /* path of the number: "angle.upper" */
    const char *unit;   /* SI */
    const char *column; /* of the table */
    int record, row;    /* of the system's records; row in the record */
    int state_row;      /* among the rows of all state quantities */
    double sd;          /* in `unit`; NaN: not given */
};

/* A number that the fit varies: a range of the sample. */
struct ml_fit_range {
    const char *name; /* its first key; of a factor "factor of KEY" */
    const char *unit;
    const char *place;             /* of the key in the study, for messages */
    double from, to;               /* bounds, in `unit` */
    bool is_log;                   /* steps and intervals are those of the logarithm */
    double own;                    /* the study's own number; NaN: none, or it is out of bounds */
    struct ml_direction direction; /* the numbers of a run that move with it */
};

struct ml_fit_spec {
    const char *file, *path;       /* of the table, as given and as it is opened */
    const char *time;              /* column of times; NULL: `time` */
    struct ml_fit_column *columns; /* [n_column] */
    int n_column;                  /* 0: the study has no fit */
    bool has_deviations;           /* every column has an sd */
    struct ml_fit_range *ranges;   /* [n_range] */
    int n_range;
    int64_t iterations; /* most of a start */
};

#endif
