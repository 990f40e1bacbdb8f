/* Latched conditions of formulas. A condition, of which a formula jumps or has a kink, has a number
 * that passes a level there. In the latched formula the condition follows from a mode, the place of
 * that number among its levels, which changes between steps alone (engine/steps/switches.h): all
 * stages of a step are on one smooth branch. Where the mode is NaN the condition is computed as it
 * stands.
 *
 * The place is i between level i and level i + 1, and i - 1/2 on level i. The only level of a
 * comparison, a sign, abs, min and max is 0, level 0: a place is -1, 0, or -1/2 at equality. */
#ifndef ML_EXPR_LATCH_H
#define ML_EXPR_LATCH_H

#include "expr/graph.h"

enum {
    ML_LATCH_MOST = 64,  /* modes */
    ML_FIXED_MOST = 256, /* conditions of them */
};

struct ml_latch {
    int a, b;      /* nodes of the unlatched formula: the number is a - b; b ML_NO_NODE: a */
    int number;    /* node of the latched formula */
    int condition; /* node of the unlatched formula */
    int curve;     /* the levels are its samples; -1: it is not the argument of a curve */
    bool is_whole; /* the levels are the whole numbers */
    bool is_kink;  /* the formula has the same value on both sides of a level */
    /* As long as no mode changes: */
    bool is_of_time; /* the number depends on no state */
    bool is_affine;  /* the number is linear in time and the states */
    bool slides;     /* motions may slide on it (expr/slide.h); */
    int share;       /* node of its share then */
};

/* Initialise with {.graph = ...}. */
struct ml_latches {
    struct ml_graph *graph;
    struct ml_latch latch[ML_LATCH_MOST];
    int n;
    int fixed[ML_FIXED_MOST], n_fixed; /* nodes of latched formulas that are constant as long as
                                           no mode changes */
    int n_left, left; /* conditions of jumps that depend on the motion but are not latched; the
                         node of one */
    const bool *has_stairs; /* [curves] they jump at their samples; NULL: none do */
    const int *is_late;     /* [n_late] inputs that change by themselves; conditions of them stay */
    int n_late;
};

/* Latches the conditions of formulas that change along a motion.
 *   with_kinks  derivatives of the formulas act: these jump at abs, min and max too
 *   nodes       [n] in and out; ML_NO_NODE: 0
 * False where the graph is full or there is no memory. */
bool ml_latch(struct ml_latches *latches, bool with_kinks, int n, int *nodes);

/* The node that a node of a latched formula, or of its derivative, is where no mode is known; the
 * same of other nodes. */
int ml_latch_unlatched(const struct ml_graph *graph, int node);

/* Finds is_of_time and is_affine of all latches; false as ml_latch. */
bool ml_latches_find_timed(struct ml_latches *latches);

#endif
