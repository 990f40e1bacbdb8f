/* A force that a study gives as formulas. */
#ifndef ML_MODEL_FORCES_FORMULA_H
#define ML_MODEL_FORCES_FORMULA_H

#include "model/equations.h"

/* Quantities that formulas of a force may look at: angles and rates as the study counts them. */
enum ml_seen_kind {
#define ML_SEEN(name) ML_SEEN_##name,
#include "model/forces/seen.def"
    ML_N_SEEN
};

struct ml_seen {
    enum ml_seen_kind kind;
    int segment; /* or the row of a state */
};

enum {
    ML_FORMULA_STATES = 16,     /* most own states of a force */
    ML_FORMULA_SEEN = 64,       /* and quantities that it looks at */
    ML_FORMULA_REGISTERS = 512, /* and numbers that it computes with at once */
    ML_FORMULA_OUTPUTS = 2 + ML_FORMULA_STATES
};

struct ml_formula {
    /* Its outputs are the torque, or x and y of the force, and the rates of the own states; inputs
     * of kind STATE are these states, then seen quantities; PARAM i is the force's number i. */
    struct ml_equations equations;
    struct ml_seen seen[ML_FORMULA_SEEN];
    int n_seen;
};

struct ml_force_use;

/* The formulas of all such forces as C, which belongs to `pool`, for compiled kernels: formula_run
 * of formula.kern.h follows that text. NULL without formulas or memory. */
char *ml_formula_code(const struct ml_force_use *forces, int n_force, struct ml_pool *pool);

#endif
