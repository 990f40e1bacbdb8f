/* A zero of a function of one variable between two points where its signs differ, one evaluation at
 * a time: R. P. Brent, Algorithms for Minimization without Derivatives (1973), chapter 4. Plain
 * arithmetic, so that the same values give the same bits everywhere. */
#ifndef ML_EVENTS_ROOT_H
#define ML_EVENTS_ROOT_H

#include <stdbool.h>

struct ml_root {
    double at;                /* where to evaluate next, and the zero in the end */
    double a, fa, fb, c, fc;  /* the point before and its value; that of `at`; the other end */
    double step, step_before; /* the last two */
    double tolerance;         /* half of the interval that is left in the end */
};

/* Begins between a and b. If the signs of fa and fb do not differ, the one that is nearer to zero
 * is the zero. True: evaluate at root->at. */
bool ml_root_begin(struct ml_root *root, double a, double fa, double b, double fb,
                   double tolerance);

/* Takes the value at root->at. True: evaluate again; false: the zero is there. */
bool ml_root_next(struct ml_root *root, double value);

#endif
