/* A table of a result, for the files that make and rank it. */
#ifndef ML_RUN_RUN_TABLE_H
#define ML_RUN_RUN_TABLE_H

#include <stdbool.h>

#include "manylink/run_table.h"
#include "yaml/pool.h"

enum { ML_TABLE_PIECE = 1 << 18 /* numbers that are read at once */ };

/* Where the numbers of a run are in a dataset. */
enum ml_source_kind {
    ML_OF_RUNS,  /* at its number */
    ML_OF_GRID,  /* at its place in the grid */
    ML_OF_AXIS,  /* at its place along one dimension of the grid */
    ML_OF_NUMBER /* there is no dataset: the run's number itself */
};

/* A source of a number, or several, for every run. */
struct ml_run_source {
    struct ml_array_info info;
    enum ml_source_kind kind;
    int axis; /* ML_OF_AXIS: that dimension */
    int n_run_dim;
    int64_t width;  /* numbers of a run */
    double *values; /* [runs of a piece][width]; NULL: no column needs them */
};

struct ml_run_table_column {
    const struct ml_run_source *source;
    int64_t component;
    char *name;
};

struct ml_run_table {
    struct ml_result *result;
    struct ml_pool pool;           /* owns arrays of ml_run_table_best */
    struct ml_run_source *sources; /* [n_source], room for all datasets and the number of the run */
    int n_source;
    bool has_outcome;
    struct ml_run_table_column *columns;
    int n_column, n_room;
    int64_t n_run;
    struct ml_array_info grid; /* a dataset on the grid of runs; without one n_grid is 0 or -1 */
    int n_grid;
};

/* Whether a name is that of a dataset, or begins with one and a dot. */
bool ml_run_table_has(const struct ml_run_table *table, const char *name);

/* The names of all datasets, for messages; to be freed. NULL without memory. */
char *ml_run_table_names(const struct ml_run_table *table);

#endif
