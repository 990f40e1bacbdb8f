/* The least of a function of coordinates from 0 to 1 under constraints, by evolution strategies
 * with covariance matrix adaptation (N. Hansen, The CMA evolution strategy: a tutorial, arXiv
 * 1604.00772) from several starts side by side. Points are compared as K. Deb does (Comput. Methods
 * Appl. Mech. Eng. 186, 311, 2000): of two that meet all constraints by their value, of two that do
 * not by how far they are off. */
#ifndef ML_STATISTICS_LEAST_H
#define ML_STATISTICS_LEAST_H

#include <stdbool.h>
#include <stdint.h>

#include "manylink/status.h"
#include "yaml/pool.h"

/* Points of a start in a batch, as many as runs advance side by side: more than 4 + 3 log(n), the
 * default of the tutorial, up to n = 54. */
enum { ML_LEAST_CHILDREN = 16 };

/* Merits of different ranks are compared by rank, of the same rank by value. */
enum ml_merit_rank { ML_MERIT_MET, ML_MERIT_OFF, ML_MERIT_NOTHING };
struct ml_merit {
    enum ml_merit_rank rank;
    double value; /* never NaN; the smaller the better */
};

struct ml_least_of {
    int n;       /* coordinates */
    int n_start; /* side by side */
    uint64_t seed;
    int64_t most;      /* points */
    const double *own; /* [n] of the first start; the others are of Sobol's sequence */
    /* Finds the merits [n_point] of points [n_point][n]. */
    enum ml_status (*find)(void *context, int64_t n_point, const double *z, struct ml_merit *merits,
                           struct ml_error *err);
    void *context;
};

/* Where the search ended. */
struct ml_least {
    double *z; /* [n] of the best point; NULL: no point was tried */
    struct ml_merit merit;
    double spread;     /* largest standard deviation of a coordinate at the end of its start */
    int n_met;         /* starts whose best point is within 0.02 of `z` in all coordinates */
    int64_t n_point;   /* that were tried */
    bool is_converged; /* no start was left when the search ended */
};

bool ml_merit_is_less(struct ml_merit a, struct ml_merit b);

/* Returns the status of `find`, of which ML_STOPPED leaves the numbers found so far in `out`, or
 * ML_E_MEMORY. A start ends where its spread is below 1e-7, or its values do not change any more.
 * Starts with a spread below 1e-3 leave the search to a better start, and the best begins once more
 * at its best point. */
enum ml_status ml_least_find(const struct ml_least_of *of, struct ml_pool *pool,
                             struct ml_least *out, struct ml_error *err);

#endif
