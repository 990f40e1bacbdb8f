/* The axes of a group whose datasets are shaped on the grid: their scales, with the true values,
 * and what views of them draw. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/values.h"
#include "store/result.h"

/* Columns of an axis that are none of its quantities. */
enum { POSITION = -1, NUMBER = -2, LOGARITHM = -3 };

/* In long double, the C library's logarithm does not depend on the instruction set. */
static double value_of(const struct ml_axis *axis, int column, int64_t i)
{
    switch (column) {
    case POSITION:
        return (double)i;
    case NUMBER:
        return ml_axis_number(axis, i);
    case LOGARITHM:
        return (double)log10l((long double)ml_axis_number(axis, i));
    default:
        return ml_axis_value(axis, column, i);
    }
}

/* A dataset [count] of a column. */
static void write_column(struct ml_result_file *result, hid_t group, struct ml_h5_field field,
                         const struct ml_axis *axis, int column)
{
    double *values = malloc((size_t)axis->count * sizeof *values);
    if (!values) {
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
        return;
    }
    for (int64_t i = 0; i < axis->count; i++)
        values[i] = value_of(axis, column, i);
    field.type = H5T_NATIVE_DOUBLE;
    ml_result_vector(result, group, field, axis->count, values);
    free(values);
}

/* Scale 0, 1, 2, ... of an axis that moves several quantities. */
static void index_scale(struct ml_result_file *result, hid_t group, const struct ml_axis *axis,
                        enum ml_drawn kind)
{
    char label[ML_DRAWN_LABEL];
    int64_t *values = malloc((size_t)axis->count * sizeof *values);
    if (!values) {
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
        return;
    }
    for (int64_t i = 0; i < axis->count; i++)
        values[i] = i;
    ml_drawn_tell(axis, label);
    struct ml_h5_field field = {.name = axis->name,
                                .type = H5T_NATIVE_INT64,
                                .unit = "1",
                                .doc = "position along the axis",
                                .label = kind == ML_DRAWN_SCALE ? label : NULL,
                                .is_scale = true};
    ml_result_vector(result, group, field, axis->count, values);
    free(values);
}

/* Scale of an axis that has numbers of its own, which its keys follow. */
static void number_scale(struct ml_result_file *result, hid_t group, const struct ml_axis *axis)
{
    const struct ml_h5_field field = {
        .name = axis->name, .unit = ml_axis_unit(axis), .doc = ml_axis_doc(axis), .is_scale = true};
    write_column(result, group, field, axis, NUMBER);
}

static bool is_single(const struct ml_axis *axis)
{
    return axis->n_swept == 1 && axis->kind == ML_AXIS_SAME;
}

/* Values of quantity k of an axis: its scale, or beside that of several. */
static void value_dataset(struct ml_result_file *result, hid_t group, const struct ml_axis *axis,
                          int k)
{
    const struct ml_swept *swept = &axis->swept[k];
    const bool is_scale = is_single(axis);
    char doc[4 * ML_NAME_LENGTH];
    (void)snprintf(doc, sizeof doc, "%s: %s", swept->path, swept->doc);
    struct ml_h5_field field = {
        .name = is_scale ? axis->name : swept->path,
        .unit = swept->unit,
        .doc = is_scale && strcmp(axis->name, swept->path) != 0 ? doc : swept->doc,
        .is_scale = is_scale};
    if (!is_scale)
        field.scales[0] = axis->name;
    write_column(result, group, field, axis, k);
}

static void begin_axis(struct ml_result_file *result, hid_t group, int k)
{
    const struct ml_layout *layout = result->layout;
    const struct ml_axis *axis = &layout->study->axes[k];
    const enum ml_drawn kind = ml_drawn_kind(axis, ml_drawn_summary(layout));
    if (axis->kind == ML_AXIS_EACH)
        index_scale(result, group, axis, kind);
    else if (!is_single(axis))
        number_scale(result, group, axis);
    for (int i = 0; i < axis->n_swept; i++)
        value_dataset(result, group, axis, i);
}

void ml_result_begin_axes(struct ml_result_file *result, hid_t group)
{
    const struct ml_layout *layout = result->layout;
    if (ml_layout_is_list(layout)) {
        ml_result_run_scale(result, group, ML_ALL_RUNS);
        ml_result_swept_columns(result, group);
        return;
    }
    for (int k = 0; k < layout->study->n_axis; k++)
        begin_axis(result, group, k);
}

/* It is an ordinary dataset along the axis, not a second scale of it: netCDF takes the last scale
 * attached for the dimension. */
static void draw_axis(struct ml_result_file *result, hid_t data, hid_t plots, int k, bool has_unit,
                      bool tells_one)
{
    const struct ml_axis *axis = &result->layout->study->axes[k];
    const enum ml_drawn kind = ml_drawn_kind(axis, ml_drawn_summary(result->layout));
    const bool is_each = axis->kind == ML_AXIS_EACH;
    char name[ML_NAME_LENGTH], label[ML_DRAWN_LABEL];
    (void)snprintf(name, sizeof name, ML_VIEW_AXIS_PREFIX "%s", axis->name);
    ml_drawn_label(axis, kind, label);
    const struct ml_h5_field field = {.name = name,
                                      .unit = has_unit ? ml_drawn_unit(axis, kind) : NULL,
                                      .tells_one = tells_one,
                                      .doc = is_each ? axis->swept[0].doc : ml_axis_doc(axis),
                                      .label = label,
                                      .scales = {axis->name},
                                      .scales_at = data};
    const bool is_position = kind == ML_DRAWN_INDEX || (is_each && kind == ML_DRAWN_SCALE);
    write_column(result, plots, field, axis,
                 kind == ML_DRAWN_LOG ? LOGARITHM
                 : is_position        ? POSITION
                 : is_each            ? 0
                                      : NUMBER);
}

void ml_result_draw_axes(struct ml_result_file *result, hid_t data, hid_t plots)
{
    const struct ml_axis *axes = result->layout->study->axes;
    int kept[ML_MAX_AXES];
    const int n = ml_drawn_axes(result->layout, kept);
    const bool is_apart = n > 1 && ml_drawn_stands_apart(&axes[kept[n - 2]], &axes[kept[n - 1]]);
    for (int i = 0; i < n; i++)
        draw_axis(result, data, plots, kept[i], !is_apart || i < n - 1, is_apart && i == n - 2);
}
