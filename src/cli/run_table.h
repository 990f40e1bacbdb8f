/* Rows of numbers of a result, one for each run: which there are, and reading and printing them
 * piece by piece. */
#ifndef ML_CLI_RUN_TABLE_H
#define ML_CLI_RUN_TABLE_H

#include "cli/messages.h"
#include "cli/options.h"
#include "manylink/result.h"

/* Where the numbers of a run are in a dataset. */
enum source_kind {
    OF_RUNS,  /* at its number */
    OF_GRID,  /* at its place in the grid */
    OF_AXIS,  /* at its place along one dimension of the grid */
    OF_NUMBER /* there is no dataset: the run's number itself */
};

/* A source of a number, or several, for every run. */
struct source {
    struct ml_array_info info;
    enum source_kind kind;
    int axis; /* OF_AXIS: that dimension */
    int n_run_dim;
    int64_t width;  /* numbers of a run */
    bool is_needed; /* for a column, or the choice of rows */
    double *values; /* [runs of a piece][width]; NULL: not needed */
};

struct table_column {
    struct source *source;
    int64_t component;
    char *name;
    int width; /* characters on a terminal */
};

struct table {
    struct ml_result *result;
    struct ml_error *err;
    const struct command_line *line;
    struct source *sources; /* [n_source], room for all datasets and the number of the run */
    int n_source;
    struct source *outcome;
    struct table_column *columns;
    int n_column, n_room;
    int n_shown;               /* columns that are printed, the first */
    int64_t n_run, most;       /* most: runs of a piece */
    struct ml_array_info grid; /* a dataset on the grid of runs; without one n_grid is 0 or -1 */
    int n_grid;
    char separator;
    bool is_aligned; /* on a terminal: columns of equal width, six digits */
};

/* Opens the result of the line and finds its sources. -1, or an exit code after a message; close in
 * any case.
 *   err  borrowed until then */
int table_open(struct table *table, const struct command_line *line, struct ml_error *err);
void table_close(struct table *table);

/* Adds the columns of --columns, or of all sources that are not too wide; or those of a dataset or
 * one of its components. -1, or an exit code after a message. */
int table_take(struct table *table);
int table_take_one(struct table *table, const char *name);

/* Whether a name is that of a dataset, or begins with one and a dot. */
bool table_has(const struct table *table, const char *name);

/* Prints the names of all datasets to stderr, behind the beginning of a message. */
void table_list_columns(const struct table *table);

/* Calls for every run of the result, in order, with its row among the numbers that were read; an
 * exit code. */
int table_each(struct table *table, void (*visit)(void *context, int64_t run, int64_t row),
               void *context);

/* Visits n_run runs of the result alone, which ascend, with the place of each in `runs`:
 * after table_each, whose columns are read. */
int table_each_of(struct table *table, const int64_t *runs, int64_t n_run,
                  void (*visit)(void *context, int64_t i, int64_t row), void *context);

/* Number of a column in a row that was read. */
static inline double table_number(const struct table *table, int column, int64_t row)
{
    const struct source *source = table->columns[column].source;
    return source->values[row * source->width + table->columns[column].component];
}

/* Names of the columns that are printed, with units; and numbers, [n_shown]: the caller ends the
 * line. */
void table_put_header(struct table *table);
void table_put_numbers(const struct table *table, const double *numbers);

/* The numbers of a row that was read, as a line. */
void table_put_row(const struct table *table, int64_t row);

#endif
