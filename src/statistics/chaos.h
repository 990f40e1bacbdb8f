/* Products of orthonormal polynomials of the inputs, by total degree. */
#ifndef ML_STATISTICS_CHAOS_H
#define ML_STATISTICS_CHAOS_H

#include "statistics/given_inputs.h"

enum { ML_CHAOS_DEGREE = 12 };

/* A term is an earlier term times a polynomial of one input that the earlier term has not. */
struct ml_chaos_term {
    int parent; /* -1 of the constant, which is the first */
    int input, exponent, degree;
};

struct ml_chaos_basis {
    int n_input, n_term, degree; /* all terms up to this degree */
    int64_t n;                   /* runs */
    struct ml_chaos_term *terms; /* [n_term] by degree */
    double *factors;             /* [n_input][ML_CHAOS_DEGREE + 1][n] */
};

/* Makes the terms of the largest degree with at most `most` of them, at least 1 + n_input. The
 * polynomial of degree e of an input has mean 0, mean square 1, and is orthogonal to those of lower
 * degree over the first n runs; it is 0 where the input has e values or fewer. False without
 * memory; to be freed in any case. */
bool ml_chaos_basis_make(struct ml_chaos_basis *basis, const struct ml_complete *complete,
                         int64_t n, int most);
void ml_chaos_basis_free(struct ml_chaos_basis *basis);

/* Terms up to a degree. */
int ml_chaos_basis_terms(const struct ml_chaos_basis *basis, int degree);

/* All terms of a run.
 *   row  [n_term] out */
void ml_chaos_basis_row(const struct ml_chaos_basis *basis, int64_t run, double *row);

#endif
