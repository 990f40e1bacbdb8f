/* One row per number a user can give: drives reading, range check, `list`, the JSON Schema,
 * the HDF5 attributes and the docs. Nothing else names a parameter. */
#ifndef ML_BASE_PARAM_H
#define ML_BASE_PARAM_H

#include <stdbool.h>

enum ml_param_flag {
    ML_REQUIRED = 1,    /* no default: the study must give it */
    ML_DERIVED = 2,     /* absent means NaN: derived by `rule`; without one the owner derives it, or
                           does     without */
    ML_OPEN_LOW = 4,    /* value > low rather than value >= low */
    ML_WHOLE = 8,       /* an integer */
    ML_OR_ALL = 16,     /* or the word `all`, which is NaN: as many as there are */
    ML_OF_START = 32,   /* of a system: its key is below `initial`, absent it has no effect */
    ML_FRICTION = 8192, /* of a system: it is x'' = F(x, t) only where this is 0 */
    ML_DRIVE = 16384,   /* of a system: it keeps its energy only where this is 0 */
    ML_VECTOR = 64,     /* [x, y] of its components NAME.x and NAME.y, and no number itself */
    ML_OF_BODY = 128,   /* of a segment, ML_DERIVED: required of one that is no part of a body */
    ML_MATRIX = 256,    /* of an array: a number for each pair of n; else for each of n */
    ML_SYMMETRIC = 512, /* of a matrix: those of a pair in either order are one number */
    /* of a force: */
    ML_SIGNAL = 1024,    /* or a map: how it changes over time, as of model/forces/signal.h */
    ML_BY_JOINT = 2048,  /* one for each joint: one for all, a list, or a map by their names */
    ML_OF_SIGNAL = 4096, /* a number of a signal */
    ML_LIMIT = 32768,    /* `limit`, or one of its two ends, of an actuator */
    ML_UNTOLD = 65536,   /* ML_DERIVED: absent it is not in a resolved text either, as in that of
                            results made before it */
};

/* Values that are possible but seldom meant: those below low or above high. */
struct ml_plausible_range {
    double low, high;
    const char *cause; /* what may have been meant: ends a sentence "... is -1 m; " */
};

struct ml_param {
    const char *name;
    const char *unit; /* SI, "1" if dimensionless */
    double default_value, low, high;
    unsigned flags; /* enum ml_param_flag */
    const char *doc;
    const char *group; /* map in the study file that it belongs to; NULL: that of its owner. Those
                          of a group are neighbours */
    const struct ml_plausible_range *doubt; /* NULL: no value in its range is */
    const char *rule; /* how the default follows from other numbers, which `doc` says too; NULL: no
                         such rule */
};

/* Description and rule of a number that has a default by rule. */
#define ML_DOC_BY_RULE(text, how) .doc = text " (default: " how ")", .rule = (how)

static inline bool ml_param_is_of_start(const struct ml_param *param)
{
    return param->flags & ML_OF_START;
}

#endif
