/* One event of a batch, and the search for the instant within a step at which it is. */
#ifndef ML_ENGINE_WATCH_FIND_H
#define ML_ENGINE_WATCH_FIND_H

#include "engine/batch.h"
#include "events/event.h"

/* Rows of one event. */
enum {
    WATCH_VALUE, /* what it looks at, before the step */
    WATCH_OLDER, /* one step earlier */
    WATCH_SLOPE, /* 1/s: derivative of the value by time; where steps are long, or of an extreme */
    WATCH_INTERVAL, /* as of ml_event_interval; of a strobe the number of the next */
    WATCH_LAST,     /* s: the last one that counted */
    WATCH_NEW,      /* the value after the step */
    WATCH_NEW_SLOPE,
    N_WATCH
};

/* One event in the course of a step. */
struct watched {
    const struct ml_ensemble *ensemble;
    struct ml_batch *batch;
    struct ml_watch *watch;
    const struct ml_event *event;
    double *rows, **out; /* its rows, and those of its outputs */
};

/* Where a search takes steps from. */
struct origin {
    const double *x, *time; /* states [n_x (1 + n_column)], and their times [1], s */
    const double *pace;     /* of lanes that choose their steps; else NULL */
};

/* Part of a step for each lane, from s seconds behind the origin on. */
struct stretch {
    double from[ML_LANES], to[ML_LANES];             /* s */
    double value_from[ML_LANES], value_to[ML_LANES]; /* there */
};

/* Event i of the ensemble. */
struct watched ml_watched(const struct ml_ensemble *ensemble, struct ml_batch *batch, int i);

static inline double *ml_watch_row(const struct watched *w, int which)
{
    return w->rows + (size_t)which * ML_LANES;
}

/* What the event looks at, of states x at times t [1]: value [1] out. */
void ml_watch_values(const struct watched *w, const double *t, const double *x, double *value);

/* Its derivative by time: the difference of order 4 along the derivative of the state, over a small
 * part of a step. slope [1] out. */
void ml_watch_slopes(const struct watched *w, const double *t, const double *x, double *slope);

/* Takes the active lanes to s [1] seconds behind the origin, by one step: to batch->x; the others
 * stay there. time [1] out, s. */
void ml_watch_go(const struct watched *w, const struct origin *origin, const double *s,
                 unsigned active, double *time);

/* The value, or the derivative, there. Changes batch->x. */
void ml_watch_look(const struct watched *w, const struct origin *origin, bool is_slope,
                   const double *s, unsigned active, double *value);

/* Finds where a value is at its level [1], or the derivative zero, within the stretch of each lane:
 * s [1], seconds behind the origin. Changes batch->x. */
void ml_watch_search(const struct watched *w, const struct origin *origin, bool is_slope,
                     const struct stretch *stretch, const double *level, unsigned lanes, double *s);

#endif
