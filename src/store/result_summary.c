/* /study/summary: one map per output of the indicators, on the grid or over the sample. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/names.h"
#include "store/result.h"

/* Scale 0, 1, 2, ... of an axis that moves several quantities. */
static void index_scale(struct ml_result *result, hid_t group, const struct ml_axis *axis)
{
    int64_t *values = malloc((size_t)axis->count * sizeof *values);
    if (!values) {
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
        return;
    }
    for (int64_t i = 0; i < axis->count; i++)
        values[i] = i;
    struct ml_h5_field field = {.name = axis->name,
                                .type = H5T_NATIVE_INT64,
                                .unit = "1",
                                .doc = "position along the axis",
                                .is_scale = true};
    ml_result_vector(result, group, field, axis->count, values);
    free(values);
}

/* Viewers draw a log-spaced axis as if it were linear; this one they draw right. It is an ordinary
 * dataset along the axis, not a second scale of it: netCDF takes the last scale attached for the
 * dimension. In long double, the C library's answer does not depend on the instruction set. */
static void log_dataset(struct ml_result *result, hid_t group, const struct ml_axis *axis)
{
    double *values = malloc((size_t)axis->count * sizeof *values);
    char name[ML_NAME_LENGTH], label[2 * ML_NAME_LENGTH];
    if (!values) {
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
        return;
    }
    for (int64_t i = 0; i < axis->count; i++)
        values[i] = (double)log10l((long double)ml_axis_number(axis, i));
    ml_log_name(axis, name);
    (void)snprintf(label, sizeof label, "log10 of %s in %s", axis->name, ml_axis_unit(axis));
    struct ml_h5_field field = {.name = name,
                                .type = H5T_NATIVE_DOUBLE,
                                .unit = "1",
                                .doc = ml_axis_doc(axis),
                                .label = label,
                                .scales = {axis->name}};
    ml_result_vector(result, group, field, axis->count, values);
    free(values);
}

/* Values of quantity k of an axis. */
static void value_dataset(struct ml_result *result, hid_t group, struct ml_h5_field field,
                          const struct ml_axis *axis, int k)
{
    double *values = malloc((size_t)axis->count * sizeof *values);
    if (!values) {
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
        return;
    }
    for (int64_t i = 0; i < axis->count; i++)
        values[i] = ml_axis_value(axis, k, i);
    ml_result_vector(result, group, field, axis->count, values);
    free(values);
}

/* Scale of an axis that has numbers of its own, which its keys follow. */
static void number_scale(struct ml_result *result, hid_t group, const struct ml_axis *axis)
{
    double *values = malloc((size_t)axis->count * sizeof *values);
    if (!values) {
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
        return;
    }
    for (int64_t i = 0; i < axis->count; i++)
        values[i] = ml_axis_number(axis, i);
    struct ml_h5_field field = {.name = axis->name,
                                .type = H5T_NATIVE_DOUBLE,
                                .unit = ml_axis_unit(axis),
                                .doc = ml_axis_doc(axis),
                                .is_scale = true};
    ml_result_vector(result, group, field, axis->count, values);
    free(values);
}

static void begin_axis(struct ml_result *result, hid_t group, const struct ml_axis *axis)
{
    bool is_single = axis->n_swept == 1 && axis->kind == ML_AXIS_SAME;
    if (!is_single)
        (axis->kind == ML_AXIS_EACH ? index_scale : number_scale)(result, group, axis);
    for (int k = 0; k < axis->n_swept; k++) {
        struct ml_h5_field field = {.name = is_single ? axis->name : axis->swept[k].path,
                                    .type = H5T_NATIVE_DOUBLE,
                                    .unit = axis->swept[k].unit,
                                    .doc = axis->swept[k].doc,
                                    .label = axis->swept[k].path,
                                    .is_scale = is_single};
        if (!is_single)
            field.scales[0] = axis->name;
        value_dataset(result, group, field, axis, k);
    }
    if (ml_has_log_name(axis))
        log_dataset(result, group, axis);
}

void ml_result_begin_axes(struct ml_result *result, hid_t group)
{
    const struct ml_layout *layout = result->layout;
    if (ml_layout_is_list(layout)) {
        ml_result_run_scale(result, group, ML_ALL_RUNS);
        ml_result_swept_columns(result, group);
        return;
    }
    for (int k = 0; k < layout->study->n_axis; k++)
        begin_axis(result, group, &layout->study->axes[k]);
}

static hid_t begin_output(struct ml_result *result, hid_t group, int i)
{
    const struct ml_layout *layout = result->layout;
    const struct ml_output *output = &layout->results.outputs[i];
    struct ml_h5_field field = {.name = output->name,
                                .type = H5T_NATIVE_DOUBLE,
                                .unit = output->unit,
                                .doc = output->doc,
                                .extent = ml_layout_output(layout, i)};
    field.chunk = ml_layout_chunk(&field.extent, ML_RESULT_CHUNK);
    for (int k = 0; k < layout->runs.rank; k++)
        field.scales[k] = ml_layout_runs_name(layout, k);
    for (int k = 0, rank = layout->runs.rank; k < ML_MAX_DIM; k++)
        if (output->dim[k] != ML_DIM_NONE) {
            ml_result_dim_scale(result, group, output->dim[k], output,
                                ml_output_size(output, k, layout->study->ensemble.shape.n));
            field.scales[rank++] = ml_layout_dim_name(output->dim[k]);
        }
    return ml_h5_field(&result->h5, group, &field);
}

/* The dataset that is drawn first: a viewer cannot draw a scalar. */
static int signal_output(const struct ml_layout *layout)
{
    for (int i = 0; i < layout->results.n_output; i++)
        if (ml_layout_output(layout, i).rank > 0)
            return i;
    return 0;
}

static const char *axis_of(enum ml_dim dim)
{
    bool is_number = dim == ML_DIM_EXPONENT || dim == ML_DIM_TIME;
    return is_number ? ml_layout_dim_name(dim) : ".";
}

static bool has_shape_of(const struct ml_output *a, const struct ml_output *b)
{
    for (int k = 0; k < ML_MAX_DIM; k++)
        if (a->dim[k] != b->dim[k])
            return false;
    return true;
}

const char *ml_result_axis_name(const struct ml_layout *layout, int k, char log[ML_NAME_LENGTH])
{
    if (!ml_layout_is_list(layout) && ml_has_log_name(&layout->study->axes[k]))
        return ml_log_name(&layout->study->axes[k], log);
    return ml_layout_runs_name(layout, k);
}

/* Axes of the signal. Labels are no numbers, and h5web refuses axes that are not: "." */
static void name_axes(struct ml_result *result, hid_t group, int i_signal)
{
    const struct ml_layout *layout = result->layout;
    int rank = ml_layout_output(layout, i_signal).rank;
    char logs[ML_MAX_RANK][ML_NAME_LENGTH];
    const char *axes[ML_MAX_RANK];
    for (int k = 0; k < rank; k++)
        axes[k] = k < layout->runs.rank
                      ? ml_result_axis_name(layout, k, logs[k])
                      : axis_of(layout->results.outputs[i_signal].dim[k - layout->runs.rank]);
    if (rank > 0)
        ml_h5_texts_attribute(&result->h5, group, "axes", rank, axes);
}

static void name_outputs(struct ml_result *result, hid_t group, int i_signal)
{
    const struct ml_results *results = &result->layout->results;
    const char *all[ML_MAX_OUTPUT], *alike[ML_MAX_OUTPUT];
    int n_alike = 0;
    for (int i = 0; i < results->n_output; i++) {
        all[i] = results->outputs[i].name;
        if (i != i_signal && has_shape_of(&results->outputs[i], &results->outputs[i_signal]))
            alike[n_alike++] = all[i];
    }
    ml_h5_text_attribute(&result->h5, group, "signal", results->outputs[i_signal].name);
    name_axes(result, group, i_signal);
    if (n_alike > 0)
        ml_h5_texts_attribute(&result->h5, group, "auxiliary_signals", n_alike, alike);
    ml_h5_texts_attribute(&result->h5, group, "outputs", results->n_output, all);
}

void ml_result_begin_summary(struct ml_result *result)
{
    const struct ml_layout *layout = result->layout;
    if (layout->results.n_output == 0)
        return;
    hid_t group = ml_h5_group(&result->h5, result->entry, "summary", "NXdata");
    name_outputs(result, group, signal_output(layout));
    ml_result_begin_axes(result, group);
    for (int i = 0; i < layout->results.n_output; i++)
        result->summary[i] = begin_output(result, group, i);
}

void ml_result_add_summary(struct ml_result *result, const struct ml_part *part)
{
    const struct ml_layout *layout = result->layout;
    for (int i = 0; i < layout->results.n_output; i++) {
        unsigned long long rows = (unsigned long long)ml_layout_output_rows(layout, i);
        unsigned long long first =
            (unsigned long long)ml_layout_block_row(layout, part->block) * rows;
        struct ml_extent extent = ml_layout_output(layout, i);
        ml_h5_write_range(&result->h5, result->summary[i], &extent, H5T_NATIVE_DOUBLE, first,
                          (unsigned long long)part->n_run * rows, part->summary[i]);
    }
}
