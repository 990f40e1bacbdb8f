/* Indices of one number of every run, as a table to read or as cells between commas. */
#ifndef ML_CLI_INDICES_H
#define ML_CLI_INDICES_H

#include <stdbool.h>

#include "manylink/indices.h"

extern const char *const estimator_words[]; /* of --estimator; NULL at the end */

/* The indices of a number. */
struct indices {
    const struct ml_index_points *points;
    const char *const *inputs; /* [n_input] names */
    const char *name;
    struct ml_index_table table;
};

/* Kinds of indices of an input that a design has. */
int indices_kinds(enum ml_index_design design);

/* The row behind `row` in the order of printing, the first behind -1; -1 behind the last. Of oat
 * large swings come first, else inputs are in their order. */
int indices_next(const struct indices *found, int row);

/* Prints the indices, or why the number has none. */
void indices_print(const struct indices *found);

/* Prints a row of cells for each input and each pair, behind the cells `before`; and the names of
 * the cells. */
void indices_print_cells(const struct indices *found, const char *before);
void indices_print_head(const struct ml_index_points *points);

#endif
