/* Factors by Stieltjes' procedure: the recurrence of three terms, with its coefficients as means
 * over the runs (Gautschi, Orthogonal Polynomials, 2004, 2.2.3.1). */
#include "statistics/chaos.h"

#include <math.h>
#include <stdlib.h>

static const double least_square =
    1e-20; /* of a polynomial of numbers in -1 .. 1: rounding alone */

/* Puts the polynomials of an input, [degree + 1][n]. */
static void write_factors(const struct ml_complete *complete, int input, int64_t n, double *factors)
{
    double low = (double)INFINITY, high = -(double)INFINITY, last = 0.0;
    for (int64_t r = 0; r < n; r++) {
        low = fmin(low, ml_complete_input(complete, input, r));
        high = fmax(high, ml_complete_input(complete, input, r));
        factors[r] = 1.0;
    }
    const double middle = 0.5 * (low + high), scale = high > low ? 2.0 / (high - low) : 0.0;
    for (int e = 0; e < ML_CHAOS_DEGREE; e++) {
        const double *p = factors + e * n;
        double *next = factors + (e + 1) * n, mean = 0.0, square = 0.0;
        for (int64_t r = 0; r < n; r++)
            mean += (ml_complete_input(complete, input, r) - middle) * scale * p[r] * p[r];
        mean /= (double)n;
        for (int64_t r = 0; r < n; r++) {
            const double x = (ml_complete_input(complete, input, r) - middle) * scale;
            next[r] = (x - mean) * p[r] - (e > 0 ? last * next[r - 2 * n] : 0.0);
            square += next[r] * next[r];
        }
        last = sqrt(square / (double)n);
        for (int64_t r = 0; r < n; r++)
            next[r] = square > least_square * (double)n ? next[r] / last : 0.0;
    }
}

/* Adds the terms of a degree; false if there is no room. */
static bool add_degree(struct ml_chaos_basis *basis, int degree, int most)
{
    const int n_before = basis->n_term;
    for (int t = 0; t < n_before; t++)
        for (int i = t == 0 ? 0 : basis->terms[t].input + 1; i < basis->n_input; i++) {
            if (basis->n_term == most) {
                basis->n_term = n_before;
                return false;
            }
            basis->terms[basis->n_term++] =
                (struct ml_chaos_term){t, i, degree - basis->terms[t].degree, degree};
        }
    basis->degree = degree;
    return true;
}

bool ml_chaos_basis_make(struct ml_chaos_basis *basis, const struct ml_complete *complete,
                         int64_t n, int most)
{
    const size_t n_input = (size_t)complete->inputs->n_input;
    *basis = (struct ml_chaos_basis){
        .n_input = complete->inputs->n_input,
        .n = n,
        .terms = malloc((size_t)most * sizeof *basis->terms),
        .factors = malloc(n_input * (ML_CHAOS_DEGREE + 1) * (size_t)n * sizeof *basis->factors)};
    if (!basis->terms || !basis->factors)
        return false;
    for (int i = 0; i < basis->n_input; i++)
        write_factors(complete, i, n, basis->factors + (int64_t)i * (ML_CHAOS_DEGREE + 1) * n);
    basis->terms[basis->n_term++] = (struct ml_chaos_term){.parent = -1, .input = -1};
    for (int degree = 1; degree <= ML_CHAOS_DEGREE && add_degree(basis, degree, most);)
        degree++;
    return true;
}

void ml_chaos_basis_free(struct ml_chaos_basis *basis)
{
    free(basis->terms);
    free(basis->factors);
}

int ml_chaos_basis_terms(const struct ml_chaos_basis *basis, int degree)
{
    int n = 0;
    while (n < basis->n_term && basis->terms[n].degree <= degree)
        n++;
    return n;
}

void ml_chaos_basis_row(const struct ml_chaos_basis *basis, int64_t run, double *row)
{
    row[0] = 1.0;
    for (int t = 1; t < basis->n_term; t++) {
        const struct ml_chaos_term *term = &basis->terms[t];
        const int64_t factor = (int64_t)term->input * (ML_CHAOS_DEGREE + 1) + term->exponent;
        row[t] = row[term->parent] * basis->factors[factor * basis->n + run];
    }
}
