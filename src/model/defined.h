/* Numbers of a run that formulas give of other numbers of the run: the names of `define` that have
 * a value each. */
#ifndef ML_MODEL_DEFINED_H
#define ML_MODEL_DEFINED_H

#include "expr/graph.h"
#include "simd/functions.h"

enum { ML_DEFINED_MOST = 2048 }; /* operations of all formulas together */

/* A number of a run that a formula gives. */
struct ml_defined_number {
    int slot, node;
    double low, high;   /* its range */
    double least, most; /* the smallest and the largest of the runs */
    bool is_moved;      /* runs differ in it */
};

struct ml_defined {
    struct ml_graph graph;               /* ML_OP_PARAM i is the value of name i */
    const struct ml_function *functions; /* of the registry */
    int first, n_name;                   /* slot of the first name's value; how many these are */
    struct ml_defined_number *numbers;   /* [n] */
    int n;
};

/* Values of all nodes, and their derivatives along a direction of the names' values. Every
 * operation is rounded by itself; truths are 0 and 1. names, along  [n_name] v, d [ML_DEFINED_MOST]
 */
void ml_defined_compute(const struct ml_defined *defined, const double *names, const double *along,
                        double *v, double *d);

/* Completes the values of a run; one that is not allowed becomes infinite, so that the run cannot
 * start. */
void ml_defined_apply(const struct ml_defined *defined, double *values);

/* Adds the effect of a direction of the names' values on the numbers that follow from them.
 *   values  of the run
 *   deriv   in place */
void ml_defined_along(const struct ml_defined *defined, const double *values, double *deriv);

/* Whether a formula makes runs differ in the number of a slot; NULL: nothing is defined. */
bool ml_defined_moves(const struct ml_defined *defined, int slot);

#endif
