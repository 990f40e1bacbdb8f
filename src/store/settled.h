/* Which attractor each run of a result ends on, by the events that it keeps: labels that do not
 * depend on threads, shards or interruptions, as runs are gone through in their order. */
#ifndef ML_STORE_SETTLED_H
#define ML_STORE_SETTLED_H

#include "basins/attractors.h"
#include "h5/h5.h"
#include "plan/layout.h"

/* Runs without an attractor, in place of its index. */
enum ml_settled_without {
    ML_SETTLED_NOWHERE = -1, /* failed, or has fewer than two events */
    ML_SETTLED_APERIODIC = -2,
    ML_SETTLED_CHAOTIC = -3,
    ML_SETTLED_UNDERWAY = -4, /* still comes nearer to something */
};

/* An attractor of the study: of one set of parameters, or followed from one set to the next. */
struct ml_settled_attractor {
    int group, at;       /* where its points are: found[group].found[at] */
    int64_t count, late; /* runs; those of them that came in during their events */
    int64_t first;       /* that has settled on it */
    bool is_left;        /* its runs leave it if they are displaced: exponents above their error */
    bool is_kept;        /* a run has an exponent below its error: it attracts */
    bool is_apart;       /* no two of its runs are side by side on the grid */
    int label;           /* 1, 2, ..: by the number of runs, then in the order of finding */
};

struct ml_settled {
    struct ml_h5 *h5; /* borrowed, as the next three */
    const struct ml_layout *layout;
    const hid_t *summary; /* datasets of the outputs */
    const struct ml_event *event;
    int first_output;            /* of the event */
    int n_row, n_point;          /* numbers of a point, room for points of a run */
    int64_t batch;               /* runs that are read together */
    int n_group;                 /* sets of parameters of a grid; 1: all runs together */
    struct ml_attractors *found; /* [n_group] */
    int n;
    struct ml_settled_attractor *all;    /* [n] */
    struct ml_settled_attractor **order; /* [n] those by their labels */
    bool has_exponents;                  /* that distinguish chaos from motion on tori */
    int *index;                          /* [n_run] in `all`, or as above */
    double *modulus;                     /* [n_row] as of ml_cycle_metric */
    double *counts, *kept, *points;      /* of the runs that are read together */
    struct ml_pool pool;                 /* owns them */
};

/* Whether the starts of the runs, and nothing else, differ along an axis. */
bool ml_settled_is_start(const struct ml_axis *axis);

/* The set of parameters of a run of a grid. */
int64_t ml_settled_group(const struct ml_layout *layout, int64_t run);

/* Finds them in the outputs of all runs; false: the error of h5 is set. Free in any case. */
bool ml_settled_find(struct ml_settled *settled, struct ml_h5 *h5, const struct ml_layout *layout,
                     const hid_t *summary, int i_event);
void ml_settled_free(struct ml_settled *settled);

/* The label of an entry of `index`: 0 without an end, behind the attractors those without a period.
 */
int ml_settled_label(const struct ml_settled *settled, int index);

#endif
