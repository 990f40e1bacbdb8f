/* The QR algorithm in complex numbers, with a single shift: for matrices of some tens of rows. */
#include "linalg/eigenvalues.h"

#include <float.h>
#include <math.h>

#include "linalg/complex_number.h"

/* A rotation of two rows or columns: [c s; -conj(s) c], c real. */
struct rotation {
    double c;
    double complex s;
};

static double eigenvalues_size_of(double complex z) { return fabs(creal(z)) + fabs(cimag(z)); }

/* The rotation that takes (x, y) to (r, 0). Squares are those of numbers whose larger is about 1.
 */
static struct rotation rotation_of(double complex x, double complex y)
{
    const double scale = fmax(eigenvalues_size_of(x), eigenvalues_size_of(y));
    if (eigenvalues_size_of(y) == 0.0)
        return (struct rotation){1.0, 0.0};
    x /= scale;
    y /= scale;
    const double square = ml_complex_square(x), r = sqrt(square + ml_complex_square(y));
    if (square < DBL_MIN)
        return (struct rotation){0.0, conj(y) / r};
    return (struct rotation){sqrt(square) / r, x / sqrt(square) * conj(y) / r};
}

/* Rotates entries i and k of columns from .. to - 1. */
static void eigenvalues_rotate_rows(int n, double complex *a, int i, int k, int from, int to,
                                    struct rotation g)
{
    for (int j = from; j < to; j++) {
        const double complex x = a[i * n + j], y = a[k * n + j];
        a[i * n + j] = g.c * x + g.s * y;
        a[k * n + j] = g.c * y - conj(g.s) * x;
    }
}

/* The inverse of it from the right, on rows from .. to - 1. */
static void rotate_columns(int n, double complex *a, int i, int k, int from, int to,
                           struct rotation g)
{
    for (int j = from; j < to; j++) {
        const double complex x = a[j * n + i], y = a[j * n + k];
        a[j * n + i] = g.c * x + conj(g.s) * y;
        a[j * n + k] = g.c * y - g.s * x;
    }
}

/* Zeros below the first subdiagonal, by similarity. */
static void make_hessenberg(int n, double complex *a)
{
    for (int k = 0; k < n - 2; k++)
        for (int i = k + 2; i < n; i++) {
            const struct rotation g = rotation_of(a[(k + 1) * n + k], a[i * n + k]);
            eigenvalues_rotate_rows(n, a, k + 1, i, k, n, g);
            rotate_columns(n, a, k + 1, i, 0, n, g);
        }
}

/* First row of the block that ends at `last` and does not fall apart. */
static int first_of_block(int n, double complex *a, int last)
{
    int first = last;
    while (first > 0) {
        const double below = eigenvalues_size_of(a[first * n + first - 1]);
        const double beside = eigenvalues_size_of(a[first * n + first]) +
                              eigenvalues_size_of(a[(first - 1) * n + first - 1]);
        if (below <= DBL_EPSILON * beside || below < DBL_MIN)
            break;
        first--;
    }
    return first;
}

/* The eigenvalue of the last two rows that is nearer to the last entry. */
static double complex shift_of(int n, const double complex *a, int last)
{
    const double complex *row = a + (long)(last - 1) * n + last - 1, *below = row + n;
    const double complex mean = 0.5 * (row[0] + below[1]), half = 0.5 * (row[0] - below[1]);
    const double complex root = ml_complex_root(half * half + row[1] * below[0]);
    const double complex up = mean + root, down = mean - root;
    return eigenvalues_size_of(up - below[1]) < eigenvalues_size_of(down - below[1]) ? up : down;
}

/* One step A - s = Q R, A = R Q + s on rows first .. last. */
static void step(int n, double complex *a, int first, int last, double complex shift)
{
    struct rotation before = {1.0, 0.0};
    for (int i = first; i <= last; i++)
        a[i * n + i] -= shift;
    for (int k = first; k < last; k++) {
        const struct rotation g = rotation_of(a[k * n + k], a[(k + 1) * n + k]);
        eigenvalues_rotate_rows(n, a, k, k + 1, k, last + 1, g);
        if (k > first)
            rotate_columns(n, a, k - 1, k, first, k + 1, before);
        before = g;
    }
    rotate_columns(n, a, last - 1, last, first, last + 1, before);
    for (int i = first; i <= last; i++)
        a[i * n + i] += shift;
}

bool ml_eigenvalues(int n, double complex *a, double complex *out)
{
    enum { MOST_STEPS = 60, ODD_STEP = 10 }; /* of one eigenvalue; a shift of another kind there */
    for (int i = 0; i < n * n; i++)
        if (!isfinite(eigenvalues_size_of(a[i])))
            return false;
    make_hessenberg(n, a);
    for (int last = n - 1, n_step = 0; last >= 0; n_step++) {
        const int first = first_of_block(n, a, last);
        if (first == last) {
            out[last] = a[last * n + last];
            last--;
            n_step = -1;
        } else if (n_step == MOST_STEPS) {
            return false;
        } else {
            const bool is_odd = n_step % ODD_STEP == ODD_STEP - 1;
            step(n, a, first, last,
                 is_odd ? eigenvalues_size_of(a[last * n + last - 1]) : shift_of(n, a, last));
        }
    }
    return true;
}
