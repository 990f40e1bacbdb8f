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
    double scale;    /* to SI, by the unit that the file says; 1: the file says no unit */
    double *to;      /* [n_row]; NULL: the column's numbers are left aside */
    bool takes_gaps; /* an empty cell is a NaN, not a mistake */
    bool takes_text; /* a cell with any other text is a NaN too */
};

/* Whether a header says that angles are in degrees. */
enum ml_degrees { ML_DEGREES_UNSAID, ML_DEGREES_NO, ML_DEGREES_YES };

/* Initialise with {0}. */
struct ml_table {
    struct ml_pool *pool;
    struct ml_problems problems;
    struct ml_table_stream *stream;  /* of a file with more lines than the text; NULL: none */
    const char *format;              /* "CSV", ... for people */
    struct ml_table_column *columns; /* [n_column] */
    struct ml_table_column **sorted; /* [n_column] the columns, sorted by name */
    int n_column;
    int n_cell; /* cells of a line: n_column, without the times if they follow from the rate */
    const char *order; /* name of the column whose numbers increase; NULL: ML_TABLE_TIME */
    bool repeats;      /* they may also stay the same: repeated measurements */
    int n_least;       /* n_cell without columns at the end that have no name */
    int64_t n_row;
    bool has_twin; /* a last row equal to the row before, as OpenSim writes it, is not counted in
                      n_row */
    double rate;   /* Hz, by the header; 0: not said */
    enum ml_degrees degrees; /* of the angles among its columns */
    int64_t n_stated;        /* number of rows by the header; -1: not said */
    int64_t markers_stated;  /* number of markers by the header; 0: not said */
    int64_t n_marker;        /* markers that are named above their components */
    const char *stated_by;   /* the header's word for it: "nRows", ... */
    char separator;          /* between cells, as of columns/cells.h */
    int names_line;          /* number of the line of the names */
    const char *nameless;    /* why its columns have no names but `column 1`, ..; NULL: they have */
    int first_line;          /* of the first row */
    struct ml_location comma; /* of the first number with a comma; line 0: none */
    bool is_decimal;          /* some comma can be nothing else than a decimal one */
    struct ml_location point; /* of the first number with a point; line 0: none */
    const char *at;           /* the text that is not read yet */
    const char *start;        /* of the present line */
    int line;                 /* its number, from 1 on */
};

#define ML_TABLE_TIME "time"      /* name of the column of times, in any capitals in the file */
#define ML_TABLE_COLUMN "column " /* name of a column by its number, which follows */

/* Cuts the next line off the text, without its end. */
struct ml_span ml_table_next_line(struct ml_table *table);

/* Place of a byte of the present line. */
struct ml_location ml_table_location_of(const struct ml_table *table, const char *byte);

/* Finds the names of the columns, and the rate, the number of rows and the unit of angles in the
 * lines above the names; the text continues with the first row.
 *   example  a line of names, for messages */
void ml_heading_read(struct ml_table *table, const char *example);

#endif
