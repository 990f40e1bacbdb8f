/* Declarations that the files event_watch*.c share: one event of a batch in the course of a step,
 * the search for its instant, its count, its derivatives, and the scan of windows for it. */
#ifndef ML_ENGINE_EVENT_WATCHED_H
#define ML_ENGINE_EVENT_WATCHED_H

#include "engine/team/batch.h"
#include "events/event.h"

/* Rows of one event. */
enum {
    WATCH_VALUE, /* its quantity, before the step */
    WATCH_OLDER, /* one step earlier */
    WATCH_SLOPE, /* 1/s: derivative of the value by time; where steps are long, or of an extreme */
    WATCH_PLACE, /* as of ml_event_place; of a strobe the number of the next */
    WATCH_NEXT, /* s: when a strobe is next; of an extreme the value behind the next step, or NaN */
    WATCH_LAST, /* s: the last one that counted */
    WATCH_EARLIER, /* s: those before that, the latest first */
    WATCH_EARLIER_END = WATCH_EARLIER + 3,
    WATCH_REST = WATCH_EARLIER_END, /* s: when `then` set the state */
    WATCH_NEW,                      /* the value after the step */
    WATCH_NEW_SLOPE,
    WATCH_SAG,    /* of a number that is no plain state, as of ml_event_watch_sag */
    WATCH_SWING,  /* 1/s: of the number of a condition, how fast it may change */
    WATCH_UNSURE, /* 1: the number turned too often within a step to be followed; else 0 */
    N_WATCH
};

/* Where a search takes steps from. */
struct origin {
    const double *x, *time;     /* states [n_x (1 + n_column)], and their times [1], s */
    const double *step_control; /* of lanes that choose their steps; else NULL */
};

/* One event in the course of a step. */
struct watched {
    const struct ml_ensemble *ensemble;
    struct ml_batch *batch;
    struct ml_event_watch *watch;
    const struct ml_event *event;
    const struct ml_switch *condition; /* the number is that of this condition
                                          (engine/steps/switches.h); NULL: that of the event */
    const size_t *condition_row; /* [ML_LANES] of these numbers, where each lane has its number */
    const struct ml_event_numbers *numbers; /* [ML_LANES] of each lane's run */
    double *rows, **out;                    /* its rows, and those of its outputs */
    struct origin origin;                   /* where the step begins */
};

/* Part of a step for each lane, from s seconds behind the origin on. */
struct stretch {
    double from[ML_LANES], to[ML_LANES];             /* s */
    double value_from[ML_LANES], value_to[ML_LANES]; /* there */
};

/* s: the shortest step of a lane. */
double ml_event_watch_least(const struct ml_batch *batch, int lane);

/* Where the step of a batch begins, without an event. */
struct watched ml_event_watch_origin(const struct ml_ensemble *ensemble, struct ml_batch *batch);

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

/* These rows, one after the other: value [ml_event_watch_kept_rows] out. */
void ml_event_watch_kept(const struct watched *w, const double *t, const double *x, double *value);

/* The lanes, of these, in which all conditions of the event hold at x and t [1]. */
unsigned ml_event_watch_holds(const struct watched *w, const double *t, const double *x,
                              unsigned lanes);

/* Derivative of the state by time at x and t [1]: to watch->rate. */
void ml_event_watch_rates(const struct watched *w, const double *t, const double *x);

/* The record that the event looks at, of states x at times t [1], s: out [rows of the record]. */
void ml_event_watch_record(const struct watched *w, const double *t, const double *x, double *out);

/* The row of that record that the event looks at: value [1] out. */
void ml_event_watch_values(const struct watched *w, const double *t, const double *x,
                           double *value);

/* Derivative of that value by time: along the derivative of the state, over a small part of a step.
 * slope [1] out, 1/s times the value's unit. Uses watch->rate and watch->probe. */
void ml_event_watch_slopes(const struct watched *w, const double *t, const double *x,
                           double *slope);

/* How far from zero a value may be because its run begins at an event that another run found, whose
 * time is known to some units of its last digit: `rate` times a small part of a step of `span` s,
 * or of the last digits of the run's times. */
double ml_event_watch_rounding(const struct watched *w, double rate, double span, int lane);

/* Takes the active lanes to s [1] seconds behind the origin, by one step: to batch->x; the others
 * stay there. time [1] out, s. */
void ml_event_watch_go(const struct watched *w, const double *s, unsigned active, double *time);

/* The value, or the derivative, there. Changes batch->x. */
void ml_event_watch_look(const struct watched *w, bool is_slope, const double *s, unsigned active,
                         double *value);

/* Finds where a value is at its level [1], or the derivative zero, within the stretch of each lane:
 * s [1], seconds behind the origin. Changes batch->x. */
void ml_event_watch_search(const struct watched *w, bool is_slope, const struct stretch *stretch,
                           const double *level, unsigned lanes, double *s);

/* event_watch_follow.c: the rows of an event from step to step. */

/* Makes strobe j the next of a lane. It is at the run's end if only rounding is between them. */
void ml_event_watch_set_strobe(const struct watched *w, int lane, double j);

/* Goes on to the next strobe in these lanes. */
void ml_event_watch_next_strobe(const struct watched *w, unsigned lanes);

/* Values and derivatives of all events, of batch->x at window->now. */
void ml_event_watch_measure(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* The new values become those before. */
void ml_event_watch_shift(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                          unsigned lanes);

/* Nothing is known of the past. */
void ml_event_watch_forget(const struct watched *w, unsigned lanes);

/* Begins to look at these lanes anew, at batch->x and window->now. */
void ml_event_watch_restart(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                            unsigned lanes);

/* event_watch_path.c: the path within a step of the number that an event looks at. */

enum { ML_EVENT_NODES = 16, ML_EVENT_PIECES = 32 };

/* A point of a lane's step. */
struct event_node {
    double s;            /* s behind the origin */
    double value, slope; /* there */
    double place;        /* as of ml_event_place: of the value, or of an extreme's slope */
    bool is_followed;    /* from the node before it levels are passed once */
};

/* The points of a lane, in the order of time. */
struct event_path {
    int n;
    struct event_node node[ML_EVENT_NODES];
};

/* Places of the nodes behind the first, whose place is known. */
void ml_event_path_place(const struct watched *w, int lane, struct event_path *path);

/* Whether the event looks at a plain state, or at none. */
bool ml_event_watch_is_plain(const struct watched *w);

/* Two states [n_x] with their times [1], s, and the number that the event looks at in both. */
struct chord {
    const double *x[2], *time[2], *value[2];
};

/* How far the number on the straight line between two states is from that between its values, as in
 * the middle of a parabola; or half of it in the step before, if that is more. Uses watch->probe.
 *   before  [1] in the step before; -1: unknown, of which INFINITY follows
 *   sag     [1] out; may be `before` */
void ml_event_watch_sag(const struct watched *w, const struct chord *chord, const double *before,
                        double *sag);

/* Whether the number of a lane may turn within its step more often than its values and slopes at
 * the ends show, and pass a level: kernels.h has the same of many steps. */
bool ml_event_watch_bends(const struct watched *w, int lane);

/* A piece of a lane's step to look at. */
struct event_piece {
    double from, to; /* s behind the origin */
    double value[3]; /* at its beginning, middle and end */
    double
        error_before; /* of the parabola in the piece that it is half of, as part of the change */
};

/* Paths of lanes, part by part. */
struct event_walk {
    struct event_path path[ML_LANES];                 /* the part at hand */
    struct event_node begin[ML_LANES], end[ML_LANES]; /* of all that is to come */
    unsigned bent, fine; /* lanes whose number may turn any number of times; in which the part at
                            hand is no whole step */
    struct ml_step step; /* of lanes that are bent */
    struct event_piece piece[ML_LANES][ML_EVENT_PIECES]; /* [n_piece] the first last */
    int n_piece[ML_LANES], n_looked[ML_LANES];
    double known[ML_LANES];  /* s: length of the last that was short enough */
    double change[ML_LANES]; /* of the number in it; 0: it was looked into */
    double noise[ML_LANES];  /* of the number, by rounding of the state */
    double span[ML_LANES];   /* s: that of the watch, which is changed along the way */
};

/* Begins with the ends of the steps of these lanes, path [ML_LANES], those that are `bent` among
 * them. */
void ml_event_walk_begin(const struct watched *w, const struct event_path *path, unsigned lanes,
                         unsigned bent, struct event_walk *walk);

/* Finds the next part of the paths of these lanes, with the places of its nodes; the lanes that
 * have one. Callers repeat this until no lane has one. Changes batch->x. */
unsigned ml_event_walk_next(const struct watched *w, struct event_walk *walk, unsigned lanes);

/* event_watch_count.c: the count of events, as far as they count. */

/* Counts the event at batch->x and `time` in the lanes where it counts, and keeps it.
 *   derivs  [n_sens] of that time, where they are wanted; NULL: it does not move */
void ml_event_watch_count(const struct watched *w, const double *time, const double *derivs,
                          unsigned lanes);

/* Takes over an event that was found s [1] seconds behind the origin: it ends runs, or counts. */
void ml_event_watch_found(const struct watched *w, const double *s, unsigned lanes);

/* Takes over an event at batch->x, whose tangent vectors change, and `time` [1], s. */
void ml_event_watch_take(const struct watched *w, const double *time, unsigned lanes);

/* Counts the events that stopped these lanes, in the states and at the times in which they did. */
void ml_event_watch_count_stops(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                                unsigned lanes);

/* s: the time at which the event of a lane accumulates if its last intervals shrink like a
 * geometric sequence, by Aitken's process, and no more than this share of the run's time is left;
 * else the time of the last event. */
double ml_event_watch_limit(const struct watched *w, double share, int lane);

/* Time, s, until which the events of a run need not be known one by one: either none of them
 * counts, or all count and none is kept.
 *   counts  out: whether they count */
double ml_event_watch_until(const struct watched *w, double from, int lane, bool *counts);

/* event_watch_deriv.c: how the instant of an event moves with a parameter. */

/* Derivatives of the time of the event at batch->x and `time` [1] along its tangent vectors from
 * column `first` on: with G the number that is zero at the event, y the tangent vector (along a
 * parameter p) and f the derivative of the state by time,
 *
 *   dt/dp = -(dG/dx y + dG/dp) / (dG/dx f + dG/dt)
 *
 * by differences of fourth order. Changes watch->probe and watch->rate.
 *   derivs  [n_column - first] out */
void ml_event_watch_time_derivs(const struct watched *w, const double *time, int first,
                                double *derivs);

/* The first column of tangent vectors along parameters. */
static inline int ml_event_watch_first_parameter(const struct watched *w)
{
    return w->ensemble->model.n_column - w->ensemble->model.n_sens;
}

/* Rows of tangent vector c of a state. */
static inline double *ml_event_watch_vector(const struct watched *w, double *x, int c)
{
    return x + ml_event_watch_states(w->ensemble) * (size_t)(1 + c);
}

/* From batch->x along column c of its tangent vectors, and along the constants that go with that of
 * a parameter; moved_x and value are the caller's. */
struct direction ml_event_watch_column(const struct watched *w, int c);

/* event_watch_pass.c: the levels that a value passes within a step, or the zeros of its derivative.
 */

/* Where a value is among the levels at the beginning of a run, which it leaves with `slope`.
 *   span, change  s: length of the step it is about to take, and by how much it will change */
double ml_event_watch_start(const struct watched *w, double value, double slope, double span,
                            double change, int lane);

/* Finds the crossings in the steps of these lanes and takes them over; WATCH_PLACE goes on. */
void ml_event_watch_crossings(const struct watched *w, unsigned stepped);

/* The first level that numbers pass within their steps. */
struct event_first {
    unsigned lanes;          /* that pass a level */
    double number[ML_LANES]; /* of the level */
    struct stretch piece;    /* of the step in which it is passed once */
};

static inline void ml_event_take_piece(const struct event_first *first, int lane,
                                       struct stretch *piece)
{
    piece->from[lane] = first->piece.from[lane];
    piece->to[lane] = first->piece.to[lane];
    piece->value_from[lane] = first->piece.value_from[lane];
    piece->value_to[lane] = first->piece.value_to[lane];
}

/* By how much the number of an event that is no plain state bends in the step that these lanes have
 * just taken: WATCH_SAG. */
void ml_event_watch_sags(const struct watched *w, unsigned stepped);

/* Finds, behind ml_event_watch_measure and ml_event_watch_sags, those of these lanes whose number
 * turns within the step beyond levels that the number does not pass from end to end, and the first
 * level that each passes and that counts. Changes batch->x. */
unsigned ml_event_watch_first(const struct watched *w, unsigned lanes, struct event_first *first);

/* event_watch_scan.c: looks through the states of a window for steps in which there may be an
 * event. A step that is left out has none; one that is not may have none either. */

/* At the start of the runs, behind ml_event_watch_begin. */
void ml_event_watch_scan_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* Records the values that events look at, in the states of batch->window, which was just taken. */
void ml_event_watch_scan(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* The first step of batch->window from j on in which there may be an event of a lane in `alive`;
 * window.n_state if there is no such step. j itself if the window has no states. */
int ml_event_watch_scan_next(const struct ml_ensemble *ensemble, struct ml_batch *batch, int j,
                             unsigned alive);

/* Makes step j of batch->window the one that ml_event_watch_step looks at. */
void ml_event_watch_scan_take(const struct ml_ensemble *ensemble, struct ml_batch *batch, int j);

/* The state behind the last step of batch->window, [n_x]. */
const double *ml_event_watch_scan_end(const struct ml_ensemble *ensemble,
                                      const struct ml_batch *batch);

#endif
