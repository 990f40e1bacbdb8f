/* How a number of a force changes over time, where the study gives a map in its place. Each such
 * number takes ML_COURSE_ROWS neighbours among the values of a run, NaN where its course has no use
 * for them. */
#ifndef ML_FORCES_COURSE_H
#define ML_FORCES_COURSE_H

#include <stdint.h>

#include "base/param.h"

enum ml_course_type {
    ML_CONSTANT_COURSE, /* it is a number */
    ML_RAMP_COURSE,
    ML_MINIMUM_JERK_COURSE,
    ML_SINE_COURSE,
    ML_PULSE_COURSE,
    ML_TABLE_COURSE, /* of a file */
    ML_N_COURSE_TYPE
};

enum ml_course_row {
    ML_COURSE_VALUE, /* of a constant */
    ML_COURSE_FROM,
    ML_COURSE_TO,
    ML_COURSE_ONSET,
    ML_COURSE_DURATION,
    ML_COURSE_MEAN,
    ML_COURSE_AMPLITUDE,
    ML_COURSE_FREQUENCY,
    ML_COURSE_PHASE,
    ML_COURSE_SCALE,
    ML_COURSE_ROWS
};

/* Samples of a table, with cubic pieces between them, and where they come from. */
struct ml_knots {
    int64_t n;
    const double *time;       /* [n] s, increasing */
    const double (*cubic)[4]; /* [n - 1] by powers of the time since the piece's first knot, from
                                 the constant on */
    const char *file, *column;
    uint64_t checksum; /* XXH3 (64 bits) of the file */
};

/* A course of one study. */
struct ml_course {
    enum ml_course_type type;
    const struct ml_knots *knots; /* of a table, borrowed */
};

/* Word and meaning of a type, from ML_RAMP_COURSE on; NULL past the last. */
const char *ml_course_word(int type, const char **doc);

/* Row of a course, with the unit and range of its owner where that is what it is. Of a row that the
 * type does not have the name is NULL. */
struct ml_param ml_course_param(const struct ml_param *owner, int type, int row);

/* The same of a row whatever the type. */
struct ml_param ml_course_row_param(const struct ml_param *owner, int row);

#endif
