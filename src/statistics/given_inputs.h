/* Inputs of a sample, and the complete runs of an output, in the order of each input. */
#ifndef ML_STATISTICS_GIVEN_INPUTS_H
#define ML_STATISTICS_GIVEN_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "manylink/indices.h"

/* Where a run lies along an input. */
struct ml_along {
    uint32_t twice_rank; /* equal inputs have the mean of their ranks 1 .. n */
    uint8_t bin;         /* below ml_given_bins_of(n); a bin ends behind the last of equal inputs */
    int8_t slice;        /* of ml_pawn_slices */
};

struct ml_given_inputs {
    int n_input;
    int64_t n;
    const double *x;        /* [n_input][n] of the caller */
    int64_t n_finite;       /* runs of which all inputs are finite */
    int32_t *finite;        /* [n_finite] these runs */
    int32_t *order;         /* [n_input][n_finite] places in `finite`, ascending in an input */
    struct ml_along *along; /* [n_input][n_finite] of the runs `finite` */
};

/* Complete runs of an output, in their order. */
struct ml_complete {
    const struct ml_given_inputs *inputs;
    int64_t n;
    double *y;      /* [n] times a power of two (ml_safe_scale), and centred by their mean */
    int32_t *run;   /* [n] among all runs */
    int32_t *place; /* [inputs->n_finite] among the complete runs; -1: not complete */
};

/* Bins of n runs along an input. */
enum { ML_MOST_GIVEN_BINS = 128 };
int ml_given_bins_of(int64_t n);

/* False without memory; to be freed in any case.
 *   y  [inputs->n] */
bool ml_complete_find(struct ml_complete *out, const struct ml_given_inputs *inputs,
                      const double *y);
void ml_complete_free(struct ml_complete *complete);

/* The places of complete runs in ascending order of an input; and the input of a place.
 *   order  [n] out */
void ml_complete_order(const struct ml_complete *complete, int input, int32_t *order);
double ml_complete_input(const struct ml_complete *complete, int input, int64_t place);

/* Where complete runs lie along an input, [n]: of the inputs where no output is missing, else in
 * *room, to be freed. NULL without memory. */
const struct ml_along *ml_complete_along(const struct ml_complete *complete, int input,
                                         struct ml_along **room);

#endif
