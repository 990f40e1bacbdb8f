/* The evolution strategy with covariance matrix adaptation (N. Hansen, The CMA evolution strategy:
 * a tutorial, arXiv 1604.00772; positive weights), in coordinates from 0 to 1. Children are
 * mean + size L z with the Cholesky factor L of the covariance and standard normal z, and the path
 * of the size is that of the chosen z (O. Krause, D. Arbones, C. Igel, CMA-ES with optimal
 * covariance update and storage complexity, NIPS 2016). Beyond an end the cube is mirrored, so that
 * the strategy knows no bounds. */
#ifndef ML_STATISTICS_EVOLUTION_H
#define ML_STATISTICS_EVOLUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "yaml/pool.h"

/* Children of a generation, as many as runs advance side by side: more than 4 + 3 log(n), the
 * default of the tutorial, up to n = 54. */
enum { ML_EVOLUTION_CHILDREN = 16 };

struct ml_evolution {
    int n; /* coordinates */
    double size;
    int64_t generation;
    double *mean;             /* [n] */
    double *path, *size_path; /* [n] */
    double *covariance;       /* [n][n] */
    double *factor;           /* [n][n] lower triangle */
    double *scores;           /* [children][n] of the generation at hand */
    double *moves;            /* [children][n] L z of the same */
    double *sums;             /* [2][n] scratch: weighted scores and moves */
};

/* Begins at a mean, with the identity as covariance; false without memory.
 *   mean  [n] in 0 .. 1 */
bool ml_evolution_begin(struct ml_evolution *e, struct ml_pool *pool, int n, const double *mean,
                        double size);

/* Begins again at another mean; generations, and their draws, count from before. */
void ml_evolution_reset(struct ml_evolution *e, const double *mean, double size);

/* Draws the children of a generation.
 *   first  number of the first child's draw among those of the seed
 *   z      [children][n] out, in 0 .. 1
 * False where the covariance is singular to rounding: the search is at its end. */
bool ml_evolution_draw(struct ml_evolution *e, uint64_t seed, int64_t first, double *z);

/* Moves mean, covariance and size to the better half of the children.
 *   order  [children] the best first */
void ml_evolution_learn(struct ml_evolution *e, const int *order);

/* The largest standard deviation of a coordinate. */
double ml_evolution_spread(const struct ml_evolution *e);

#endif
