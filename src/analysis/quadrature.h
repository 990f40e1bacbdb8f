/* Integrals over time of what is observed on the way, by the cubic through four neighbours: of
 * order 4 in the time between observations where that is the same, like rk4. For *.kern.* files.
 *
 * Kept rows: the number of observations so far, their last four times, and of each integrand its
 * last four values and the sum so far. All intervals but those behind the last-but-one observation
 * are in the sum. */
#ifndef ML_ANALYSIS_QUADRATURE_H
#define ML_ANALYSIS_QUADRATURE_H

#include "simd/lanes.h"

enum { ML_NODES = 4 };
enum { ML_INTEGRALS_COUNT, ML_INTEGRALS_TIMES, ML_INTEGRALS_FIRST = ML_INTEGRALS_TIMES + ML_NODES };
enum { ML_INTEGRAL_ROWS = ML_NODES + 1 };

/* Rows of n integrals. */
ML_INLINE int ml_integrals_rows(int n) { return ML_INTEGRALS_FIRST + n * ML_INTEGRAL_ROWS; }

/* Weights of the values at n nodes in the integral from a to b of the polynomial through them: two
 * Gauss points, which are exact for a cubic. */
ML_INLINE void ml_quadrature(int n, const double *node, double a, double b, double *weight)
{
    const double third = 0x1.279a74590331cp-1; /* 1/sqrt(3) */
    for (int k = 0; k < n; k++)
        weight[k] = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        const double x = 0.5 * (a + b) + side * third * 0.5 * (b - a);
        for (int k = 0; k < n; k++) {
            double basis = 0.5 * (b - a);
            for (int j = 0; j < n; j++)
                if (j != k)
                    basis *= (x - node[j]) / (node[k] - node[j]);
            weight[k] += basis;
        }
    }
}

/* Weights of the last four values in a piece of an integral; n is 0 before the first value. */
struct ml_quadrature {
    int n;
    double weight[ML_NODES]; /* the oldest first */
};

/* At the first lane of a batch: the times are those of all. */
ML_INLINE void ml_integrals_times(const double *keep, double *node)
{
    for (int k = 0; k < ML_NODES; k++)
        node[k] = keep[(ML_INTEGRALS_TIMES + k) * ML_LANES];
}

/* Records an observation at time t, whose values ml_integrals_add takes. Returns the weights of the
 * intervals that are complete by then. */
ML_INLINE struct ml_quadrature ml_integrals_observe(double *keep, double t)
{
    struct ml_quadrature q = {0, {0.0}};
    double node[ML_NODES];
    const int count = (int)keep[ML_INTEGRALS_COUNT * ML_LANES] + 1;
    for (int k = 0; k < ML_NODES - 1; k++)
        keep[(ML_INTEGRALS_TIMES + k) * ML_LANES] = keep[(ML_INTEGRALS_TIMES + k + 1) * ML_LANES];
    keep[(ML_INTEGRALS_TIMES + ML_NODES - 1) * ML_LANES] = t;
    keep[ML_INTEGRALS_COUNT * ML_LANES] = count;
    if (count < ML_NODES)
        return q;
    ml_integrals_times(keep, node);
    q.n = ML_NODES;
    ml_quadrature(ML_NODES, node, node[count == ML_NODES ? 0 : 1], node[2], q.weight);
    return q;
}

/* The value of integral i at the observation just noted. */
ML_INLINE void ml_integrals_add(double *keep, int i, int g, const struct ml_quadrature *q,
                                ml_vec value)
{
    double *own = keep + (ML_INTEGRALS_FIRST + i * ML_INTEGRAL_ROWS) * ML_LANES + g;
    for (int k = 0; k < ML_NODES - 1; k++)
        ml_store(own, k, ml_load(own, k + 1));
    ml_store(own, ML_NODES - 1, value);
    ml_vec sum = ml_load(own, ML_NODES);
    for (int k = 0; k < q->n; k++)
        sum = ml_fma(ml_splat(q->weight[k]), ml_load(own, k), sum);
    ml_store(own, ML_NODES, sum);
}

/* The weights of the rest, up to the last observation. */
ML_INLINE struct ml_quadrature ml_integrals_rest(const double *keep)
{
    struct ml_quadrature q = {0, {0.0}};
    double node[ML_NODES], weight[ML_NODES];
    const int count = (int)keep[ML_INTEGRALS_COUNT * ML_LANES];
    const int n = count < ML_NODES ? count : ML_NODES, from = ML_NODES - n;
    if (n < 2)
        return q;
    ml_integrals_times(keep, node);
    ml_quadrature(n, node + from, node[count < ML_NODES ? from : 2], node[ML_NODES - 1], weight);
    q.n = ML_NODES;
    for (int k = 0; k < n; k++)
        q.weight[from + k] = weight[k];
    return q;
}

/* Integral i so far. */
ML_INLINE ml_vec ml_integral(const double *keep, int i, int g, const struct ml_quadrature *rest)
{
    const double *own = keep + (ML_INTEGRALS_FIRST + i * ML_INTEGRAL_ROWS) * ML_LANES + g;
    ml_vec sum = ml_load(own, ML_NODES);
    for (int k = 0; k < rest->n; k++)
        sum = ml_fma(ml_splat(rest->weight[k]), ml_load(own, k), sum);
    return sum;
}

/* The sum of integral i by lanes, which is the integral of runs that choose their steps. */
ML_INLINE double *ml_integral_sum(double *keep, int i)
{
    return keep + (ML_INTEGRALS_FIRST + i * ML_INTEGRAL_ROWS + ML_NODES) * ML_LANES;
}

/* Value of integrand i at the last observation. */
ML_INLINE ml_vec ml_integrand(const double *keep, int i, int g)
{
    return ml_load(keep + (ML_INTEGRALS_FIRST + i * ML_INTEGRAL_ROWS) * ML_LANES + g, ML_NODES - 1);
}

#endif
