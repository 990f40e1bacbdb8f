/* Indices of one number of every run, as a table to read or as cells between commas. */
#ifndef ML_CLI_INDICES_H
#define ML_CLI_INDICES_H

#include <stdbool.h>

#include "manylink/indices.h"

/* Runs of a point of a sample; DESIGN_CHAOS: points, to which a polynomial is fitted. */
enum design {
    DESIGN_POINTS,
    DESIGN_SALTELLI,
    DESIGN_MORRIS,
    DESIGN_FAST,
    DESIGN_OAT,
    DESIGN_CHAOS
};

/* Words of --estimator; `auto` chooses by the design. */
enum estimator {
    ESTIMATOR_AUTO,
    ESTIMATOR_SALTELLI,
    ESTIMATOR_JANSEN,
    ESTIMATOR_JANON,
    ESTIMATOR_MORRIS,
    ESTIMATOR_FAST,
    ESTIMATOR_OAT,
    ESTIMATOR_BINS,
    ESTIMATOR_RANK,
    ESTIMATOR_RBD_FAST,
    ESTIMATOR_CHAOS
};
extern const char *const estimator_words[]; /* NULL at the end */

/* The points of a result. */
struct points {
    const char *const *inputs; /* [n_input] names */
    int n_input;
    enum design design;
    int n_row; /* runs of a point: of FAST of a step along all curves, of oat all runs */
    bool has_second, is_even;
    enum estimator estimator; /* not ESTIMATOR_AUTO */
    double step;              /* of Morris' design, in the range of the levels */
};

/* The first points of a sample. */
struct part {
    int64_t n; /* points; 0: left out */
    double *x; /* without a design and of oat [n_input][n n_row], of Morris' design
                  [n][n_row][n_input], else NULL */
    struct ml_given_inputs *given; /* without a design, else NULL */
};

enum { MOST_KINDS = 4 };

/* The indices of a number. */
struct indices {
    const struct points *points;
    const char *name;
    int64_t n, n_complete; /* points */
    bool is_found;
    struct ml_index *kinds[MOST_KINDS]; /* [n_input] each */
    struct ml_index *second;            /* [n_input][n_input]; NULL: not found */
    struct ml_index r_squared;
    struct ml_chaos_indices chaos;
    double middle; /* of oat: the number with all inputs at their middle */
};

/* Kinds of indices that the points have, and the name of kind k. */
int indices_kinds(const struct points *points);
const char *indices_kind(const struct points *points, int k);

/* Finds the indices of a number over a part of the points.
 *   y     [n][n_row], of FAST [n_row][n]; changed
 *   room  [n_input * (n_input + MOST_KINDS)] */
struct indices indices_find(const struct points *points, const struct part *part, const char *name,
                            double *y, struct ml_index *room);

/* The row behind `row` in the order of printing, the first behind -1; -1 behind the last. Of oat
 * large swings come first, else inputs are in their order. */
int indices_next(const struct indices *found, int row);

/* Prints the indices, or why the number has none. */
void indices_print(const struct indices *found);

/* Prints a row of cells for each input and each pair, behind the cells `before`; and the names of
 * the cells. */
void indices_print_cells(const struct indices *found, const char *before);
void indices_print_head(const struct points *points);

#endif
