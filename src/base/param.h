/* One row per number a user can give: drives reading, range check, `list`, the JSON Schema,
 * the HDF5 attributes and the docs. Nothing else names a parameter. */
#ifndef ML_BASE_PARAM_H
#define ML_BASE_PARAM_H

enum ml_param_flag {
    ML_REQUIRED = 1, /* no preset: the study must give it */
    ML_DERIVED = 2,  /* absent means NaN: the owner derives it as `doc` says */
    ML_OPEN_LOW = 4, /* value > low rather than value >= low */
};

struct ml_param {
    const char *name;
    const char *unit; /* SI, "1" if dimensionless */
    double preset, low, high;
    unsigned flags; /* enum ml_param_flag */
    const char *doc;
};

#endif
