/* Where a run has settled: the cycle that the points of its events come back to, and which cycles
 * of several runs are one attractor. Pure arithmetic. */
#ifndef ML_BASINS_CYCLE_H
#define ML_BASINS_CYCLE_H

#include <stdbool.h>
#include <stdint.h>

/* What points are compared by. */
struct ml_cycle_metric {
    int n_row;             /* numbers of a point */
    const double *modulus; /* [n_row] 2 pi of an angle, which is the same after a turn; 0: none */
    double tolerance;      /* largest difference of any number of two points that are the same */
};

/* Points after which all of them repeat; the smallest such number, 0 if they do not within half of
 * them or one is not a number: the run has not settled.
 *   points  [n_point][n_row] */
int ml_cycle_period(const struct ml_cycle_metric *metric, int n_point, const double *points);

/* Whether two cycles of a period are the same but for where they begin.
 *   a, b  [period][n_row] */
bool ml_cycle_is_same(const struct ml_cycle_metric *metric, int period, const double *a,
                      const double *b);

/* Cycles that some runs have settled on, in the order in which they are found. */
struct ml_attractors {
    struct ml_cycle_metric metric;
    int most;       /* points of a cycle */
    int n, room;    /* attractors; those that there is memory for */
    int *period;    /* [n] */
    int64_t *count; /* [n] runs */
    int64_t *first; /* [n] the first of them */
    double *points; /* [n][most][n_row] of that run: a cycle's last points */
};

/* The attractor of the next run, its index; -1: it has not settled, -2: out of memory. Runs have to
 * come in their order, so that the numbers do not depend on who computed them.
 *   run     number of the run
 *   points  [n_point][n_row], the last ones of the run at the end; n_point <= 2 most */
int ml_attractors_add(struct ml_attractors *attractors, int64_t run, int n_point,
                      const double *points);

/* Labels 1, 2, ... of the attractors, the one of most runs first, of equal ones the one that was
 * found first.
 *   label  [n] out */
void ml_attractors_rank(const struct ml_attractors *attractors, int *label);

void ml_attractors_free(struct ml_attractors *attractors);

#endif
