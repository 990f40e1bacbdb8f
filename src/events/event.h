/* An event: an instant of a run that a condition in the study defines. A crossing is where a
 * recorded number passes a level, an extreme where it is largest or smallest, a strobe a time of a
 * fixed period. */
#ifndef ML_EVENTS_EVENT_H
#define ML_EVENTS_EVENT_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/indicator.h"

enum ml_event_kind { ML_CROSSING, ML_EXTREME, ML_STROBE };

/* Rows of a record that are kept at every event. */
struct ml_event_keep {
    const char *name; /* as the study has it: "angle", "end.hand.x" */
    const char *unit, *doc;
    int record, first, n_row; /* of the system's records; rows first .. first + n_row - 1 */
    enum ml_dim dim;          /* of these; ML_DIM_NONE: there is one */
};

/* A row of the state that an event sets to a recorded number. */
struct ml_event_set {
    const char *name, *value; /* of the state quantity; of the number, or its formula */
    int state;                /* row of the state */
    int record, first;        /* of the system's records, and the row in it */
};

/* Numbers of an event, which runs can differ in. */
struct ml_event_numbers {
    double level, every;  /* of a crossing: the level, and its multiples too if every > 0 */
    double period, phase; /* s: of a strobe, at phase + j period, */
    double at;            /* s: or at this time alone, or at the event's own; NaN: at neither */
    const double *times;  /* [n_time] s, growing */
    int n_time;
    double from;  /* s: none is looked for before; -INFINITY: from the start */
    double least; /* s: one that follows the last counted one sooner does not count */
};

enum { ML_EVENT_NUMBERS = 7 };

/* One of them: a key of the study. */
struct ml_event_number {
    const char *key;
    size_t offset;        /* in ml_event_numbers */
    unsigned forms;       /* of events that have it: bits of event.c */
    double default_value; /* if it is not given; NaN: it must be */
};

extern const struct ml_event_number ml_event_number_rows[ML_EVENT_NUMBERS];

enum { ML_MAX_EVENTS = 16 }; /* of a study */

struct ml_event {
    const char *name;
    enum ml_event_kind kind;
    int record, row;            /* watched record, of a crossing or an extreme */
    const char *looked;         /* the same by name */
    int slot[ML_EVENT_NUMBERS]; /* among the values of a run; -1: it has no such number */
    int direction;       /* upwards 1, downwards -1, either 0; of an extreme maxima -1, minima 1:
                            the sign of the slope behind it */
    int extreme;         /* the same, as the study says it of an extreme */
    bool aligns;         /* given steps end at it */
    double graded;       /* s: and are short behind it for so long */
    const double *times; /* [n_time] s, growing: of a strobe at given times; NULL of one time, which
                            runs can differ in: `at` */
    int n_time;          /* 0: a strobe has a period */
    bool stops;          /* the run ends with the first */
    bool is_once;        /* none counts behind the first */
    int64_t most;        /* of a run whose time and rows are kept */
    int64_t room;        /* the largest of these of the study's events */
    const struct ml_event_keep *keep; /* [n_keep] */
    int n_keep;
    const struct ml_event_keep *conditions; /* [n_condition] the event counts where all of these
                                               records, of one row each, are positive */
    int n_condition;
    const struct ml_event_set *set; /* [n_set] all of the state as it was before the event */
    int n_set;
    bool is_together; /* of a strobe: `set` sees the state before all events of the instant */
    const struct ml_event_set *then; /* [n_then] all of the state as it was behind the last of
                                        events that accumulate, as `set` has left it */
    int n_then;
    int n_sens;        /* that the study differentiates by */
    double attractors; /* differences up to which kept rows are the same: runs are labelled by the
                          cycle that they come back to; 0: they are not */
};

/* Whether steps end at the event. */
static inline bool ml_event_ends_steps(const struct ml_event *event)
{
    return event->aligns || event->n_set > 0;
}

/* Outputs of an event, before those of its `keep`. */
enum { ML_EVENT_TIME, ML_EVENT_COUNT, ML_EVENT_TIMES, ML_EVENT_FIRST_KEPT };

/* Bytes of the longest name of an event's datasets, without the final NUL. */
size_t ml_event_longest_name(const struct ml_event *event);

/* Describes the i-th dataset that an event writes, where ml_event_longest_name is below
 * ML_MAX_OUTPUT_NAME; false past the last dataset. The last dataset of an event with `attractors`
 * is the label, which no run knows by itself: it is NaN until all runs are there. */
bool ml_event_output(const struct ml_event *event, int i, struct ml_output *output);

/* Index of the output that is the derivative of the first time by the parameters; -1: none. */
int ml_event_deriv_output(const struct ml_event *event);

/* The output with the derivatives of all times that are kept, [crossing][parameter]; -1: none. */
int ml_event_times_deriv_output(const struct ml_event *event);

/* Index of the first of the outputs [n_keep] that are the derivatives of kept quantities, each
 * [crossing][rows][parameter]; -1: no kept quantities, or no derivatives. */
int ml_event_kept_deriv_output(const struct ml_event *event);

/* Index of the label, behind all of them; -1: runs have none. */
int ml_event_label_output(const struct ml_event *event);

/* Events whose runs have labels. */
int ml_events_labelled(int n_event, const struct ml_event *events);

/* Whether a dataset of the summary is such a label. */
bool ml_event_is_label(int n_event, const struct ml_event *events, const char *name);

/* Whether an event has number k of ml_event_number_rows. */
bool ml_event_has_number(const struct ml_event *event, int k);

/* The numbers of an event in a run whose values are `stride` apart. */
struct ml_event_numbers ml_event_of_run(const struct ml_event *event, const double *values,
                                        int stride);

/* The level between interval i - 1 and i. */
double ml_event_level(const struct ml_event_numbers *event, double i);

/* Where a value is among the levels: i in the interval from level i to level i + 1, without `every`
 * -1 below the level and 0 above; i - 1/2 on level i, where a run can begin. That is within
 * rounding, or within `tolerance`. NaN of a value that is not finite. */
double ml_event_start(const struct ml_event_numbers *event, double value, double tolerance);

/* The place of a value at a later time, after `before`: a value that reached a level from below
 * counts as below until the value passes the level, and a value that started on a level stays there
 * until the value leaves. */
double ml_event_place(const struct ml_event_numbers *event, double value, double before);

/* Values from low up to high are in the same place; none are while a value is on a level, or where
 * the place is NaN. */
void ml_event_bounds(const struct ml_event_numbers *event, double place, double *low, double *high);

/* Levels that a value passes on its way from one place to another. */
struct ml_event_levels {
    double next, left; /* number of the first; how many */
    int sign;          /* 1 upwards, -1 downwards: from each to the next */
};
struct ml_event_levels ml_event_passed(double before, double after);

/* Time of strobe j, s. */
double ml_strobe_time(const struct ml_event_numbers *event, double j);

/* Whether strobe j is at this time but for rounding, as K * period is in a study and here. */
bool ml_strobe_is_at(const struct ml_event_numbers *event, double j, double time);

/* Number of the first strobe at this time or behind it. */
double ml_strobe_first(const struct ml_event_numbers *event, double time);

/* Number of the first behind it. */
double ml_strobe_behind(const struct ml_event_numbers *event, double time);

/* A zero of a function of one variable between two points where its signs differ, one evaluation at
 * a time: R. P. Brent, Algorithms for Minimization without Derivatives (1973), chapter 4. Plain
 * arithmetic, so that the same values give the same bits everywhere. */

struct ml_root {
    double at;                /* where to evaluate next, and the zero in the end */
    double a, fa, fb, c, fc;  /* the point before and its value; that of `at`; the other end */
    double step, step_before; /* the last two */
    double tolerance;         /* half of the interval that is left in the end */
};

/* Begins between a and b. If the signs of fa and fb do not differ, the one that is nearer to zero
 * is the zero. True: evaluate at root->at. */
bool ml_root_begin(struct ml_root *root, double a, double fa, double b, double fb,
                   double tolerance);

/* Takes the value at root->at. True: evaluate again; false: the zero is there. */
bool ml_root_next(struct ml_root *root, double value);

#endif
