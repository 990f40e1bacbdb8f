/* The equations of a study's own system as they were read or derived, for people to read. */
#ifndef ML_CONFIG_SHOW_EQUATIONS_H
#define ML_CONFIG_SHOW_EQUATIONS_H

#include <stdio.h>

#include "expr/motion.h"

struct ml_shown_equations {
    struct ml_graph graph;
    struct ml_motion motion; /* its M and terms, if has_terms */
    bool has_terms;
    const char *key;     /* of the formulas of other states: rates or next */
    int first, n_state;  /* states `first` and later have formulas of their own */
    const int *rates;    /* [n_state] nodes */
    const char **states; /* [n_state] */
    int n_param;
    const char **params; /* [n_param] */
    const char **curves; /* by number */
    int n_named;
    const char **names; /* [n_named] that the study defines */
    const int *nodes;   /* [n_named] */
};

/* Writes the equations: names of shared parts, then M, C, G, Q, D, E, rates or next
 * values, as keys of a system in YAML or as LaTeX. False without memory, or where conditions
 * are nested more than 1000 deep. */
bool ml_show_equations(FILE *to, const struct ml_shown_equations *shown, bool is_latex);

#endif
