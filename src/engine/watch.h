/* Watches the runs of a batch for events, and finds when they are: the step in which one is is
 * taken again from where it began, with lengths of each lane's own, until the time is known to its
 * last digits. The runs themselves go on as if nobody had looked. */
#ifndef ML_ENGINE_WATCH_H
#define ML_ENGINE_WATCH_H

#include "base/arena.h"
#include "engine/ensemble.h"

struct ml_batch;

enum { ML_WATCH_STEPS = 32 }; /* looked at together */

/* Of one batch; rows of ML_LANES. Without events there is nothing of it but n_event. */
struct ml_watch {
    int *first_output;            /* [n_event] of those of the batch's results */
    double **seen, **kept;        /* [n_record] what events look at and keep, else NULL */
    double *rows;                 /* [n_event][rows of watch.c] */
    double *older, *before, *now; /* [1] s: times of the state two steps ago, one ago, and now */
    double *x_older, *x_now,
        *x_stop;          /* [n_x (1 + n_column)] states; x_stop of lanes that stopped */
    double *pace;         /* [ML_N_PACE] of lanes that choose their steps, when they began */
    double *probe, *rate; /* [n_x (1 + n_column)] */
    /* Of given steps that are looked through together (engine/watch_scan.h), if there are no
     * tangent vectors: states and what each event looks at, before the last two steps and behind
     * each. */
    double *history;    /* [2 + ML_WATCH_STEPS][n_x] */
    double **values;    /* [n_event] -> [2 + ML_WATCH_STEPS][rows of the record] */
    double *low, *high; /* [n_event] between which nothing happens in the lanes `bounded` */
    bool is_bounded;    /* these are up to date */
    unsigned bounded;
    int64_t first_scanned; /* number of the first of these steps */
    int n_scanned;         /* of them */
    double *span;          /* [1] s: of a step, to take differences over parts of */
    double *stop_time;     /* [1] s */
    const struct ml_event *stop_event[ML_LANES];
    unsigned has_older; /* lanes that have taken two steps */
    unsigned stopped;   /* lanes in which an event ended the run in the step */
};

void ml_watch_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                     struct ml_watch *watch);

/* At the start of the runs. */
void ml_watch_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* After a step of the lanes `stepped`, from batch->x_before at the time watch->before (and
 * watch->pace) to batch->x at watch->now; which all stay. Sets `stopped`, with the states and times
 * of these lanes. */
void ml_watch_step(const struct ml_ensemble *ensemble, struct ml_batch *batch, unsigned stepped);

#endif
