/* A limit state g(u) of independent standard normal scores u: fails where g <= 0. Estimates of the
 * probability of failure ask for g at many points at once. */
#ifndef ML_STATISTICS_LIMIT_STATE_H
#define ML_STATISTICS_LIMIT_STATE_H

#include <stdint.h>

#include "manylink/status.h"

struct ml_limit_state {
    int n; /* scores */
    uint64_t seed;
    /* Finds g at points.
     *   u  [n_point][n]
     *   g  [n_point] out; -INFINITY where a failure has no number, never NaN */
    enum ml_status (*find)(void *context, int64_t n_point, const double *u, double *g,
                           struct ml_error *err);
    void *context;
};

/* Reasons why numbers of an estimate are missing or doubtful, for messages. */
#define ML_FAILURE_DOUBT_LIST(X)                                                                 \
    X(NONE, "")                                                                                  \
    X(NEVER, "no run failed: the probability is below the end of the interval, unless the "      \
             "number jumps to failure, which plain runs show")                                   \
    X(ALWAYS, "all runs failed")                                                                 \
    X(NO_NUMBER, "no gradient: a run of the search or beside it has no number, as it did not "   \
                 "finish or never settles; use --method subset")                                 \
    X(FLAT, "no gradient: differences are 0 around a point of the search; use --method subset")  \
    X(NOT_CONVERGED,                                                                             \
      "the search for the design point did not converge, as of a number that jumps "             \
      "or has kinks; use --method subset, or importance, whose draws are then about "            \
      "the last point of the search")                                                            \
    X(NO_CURVATURE, "no SORM: failures surround the medians more closely than a sphere, a run "  \
                    "beside the design point has no number, or there are more than 100 inputs; " \
                    "compare with --method subset")                                              \
    X(SHARE,                                                                                     \
      "most runs of a level are equally far from a failure: the probability is that of the "     \
      "level before, times the share of runs that fail; raise `sample.count`")                   \
    X(FEW, "fewer than 10 runs failed, too few for the interval: raise `sample.count`, or use "  \
           "--method subset")

enum ml_failure_doubt {
#define X(name, text) ML_DOUBT_##name,
    ML_FAILURE_DOUBT_LIST(X)
#undef X
};

/* A probability of failure with its interval of 95 %. */
struct ml_chance {
    double value, low, high;
    double variation; /* standard deviation of `value` over `value` */
    int n_level;      /* of subset simulation */
    enum ml_failure_doubt doubt;
};

/* Score j of draw i: a function of seed, i and j only. */
double ml_normal_draw(uint64_t seed, int64_t i, int j);

/* Sets the ends of the interval as if the logarithm of the estimate were normal. */
void ml_chance_bound(struct ml_chance *chance);

#endif
