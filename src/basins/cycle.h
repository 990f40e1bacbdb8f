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

/* How the points of a run end. */
enum ml_cycle_end {
    ML_CYCLE_SETTLED,    /* they repeat, and move on by no more than the tolerance */
    ML_CYCLE_APPROACHES, /* they still come nearer to something; or are too few to tell */
    ML_CYCLE_APERIODIC,  /* neither: they move about and do not repeat */
};

struct ml_cycle {
    enum ml_cycle_end end;
    int period;    /* of settled points; else 0 */
    double spread; /* of settled points: largest distance of two that are the same of the cycle */
};

/* How a run's points end. They repeat if the last half of them does, or the last two periods where
 * that is more. A distance that shrinks from the first half to the last by a factor r is expected
 * to shrink on by r / (1 - r) of the difference: neither the motion still to come nor a distance
 * between two points of the cycle, shrunk so, may decide whether points are the same. Points too
 * few to see a distance shrink must repeat within a hundredth of the tolerance. A period is reduced
 * to its least divisor. points  [n_point][n_row] */
struct ml_cycle ml_cycle_of(const struct ml_cycle_metric *metric, int n_point,
                            const double *points);

/* An attractor: a cycle that some runs have settled on. */
struct ml_attractor {
    int period;
    int64_t count, late; /* runs; and runs that came in during their events */
    int64_t first;       /* the first run that has settled on it */
    double spread;       /* of the run whose points it has, the smallest */
};

/* The attractors of some runs, in the order in which they are found. */
struct ml_attractors {
    struct ml_cycle_metric metric;
    int most;                   /* points of a cycle */
    int n, room;                /* attractors; those that there is memory for */
    struct ml_attractor *found; /* [n] */
    double *points;             /* [n][most][n_row] points of each cycle in the order of time */
};

const double *ml_attractor_points(const struct ml_attractors *attractors, int i);

/* Takes the points of the next run that has settled, on a known attractor if the run ends there, or
 * on a new one. false: out of memory. Runs have to come in their order, so that the
 * numbers do not depend on who computed them.
 *   run     number of the run
 *   cycle   of its points
 *   points  [n_point][n_row], the last ones of the run at the end; n_point <= 2 most */
bool ml_attractors_add(struct ml_attractors *attractors, int64_t run, const struct ml_cycle *cycle,
                       int n_point, const double *points);

/* Unites attractors that are the same, now that each has the points of the run that has settled
 * best. */
void ml_attractors_merge(struct ml_attractors *attractors);

/* The attractor that a run ends on, once all settled runs are added: the nearest within the
 * tolerance of the run's last points, or, for a run that has not settled, within ten tolerances of
 * the last half of them and nearer than before; -1: none. The run is counted there. */
int ml_attractors_label(struct ml_attractors *attractors, const struct ml_cycle *cycle, int n_point,
                        const double *points);

/* Largest distance between points of two cycles, as they go together best; `most` if it is not
 * less, or the periods differ. */
double ml_attractors_distance(const struct ml_attractors *a, int i, const struct ml_attractors *b,
                              int j, double most);

void ml_attractors_free(struct ml_attractors *attractors);

#endif
