/* How entangled the basins of a grid of labels are. Pure arithmetic.
 *
 * Uncertainty: C. Grebogi, S. W. McDonald, E. Ott, J. A. Yorke, Final state sensitivity: an
 * obstruction to predictability, Physics Letters A 99 (1983) 415-418. Entropy: A. Daza, A.
 * Wagemakers, B. Georgeot, D. Guery-Odelin, M. A. F. Sanjuan, Basin entropy: a new tool to analyze
 * uncertainty in dynamical systems, Scientific Reports 6 (2016) 31416. */
#ifndef ML_BASINS_BOUNDARY_H
#define ML_BASINS_BOUNDARY_H

#include <stdint.h>

enum { ML_BASINS_MAX_RANK = 8, ML_BASINS_DISTANCES = 6, ML_BASINS_BOX = 5 };

/* Labels of the members of a grid, the last axis fastest; 0: not settled, a label like others. */
struct ml_basin_grid {
    int rank;
    int64_t size[ML_BASINS_MAX_RANK];
    const int *label;
    int n_label; /* labels are 0 .. n_label - 1 */
};

/* Number of uncertain cells: a neighbour `distance` cells before or after along an axis has another
 * label, so that a start known to `distance` cells does not determine the end. Every axis of enough
 * cells is gone through, over the cells at least `margin` >= `distance` from both its ends. part
 * out: the uncertain cells as a part of the cells gone through; NaN if there are none */
int64_t ml_basins_uncertain(const struct ml_basin_grid *grid, int64_t distance, int64_t margin,
                            double *part);

/* Growth of the uncertain part with the distance. */
struct ml_basin_scaling {
    int n;                                 /* distances: 1, 2, 4, .. cells, to a quarter of the
                                              longest axis; 0 without a boundary */
    double distance[ML_BASINS_DISTANCES];  /* [n] cells */
    double uncertain[ML_BASINS_DISTANCES]; /* [n] */
    double slope[ML_BASINS_DISTANCES];     /* [n] power of the growth from a distance to the next
                                              one, over the same cells; NaN at the last */
    double exponent; /* the first slope, where the part is least saturated: dimension of the space
                        less that of the boundary; NaN without a boundary */
    double error;    /* twice the difference of the first two slopes, and the standard error of the
                        first, 1 / (ln 2 sqrt(number of uncertain cells)); NaN of two distances */
};

void ml_basins_exponent(const struct ml_basin_grid *grid, struct ml_basin_scaling *out);

/* Mean over boxes of ML_BASINS_BOX cells along each axis of more than one cell of the entropy - sum
 * of p ln p of the parts p that labels have of a box; NaN if no box fits or memory is short.
 *   boundary  the same over boxes with more than one label, out; above ln 2 a boundary is fractal;
 *             NaN: no estimate */
double ml_basins_entropy(const struct ml_basin_grid *grid, double *boundary);

#endif
