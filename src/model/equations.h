/* Equations of motion that a study gives as formulas: `own` of an instance of system `equations`.
 */
#ifndef ML_MODEL_EQUATIONS_H
#define ML_MODEL_EQUATIONS_H

#include <stdio.h>

#include "expr/program.h"
#include "model/forces/signal.h"
#include "model/system.h"
#include "yaml/node.h"

/* Which program a kernel runs, by the derivatives it wants: none, along the state, along the
 * parameters too. The first phase of each is x' = f(t, x, p), and of equations M q'' = f the
 * smallest pivot of M; the second (df/dx) y; the third (df/dp) dp. */
enum { ML_EQUATIONS_BARE, ML_EQUATIONS_TANGENT, ML_EQUATIONS_FORCED, ML_N_EQUATIONS };

enum { ML_EQUATIONS_COORDINATES = 32 };  /* at most: ML_FACTOR_MOST */
enum { ML_EQUATIONS_OF_CONSTRAINT = 3 }; /* records of each: multiplier, value, its size */
enum { ML_EQUATIONS_ENERGIES = 3 };      /* outputs: kinetic and potential energy, their scale */

/* Numbers that are wanted seldom, and interpreted always: outputs of one phase. */
enum {
    ML_EQUATIONS_ENERGY, /* those energies */
    ML_EQUATIONS_SHOWN,  /* the records behind the state */
    ML_EQUATIONS_TERMS,  /* M [n][n], C, G, Q, D, E, q'' [n], smallest pivot; forces of constraints
                            are in E */
    ML_EQUATIONS_HELD,   /* of each constraint ML_HELD numbers */
    ML_EQUATIONS_MODES,  /* of each mode the number whose place it is, then their derivatives by
                            time, then their shares (expr/slide.h); further phases: along the state,
                            along the parameters */
    ML_EQUATIONS_SELDOM
};

/* Numbers of a constraint at a start: its value and d/dt of its value, each with the size of its
 * terms; the pivot, above 0 if the constraint is independent of those before it. */
enum { ML_HELD_VALUE, ML_HELD_SIZE, ML_HELD_RATE, ML_HELD_RATE_SIZE, ML_HELD_LEAST, ML_HELD };

/* A state that formulas take as it was. */
struct ml_late_state {
    int value; /* row of a system's state; own state of a force, or ML_LATE_ANGLE + segment */
    int row;   /* first of its ML_FEEDBACK_BY_ANGLE rows, numbered as parameters */
};
enum { ML_LATE_ANGLE = 1 << 20 };

/* A late state that is an input: which of the delays, and row of the system's state. */
struct ml_late_input {
    int late, value;
};

/* x(t - delay) in formulas: before each step the polynomial of the past is put to rows behind the
 * parameters (engine/steps/feedback.h), of which formulas compute it. */
struct ml_late {
    int param;                   /* number of the parameter that is the delay; -1: that is */
    double delay;                /* s, a literal */
    int row;                     /* first of ML_FEEDBACK_ANGLE rows, numbered as parameters */
    struct ml_location location; /* where formulas first have it */
    struct ml_late_state *states;
    int n_state, room;
};

struct ml_equations {
    int n_state, n_param;
    int n_row;            /* rows after the parameters, of delayed values */
    struct ml_late *late; /* [n_late] by delay */
    int n_late;
    int first_mode, n_mode; /* rows of the constants with places of conditions (expr/latch.h) */
    bool shows_sliding;     /* the last record is on how many of them a motion slides */
    int n_coordinate;       /* the state begins with them and their rates; 0: no coordinates */
    bool is_of_positions;   /* the state is coordinates and rates, and q'' = F(q, t) */
    int n_constraint;
    bool jumps;                     /* of a force: its formulas jump where conditions change */
    bool keeps_energy;              /* nothing in the formulas takes or adds energy */
    const struct ml_signal *curves; /* tables of the study, by number; NULL: no tables */
    struct ml_program programs[ML_N_EQUATIONS];
    struct ml_program start; /* the rates from momenta, which are the last n_coordinate of the
                                parameters and NaN where they are not given; phases as above */
    struct ml_program seldom[ML_EQUATIONS_SELDOM]; /* without phases: there is no such thing */
    const struct ml_equations *loop;   /* the same formulas with their control loop cut at a name of
                                          `define`: behind the state come the input u in its place,
                                          whose rate is the formula of the name - u, and late_inputs;
                                          NULL: no cut */
    struct ml_late_input *late_inputs; /* [n_late_input] of a loop that is cut, whose rates are 0 */
    int n_late_input;
    const char *code; /* the same as C, for kernels that are made; NULL: it would be too long */
};

/* The formulas of an instance with their control loop cut; NULL without a cut. */
static inline const struct ml_equations *ml_loop_of_formulas(const struct ml_instance *model)
{
    const struct ml_equations *own = model->system->has_formulas ? model->own : NULL;
    return own ? own->loop : NULL;
}

/* Rows of scratch that functions compiled of it take. */
static inline int ml_equations_kept(const struct ml_equations *equations)
{
    int most = 0;
    for (int p = 0; p < ML_N_EQUATIONS; p++)
        most = equations->programs[p].n_kept > most ? equations->programs[p].n_kept : most;
    return most;
}

/* Whether a compiler makes the code within seconds: it is no longer than that of
 * so many additions. */
enum { ML_EQUATIONS_MOST_CODE = 12000 };
bool ml_equations_are_short(const struct ml_equations *equations);

/* Writes a function NAME_bare, ... for each phase of the programs, of one vector of lanes.
 *   context  struct that the functions are given: ml_rhs_ctx, or ml_law_at of a force's law, whose
 *            rows have one vector */
void ml_equations_write(FILE *to, const struct ml_equations *equations, const char *name,
                        const char *context);

/* The text of `code`, which belongs to `pool`; NULL without memory. */
char *ml_equations_code(const struct ml_equations *equations, struct ml_pool *pool);

#endif
