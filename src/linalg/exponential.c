/* Exponentials of a small matrix by scaling and squaring. With E = exp(A t) and H its integral,
 * twice the time has E E and H + E H. */
#include "linalg/exponential.h"

#include <math.h>
#include <string.h>

#include "linalg/matrix.h"

/* Of Taylor's series where the largest row sum is below 1/2: the first term left out is 2e-23. */
enum { TERMS = 18 };

static double largest_row_sum(int n, const double *a)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += fabs(a[i * n + j]);
        largest = sum > largest || isnan(sum) ? sum : largest;
    }
    return largest;
}

static void set_to_unit(int n, double size, double *a)
{
    for (int i = 0; i < n * n; i++)
        a[i] = i % (n + 1) == 0 ? size : 0.0;
}

/* Adds the terms of the series, each from the one before: (A t)^k/k! to `state`, and t (A t)^k /
 * (k + 1)! to `held`. */
static void add_series(int n, const double *a, double t, double *state, double *held,
                       double *scratch)
{
    const int size = n * n;
    double *scaled = scratch, *term = scratch + size, *next = scratch + 2 * (long)size;
    for (int i = 0; i < size; i++)
        scaled[i] = t * a[i];
    set_to_unit(n, 1.0, term);
    set_to_unit(n, 1.0, state);
    set_to_unit(n, t, held);
    for (int k = 1; k <= TERMS; k++) {
        ml_matrix_multiply(n, scaled, term, next);
        for (int i = 0; i < size; i++) {
            term[i] = next[i] / k;
            state[i] += term[i];
            held[i] += t * term[i] / (k + 1);
        }
    }
}

bool ml_exponential(int n, const double *a, double t, double *state, double *held, double *scratch)
{
    const int size = n * n;
    int n_square = 0;
    (void)frexp(2.0 * t * largest_row_sum(n, a), &n_square);
    if (!isfinite(t * largest_row_sum(n, a)))
        return false;
    n_square = n_square > 0 ? n_square : 0;
    add_series(n, a, ldexp(t, -n_square), state, held, scratch);
    for (int k = 0; k < n_square; k++) {
        ml_matrix_multiply(n, state, held, scratch);
        for (int i = 0; i < size; i++)
            held[i] += scratch[i];
        ml_matrix_multiply(n, state, state, scratch);
        memcpy(state, scratch, (size_t)size * sizeof *state);
    }
    return isfinite(largest_row_sum(n, state)) && isfinite(largest_row_sum(n, held));
}
