/* Sliding on latched conditions (expr/latch.h), after Filippov (Differential Equations with
 * Discontinuous Righthand Sides, 1988). Let f0 be the rates with the mode below a level of the
 * condition's number G, f1 those above, and G0, G1 the derivatives of G by time along f0, f1. If
 * G0 > 0 > G1, both sides lead to the level, and a motion there has the rates
 *
 *   f = f0 + share (f1 - f0),   share = G0/(G0 - G1),
 *
 * with which G stays. At a share of 0 it leaves to the side below, at 1 to that above. A mode says
 * so by its place, a quarter below the level. Conditions slide together: with each of them in turn
 * the rates are those that all before leave, which is the motion on all levels where the rates are
 * linear in the values of the conditions. */
#ifndef ML_EXPR_SLIDE_H
#define ML_EXPR_SLIDE_H

#include "expr/latch.h"

/* Marks the place of a slide on level i, which is i - 1 + ML_SLIDE_PLACE. */
#define ML_SLIDE_PLACE 0.75

/* Finds the conditions that may slide, latch.slides, with their shares: those along whose rates
 * dG/dt depends on the condition itself. Of very long formulas some may not.
 *   rates  [n] of all states, in and out
 * False where the graph is full or there is no memory. */
bool ml_slide(struct ml_latches *latches, int n, int *rates);

/* Derivatives of rates that slide, as ml_graph_derive.
 *   plain, derivs  [n] before ml_slide, and their derivatives
 *   slid           [n] the rates
 *   out            [n] may be derivs */
bool ml_slide_derive(struct ml_graph *graph, enum ml_op by, int n, const int *plain,
                     const int *derivs, const int *slid, int *out);

#endif
