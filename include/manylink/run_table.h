/* Tables of results: a row for each run, of its number, swept and drawn values, outcome and the
 * numbers of the summary; and the runs with the smallest or largest number. */
#ifndef MANYLINK_RUN_TABLE_H
#define MANYLINK_RUN_TABLE_H

#include "manylink/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For one thread at a time, as the result that it reads. */
struct ml_run_table;

/* Opens the table of a result, without columns yet.
 *   result  borrowed until the table is freed
 *   out     freed with ml_run_table_free; NULL on failure
 * ML_E_INPUT if the result has no runs, ML_E_FILE if it lacks their outcomes. */
ML_API enum ml_status ml_run_table_open(struct ml_result *result, struct ml_run_table **out,
                                        struct ml_error *err);
ML_API void ml_run_table_free(struct ml_run_table *table); /* NULL is allowed */

/* Rows: the runs of the result. */
ML_API int64_t ml_run_table_rows(const struct ml_run_table *table);

/* Adds the columns of a dataset, "end_angle", or one of its components, "end_angle.upper", behind
 * those that there are.
 *   name  NULL: all datasets but those of ml_run_table_wide
 * ML_E_INPUT, with the names that there are, if the result has no such column. */
ML_API enum ml_status ml_run_table_add(struct ml_run_table *table, const char *name,
                                       struct ml_error *err);

/* Adds columns: the number of the run and all swept and drawn values. */
ML_API enum ml_status ml_run_table_add_inputs(struct ml_run_table *table, struct ml_error *err);

/* The i-th dataset with more than 100 numbers of a run; 0 past the last.
 *   info   size set before
 *   width  out: numbers of a run */
ML_API int ml_run_table_wide(const struct ml_run_table *table, int i, struct ml_array_info *info,
                             int64_t *width);

struct ml_run_column {
    size_t size;      /* sizeof(struct ml_run_column), set before */
    const char *name; /* "end_angle.upper" */
    const char *unit; /* "rad"; "1" or "": none */
    const char
        *dataset; /* path, "summary/end_angle"; of "runs/outcome" numbers are codes (outcome.h) */
};

/* Column i; 0 past the last. Texts are borrowed from the table. */
ML_API int ml_run_table_column(const struct ml_run_table *table, int i,
                               struct ml_run_column *column);

/* Reads rows. The result is read piece by piece, each piece with a wanted run once.
 *   runs    [n_run] in any order, 0 .. rows - 1
 *   values  out: [n_run][columns] in units of the columns; NaN: the run lacks the number
 * ML_E_INPUT for a run that is not there, ML_E_FILE if the result cannot be read. */
ML_API enum ml_status ml_run_table_read(struct ml_run_table *table, const int64_t *runs,
                                        int64_t n_run, double *values, struct ml_error *err);

struct ml_best_options {
    size_t size;        /* sizeof(struct ml_best_options) */
    const char *output; /* a number of the summary, by which runs are ranked */
    const char *const
        *where; /* [n_where] conditions on columns (formula.h), all of which runs meet */
    int n_where;
    int is_worst;     /* not 0: the worst first */
    int is_largest;   /* not 0: larger numbers are better; else smaller, but for outputs with
                         attribute `better` "larger" */
    int64_t count;    /* runs that are chosen, at most; without meaning beside `over` */
    const char *over; /* axis over which one run is chosen at each point of the other axes; NULL */
};

/* Arrays are those of the table, until ml_run_table_free. */
struct ml_best {
    size_t size; /* sizeof(struct ml_best), set before */
    int column;  /* of the number; behind it those of the conditions, then the outcome */
    int64_t n;   /* chosen runs */
    const int64_t
        *runs; /* [n] in order, of equal numbers the first; over an axis in order of the points */
    int has_without; /* not 0: runs without the number count as the worst (attribute `better`) */
    /* Over an axis [n], at the point: runs that count, and those of them without the number; else
     * NULL. */
    const int64_t *counted, *without;
    int64_t n_point;              /* over an axis points, with and without a chosen run; else 1 */
    int64_t n_counted, n_without; /* of all runs */
    int64_t n_lacking; /* runs that do not count because they lack a number of a condition */
};

/* Chooses runs. A run counts if it ended as the study asks, has all numbers of the conditions and
 * meets them, and has a finite number; a run without that number counts, as the worst, if the
 * output has the attribute `better`. Adds columns: the number, those of the conditions, the
 * outcome. ML_E_INPUT for an output, an axis or a name that the result lacks, and for a condition
 * whose value is a number, no truth; ML_E_FILE if the result cannot be read. */
ML_API enum ml_status ml_run_table_best(struct ml_run_table *table,
                                        const struct ml_best_options *options, struct ml_best *out,
                                        struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
