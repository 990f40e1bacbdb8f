/* Riccati equations by the doubling algorithm, which squares the closed loop in every step (Chu,
 * Fan, Lin, Wang, Int. J. Control 77, 2004), in continuous time behind a Cayley transform (Chu,
 * Fan, Lin, Linear Algebra Appl. 396, 2005). G = B B' / r loses digits where X is large across few
 * inputs, so that a step of Newton's method by B follows (Kleinman, IEEE Trans. Autom. Control 13,
 * 1968): the equation of the closed loop without input, with the rest in the place of Q. */
#include "linalg/riccati.h"

#include <math.h>

#include "linalg/lu.h"
#include "linalg/matrix.h"

static double *scratch_matrix(const struct ml_riccati *s, int n, int k)
{
    return s->matrices + (long)k * n * n;
}

static double riccati_norm(int n, const double *a)
{
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        sum += a[i] * a[i];
    return sqrt(sum);
}

static bool factor(int n, const double *a, const struct ml_riccati *s)
{
    for (int i = 0; i < n * n; i++)
        s->factors[i] = a[i];
    return ml_lu_factor(n, s->factors, s->pivots) != 0.0;
}

/* b = A^-1 b, by the factors of A. */
static void solve_columns(int n, const struct ml_riccati *s, double *b)
{
    for (int c = 0; c < n; c++) {
        for (int i = 0; i < n; i++)
            s->column[i] = b[i * n + c];
        ml_lu_solve(n, s->factors, s->pivots, s->column);
        for (int i = 0; i < n; i++)
            b[i * n + c] = creal(s->column[i]);
    }
}

/* x = A^-1 x; false if A is singular or not finite. */
static bool riccati_divide(int n, const double *a, double *x, const struct ml_riccati *scratch)
{
    if (!factor(n, a, scratch))
        return false;
    solve_columns(n, scratch, x);
    return true;
}

/* to += (a + a') / 2 */
static void add_symmetric(int n, const double *a, double *to)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[i * n + j] += 0.5 * (a[i * n + j] + a[j * n + i]);
}

/* One step, with W = 1 + G H: A <- A W^-1 A, G <- G + A W^-1 G A', H <- H + A' H W^-1 A. Returns
 * the change of H relative to H; NAN where W is singular. */
static double double_step(int n, double *a, double *g, double *h, const struct ml_riccati *s)
{
    double *w = scratch_matrix(s, n, 0), *by_a = scratch_matrix(s, n, 1),
           *by_g = scratch_matrix(s, n, 2), *product = scratch_matrix(s, n, 3),
           *turned = scratch_matrix(s, n, 4);
    const size_t size = (size_t)(n * n) * sizeof *a;
    ml_matrix_multiply(n, g, h, w);
    for (int i = 0; i < n; i++)
        w[i * n + i] += 1.0;
    if (!factor(n, w, s))
        return (double)NAN;
    memcpy(by_a, a, size);
    solve_columns(n, s, by_a);
    memcpy(by_g, g, size);
    solve_columns(n, s, by_g);
    ml_matrix_transpose(n, a, turned);
    ml_matrix_multiply(n, turned, h, product);
    ml_matrix_multiply(n, product, by_a, w);
    const double change = riccati_norm(n, w);
    add_symmetric(n, w, h);
    ml_matrix_multiply(n, a, by_g, product);
    ml_matrix_multiply(n, product, turned, w);
    add_symmetric(n, w, g);
    ml_matrix_multiply(n, a, by_a, product);
    memcpy(a, product, size);
    return change / riccati_norm(n, h);
}

static bool solve_discrete(int n, double *a, double *g, double *h, const struct ml_riccati *scratch)
{
    enum { MOST_STEPS = 60 };
    double change = 1.0;
    for (int k = 0; k < MOST_STEPS && change > 1e-17; k++)
        change = double_step(n, a, g, h, scratch);
    return change <= 1e-12;
}

/* With D = A - shift and W = D + G D'^-1 Q, the equation in discrete time is that of
 *
 *   1 + 2 shift W^-1    2 shift D^-1 G W'^-1    2 shift W'^-1 Q D^-1 */
static bool solve_continuous(int n, double *a, double *g, double *h,
                             const struct ml_riccati *scratch)
{
    double *w = scratch_matrix(scratch, n, 0), *turned = scratch_matrix(scratch, n, 1),
           *product = scratch_matrix(scratch, n, 2);
    const double shift = riccati_norm(n, a) + sqrt(riccati_norm(n, g) * riccati_norm(n, h));
    const size_t size = (size_t)(n * n) * sizeof *a;
    for (int i = 0; i < n; i++)
        a[i * n + i] -= shift;
    ml_matrix_transpose(n, a, turned);
    memcpy(product, h, size);
    if (!(shift > 0.0) || !riccati_divide(n, turned, product, scratch)) /* D'^-1 Q = (Q D^-1)' */
        return false;
    ml_matrix_multiply(n, g, product, w);
    for (int i = 0; i < n * n; i++)
        w[i] += a[i];
    if (!riccati_divide(n, a, g, scratch)) /* D^-1 G */
        return false;
    ml_matrix_transpose(n, product, h);
    ml_matrix_transpose(n, w, turned);
    if (!riccati_divide(n, turned, h, scratch)) /* W'^-1 Q D^-1 */
        return false;
    ml_matrix_transpose(n, g, product);
    if (!riccati_divide(n, w, product, scratch)) /* W^-1 G D'^-1 */
        return false;
    ml_matrix_transpose(n, product, g);
    memset(a, 0, size);
    for (int i = 0; i < n; i++)
        a[i * n + i] = 1.0;
    solve_columns(n, scratch, a);
    for (int i = 0; i < n * n; i++) {
        a[i] = 2.0 * shift * a[i] + (i % (n + 1) == 0);
        g[i] *= 2.0 * shift;
        h[i] *= 2.0 * shift;
    }
    return solve_discrete(n, a, g, h, scratch);
}

static bool solve_by(const struct ml_riccati *e, double *a, double *g, double *h)
{
    return (e->is_discrete ? solve_discrete : solve_continuous)(e->n, a, g, h, e);
}

/* K from X. */
static bool find_gain(const struct ml_riccati *e)
{
    const int n = e->n;
    double *product = scratch_matrix(e, n, 0), *square = scratch_matrix(e, n, 1);
    ml_matrix_transpose(n, e->b, square);
    ml_matrix_multiply(n, square, e->x, product);
    memset(square, 0, (size_t)(n * n) * sizeof *square);
    if (e->is_discrete) {
        ml_matrix_multiply(n, product, e->a, e->gain);
        ml_matrix_multiply(n, product, e->b, square);
    } else {
        memcpy(e->gain, product, (size_t)(n * n) * sizeof *product);
    }
    for (int i = 0; i < n; i++)
        square[i * n + i] += e->r;
    return riccati_divide(n, square, e->gain, e);
}

/* The closed loop A - B K, and the residual of the Riccati equation at X.
 *   rest  in: Q, out: the residual */
static void find_rest(const struct ml_riccati *e, double *closed, double *rest)
{
    const int n = e->n;
    double *turned = scratch_matrix(e, n, 0), *product = scratch_matrix(e, n, 1),
           *sum = scratch_matrix(e, n, 2);
    ml_matrix_multiply(n, e->b, e->gain, product);
    for (int i = 0; i < n * n; i++)
        closed[i] = e->a[i] - product[i];
    ml_matrix_transpose(n, e->gain, turned);
    ml_matrix_multiply(n, turned, e->gain, sum);
    if (e->is_discrete) {
        ml_matrix_transpose(n, closed, turned);
        ml_matrix_multiply(n, turned, e->x, product);
        ml_matrix_multiply(n, product, closed, turned);
    } else {
        ml_matrix_multiply(n, e->x, e->a, turned);
    }
    for (int i = 0; i < n * n; i++)
        sum[i] =
            e->is_discrete ? turned[i] + e->r * sum[i] - e->x[i] : 2.0 * turned[i] - e->r * sum[i];
    add_symmetric(n, sum, rest);
}

bool ml_riccati_solve(const struct ml_riccati *equation)
{
    const struct ml_riccati *e = equation;
    const int n = e->n;
    const size_t size = (size_t)(n * n) * sizeof *e->x;
    double *a = scratch_matrix(e, n, 5), *g = scratch_matrix(e, n, 6), *h = scratch_matrix(e, n, 7);
    memcpy(a, e->a, size);
    ml_matrix_transpose(n, e->b, h);
    ml_matrix_multiply(n, e->b, h, g);
    for (int i = 0; i < n * n; i++)
        g[i] /= e->r;
    memcpy(h, e->x, size);
    if (!solve_by(e, a, g, e->x) || !find_gain(e))
        return false;
    find_rest(e, a, h);
    memset(g, 0, size);
    if (!solve_by(e, a, g, h))
        return true; /* nothing is left, or rounding */
    for (int i = 0; i < n * n; i++)
        e->x[i] += h[i];
    return find_gain(e);
}
