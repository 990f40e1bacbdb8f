/* One run over time, as files of other programs have it. */
#ifndef ML_CLI_MOTION_FILE_H
#define ML_CLI_MOTION_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What one dataset has of the run. */
struct motion_part {
    const char *name, *unit; /* borrowed */
    int n;                   /* components */
    char **columns;          /* [n] "angle/upper" */
    double *values;          /* [n][n_room], of which the first n_time are the run's */
};

struct motion {
    char *title; /* in one line */
    int64_t n_time, n_room;
    struct motion_part *parts; /* [n_part]; the first is the time */
    int n_part;
};

/* A kind of file, by the ending of its name. */
struct motion_format {
    const char *ending;
    bool (*write)(FILE *to, const struct motion *motion); /* false: it cannot hold so much */
};

/* NULL for an unknown file name extension. */
const struct motion_format *motion_format_of(const char *path);

/* A table with a line of names, which `inverse --motion` reads; cells are empty where there is no
 * number. */
bool motion_write_csv(FILE *to, const struct motion *motion);
/* OpenSim's storage file: a header, then names and numbers between tabs. */
bool motion_write_sto(FILE *to, const struct motion *motion);
/* MATLAB's MAT-file of level 5, as of version 5 on: of every part a matrix [time x component], its
 * NAME_columns and NAME_unit. */
bool motion_write_mat(FILE *to, const struct motion *motion);

#endif
