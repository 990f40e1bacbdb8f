/* Records by formula: a study gives them to any system (config/formulas/read_quantities.c). They
 * stand behind the system's own records and are computed from these, the time and numbers of the
 * run. */
#ifndef ML_MODEL_QUANTITIES_H
#define ML_MODEL_QUANTITIES_H

#include "model/equations.h"
#include "model/system.h"

/* A number that formulas take: row of a record of the system, or of the state itself. */
enum { ML_OF_STATE = -1 };
struct ml_quantity_input {
    int record, row;
};

struct ml_quantity_formula {
    struct ml_equations formula; /* its program ML_EQUATIONS_BARE has one output; state i of it is
                                    input i, parameter i row i of the constants */
    bool has_derivs;             /* of state rows alone: the later phases of that program are its
                                    derivatives, along the state and by time, and along constants */
    const int *inputs;           /* [n_input] of ml_quantities.inputs, those that it takes */
    int n_input;
};

struct ml_quantities {
    const struct ml_system *base;               /* the system without them */
    const struct ml_quantity_formula *formulas; /* [n] records base->n_record .. */
    int n;
    const struct ml_quantity_input *inputs; /* [n_input] of all formulas */
    int n_input;
    const int *slots;   /* [n_quantity_constant of the instance] numbers of a run that they take
                           and the system's own constants have not */
    int first_constant; /* row of the constants where these stand */
};

/* The formula that record q of a system is; NULL: it is no formula. */
const struct ml_quantity_formula *ml_quantities_formula(const struct ml_instance *model, int q);

/* Rows of scratch that they take behind those of the system; 0 without them. */
int ml_quantities_rows(const struct ml_instance *model);

#endif
