/* Linear equations among nodes: M a = f with a symmetric positive definite matrix. */
#ifndef ML_EXPR_SOLVE_H
#define ML_EXPR_SOLVE_H

#include "expr/graph.h"

enum { ML_FACTOR_MOST = 32 }; /* unknowns: n^3/6 nodes */

/* M = L D L^T, unit lower triangular L. */
struct ml_graph_factor {
    int n;
    int *lower;   /* [n][n] L below its diagonal; ML_NO_NODE: 0 */
    int *pivot;   /* [n] D */
    int *inverse; /* [n] 1/D */
    int smallest; /* the smallest of D: above 0 where M is positive definite */
};

/* The factor of a matrix.
 *   matrix  [n][n], of which the part above the diagonal is not looked at; ML_NO_NODE: 0
 * Returns the row whose pivot is 0 whatever the inputs are, -1 if no pivot is; n if the graph is
 * full. */
int ml_graph_factorise(struct ml_graph *graph, int n, const int *matrix,
                       struct ml_graph_factor *out);

/* a = M^-1 f.
 *   f, a  [n] ML_NO_NODE: 0; may be the same array */
void ml_graph_solve(struct ml_graph *graph, const struct ml_graph_factor *factor, const int *f,
                    int *a);

#endif
