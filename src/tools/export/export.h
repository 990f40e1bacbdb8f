/* One run over time or over its cycles, or the summary of all runs, as files of other programs. */
#ifndef ML_TOOLS_EXPORT_EXPORT_H
#define ML_TOOLS_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "manylink/result.h"

/* The run's numbers of one dataset. */
struct motion_part {
    const char *name, *unit; /* borrowed */
    int n;                   /* components */
    int same;                /* set by motion_write_mat: 2 or more, a number behind the name of its
                                variables, which are those of a part before it else */
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
 * NAME, its ending with the program that reads it, and the most that a file holds, or NULL. */
#define MOTION_FORMATS(FORMAT, BETWEEN)         \
    FORMAT(csv, ".csv", NULL)                   \
    BETWEEN FORMAT(sto, ".sto (OpenSim)", NULL) \
    BETWEEN FORMAT(mat, ".mat (MATLAB)", "less than 2 GB of a variable")

#define MOTION_FORMAT_DOC(name, doc, limit) doc
/* ".csv, .sto (OpenSim), ..." */
#define MOTION_FORMATS_LIST MOTION_FORMATS(MOTION_FORMAT_DOC, ", ")

/* Each returns false if the file cannot hold that many numbers. */
#define MOTION_FORMAT_WRITE(name, doc, limit) \
    bool motion_write_##name(FILE *to, struct motion *motion);
MOTION_FORMATS(MOTION_FORMAT_WRITE, )

struct motion_format {
    const char *ending, *limit;
    bool (*write)(FILE *to, struct motion *motion);
};

/* NULL for an unknown file name extension. */
const struct motion_format *motion_format_of(const char *path);

/* Writes a file beside `output` and renames it to that: complete, or not at all. ML_E_INPUT if the
 * format cannot hold the numbers, ML_E_FILE, ML_E_MEMORY. */
enum ml_status motion_write(const char *output, struct motion *motion, struct ml_error *err);

/* Writes an array of every dataset of the summary and of the runs with its dimensions in their
 * order, a cell array of a dataset of labels; and the cell arrays `variables`, `names`, `units`,
 * `dimensions` and `descriptions` of all of them.
 *   fits  out: false where a file or variable cannot hold them; the file is not whole then */
enum ml_status summary_write_mat(FILE *to, struct ml_result *result, const char *title, bool *fits,
                                 struct ml_error *err);

struct export_request {
    struct ml_result *result; /* borrowed */
    const char *path;         /* of the result, for messages */
    const char *output;       /* path of the file */
    const struct motion_format *format;
    bool is_summary;       /* of all runs, as .mat; else one run over time: */
    int64_t run;           /* its number; -1: not given */
    const char *over;      /* the dimension of the rows: "time", or "percent" of a cycle */
    const char *columns;   /* "NAME,NAME/COMPONENT"; NULL: all */
    int64_t n_time, n_all; /* out: times written, of those that were kept; 0 of a summary */
};

/* Writes the file beside `output` and renames it to that: complete, or not at all. ML_E_INPUT if
 * the result or the file's format lacks something that is asked for, ML_E_FILE, ML_E_MEMORY. */
enum ml_status export_file(struct export_request *request, struct ml_error *err);

/* Arrays of a MAT-file of level 5, after "MAT-File Format" of The MathWorks: tagged elements, each
 * filled up to 8 bytes, in the byte order of this machine, which the header contains. */
enum { MAT_NAME = 63 }; /* characters of a variable's name */

void mat_header(FILE *to);

/* Whether a variable can hold so many numbers. */
bool mat_fits(uint64_t n_number);

/* All of an array of numbers but these, which follow in column order as doubles.
 *   shape  [rank], rank >= 2 */
void mat_begin_numbers(FILE *to, const char *name, int rank, const int64_t *shape);

void mat_text(FILE *to, const char *name, const char *text);

/* A row of cells. */
void mat_texts(FILE *to, const char *name, int n, const char *const *texts);

/* The name of a variable: letters, digits and underscores, a letter first.
 *   variable  [MAT_NAME + 1] out, and the result */
const char *mat_name(const char *name, const char *ending, char *variable);

#endif
