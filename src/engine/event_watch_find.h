/* One event of a batch, and the search for the instant within a step at which it is. */
#ifndef ML_ENGINE_EVENT_WATCH_FIND_H
#define ML_ENGINE_EVENT_WATCH_FIND_H

#include "engine/batch.h"
#include "events/event.h"

/* Rows of one event. */
enum {
    WATCH_VALUE, /* what it looks at, before the step */
    WATCH_OLDER, /* one step earlier */
    WATCH_SLOPE, /* 1/s: derivative of the value by time; where steps are long, or of an extreme */
    WATCH_PLACE, /* as of ml_event_place; of a strobe the number of the next */
    WATCH_NEXT, /* s: when a strobe is next; of an extreme the value behind the next step, or NaN */
    WATCH_LAST, /* s: the last one that counted */
    WATCH_NEW,  /* the value after the step */
    WATCH_NEW_SLOPE,
    N_WATCH
};

/* One event in the course of a step. */
struct watched {
    const struct ml_ensemble *ensemble;
    struct ml_batch *batch;
    struct ml_event_watch *watch;
    const struct ml_event *event;
    const struct ml_event_numbers *numbers; /* [ML_LANES] of each lane's run */
    double *rows, **out;                    /* its rows, and those of its outputs */
};

/* Where a search takes steps from. */
struct origin {
    const double *x, *time;     /* states [n_x (1 + n_column)], and their times [1], s */
    const double *step_control; /* of lanes that choose their steps; else NULL */
};

/* Part of a step for each lane, from s seconds behind the origin on. */
struct stretch {
    double from[ML_LANES], to[ML_LANES];             /* s */
    double value_from[ML_LANES], value_to[ML_LANES]; /* there */
};

/* Event i of the ensemble. */
struct watched ml_event_watched(const struct ml_ensemble *ensemble, struct ml_batch *batch, int i);

/* The levels of a lane's crossing; extremes are where the derivative crosses zero. */
const struct ml_event_numbers *ml_event_watch_levels(const struct watched *w, int lane);

/* Row of the state that the event looks at; -1 if it looks at something else. */
int ml_event_watch_state_row(const struct watched *w);

/* Whether the derivative by time is measured after every step: of an extreme, and where steps are
 * looked at one by one because lanes choose them. */
bool ml_event_watch_has_slope(const struct watched *w);

static inline double *ml_event_watch_row(const struct watched *w, int which)
{
    return w->rows + (size_t)which * ML_LANES;
}

/* Number of the event of a run that was counted last, from 0. */
static inline int64_t ml_event_watch_number(const struct watched *w, int lane)
{
    return (int64_t)w->out[ML_EVENT_COUNT][lane] - 1;
}

/* Doubles of the states, and of the constants, of a batch without their tangent vectors. */
size_t ml_event_watch_states(const struct ml_ensemble *ensemble);
size_t ml_event_watch_constants(const struct ml_ensemble *ensemble);

/* A function of states x at times t [1]: value [1], or more rows, out. */
typedef void ml_event_watch_function(const struct watched *w, const double *t, const double *x,
                                     double *value);

/* A direction in which a state, its time and the constants of its run change: so much per unit of
 * the step. */
struct direction {
    double time[ML_LANES];   /* s */
    const double *x;         /* [n_x] */
    const double *constants; /* [constant rows]; NULL: they stay */
    double step[ML_LANES];
    double *moved_x; /* [n_x] scratch, which the function does not use */
    double *value;   /* [n_row] the same */
};

/* Derivative of a function of n_row rows at x and t [1] in a direction, by the difference of order
 * 4: deriv [n_row] out. Uses watch->moved_constants if the constants change. */
void ml_event_watch_along(const struct watched *w, const double *t, const double *x,
                          const struct direction *direction, ml_event_watch_function *function,
                          int n_row, double *deriv);

/* Rows of all that the event keeps. */
int ml_event_watch_kept_rows(const struct ml_event *event);

/* They, one after the other: value [ml_event_watch_kept_rows] out. */
void ml_event_watch_kept(const struct watched *w, const double *t, const double *x, double *value);

/* Derivative of the state by time at x and t [1]: to watch->rate. */
void ml_event_watch_rates(const struct watched *w, const double *t, const double *x);

/* What the event looks at, of states x at times t [1]: value [1] out. */
/* The record that the event looks at, at x and t [1]: [rows of the record] out. */
void ml_event_watch_record(const struct watched *w, const double *t, const double *x, double *out);

void ml_event_watch_values(const struct watched *w, const double *t, const double *x,
                           double *value);

/* Its derivative by time: along the derivative of the state, over a small part of a step. slope [1]
 * out. Uses watch->rate and watch->probe. */
void ml_event_watch_slopes(const struct watched *w, const double *t, const double *x,
                           double *slope);

/* How far from zero a value may be because its run begins at an event that another run found, whose
 * time is known to some units of its last digit: `rate` times a small part of a step of `span` s,
 * or of the last digits of the run's times. */
double ml_event_watch_rounding(const struct watched *w, double rate, double span, int lane);

/* Takes the active lanes to s [1] seconds behind the origin, by one step: to batch->x; the others
 * stay there. time [1] out, s. */
void ml_event_watch_go(const struct watched *w, const struct origin *origin, const double *s,
                       unsigned active, double *time);

/* The value, or the derivative, there. Changes batch->x. */
void ml_event_watch_look(const struct watched *w, const struct origin *origin, bool is_slope,
                         const double *s, unsigned active, double *value);

/* Finds where a value is at its level [1], or the derivative zero, within the stretch of each lane:
 * s [1], seconds behind the origin. Changes batch->x. */
void ml_event_watch_search(const struct watched *w, const struct origin *origin, bool is_slope,
                           const struct stretch *stretch, const double *level, unsigned lanes,
                           double *s);

#endif
