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

/* The kinds of file, by the ending of their names: motion_write_NAME writes .NAME. A row each:
 * NAME, its ending with the program that it is for, and what a file holds at most, or NULL. */
#define MOTION_FORMATS(FORMAT, BETWEEN)         \
    FORMAT(csv, ".csv", NULL)                   \
    BETWEEN FORMAT(sto, ".sto (OpenSim)", NULL) \
    BETWEEN FORMAT(mat, ".mat (MATLAB)", "less than 2 GB of a variable")

#define MOTION_FORMAT_DOC(name, doc, limit) doc
/* ".csv, .sto (OpenSim), ..." */
#define MOTION_FORMATS_LIST MOTION_FORMATS(MOTION_FORMAT_DOC, ", ")

/* Each returns false if the file cannot hold so much. */
#define MOTION_FORMAT_WRITE(name, doc, limit) \
    bool motion_write_##name(FILE *to, const struct motion *motion);
MOTION_FORMATS(MOTION_FORMAT_WRITE, )

struct motion_format {
    const char *ending, *limit;
    bool (*write)(FILE *to, const struct motion *motion);
};

/* NULL for an unknown file name extension. */
const struct motion_format *motion_format_of(const char *path);

#endif
