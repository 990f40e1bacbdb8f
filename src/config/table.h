/* Tables of numbers as text: a line of column names, then a line of numbers for every row.
 *
 *   time,torque
 *   0,0.1
 *
 * Times increase. All mistakes are told at once, with line and column. */
#ifndef ML_CONFIG_TABLE_H
#define ML_CONFIG_TABLE_H

#include <stdint.h>

#include "base/param.h"
#include "yaml/problems.h"

struct ml_table_column {
    struct ml_param param; /* name, and range of its numbers */
    struct ml_location location;
    double *to; /* [n_row]; NULL: what it has is left aside */
};

/* Initialise with {0}. */
struct ml_table {
    struct ml_pool *pool;
    struct ml_problems problems;
    struct ml_table_column *columns; /* [n_column] */
    struct ml_table_column **sorted; /* [n_column] the same by name */
    int n_column;
    int64_t n_row;
    const char *at;    /* what is left of the text */
    const char *start; /* of the present line */
    int line;          /* its number, from 1 on */
};

#define ML_TABLE_TIME "time" /* name of the column of times */

/* Reads the names, all of it owned by `pool`. False and errno if the file cannot be read, or
 * without memory, which the pool says.
 *   example  a first line, for messages */
bool ml_table_open(struct ml_table *table, struct ml_pool *pool, const char *path,
                   const char *example);

/* Index of a column; -1 if not found. */
int ml_table_find(const struct ml_table *table, const char *name);

/* What to add to a message about a column of that name: that commas separate columns, if it has
 * what others separate them by; else "". */
const char *ml_table_hint(const char *name);

/* Tells that a column is missing.
 *   why  ": it is needed", or "" */
void ml_table_missing(struct ml_table *table, const char *name, const char *why);

/* Reads all rows to where their columns go. */
void ml_table_read(struct ml_table *table);

/* Place of row k, once it is read. */
struct ml_location ml_table_location(int64_t k);

#endif
