/* Formulas of a study below `parameters`, `state`, `define` and `rates`: of a system, or of a
 * force, which has more. */
#ifndef ML_CONFIG_FORMULAS_H
#define ML_CONFIG_FORMULAS_H

#include "config/formulas/names.h"
#include "model/equations.h"

/* read_equations.c: the system that formulas make of `like`, from its map; NULL after telling, or
 * without memory */
const struct ml_system *ml_read_equations(struct ml_reader *r, const struct ml_node *system,
                                          const struct ml_system *like);

/* read_formula.c: a force that formulas give, whose registered type is known, from its map: its own
 * type and its formulas, which stay NULL after telling */
void ml_read_formula(struct ml_reader *r, const struct ml_node *node, struct ml_force_use *use,
                     struct ml_force_texts *texts);

/* Row of the state that such a force has, by FORCE.STATE or the name of a register; -1: none. */
int ml_find_own_state(const struct ml_reader *r, const char *name);

/* An angle or rate of a segment, less that of another one. */
struct ml_late_quantity {
    bool is_rate;
    int segment, base; /* base: -1: none */
};

/* Names of formulas besides those that the map itself defines. */
struct ml_formula_names {
    /* Number of the quantity of that name, which is an input of kind STATE behind the map's own
     * states; -1 of an unknown name, or after writing to `fault`. */
    int (*find)(void *context, const char *name, struct ml_expr_fault *fault);
    /* How the quantity of a number can be late; false after writing to `fault`. */
    bool (*late)(void *context, int number, struct ml_late_quantity *out,
                 struct ml_expr_fault *fault);
    void (*offer)(void *context, struct ml_nearest *nearest);
    void *context;
};

/* Formulas besides the rates. */
struct ml_formula_outputs {
    int n;
    const struct ml_node *const *nodes; /* [n] */
    const struct ml_node *params;       /* see ml_formula_params */
    int first_param;                    /* number of the first of them */
    const char *what;                   /* for a notice: "rate" */
};

/* Programs of the formulas of a map, of the outputs and then of the rates, without their C text;
 * false after telling.
 *   others  NULL: none */
bool ml_read_formulas(struct ml_reader *r, const struct ml_node *node,
                      const struct ml_formula_names *others, const struct ml_formula_outputs *of,
                      struct ml_equations *out);

/* formula_params.c: the map `parameters` of a system or force, and behind its names those of the
 * study's `define` that formulas below the map take, each as if it were given there: by its name,
 * with its unit and doc. NULL: no names.
 *   keys  of the map */
const struct ml_node *ml_formula_params(struct ml_reader *r, const struct ml_node *map,
                                        const struct ml_keys *keys);

/* The row of the k-th number, with the name that paths have of it; its default is the number. */
void ml_entries_row(struct ml_reader *r, const struct ml_entries *entries, int k,
                    struct ml_param *out);

/* read_entries.c: from a number, or a map of its value, count, unit and doc; the texts live as long
 * as the study. */
void ml_read_entries(struct ml_reader *r, const struct ml_node *node, struct ml_entries *out);

/* Reads one number, or a map of its value, unit and doc.
 *   out  its row, whose default is the number */
void ml_read_given(struct ml_reader *r, const struct ml_node *node, struct ml_param *out);

/* The formulas below a key as they are written again, for the resolved text; false without memory.
 *   map  NULL: no formulas */
bool ml_read_formula_texts(struct ml_reader *r, const struct ml_node *map, struct ml_formulas *out);

#endif
