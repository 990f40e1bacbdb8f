/* A table that is being read, and its columns. */
#ifndef ML_COLUMNS_COLUMN_H
#define ML_COLUMNS_COLUMN_H

#include <stdint.h>

#include "base/param.h"
#include "columns/cells.h"
#include "yaml/problems.h"

struct ml_table_column {
    struct ml_param param; /* name without unit, SI unit if the file says one, range of numbers */
    struct ml_location location;
    double scale;    /* to SI, by the unit that the file says; 1: it says none */
    double *to;      /* [n_row]; NULL: what it has is left aside */
    bool takes_gaps; /* an empty cell is a NaN, not a mistake */
    bool takes_text; /* the same of any other text */
};

/* What a header says of angles. */
enum ml_degrees { ML_DEGREES_UNSAID, ML_DEGREES_NO, ML_DEGREES_YES };

/* Initialise with {0}. */
struct ml_table {
    struct ml_pool *pool;
    struct ml_problems problems;
    const char *format;              /* "CSV", ... for people */
    struct ml_table_column *columns; /* [n_column] */
    struct ml_table_column **sorted; /* [n_column] the same by name */
    int n_column;
    int n_cell;  /* of a line: n_column, but for times that are of the rate */
    int n_least; /* the same without columns at the end that have no name */
    int64_t n_row;
    double rate;              /* Hz, that the header says; 0: none */
    enum ml_degrees degrees;  /* of the angles among its columns */
    int64_t n_stated;         /* rows that the header says; -1: none */
    const char *stated_by;    /* the word that says so */
    char separator;           /* between cells, as of columns/cells.h */
    int names_line;           /* number of the line of the names */
    int first_line;           /* of the first row */
    struct ml_location comma; /* of the first number with a comma; line 0: none */
    bool is_decimal;          /* some comma can be nothing else than a decimal one */
    struct ml_location point; /* of the first number with a point; line 0: none */
    const char *at;           /* what is left of the text */
    const char *start;        /* of the present line */
    int line;                 /* its number, from 1 on */
};

#define ML_TABLE_TIME "time" /* name of the column of times, in any capitals in the file */

#endif
