/* The numbers of a force among the values of a run: a row of its table is one of them, or several.
 */
#ifndef ML_MODEL_FORCES_NUMBERS_H
#define ML_MODEL_FORCES_NUMBERS_H

#include "model/forces/force.h"
#include "model/forces/signal.h"

struct ml_force_number {
    const struct ml_param *row; /* of the table */
    int i, j;                   /* joints that it belongs to; -1: to none */
    int signal;                 /* enum ml_signal_row of a signal, else ML_SIGNAL_VALUE */
};

/* Numbers of a row of the table in a system of n segments; 0 of one without a name, which stands
 * for the rest of a signal. */
int ml_force_row_numbers(const struct ml_param *row, int n);

/* Whether row p of the table is a vector whose components, the next two rows with a name, can
 * change over time. */
static inline bool ml_force_row_is_signal_pair(const struct ml_param *rows, int p)
{
    return rows[p].flags & ML_VECTOR && rows[p + 1].flags & ML_SIGNAL;
}

/* The first row of the table from p on that is of a limit; the lower end of one is before the
 * upper. */
static inline int ml_force_limit_row(const struct ml_force *type, int p)
{
    while (!(type->params[p].flags & ML_LIMIT))
        p++;
    return p;
}

/* Where those of table row p begin. */
int ml_force_first_number(const struct ml_force *type, int n, int p);

/* All numbers of a force, in order; returns how many.
 *   out  [that many]; NULL: they are only counted */
int ml_force_numbers(const struct ml_force *type, int n, struct ml_force_number *out);

/* Unit, range and default of one, with the name of its table row or of the row of the signal. */
struct ml_param ml_force_number_param(const struct ml_force_number *number);

/* Number of the force's signals; those of a row by joint count one by one. */
int ml_force_signals(const struct ml_force *type, int n);

#endif
