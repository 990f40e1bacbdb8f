/* The axes of a grid or sample: which quantities move along each, and between which numbers. */
#ifndef ML_DESIGN_AXIS_H
#define ML_DESIGN_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "design/distribution.h"

struct ml_sample_points;

#define ML_SAMPLE_AXIS "sample" /* name of the axis of a sample, after the study's key */

/* One swept quantity of an axis or sample. */
struct ml_swept {
    char *path;       /* as in the study file: "system.segments.lower.mass" */
    const char *unit; /* borrowed from the schema */
    const char *doc;
    int slot;           /* in the values of a run; -1 of the direction of a continuation */
    double *values;     /* [count of the axis]; NULL in a range or if the numbers are drawn */
    const char *column; /* of a file of points; NULL: the numbers are drawn, or none of a sample */
    double low, high;   /* of these */
    double weight;      /* multiplier of the values: 1, or the key's value on an axis of factors */
    int dimension;      /* of a sample: keys of one range share a random number */
    const char *group;  /* of a sample: the name; NULL: the range is a group of its own */
    bool is_factor;     /* of a sample: the distribution is one of factors */
    struct ml_distribution distribution; /* of a sample */
};

/* Meaning of the numbers of an axis. */
enum ml_axis_kind {
    ML_AXIS_SAME,   /* every key takes the number of the axis */
    ML_AXIS_FACTOR, /* every key is multiplied by it */
    ML_AXIS_EACH    /* every key has numbers of its own: the axis has none */
};

/* Order in which runs along an axis start from each other's ends (numerical continuation). */
enum ml_continuation_order {
    ML_CONTINUE_NONE,
    ML_CONTINUE_FORWARD,
    ML_CONTINUE_BACKWARD,
    ML_CONTINUE_BOTH
};

/* One axis of a grid, or the points of a sample. A grid is the product of the axes, the first
 * varies slowest; the points of a sample are its last axis, the same at every point of the others.
 */
struct ml_axis {
    const struct ml_sample_points *sample; /* NULL: values of a grid */
    const char *name;                      /* given, or the path of its only quantity; `sample` */
    int64_t count;
    enum ml_axis_kind kind;
    double from, to; /* of a range, before factors are multiplied */
    bool is_range;   /* spaced between these; else the values were given one by one */
    bool is_log;     /* log-spaced */
    struct ml_distribution distribution; /* of a range of a sample */
    const char *group;                   /* of that; NULL: none */
    struct ml_swept *swept;              /* [n_swept] quantities that move together */
    int n_swept;
    enum ml_continuation_order continuation;
};

/* Whether it is of the ways along the lines of the last axis, and of no key. */
static inline bool ml_axis_is_way(const struct ml_axis *axis)
{
    return axis->n_swept == 1 && axis->swept[0].slot < 0;
}

/* Value k of quantity i of an axis. */
double ml_axis_value(const struct ml_axis *axis, int i, int64_t k);

/* The same at independent standard normal scores in place of a point, of a sample that is drawn.
 *   scores  [ranges of the sample] */
double ml_axis_value_at(const struct ml_axis *axis, int i, const double *scores);

/* Number k of the axis itself, of an axis that has such; its unit and description. */
double ml_axis_number(const struct ml_axis *axis, int64_t k);
const char *ml_axis_unit(const struct ml_axis *axis);
const char *ml_axis_doc(const struct ml_axis *axis);

/* The first key of a range of a sample. */
const char *ml_axis_range_key(const struct ml_axis *sample, int range);

#endif
