/* How a number of a force changes over time, where the study gives a map in its place. Each such
 * number takes ML_SIGNAL_ROWS neighbours among the values of a run, NaN where its signal has no use
 * for them. */
#ifndef ML_MODEL_FORCES_SIGNAL_H
#define ML_MODEL_FORCES_SIGNAL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/param.h"

enum ml_signal_type {
    ML_CONSTANT_SIGNAL, /* it is a number */
    ML_RAMP_SIGNAL,
    ML_MINIMUM_JERK_SIGNAL,
    ML_SINE_SIGNAL,
    ML_PULSE_SIGNAL,
    ML_TABLE_SIGNAL, /* of a file */
    ML_N_SIGNAL_TYPE
};

enum ml_signal_row {
    ML_SIGNAL_VALUE, /* of a constant */
    ML_SIGNAL_FROM,
    ML_SIGNAL_TO,
    ML_SIGNAL_ONSET,
    ML_SIGNAL_DURATION,
    ML_SIGNAL_MEAN,
    ML_SIGNAL_AMPLITUDE,
    ML_SIGNAL_FREQUENCY,
    ML_SIGNAL_PHASE,
    ML_SIGNAL_SCALE,
    ML_SIGNAL_ROWS
};

/* Samples of a table, with cubic pieces between them, and where they come from. Of a curve that
 * formulas name the time is its argument. */
struct ml_breakpoints {
    int64_t n;
    const double *time;       /* [n] s, increasing */
    const double *value;      /* [n] samples */
    const double (*cubic)[4]; /* [n - 1] by powers of the time since the piece's first knot, from
                                 the constant on */
    const char *file, *column;
    const char *by;     /* column of the times where that is not `time`; NULL */
    double rate;        /* Hz, as the study says of a table without times; 0: it does not */
    double header_rate; /* Hz, by the file, if its times have another rate; else 0 */
    uint64_t checksum;  /* XXH3 (64 bits) of the file */
    bool is_held;       /* a signal: constant between samples; a curve: beyond its ends, not NaN */
    bool has_stairs;    /* a curve: constant between samples */
};

/* Index of the piece that t [s] is in; beyond the ends the first or last piece is continued. */
static inline int64_t ml_breakpoints_piece(const struct ml_breakpoints *breakpoints, double t)
{
    int64_t first = 0, last = breakpoints->n - 2;
    while (first < last) {
        const int64_t middle = last - (last - first) / 2;
        if (t < breakpoints->time[middle])
            last = middle - 1;
        else
            first = middle;
    }
    return first;
}

/* The value of a piece at t, or its derivative of that order. */
static inline double ml_breakpoints_at(const struct ml_breakpoints *breakpoints, int64_t piece,
                                       double t, int order)
{
    const double *c = breakpoints->cubic[piece], u = t - breakpoints->time[piece];
    return order == 0   ? c[0] + u * (c[1] + u * (c[2] + u * c[3]))
           : order == 1 ? c[1] + u * (2.0 * c[2] + 3.0 * u * c[3])
           : order == 2 ? 2.0 * c[2] + 6.0 * u * c[3]
                        : 6.0 * c[3];
}

/* A derivative of a curve at any argument x: NaN beyond the curve's ends, unless the curve is held
 * there; or, for order -1, the value of sample x. */
static inline double ml_curve_at(const struct ml_breakpoints *curve, double x, int order)
{
    const double first = curve->time[0], last = curve->time[curve->n - 1];
    const bool is_beyond = x < first || x > last;
    if (order < 0)
        return curve->value[(int64_t)fmin(fmax(x, 0.0), (double)(curve->n - 1))];
    if (is_beyond && (!curve->is_held || order > 0))
        return curve->is_held ? 0.0 : (double)NAN;
    if (x >= last && curve->has_stairs)
        return order > 0 ? 0.0 : curve->value[curve->n - 1];
    x = x < first ? first : x > last ? last : x;
    return ml_breakpoints_at(curve, ml_breakpoints_piece(curve, x), x, order);
}

/* A signal of one study. */
struct ml_signal {
    enum ml_signal_type type;
    const struct ml_breakpoints *breakpoints; /* of a table, borrowed */
};

/* Word and meaning of a type, from ML_RAMP_COURSE on; NULL past the last. */
const char *ml_signal_word(int type, const char **doc);

/* Row of a signal, with the unit and range of its owner where the row is a value of the signal. Of
 * a row that the type does not have the name is NULL. */
struct ml_param ml_signal_param(const struct ml_param *owner, int type, int row);

/* The parameter of a signal's row, whatever the type of the signal. */
struct ml_param ml_signal_row_param(const struct ml_param *owner, int row);

#endif
