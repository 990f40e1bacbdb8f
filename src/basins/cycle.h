/* Where a run has settled: the cycle that the points of its events come back to. Pure arithmetic.
 */
#ifndef ML_BASINS_CYCLE_H
#define ML_BASINS_CYCLE_H

#include <stdbool.h>
#include <stdint.h>

/* Tolerances for the comparison of points. */
struct ml_cycle_metric {
    int n_row;             /* numbers of a point */
    const double *modulus; /* [n_row] 2 pi of an angle, which is the same after a turn; 0: none */
    double tolerance;      /* largest difference of any number of two points that are the same */
};

/* How the points of a run end. */
enum ml_cycle_end {
    ML_CYCLE_SETTLED,    /* they repeat, and move on by no more than the tolerance */
    ML_CYCLE_APPROACHES, /* the points still converge; or are too few to decide */
    ML_CYCLE_APERIODIC,  /* neither: they move about and do not repeat */
};

struct ml_cycle {
    enum ml_cycle_end end;
    int period;    /* of settled points; else 0 */
    double spread; /* of settled points: largest distance of two that are the same of the cycle */
};

/* Largest difference of a number of two points; INFINITY if a number is NaN. */
double ml_cycle_distance(const struct ml_cycle_metric *metric, const double *a, const double *b);

/* How a run's points end. They repeat if the last half of them does, or the last two periods where
 * that is more. A distance that shrinks from the first half to the last by a factor r is expected
 * to shrink on by r / (1 - r) of the difference: neither the motion still to come nor a distance
 * between two points of the cycle, shrunk so, may decide whether points are the same. Points too
 * few to see a distance shrink must repeat within a hundredth of the tolerance. A period is reduced
 * to its least divisor.
 *   points  [n_point][n_row] */
struct ml_cycle ml_cycle_of(const struct ml_cycle_metric *metric, int n_point,
                            const double *points);

#endif
