/* The equations of motion of bench/runs.h as a contender would write them by hand: the right-hand
 * side for numbers of type REAL, which the including file defines with
 *
 *   REAL                    double, or a vector of doubles whose operators act on each lane
 *   RODS_SINCOS(x, &s, &c)  sine and cosine
 *
 * C and C++. n is a constant wherever these functions are inlined, so that loops unroll. */
#include <math.h>

enum { RODS_MAX = 8 };

#define RODS_INLINE static inline __attribute__((always_inline, unused))

struct rods {
    REAL length[RODS_MAX], weight[RODS_MAX]; /* weight: mu_i g */
    REAL mu[RODS_MAX], diagonal[RODS_MAX];
    REAL coupling[RODS_MAX][RODS_MAX]; /* c_ij, j < i */
};

/* Two uniform rods: the closed form. x = (angle 1, angle 2, rate 1, rate 2). */
RODS_INLINE void rods_rhs_2(const struct rods *k, const REAL *x, REAL *dx)
{
    REAL s1, c1, s2, c2;
    RODS_SINCOS(x[0], &s1, &c1);
    RODS_SINCOS(x[1], &s2, &c2);
    REAL cosine = c1 * c2 + s1 * s2, sine = s1 * c2 - c1 * s2; /* of x[0] - x[1] */
    REAL coupling = k->coupling[1][0];
    REAL m11 = k->diagonal[0], m22 = k->diagonal[1], m12 = coupling * cosine;
    REAL f1 = -coupling * sine * x[3] * x[3] - k->weight[0] * s1;
    REAL f2 = coupling * sine * x[2] * x[2] - k->weight[1] * s2;
    REAL scale = 1.0 / (m11 * m22 - m12 * m12);
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = (m22 * f1 - m12 * f2) * scale;
    dx[3] = (m11 * f2 - m12 * f1) * scale;
}

/* C + G by running sums from both ends, O(n). */
RODS_INLINE void rods_force(int n, const struct rods *k, const REAL *s, const REAL *c,
                            const REAL *omega, REAL *force)
{
    REAL sum_s = 0.0 * s[0], sum_c = 0.0 * c[0];
    for (int i = 0; i < n; i++) {
        force[i] = k->mu[i] * (c[i] * sum_s - s[i] * sum_c) - k->weight[i] * s[i];
        REAL pull = k->length[i] * omega[i] * omega[i];
        sum_s = sum_s + pull * s[i];
        sum_c = sum_c + pull * c[i];
    }
    sum_s = 0.0 * s[0], sum_c = 0.0 * c[0];
    for (int i = n - 1; i >= 0; i--) {
        force[i] = force[i] + k->length[i] * (c[i] * sum_s - s[i] * sum_c);
        REAL pull = k->mu[i] * omega[i] * omega[i];
        sum_s = sum_s + pull * s[i];
        sum_c = sum_c + pull * c[i];
    }
}

/* Solves A x = b by L D L^T, in place; lower triangle of A in. */
RODS_INLINE void rods_solve(int n, REAL (*a)[RODS_MAX], REAL *b)
{
    for (int i = 0; i < n; i++) {
        REAL pivot = a[i][i];
        for (int j = 0; j < i; j++) {
            REAL u = a[i][j]; /* l_ij d_j; kept above the diagonal */
            for (int m = 0; m < j; m++)
                u = u - a[m][i] * a[j][m];
            a[j][i] = u;
            a[i][j] = u * a[j][j];
            pivot = pivot - u * a[i][j];
        }
        a[i][i] = 1.0 / pivot;
    }
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++)
            b[i] = b[i] - a[i][j] * b[j];
    for (int i = n - 1; i >= 0; i--) {
        b[i] = b[i] * a[i][i];
        for (int j = i + 1; j < n; j++)
            b[i] = b[i] - a[j][i] * b[j];
    }
}

/* x = (angles, rates). */
RODS_INLINE void rods_rhs_n(int n, const struct rods *k, const REAL *x, REAL *dx)
{
    REAL s[RODS_MAX], c[RODS_MAX], mass[RODS_MAX][RODS_MAX];
    for (int i = 0; i < n; i++) {
        RODS_SINCOS(x[i], &s[i], &c[i]);
        dx[i] = x[n + i];
    }
    rods_force(n, k, s, c, x + n, dx + n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            mass[i][j] = k->coupling[i][j] * (c[i] * c[j] + s[i] * s[j]);
        mass[i][i] = k->diagonal[i];
    }
    rods_solve(n, mass, dx + n);
}

RODS_INLINE void rods_rhs(int n, const struct rods *k, const REAL *x, REAL *dx)
{
    if (n == 2)
        rods_rhs_2(k, x, dx);
    else
        rods_rhs_n(n, k, x, dx);
}

/* One step of the classical Runge-Kutta method for n_x numbers, any right-hand side. */
RODS_INLINE void rods_step(int n, const struct rods *k, double h, REAL *x)
{
    REAL k1[2 * RODS_MAX], k2[2 * RODS_MAX], k3[2 * RODS_MAX], k4[2 * RODS_MAX], y[2 * RODS_MAX];
    rods_rhs(n, k, x, k1);
    for (int i = 0; i < 2 * n; i++)
        y[i] = x[i] + 0.5 * h * k1[i];
    rods_rhs(n, k, y, k2);
    for (int i = 0; i < 2 * n; i++)
        y[i] = x[i] + 0.5 * h * k2[i];
    rods_rhs(n, k, y, k3);
    for (int i = 0; i < 2 * n; i++)
        y[i] = x[i] + h * k3[i];
    rods_rhs(n, k, y, k4);
    for (int i = 0; i < 2 * n; i++)
        x[i] = x[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
}
