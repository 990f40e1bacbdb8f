/* A method is data. An explicit Runge-Kutta method is its Butcher tableau: the kernels have one
 * loop over the stages of any tableau (engine/kernels/kernel.kern.c). A method
 * is one file, NAME.c, that defines `const struct ml_method ml_method_NAME`, and one line of
 * methods.def.
 */
#ifndef ML_INTEGRATORS_METHOD_H
#define ML_INTEGRATORS_METHOD_H

#include <complex.h>
#include <stdbool.h>

enum { ML_MAX_STAGE = 32 };

/* weight times the derivative at a stage. */
struct ml_term {
    int stage;
    double weight;
};

/* (sum of terms) / divisor. Rational tableaux are written with a common divisor and whole weights,
 * as in print, so that the sum rounds least; decimal ones have divisor 1. A step of h adds it to x
 * as fma(h / divisor, sum, x), where sum = w_0 k_0 and then fma(w_j, k_j, sum), in this order. */
struct ml_sum {
    double divisor;
    int n_term;
    const struct ml_term *terms; /* [n_term] nonzero weights, stages ascending */
};

/* Initialiser of an ml_sum: ML_SUM(3.0, {0, -1.0}, {1, 3.0}) is (-k_0 + 3 k_1) / 3. */
#define ML_SUM(divisor, ...)                                                   \
    {                                                                          \
        divisor, (int)(sizeof ML_TERMS(__VA_ARGS__) / sizeof(struct ml_term)), \
            ML_TERMS(__VA_ARGS__)                                              \
    }
#define ML_TERMS(...) ((const struct ml_term[]){__VA_ARGS__})

enum { ML_MAX_IMPLICIT = 8 };

/* A linearly implicit (Rosenbrock) method, in the form that needs no products with the Jacobian.
 * With J = df/dx and f_t = df/dt at the beginning of the step, stage i solves
 *   (1 / (gamma h) - J) u_i = f(t + node_i h, x + sum_j state_ij u_j) + sum_j coupling_ij / h u_j
 *                             + time_weight_i h f_t,  j < i;
 * the step goes from x to x + sum_j step_j u_j, and sum_j error_j u_j estimates its error. */
struct ml_implicit {
    double gamma;
    const double *time_weight;                 /* [n_stage] */
    const double (*state)[ML_MAX_IMPLICIT];    /* [n_stage] */
    const double (*coupling)[ML_MAX_IMPLICIT]; /* [n_stage] */
    const double *step, *error;                /* [n_stage] */
};

/* A splitting method for x'' = F(x, t), in rows of positions x and their rates v: n_stage times
 *   x += drift_i h v,   v += kick_i h F(x, t + node_i h),
 * and then x += drift_n h v. Where F has a potential each of these maps is symplectic, and so is
 * the step. node_i = drift_0 + ... + drift_i. */
struct ml_splitting {
    const double *drift; /* [n_stage + 1] */
    const double *kick;  /* [n_stage] */
};

struct ml_method {
    const char *name, *doc;
    const char *source; /* where the tableau is printed */
    int order;          /* of the global error */
    int n_stage;        /* stages of the table */
    /* The first n_step_stage stages are all that `step` needs: its cost in evaluations of f.
     * Any further ones serve `error` and the interpolant; a kernel of fixed steps leaves them out.
     */
    int n_step_stage;
    const double *node; /* [n_stage] c_i: stage i is evaluated at t + c_i h; c_0 = 0 */

    /* Not NULL: the method is linearly implicit, and the members below, of explicit methods, are 0.
     */
    const struct ml_implicit *implicit;

    /* Not NULL: a splitting method; the same members are 0. */
    const struct ml_splitting *splitting;

    /* The method iterates maps: a step goes from x to f(x); the same members are 0. */
    bool is_map;

    /* [n_stage] a_ij: stage i is evaluated at x + h stage[i], of stages before i; stage[0] has no
     * terms. */
    const struct ml_sum *stage;
    bool is_fsal; /* the last stage has the terms of `step` and node 1: it is the first stage of the
                     next step (first same as last) */
    struct ml_sum step; /* b_i: the step goes from x to x + h step */

    /* Stages of a sweep, of a collocation method whose implicit equations are solved by a fixed
     * number of sweeps. `step` has a term for each stage of the last sweep; its change of the
     * step, h sum_i |b_i| |k_i - k_(i - n_sweep_stage)|, shows whether the sweeps have converged.
     * 0: the method is explicit. */
    int n_sweep_stage;

    /* The embedded method, of another order; 0 without one. */
    int embedded_order;
    struct ml_sum
        error; /* b_i - bhat_i: h error estimates the error of the embedded method's step */

    /* The second embedded method, of an order yet lower, whose error e2 is set against that of
     * the first, e1, as |e1| |e1| / sqrt(|e1|^2 + 0.01 |e2|^2) (Hairer, Norsett, Wanner, Solving
     * Ordinary Differential Equations I, section II.10); else second_order is 0. */
    int second_order;
    struct ml_sum second_error;

    /* The continuous extension; its degree is 0 where the method has none.
     *   x(t + theta h) = x + h sum_i b_i(theta) k_i,
     *   b_i(theta) = sum_j interpolant[i][j] theta^(j+1),  j = 0 .. interpolant_degree - 1 */
    int interpolant_degree;
    const double *interpolant; /* [n_stage][interpolant_degree] */
};

/* The methods of the registry, in its order, NULL-terminated. */
extern const struct ml_method *const ml_methods[];

/* Coefficients of the stability polynomial R, lowest first: a step h takes x' = lambda x from x to
 * R(h lambda) x. Those above n_step_stage are 0.
 *   coefficients  [n_stage + 1] out */
void ml_method_stability(const struct ml_method *method, double *coefficients);

/* |R(z)| of these coefficients; of a splitting method, which needs none, the larger of the factors
 * by which a step multiplies x'' = lambda^2 x, z = h lambda. */
double ml_method_growth(const struct ml_method *method, const double *coefficients,
                        double complex z);

/* Whether it is an explicit Runge-Kutta method, of which the kernels for one study know the loop.
 */
static inline bool ml_method_is_tableau(const struct ml_method *method)
{
    return !method->implicit && !method->splitting && !method->is_map;
}

/* Derivatives of the state and its tangent vectors that a step keeps at a time. */
static inline int ml_method_kept(const struct ml_method *method)
{
    enum { SPLITTING_KEPT = 2 }; /* one, and the tangent vectors on the way */
    return method->splitting ? SPLITTING_KEPT : method->n_stage;
}

#endif
