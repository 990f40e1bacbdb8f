/* Ackermann's formula in an orthonormal basis Q of b, A b, A^2 b, .. (Arnoldi's method), where
 * H = Q' A Q is a Hessenberg matrix (Datta, An algorithm to assign eigenvalues in a Hessenberg
 * matrix: single input case, IEEE Trans. Autom. Control 32, 1987):
 *
 *   K = e_n' (H - p_1) .. (H - p_n) Q' / (|b| h_21 h_32 ..) */
#include "linalg/placement.h"

#include <math.h>
#include <string.h>

#include "linalg/complex_number.h"

/* Share of the entries of A below which the next vector of the basis is one of rounding. */
static const double placement_rounding = 1e-12;

/* Makes a candidate orthogonal to the first k vectors of the basis, twice against rounding, and of
 * size 1. Returns its size before that.
 *   shares  [k] with that stride: added to, by each vector; NULL: not needed */
static double orthogonalise(const struct ml_placement *s, int k, double *shares)
{
    const int n = s->n;
    double square = 0.0;
    for (int i = 0; i < 2 * k; i++) {
        const double *vector = s->basis + (long)(i % k) * n;
        double share = 0.0;
        for (int j = 0; j < n; j++)
            share += vector[j] * s->candidate[j];
        for (int j = 0; j < n; j++)
            s->candidate[j] -= share * vector[j];
        if (shares)
            shares[i % k * n] += share;
    }
    for (int j = 0; j < n; j++)
        square += s->candidate[j] * s->candidate[j];
    const double size = sqrt(square);
    for (int j = 0; k < n && j < n; j++)
        s->basis[k * n + j] = s->candidate[j] / size;
    return size;
}

/* Fills in basis, a vector per row, and hessenberg. Returns |b| h_21 h_32 .., 0 if the vectors do
 * not span all states. */
static double find_basis(const struct ml_placement *s)
{
    const int n = s->n;
    double largest = 0.0;
    for (int i = 0; i < n * n; i++)
        largest = fmax(largest, fabs(s->a[i]));
    memset(s->hessenberg, 0, (size_t)(n * n) * sizeof *s->hessenberg);
    memcpy(s->candidate, s->b, (size_t)n * sizeof *s->candidate);
    double product = orthogonalise(s, 0, NULL);
    for (int k = 0; k < n && product > 0.0; k++) {
        memset(s->candidate, 0, (size_t)n * sizeof *s->candidate);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                s->candidate[i] += s->a[i * n + j] * s->basis[k * n + j];
        const double below = orthogonalise(s, k + 1, s->hessenberg + k);
        if (k + 1 == n)
            break;
        s->hessenberg[(k + 1) * n + k] = below;
        product = below > placement_rounding * largest ? product * below : 0.0;
    }
    return product;
}

bool ml_placement_solve(const struct ml_placement *placement)
{
    const struct ml_placement *s = placement;
    const int n = s->n;
    const double product = find_basis(s);
    if (!(product > 0.0))
        return false;
    double complex *row = s->row, *next = s->next;
    for (int i = 0; i < n; i++)
        row[i] = i == n - 1;
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) {
            next[j] = -s->poles[k] * row[j];
            for (int i = 0; i < n && i <= j + 1; i++)
                next[j] += row[i] * s->hessenberg[i * n + j];
        }
        double complex *before = row;
        row = next;
        next = before;
    }
    bool is_finite = true;
    for (int j = 0; j < n; j++) {
        s->gain[j] = 0.0;
        for (int i = 0; i < n; i++)
            s->gain[j] += creal(row[i]) * s->basis[i * n + j];
        s->gain[j] /= product;
        is_finite &= isfinite(s->gain[j]);
    }
    return is_finite;
}
