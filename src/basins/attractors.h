/* Attractors: the cycles that runs have settled on, those of several runs that are the same as one.
 * Pure arithmetic. */
#ifndef ML_BASINS_ATTRACTORS_H
#define ML_BASINS_ATTRACTORS_H

#include "basins/cycle.h"

/* An attractor: a cycle that some runs have settled on. */
struct ml_attractor {
    int period;
    int64_t count, late; /* runs; and runs that came in during their events */
    int64_t first;       /* the first run that has settled on it */
    double spread;       /* of the run whose points it has, the smallest */
};

/* Points of attractors by the cell of their first number, so that those near a point are found at
 * once among many: a family may have as many cycles as there are runs. */
struct ml_near_points {
    int n, room;   /* entries */
    unsigned mask; /* number of lists - 1 */
    int *head;     /* [mask + 1] first entry of each list; -1: none */
    struct ml_near_point {
        int attractor, next; /* next entry of the list; -1 */
        unsigned hash;
    } * entry; /* [n] */
};

/* The attractors of some runs, in the order in which they are found. */
struct ml_attractors {
    struct ml_cycle_metric metric;
    int most;                   /* points of a cycle */
    int n, room;                /* attractors; those that there is memory for */
    struct ml_attractor *found; /* [n] */
    double *points;             /* [n][most][n_row] points of each cycle in the order of time */
    struct ml_near_points near;
};

const double *ml_attractor_points(const struct ml_attractors *attractors, int i);

/* Takes the points of the next run that has settled, on a known attractor if the run ends there, or
 * on a new one. false: out of memory. Runs have to come in their order, so that the numbers do not
 * depend on who computed them.
 *   run     number of the run
 *   cycle   of its points
 *   points  [n_point][n_row], the last ones of the run at the end; n_point <= 2 most */
bool ml_attractors_add(struct ml_attractors *attractors, int64_t run, const struct ml_cycle *cycle,
                       int n_point, const double *points);

/* Unites attractors that are the same, now that each has the points of the run that has settled
 * best. false: out of memory. */
bool ml_attractors_merge(struct ml_attractors *attractors);

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
