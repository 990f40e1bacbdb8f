/* Measured loads below a threshold: there the force counts as 0, and its point has no meaning; the
 * force is filtered after that. Curves go through the samples that replace them, so that they stay
 * smooth. */
#ifndef ML_CONFIG_HOLD_H
#define ML_CONFIG_HOLD_H

#include "model/forces/force.h"
#include "yaml/pool.h"

/* s, between samples of a table: more is told as times in ms when the study is read. */
#define ML_SLOW_TABLE 0.5

enum {
    ML_MOST_HELD = 8,  /* components of a force, its moment and its point */
    ML_HOLD_ORDER = 2, /* of the filter, of one pass */
};

struct ml_hold {
    int n_signal;
    const struct ml_signal *signal; /* [n_signal] as measured */
    const struct ml_param *row[ML_MOST_HELD];
    const double *values[ML_MOST_HELD]; /* [ML_SIGNAL_ROWS] */
    double scale;                       /* of all of them */
    double filter;                      /* Hz, of forces and moments; NaN: none */
    const struct ml_breakpoints
        *times; /* a table whose times all tables have; NULL: there is no table */
};

/* Finds the signals; false if a threshold does not apply: the force has no table, or tables have
 * different times.
 *   n       segments
 *   values  of the force */
bool ml_hold_find(struct ml_hold *hold, const struct ml_force_use *use, int n, const double *values,
                  const struct ml_signal *signals);

/* Whether signal s is a component of that vector: "point." */
bool ml_hold_is_of(const struct ml_hold *hold, int s, const char *vector);

/* SI units, sample k of signal s. */
double ml_hold_sample(const struct ml_hold *hold, int s, int64_t k);

/* Which samples have a force of `threshold`, N, or more, or all if there is no threshold (0, NaN);
 * returns how many.
 *   is_pressed  [times->n] */
int64_t ml_hold_press(const struct ml_hold *hold, double threshold, bool *is_pressed);

/* Gives signals the tables in which the samples that are not pressed are replaced, from the pool;
 * which is short if they are left as they were. */
void ml_hold_signals(const struct ml_hold *hold, const bool *is_pressed, struct ml_pool *pool,
                     struct ml_signal *signals);

#endif
