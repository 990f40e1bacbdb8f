/* The axes of a group whose datasets are shaped on the grid: their scales, with the true values,
 * and beside them what viewers draw where that is something else. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                        enum ml_drawn kind, bool tells_one)
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
                                .tells_one = tells_one,
                                .doc = "position along the axis",
                                .label = kind == ML_DRAWN_SCALE ? label : NULL,
                                .is_scale = true};
    ml_result_vector(result, group, field, axis->count, values);
    free(values);
}

/* Scale of an axis that has numbers of its own, which its keys follow. */
static void number_scale(struct ml_result_file *result, hid_t group, const struct ml_axis *axis,
                         bool tells_one)
{
    const struct ml_h5_field field = {.name = axis->name,
                                      .unit = ml_axis_unit(axis),
                                      .tells_one = tells_one,
                                      .doc = ml_axis_doc(axis),
                                      .is_scale = true};
    write_column(result, group, field, axis, NUMBER);
}

static bool is_single(const struct ml_axis *axis)
{
    return axis->n_swept == 1 && axis->kind == ML_AXIS_SAME;
}

/* Values of quantity k of an axis: its scale, or beside that of several. */
static void value_dataset(struct ml_result_file *result, hid_t group, const struct ml_axis *axis,
                          int k, bool tells_one)
{
    const struct ml_swept *swept = &axis->swept[k];
    const bool is_scale = is_single(axis);
    char doc[4 * ML_NAME_LENGTH];
    (void)snprintf(doc, sizeof doc, "%s: %s", swept->path, swept->doc);
    struct ml_h5_field field = {
        .name = is_scale ? axis->name : swept->path,
        .unit = swept->unit,
        .tells_one = tells_one,
        .doc = is_scale && strcmp(axis->name, swept->path) != 0 ? doc : swept->doc,
        .is_scale = is_scale};
    if (!is_scale)
        field.scales[0] = axis->name;
    write_column(result, group, field, axis, k);
}

/* What is drawn instead of the scale. It is an ordinary dataset along the axis, not a second scale
 * of it: netCDF takes the last scale attached for the dimension. */
static void drawn_dataset(struct ml_result_file *result, hid_t group, int k, enum ml_drawn_use use,
                          bool tells_one)
{
    const struct ml_axis *axis = &result->layout->study->axes[k];
    const enum ml_drawn kind = ml_drawn_kind(axis, use);
    char name[ML_NAME_LENGTH], label[ML_DRAWN_LABEL];
    struct ml_h5_field field = {.name = ml_drawn_name(result->layout, k, use, name),
                                .unit = "1",
                                .tells_one = tells_one,
                                .doc = axis->kind == ML_AXIS_EACH ? axis->swept[0].doc
                                                                  : ml_axis_doc(axis),
                                .label = label,
                                .scales = {axis->name}};
    const bool is_each = axis->kind == ML_AXIS_EACH;
    const char *unit = is_each ? axis->swept[0].unit : ml_axis_unit(axis);
    const bool has_unit = strcmp(unit, "1") != 0;
    if (kind == ML_DRAWN_LOG)
        (void)snprintf(label, sizeof label, "log10 of %s%s%s", axis->name, has_unit ? " in " : "",
                       has_unit ? unit : "");
    else if (kind == ML_DRAWN_INDEX)
        ml_drawn_tell(axis, label);
    else
        (void)snprintf(label, sizeof label, "%s%s%s (%s)", axis->name, is_each ? ": " : "",
                       is_each ? axis->swept[0].path : "", unit);
    write_column(result, group, field, axis,
                 kind == ML_DRAWN_LOG     ? LOGARITHM
                 : kind == ML_DRAWN_INDEX ? POSITION
                 : is_each                ? 0
                                          : NUMBER);
}

static bool is_copy(const struct ml_layout *layout, int k, enum ml_drawn_use use)
{
    const enum ml_drawn kind = ml_drawn_kind(&layout->study->axes[k], use);
    return kind == ML_DRAWN_LOG || kind == ML_DRAWN_INDEX ||
           (use == ML_DRAWN_MAP && ml_drawn_has_copy(layout, k));
}

static void begin_axis(struct ml_result_file *result, hid_t group, int k, enum ml_drawn_use use)
{
    const struct ml_layout *layout = result->layout;
    const struct ml_axis *axis = &layout->study->axes[k];
    const enum ml_drawn kind = ml_drawn_kind(axis, use);
    const bool tells_one =
        use == ML_DRAWN_MAP && k == layout->runs.rank - 2 && ml_drawn_stands_apart(layout);
    if (axis->kind == ML_AXIS_EACH)
        index_scale(result, group, axis, kind, tells_one && kind == ML_DRAWN_SCALE);
    else if (!is_single(axis))
        number_scale(result, group, axis, tells_one);
    for (int i = 0; i < axis->n_swept; i++)
        value_dataset(result, group, axis, i,
                      tells_one && i == 0 && (is_single(axis) || kind == ML_DRAWN_MEMBER));
    if (is_copy(layout, k, use))
        drawn_dataset(result, group, k, use, tells_one);
}

void ml_result_begin_axes(struct ml_result_file *result, hid_t group, enum ml_drawn_use use)
{
    const struct ml_layout *layout = result->layout;
    if (ml_layout_is_list(layout)) {
        ml_result_run_scale(result, group, ML_ALL_RUNS);
        ml_result_swept_columns(result, group);
        return;
    }
    for (int k = 0; k < layout->study->n_axis; k++)
        begin_axis(result, group, k, use);
}

const char *ml_result_axis_name(const struct ml_layout *layout, int k, enum ml_drawn_use use,
                                char name[ML_NAME_LENGTH])
{
    return ml_layout_is_list(layout) ? ml_layout_runs_name(layout, k)
                                     : ml_drawn_name(layout, k, use, name);
}

int ml_result_drawn_names(const struct ml_layout *layout, enum ml_drawn_use use,
                          char names[][ML_NAME_LENGTH])
{
    int n = 0;
    for (int k = 0; k < layout->study->n_axis && !ml_layout_is_list(layout); k++)
        if (is_copy(layout, k, use))
            (void)ml_drawn_name(layout, k, use, names[n++]);
    return n;
}
