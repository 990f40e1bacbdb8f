/* Formulas as C, for kernels that are made. */
#ifndef ML_EXPR_EMIT_H
#define ML_EXPR_EMIT_H

#include <stdio.h>

#include "expr/program.h"

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
