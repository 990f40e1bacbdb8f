/* The equations of motion of bench/runs.h as a contender would write them by hand: the right-hand
 * side for numbers of type REAL, which the including file defines with
 *
 *   REAL                    double, or a vector of doubles whose operators act on each lane
 *   RODS_LANES              doubles in a REAL
 *   RODS_SINCOS(x, &s, &c)  sine and cosine
 *
 * C and C++. n and the joint of the PID torque are constants wherever these functions are inlined,
 * so that loops unroll. x = (angles, rates, integral of the PID's error). */
#include <math.h>

enum {
    RODS_MAX = 8,
    RODS_MAX_STATE = 2 * RODS_MAX + 1,
    RODS_PASSIVE = -1, /* in place of the joint of the PID torque */
};

/* f(n, ...) with n constant, for the numbers of segments of bench_peers. */
#define RODS_FOR_SIZE(n, f, ...) \
    switch (n) {                 \
    case 2:                      \
        f(2, __VA_ARGS__);       \
        break;                   \
    case 3:                      \
        f(3, __VA_ARGS__);       \
        break;                   \
    case 4:                      \
        f(4, __VA_ARGS__);       \
        break;                   \
    case 5:                      \
        f(5, __VA_ARGS__);       \
        break;                   \
    default:                     \
        f(8, __VA_ARGS__);       \
    }

#define RODS_INLINE static inline __attribute__((always_inline, unused))

struct rods {
    REAL length[RODS_MAX], weight[RODS_MAX]; /* weight: mu_i g */
    REAL mu[RODS_MAX], diagonal[RODS_MAX];
    REAL coupling[RODS_MAX][RODS_MAX]; /* c_ij, j < i */
    REAL kp, ki, kd, target;           /* of the PID torque, if there is one */
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

/* The fastest variant measured for each number of segments and width of a vector: the mass matrix
 * and the forces together pair by pair, or the forces by running sums from both ends; the
 * factorisation row by row, column by column, or column by column from the last. */
RODS_INLINE int rods_is_pairwise(int n)
{
    return n < (RODS_LANES == 8 ? 4 : RODS_LANES == 4 ? 8 : 0);
}
enum rods_order { RODS_ROWS, RODS_COLUMNS, RODS_COLUMNS_BACKWARDS };
RODS_INLINE enum rods_order rods_order_of(int n)
{
    return RODS_LANES == 8 && n == 5   ? RODS_COLUMNS
           : RODS_LANES == 4 && n >= 4 ? RODS_COLUMNS_BACKWARDS
                                       : RODS_ROWS;
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

/* Mass matrix, lower triangle, and C + G by running sums. */
RODS_INLINE void rods_assemble_sums(int n, const struct rods *k, const REAL *s, const REAL *c,
                                    const REAL *omega, REAL (*mass)[RODS_MAX], REAL *force)
{
    rods_force(n, k, s, c, omega, force);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            mass[i][j] = k->coupling[i][j] * (c[i] * c[j] + s[i] * s[j]);
        mass[i][i] = k->diagonal[i];
    }
}

/* The same pair by pair, O(n^2). */
RODS_INLINE void rods_assemble_pairs(int n, const struct rods *k, const REAL *s, const REAL *c,
                                     const REAL *omega, REAL (*mass)[RODS_MAX], REAL *force)
{
    REAL square[RODS_MAX];
    for (int i = 0; i < n; i++) {
        mass[i][i] = k->diagonal[i];
        force[i] = -k->weight[i] * s[i];
        square[i] = omega[i] * omega[i];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            REAL pull = k->coupling[i][j] * (s[i] * c[j] - c[i] * s[j]);
            mass[i][j] = k->coupling[i][j] * (c[i] * c[j] + s[i] * s[j]);
            force[i] = force[i] - pull * square[j];
            force[j] = force[j] + pull * square[i];
        }
}

/* Solves A x = b by L D L^T, in place; lower triangle of A in. */
RODS_INLINE void rods_solve_rows(int n, REAL (*a)[RODS_MAX], REAL *b)
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

RODS_INLINE void rods_solve_columns(int n, REAL (*a)[RODS_MAX], REAL *b)
{
    REAL reciprocal[RODS_MAX];
    for (int k = 0; k < n; k++) {
        reciprocal[k] = 1.0 / a[k][k];
        for (int i = k + 1; i < n; i++) {
            REAL factor = a[i][k] * reciprocal[k];
            for (int j = k + 1; j <= i; j++)
                a[i][j] = a[i][j] - factor * a[j][k];
            b[i] = b[i] - factor * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] = b[i] - a[j][i] * b[j];
        b[i] = b[i] * reciprocal[i];
    }
}

/* By L^T D L. */
RODS_INLINE void rods_solve_backwards(int n, REAL (*a)[RODS_MAX], REAL *b)
{
    REAL reciprocal[RODS_MAX];
    for (int k = n - 1; k >= 0; k--) {
        reciprocal[k] = 1.0 / a[k][k];
        for (int i = 0; i < k; i++) {
            REAL factor = a[k][i] * reciprocal[k];
            for (int j = 0; j <= i; j++)
                a[i][j] = a[i][j] - factor * a[k][j];
            b[i] = b[i] - factor * b[k];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            b[i] = b[i] - a[i][j] * b[j];
        b[i] = b[i] * reciprocal[i];
    }
}

RODS_INLINE void rods_solve(int n, REAL (*a)[RODS_MAX], REAL *b)
{
    if (rods_order_of(n) == RODS_COLUMNS)
        rods_solve_columns(n, a, b);
    else if (rods_order_of(n) == RODS_COLUMNS_BACKWARDS)
        rods_solve_backwards(n, a, b);
    else
        rods_solve_rows(n, a, b);
}

/* Adds the PID torque that brings segment `pid` to the target, + on it and - on the one before. */
RODS_INLINE void rods_add_pid(int n, int pid, const struct rods *k, const REAL *x, REAL *dx)
{
    REAL error = k->target - x[pid];
    REAL torque = k->kp * error - k->kd * x[n + pid] + k->ki * x[2 * n];
    dx[n + pid] = dx[n + pid] + torque;
    if (pid > 0)
        dx[n + pid - 1] = dx[n + pid - 1] - torque;
    dx[2 * n] = error;
}

RODS_INLINE void rods_rhs_n(int n, int pid, const struct rods *k, const REAL *x, REAL *dx)
{
    REAL s[RODS_MAX], c[RODS_MAX], mass[RODS_MAX][RODS_MAX];
    for (int i = 0; i < n; i++) {
        RODS_SINCOS(x[i], &s[i], &c[i]);
        dx[i] = x[n + i];
    }
    if (rods_is_pairwise(n))
        rods_assemble_pairs(n, k, s, c, x + n, mass, dx + n);
    else
        rods_assemble_sums(n, k, s, c, x + n, mass, dx + n);
    if (pid != RODS_PASSIVE)
        rods_add_pid(n, pid, k, x, dx);
    rods_solve(n, mass, dx + n);
}

/* The code of long chains is there once: four copies of it in a step are slower. */
static __attribute__((noinline, unused)) void rods_rhs_8(const struct rods *k, const REAL *x,
                                                         REAL *dx)
{
    rods_rhs_n(8, RODS_PASSIVE, k, x, dx);
}

RODS_INLINE void rods_rhs(int n, int pid, const struct rods *k, const REAL *x, REAL *dx)
{
    if (n == 2 && pid == RODS_PASSIVE)
        rods_rhs_2(k, x, dx);
    else if (n == 8 && pid == RODS_PASSIVE)
        rods_rhs_8(k, x, dx);
    else
        rods_rhs_n(n, pid, k, x, dx);
}

/* x = base + h dx for each number, and sum += weight dx. */
RODS_INLINE void rods_stage(int n_x, const REAL *base, double h, double weight, const REAL *dx,
                            REAL *x, REAL *sum)
{
    for (int i = 0; i < n_x; i++) {
        sum[i] = sum[i] + weight * dx[i];
        x[i] = base[i] + h * dx[i];
    }
}

/* One step of the classical Runge-Kutta method. */
RODS_INLINE void rods_step(int n, int pid, const struct rods *k, double h, REAL *x)
{
    const int n_x = 2 * n + (pid != RODS_PASSIVE);
    REAL sum[RODS_MAX_STATE], y[RODS_MAX_STATE], dx[RODS_MAX_STATE];
    for (int i = 0; i < n_x; i++)
        sum[i] = x[i];
    rods_rhs(n, pid, k, x, dx);
    rods_stage(n_x, x, 0.5 * h, h / 6.0, dx, y, sum);
    rods_rhs(n, pid, k, y, dx);
    rods_stage(n_x, x, 0.5 * h, h / 3.0, dx, y, sum);
    rods_rhs(n, pid, k, y, dx);
    rods_stage(n_x, x, h, h / 3.0, dx, y, sum);
    rods_rhs(n, pid, k, y, dx);
    for (int i = 0; i < n_x; i++)
        x[i] = sum[i] + h / 6.0 * dx[i];
}
