/* Datasets of a result as their rows describe them. */
#include <stdio.h>
#include <string.h>

#include "store/result.h"
#include "store/settled.h"

static const int8_t flag_values[] = {
#define X(code, value, name, text) value,
    ML_OUTCOME_LIST(X)
#undef X
};

#define X(code, value, name, text) " " name
static const char flag_meanings[] = ML_OUTCOME_LIST(X); /* starts with a space */
#undef X

#define X(code, value, name, text) "; " name ": " text
static const char outcome_doc[] = "how the run ended" ML_OUTCOME_LIST(X);
#undef X

/* HDF5's type in the file, or of numbers in memory. */
static hid_t type_of(enum ml_dataset_type type, bool is_in_memory)
{
    switch (type) {
    case ML_DATA_FLOAT:
        return H5T_NATIVE_FLOAT;
    case ML_DATA_COUNT:
        return is_in_memory ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
    case ML_DATA_INTEGER:
        return H5T_NATIVE_INT64;
    case ML_DATA_BYTE:
    case ML_DATA_OUTCOME:
        return H5T_NATIVE_INT8;
    case ML_DATA_HASH:
        return H5T_NATIVE_UINT64;
    default:
        return H5T_NATIVE_DOUBLE;
    }
}

static const struct ml_result_dim *dim_find(const struct ml_result_dim *dims, int scale)
{
    while (dims && dims->scale != ML_DATA_NONE && (int)dims->scale != scale)
        dims++;
    return dims && dims->scale != ML_DATA_NONE ? dims : NULL;
}

static void along_axes(const struct ml_layout *layout, struct ml_h5_field *field)
{
    for (int k = 0; k < layout->study->spec.runs.n_axis; k++) {
        const struct ml_axis *axis = &layout->study->spec.runs.axes[k];
        if (!ml_settled_is_start(axis))
            ml_h5_along(field, axis->name, axis->count);
    }
}

static void along(const struct ml_layout *layout, const struct ml_result_dim *dims, int scale,
                  const struct ml_result_item *item, struct ml_h5_field *field)
{
    const struct ml_result_dim *dim = dim_find(dims, scale);
    if (dim)
        ml_h5_along(field,
                    field->is_scale ? NULL
                    : dim->name     ? dim->name
                                    : ml_dataset_name(dim->scale),
                    dim->n);
    else if (scale == ML_ALONG_GRID)
        ml_result_along_grid(layout, field);
    else if (scale == ML_ALONG_AXES)
        along_axes(layout, field);
    else if (scale == ML_ALONG_OWN && item)
        ml_result_along_dims(layout, field, item->dim, item->output);
    for (int k = 0; k < layout->runs.rank && scale == ML_ALONG_RUNS; k++)
        ml_h5_along(field, ml_layout_runs_name(layout, k), (int64_t)layout->runs.size[k]);
}

struct ml_h5_field ml_result_field(const struct ml_layout *layout, const struct ml_result_dim *dims,
                                   enum ml_dataset dataset, const struct ml_result_item *item)
{
    const struct ml_dataset_row *row = ml_dataset(dataset);
    const char *unit = !row->unit && item ? item->unit : row->unit;
    struct ml_h5_field field = {.name = item ? item->name : ml_dataset_name(dataset),
                                .type = type_of(row->type, false),
                                .unit = unit && !*unit ? "1" : unit,
                                .tells_one = row->unit && *row->unit == '1',
                                .doc = row->doc ? row->doc
                                       : item   ? item->doc
                                                : NULL,
                                .is_scale = ml_dataset_is_scale(dataset)};
    if (row->type == ML_DATA_OUTCOME) {
        field.doc = outcome_doc;
        field.n_flag = ML_N_OUTCOME;
        field.flag_values = flag_values;
        field.flag_meanings = flag_meanings + 1;
    }
    for (int k = 0; k < ML_DATASET_DIMS && row->dims[k] != ML_DATA_NONE; k++)
        along(layout, dims, row->dims[k], item, &field);
    return field;
}

hid_t ml_result_begin_group(struct ml_result_file *result, hid_t above, enum ml_dataset dataset)
{
    char group[ML_NAME_LENGTH];
    (void)snprintf(group, sizeof group, "%.*s", ml_dataset_group(dataset),
                   ml_dataset(dataset)->path);
    const char *slash = strrchr(group, '/');
    return ml_h5_group(&result->h5, above, slash ? slash + 1 : group, "NXcollection");
}

/* Numbers 0, 1, .. of a scale. */
static const int64_t *count_up(struct ml_result_file *result, int64_t n)
{
    int64_t *index = ml_pool_take(&result->pool, (size_t)n, sizeof *index);
    ml_h5_need(&result->h5, index);
    for (int64_t i = 0; index && i < n; i++)
        index[i] = i;
    return index;
}

bool ml_result_has_scale(const struct ml_result_file *result, hid_t group, enum ml_dataset scale)
{
    return group == result->scaled && result->scales[scale];
}

static void note_scale(struct ml_result_file *result, hid_t group, enum ml_dataset scale)
{
    if (group != result->scaled)
        memset(result->scales, 0, sizeof result->scales);
    result->scaled = group;
    result->scales[ml_dataset(scale)->dims[0]] = true;
}

void ml_result_write_dataset(const struct ml_result_group *group, enum ml_dataset dataset,
                             const struct ml_result_item *item, const void *values)
{
    struct ml_result_file *result = group->result;
    const struct ml_h5_field field = ml_result_field(result->layout, group->dims, dataset, item);
    const enum ml_dataset_type type = ml_dataset(dataset)->type;
    const int64_t n = (int64_t)field.extent.size[0];
    const bool is_counted = field.is_scale && !values;
    const void *written = is_counted ? count_up(result, n) : values;
    if (field.is_scale)
        note_scale(result, group->id, dataset);
    if (type == ML_DATA_TEXT)
        ml_h5_text_scale(&result->h5, group->id, field.name, field.doc, (int)n, values);
    else
        ml_h5_dataset(&result->h5, group->id, &field,
                      is_counted ? H5T_NATIVE_INT64 : type_of(type, true), written);
}

void ml_result_write_scales(const struct ml_result_group *group, enum ml_dataset dataset)
{
    const int *dims = ml_dataset(dataset)->dims;
    for (int k = 0; k < ML_DATASET_DIMS && dims[k] != ML_DATA_NONE; k++) {
        const struct ml_result_dim *dim = dim_find(group->dims, dims[k]);
        const struct ml_result_item item = {.name = dim ? dim->name : NULL};
        if (dim && (dim->name || !ml_result_has_scale(group->result, group->id, dim->scale)))
            ml_result_write_dataset(group, dim->scale, item.name ? &item : NULL, dim->values);
    }
}

void ml_result_write_scale(struct ml_result_file *result, hid_t group, enum ml_dataset scale,
                           int64_t n, const void *values)
{
    const struct ml_result_dim dims[] = {
        {.scale = (enum ml_dataset)ml_dataset(scale)->dims[0], .n = n}, {ML_DATA_NONE}};
    ml_result_write_dataset(&(struct ml_result_group){result, group, dims}, scale, NULL, values);
}
