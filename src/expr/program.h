/* Formulas in the order in which they are computed. */
#ifndef ML_EXPR_PROGRAM_H
#define ML_EXPR_PROGRAM_H

#include <stdio.h>

#include "expr/graph.h"

/* A program has phases: the first is computed once, later ones as often as wanted with other
 * derivatives along a direction, from the registers that the first has filled. */
enum { ML_PHASES = 3 };

struct ml_instruction {
    enum ml_op op;
    int out, arg[ML_OP_MOST]; /* registers; of an input its number is the first argument */
    int cosine;               /* of ML_OP_sin: register of the cosine of the same; -1: not wanted */
    int anchor;               /* of ML_OP_sin of a state: registers of that state, its sine and its
                                 cosine at the first stage of the step; -1: they are not kept */
    double value;             /* of a literal */
};

struct ml_phase {
    int first, n; /* instructions */
    int n_output;
    const int *outputs; /* [n_output] registers; ML_NO_NODE: the output is 0 */
};

struct ml_program {
    const struct ml_instruction *instructions;
    int n_instruction, n_register;
    int n_kept;     /* registers 0 .. n_kept - 1 are those that later phases take from the first, or
                       later stages of a step from its first one */
    bool has_pivot; /* the last output of the first phase is no row, but the smallest pivot of a
                       matrix, which lowers that of the context */
    int n_phase;
    struct ml_phase phases[ML_PHASES];
};

/* Outputs of a phase that are rows. */
static inline int ml_program_rows_of(const struct ml_program *program, int phase)
{
    return program->phases[phase].n_output - (phase == 0 && program->has_pivot);
}

/* The program of the outputs of each phase.
 *   has_stages  whether stages of steps compute the program: sines are kept from stage to stage
 *   n_output    [n_phase]
 *   outputs     [n_phase][n_output] nodes, ML_NO_NODE for 0; of the first phase without derivatives
 * False without memory. */
bool ml_program_make(const struct ml_graph *graph, bool has_stages, int n_phase,
                     const int *n_output, const int *const *outputs, struct ml_program *out);

/* Writes one phase of a program as the body of a function on one vector of lanes, which has
 *   ctx, j, G      the context, the vector's number, and how many vectors stand side by side
 *   stage          of the step, in the first phase of a program that has stages
 *   t, x, y        time, state and tangent vector, [row * G + j]
 *   work           [row * G + j] the registers that are kept
 *   out            [row * G + j] the outputs that are rows
 * and the functions of model/equations_ops.kern.h. Nothing of the study's text is in it: names are
 * those of registers, and numbers are hexadecimal.
 *   is_added  outputs are added to the values in `out` */
void ml_program_emit(FILE *to, const struct ml_program *program, int phase, bool is_added);

#endif
