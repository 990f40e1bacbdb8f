/* Datasets of a group that are rows of a table. */
#ifndef ML_STORE_RESULT_ROWS_H
#define ML_STORE_RESULT_ROWS_H

#include "store/result.h"

/* A dimension of datasets of a group, by the name of its scale. */
struct ml_result_dim {
    const char *scale;
    int64_t n;
};

/* A dataset of a group, as a row of a table. */
enum { ML_ROW_DIMS = 3 };
struct ml_result_row {
    const char *name;
    hid_t type; /* H5T_NATIVE_* of the file and of the numbers, or H5T_C_S1: a scale of texts */
    const char *unit, *doc;
    int dim[ML_ROW_DIMS]; /* of the group, from 1 on; 0: no further dimension. A dataset with the
                             name of its dimension is the scale */
    const void *values;   /* NULL: 0, 1, .. */
    bool tells_one;       /* as of struct ml_h5_field */
};

/* Writes n rows in their order.
 *   dims  dims[0] = {""} */
void ml_result_write_rows(struct ml_result_file *result, hid_t group,
                          const struct ml_result_dim *dims, int n,
                          const struct ml_result_row *rows);
/* A scale of n numbers without unit, or texts, alone. */
void ml_result_scale(struct ml_result_file *result, hid_t group, const char *name, hid_t type,
                     const char *doc, int64_t n, const void *values);
struct ml_h5_field ml_result_row_field(const struct ml_result_dim *dims,
                                       const struct ml_result_row *row);
#define ML_ROW(name_, type_, unit_, doc_, values_, ...)                                 \
    {                                                                                   \
        .name = name_, .type = type_, .unit = unit_, .doc = doc_, .dim = {__VA_ARGS__}, \
        .values = values_                                                               \
    }
#define ML_RESULT_WRITE_ROWS(result_, group_, dims_, rows_) \
    ml_result_write_rows(result_, group_, dims_, (int)(sizeof(rows_) / sizeof *(rows_)), rows_)

#endif
