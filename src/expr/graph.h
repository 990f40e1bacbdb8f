/* Formulas as a graph: a node is an operation on nodes before it, and nodes that compute the same
 * are one. */
#ifndef ML_EXPR_GRAPH_H
#define ML_EXPR_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "yaml/pool.h"

enum ml_op {
    /* leaves of formulas: a literal number, and inputs, by number */
    ML_OP_LITERAL,
    ML_OP_TIME,
    ML_OP_STATE,
    ML_OP_PARAM,
    ML_OP_MODE, /* the place of a latched condition (expr/latch.h), by its number */
    /* derivatives of the last two along a direction */
    ML_OP_STATE_DERIV,
    ML_OP_PARAM_DERIV,
    /* of its first argument: a curve, whose number is the second, or its derivative of the order
     * that is the third */
    ML_OP_CURVE,
#define ML_OP(name, n_argument, word) ML_OP_##name,
#include "expr/ops.def"
    ML_N_OP
};

enum { ML_OP_MOST = 3, ML_NO_NODE = -1 };

struct ml_op_info {
    const char *name, *word; /* word: as of ops.def */
    int n_argument;
};
extern const struct ml_op_info ml_ops[ML_N_OP];

/* Whether the value is true or false, and no number. */
static inline bool ml_op_is_truth(enum ml_op op) { return op >= ML_OP_less && op <= ML_OP_not; }

/* Whether argument i of an operation is a truth. */
static inline bool ml_op_takes_truth(enum ml_op op, int i)
{
    return op == ML_OP_and || op == ML_OP_or || op == ML_OP_not || (op == ML_OP_where && i == 0);
}

struct ml_graph_node {
    enum ml_op op;
    int arg[ML_OP_MOST]; /* nodes, ML_NO_NODE behind the last; of an input its number first */
    double value;        /* of a literal */
};

enum {
    ML_GRAPH_MOST = 1 << 18, /* nodes */
    ML_GRAPH_COST = 1 << 24  /* operations and bytes of text that are looked at to make them */
};

/* Initialise with {.pool = ...}. */
struct ml_graph {
    struct ml_pool *pool;
    struct ml_graph_node *nodes; /* [n] arguments before the nodes that take them */
    int n, room;
    int *slots; /* [n_slot] hash table of nodes; ML_NO_NODE: free */
    int n_slot;
    long cost;       /* so far; each reading of a text again adds its bytes */
    int first_mode;  /* of programs: the row of the constants that has the place of number 0 */
    bool is_unfused; /* a product that is a term of a sum is rounded by itself */
    bool is_full;    /* a node could not be made: there are ML_GRAPH_MOST, it would cost more than
                        ML_GRAPH_COST, or there is no memory */
};

/* The node of a number. All functions return ML_NO_NODE where the graph is full, or an argument is
 * ML_NO_NODE: so a product with a number that is 0 has no node either. */
int ml_graph_literal(struct ml_graph *graph, double value);

/* Whether a node is a truth that follows from literals alone, or x < x; it is then in *out. */
bool ml_graph_truth(const struct ml_graph *graph, int node, bool *out);

/* Whether two numbers are the same sums, products and quotients of other nodes, such as 3 x a and
 * x a 3, so that only rounding tells one from the other: at random values (Schwartz, J. ACM 27,
 * 1980). False of numbers with more than 256 operations. */
bool ml_graph_is_same(const struct ml_graph *graph, int a, int b);

/* The node of an input of kind `op`. */
int ml_graph_input(struct ml_graph *graph, enum ml_op op, int number);

/* The node of a curve at a node, or of its derivative of that order, at most 3; or of the sample of
 * the curve whose number the node is. */
enum { ML_CURVE_STAIR = -1 };
int ml_graph_curve(struct ml_graph *graph, int curve, int order, int node);

/* The node of op(a, b, c); ML_NO_NODE behind the last argument. Of literals the operations that are
 * rounded correctly are computed at once, and `where` is the argument that a comparison of literals
 * chooses; a product that is a term of a sum is fused with it (the first one of two); nothing else
 * is changed, so that the bits are those of the formula as it is written. */
int ml_graph_op(struct ml_graph *graph, enum ml_op op, int a, int b, int c);

/* The node of a graph, this one or another, made again of other arguments.
 *   node  of which a copy is taken by the caller where it lies in `graph`, which grows
 *   map   the new nodes of all that the node takes, by their number */
int ml_graph_again(struct ml_graph *graph, const struct ml_graph_node *node, const int *map);

static inline int ml_graph_1(struct ml_graph *graph, enum ml_op op, int a)
{
    return ml_graph_op(graph, op, a, ML_NO_NODE, ML_NO_NODE);
}

static inline int ml_graph_2(struct ml_graph *graph, enum ml_op op, int a, int b)
{
    return ml_graph_op(graph, op, a, b, ML_NO_NODE);
}

/* a + b and a - b c, of which any may be ML_NO_NODE, 0. */
int ml_graph_plus(struct ml_graph *graph, int a, int b);
int ml_graph_minus_product(struct ml_graph *graph, int a, int b, int c);

/* Room for n nodes, ML_NO_NODE each: 0. NULL without memory. */
int *ml_graph_zeros(struct ml_graph *graph, int n);

/* [n] whether the nodes, or nodes that take them, are among the [n_wanted] wanted; ML_NO_NODE is
 * not looked at. NULL without memory. */
bool *ml_graph_needed(const struct ml_graph *graph, int n_wanted, const int *wanted);

/* The node of a literal exponent: x^n by products for whole n up to ML_POWER_MOST in size, x^0.5 by
 * a root; ML_NO_NODE for others. */
enum { ML_POWER_MOST = 64 };
int ml_graph_power(struct ml_graph *graph, int base, double exponent);

/* The node of a number that is at least |node|: parts are added where the formula adds or
 * subtracts them, and a sine or cosine counts as 1. ML_NO_NODE of that. */
int ml_graph_bound(struct ml_graph *graph, int node);

/* Replaces sines and cosines of sums and differences of inputs by those of the inputs,
 *   sin(a +- b) = sin a cos b +- cos a sin b,  cos(a +- b) = cos a cos b -+ sin a sin b,
 * where that makes no more of them than there were. The products are rounded by themselves:
 * sin(a - b) is then 0 where a is b, and -sin(b - a).
 *   n      [n_row]
 *   nodes  [n_row][n[row]] in and out; ML_NO_NODE: 0
 * False where the graph is full or there is no memory. */
bool ml_graph_share_sines(struct ml_graph *graph, int n_row, const int *n, int *const *nodes);

/* Makes the nodes of a graph again, so that of products each has one literal factor at most, the
 * first, and none has a sum of equals: (x + x)*0.5*m is x*m. Factors whose product is rounded stay
 * apart, and the names' nodes are left whole.
 *   is_named  [from->n]
 *   to        out: a graph with a pool, without nodes
 *   map       [from->n] out: the nodes there
 * False without memory. */
bool ml_graph_collect(const struct ml_graph *from, const bool *is_named, struct ml_graph *to,
                      int *map);

enum { ML_FACTOR_MOST = 32 }; /* unknowns: n^3/6 nodes */

/* Linear equations among nodes, M a = f with a symmetric positive definite matrix: M = L D L^T,
 * unit lower triangular L. */
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
