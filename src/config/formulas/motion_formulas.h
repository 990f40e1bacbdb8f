/* Formulas below the keys of a system: declarations that the readers of its sections share. */
#ifndef ML_CONFIG_MOTION_FORMULAS_H
#define ML_CONFIG_MOTION_FORMULAS_H

#include "config/schema/reader.h"
#include "expr/parse.h"
#include "model/equations_motion.h"

/* Whose names formulas know. */
struct ml_formula_reader {
    struct ml_reader *r;
    struct ml_graph *graph;
    const struct ml_node *system;
    /* The node of the formula at a place, whose key messages name; ML_NO_NODE after telling. */
    int (*read)(void *context, const struct ml_node *place);
    void *context;
    const char *const *names; /* [n] of the coordinates of a motion */
};

/* Equations of motion below `system`: mass matrix and forces, or energies; the accelerations too.
 *   motion  in and out: made, without equations
 * False after telling. */
bool ml_read_motion_equations(const struct ml_formula_reader *f, struct ml_motion *motion);

/* Whether a key is a term beside a mass matrix: without one its name is free for a parameter. */
bool ml_is_motion_term(const char *key);

/* Keeps the formulas below a key, if the study has it, as they are written again in the resolved
 * text. False without memory. */
bool ml_keep_formulas(struct ml_reader *r, const struct ml_node *system, const char *key);

/* Records of energies and momenta behind the state, of a study's own system. */
int ml_motion_records(const struct ml_equations *equations);

/* Adds them to the tables of the system, and sets its abilities.
 *   params, records  those of the system, with room for the energy at the start and for them */
void ml_motion_tables(const struct ml_equations *equations, struct ml_pool *pool,
                      struct ml_system *system, struct ml_param *params,
                      struct ml_quantity *records);

/* Index of a table by its name, or by that of its derivative, NAME'; -1: there is
 * none. */
int ml_find_table(const struct ml_reader *r, const char *name);

/* The node of that table or derivative at a node; ML_NO_NODE after writing to `fault`. */
int ml_call_table(struct ml_reader *r, struct ml_graph *graph, const char *name, int node,
                  struct ml_expr_fault *fault);

#endif
