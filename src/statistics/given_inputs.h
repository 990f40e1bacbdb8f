/* Inputs of a sample, and the complete runs of an output, in the order of each input. */
#ifndef ML_STATISTICS_GIVEN_INPUTS_H
#define ML_STATISTICS_GIVEN_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "manylink/indices.h"

struct ml_given_inputs {
    int n_input;
    int64_t n;
    const double *x;   /* [n_input][n] of the caller */
    int64_t *order;    /* [n_input][n_finite] runs of finite inputs, ascending in an input */
    double *ascending; /* [n_input][n_finite] values of the input in this order */
    int64_t n_finite;
};

/* Complete runs of an output, in their order. */
struct ml_complete {
    const struct ml_given_inputs *inputs;
    int64_t n;
    double *y;      /* [n] times a power of two (ml_safe_scale), and centred by their mean */
    int64_t *run;   /* [n] among all runs */
    int64_t *place; /* [inputs->n] among the complete runs; -1: not complete */
};

/* False without memory; to be freed in any case.
 *   y  [inputs->n] */
bool ml_complete_find(struct ml_complete *out, const struct ml_given_inputs *inputs,
                      const double *y);
void ml_complete_free(struct ml_complete *complete);

/* The places of complete runs in ascending order of an input, with the values of the input; and the
 * input of a place.
 *   order, ascending  [n] out */
void ml_complete_order(const struct ml_complete *complete, int input, int64_t *order,
                       double *ascending);
double ml_complete_input(const struct ml_complete *complete, int input, int64_t place);

#endif
