/* Datasets of a group that are rows of a table: names, types, units, descriptions, dimensions and
 * numbers. */
#include "store/result_rows.h"

#include <string.h>

struct ml_h5_field ml_result_row_field(const struct ml_result_dim *dims,
                                       const struct ml_result_row *row)
{
    struct ml_h5_field field = {.name = row->name,
                                .type = row->type,
                                .unit = row->unit,
                                .doc = row->doc,
                                .is_scale = strcmp(row->name, dims[row->dim[0]].scale) == 0,
                                .tells_one = row->tells_one};
    for (int k = 0; k < ML_ROW_DIMS && row->dim[k] > 0; k++)
        ml_h5_along(&field, field.is_scale ? NULL : dims[row->dim[k]].scale, dims[row->dim[k]].n);
    return field;
}

static void row_write(struct ml_result_file *result, hid_t group, const struct ml_result_dim *dims,
                      const struct ml_result_row *row)
{
    const int64_t n = dims[row->dim[0]].n;
    int64_t *index = row->values ? NULL : ml_pool_take(&result->pool, (size_t)n, sizeof *index);
    const struct ml_h5_field field = ml_result_row_field(dims, row);
    ml_h5_need(&result->h5, row->values || index);
    for (int64_t i = 0; index && i < n; i++)
        index[i] = i;
    if (row->type == H5T_C_S1)
        ml_h5_text_scale(&result->h5, group, row->name, row->doc, (int)n, row->values);
    else
        ml_h5_dataset(&result->h5, group, &field, index ? H5T_NATIVE_INT64 : row->type,
                      index ? index : row->values);
}

void ml_result_write_rows(struct ml_result_file *result, hid_t group,
                          const struct ml_result_dim *dims, int n, const struct ml_result_row *rows)
{
    for (int i = 0; i < n && result->h5.status == ML_OK; i++)
        row_write(result, group, dims, &rows[i]);
}

void ml_result_scale(struct ml_result_file *result, hid_t group, const char *name, hid_t type,
                     const char *doc, int64_t n, const void *values)
{
    const struct ml_result_dim dims[] = {{""}, {name, n}};
    const struct ml_result_row row = ML_ROW(name, type, "1", doc, values, 1);
    ml_result_write_rows(result, group, dims, 1, &row);
}
