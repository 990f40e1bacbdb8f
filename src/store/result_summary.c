/* /study/summary: one map per output of the indicators, on the grid or over the sample. */
#include <stdlib.h>

#include "store/result.h"
#include "store/result_h5.h"

static hid_t begin_output(struct ml_result_file *result, hid_t group, int i)
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

static const char *axis_of(enum ml_dim dim)
{
    bool is_number = dim == ML_DIM_EXPONENT || dim == ML_DIM_TIME || dim == ML_DIM_CROSSING;
    return is_number ? ml_layout_dim_name(dim) : ".";
}

/* Axes of what is shown. Labels are no numbers, and h5web refuses axes that are not: ".". Two axes
 * of the runs of a list make a scatter plot of it, over the first swept quantity. */
static void name_axes(struct ml_result_file *result, hid_t group, struct ml_shown shown)
{
    const struct ml_layout *layout = result->layout;
    const struct ml_output *output = &layout->results.outputs[shown.output];
    char names[ML_MAX_RANK][ML_NAME_LENGTH];
    const char *axes[ML_MAX_RANK];
    int rank = 0;
    for (; rank < layout->runs.rank; rank++)
        axes[rank] = ml_result_axis_name(layout, rank, ml_drawn_summary(layout), names[rank]);
    if (ml_layout_is_list(layout) && ml_layout_swept(layout) > 0) {
        axes[0] = layout->study->axes[0].swept[0].path;
        axes[rank++] = ml_shown_name(layout, shown, names[0]);
    }
    for (int k = 0; shown.row < 0 && k < ML_MAX_DIM && output->dim[k] != ML_DIM_NONE; k++)
        axes[rank++] = axis_of(output->dim[k]);
    if (rank > 0)
        ml_h5_texts_attribute(&result->h5, group, "axes", rank, axes);
}

static void name_copies(struct ml_result_file *result, hid_t group, struct ml_shown shown)
{
    const struct ml_layout *layout = result->layout;
    char names[ML_MAX_AXES + 2][ML_NAME_LENGTH];
    const char *all[ML_MAX_AXES + 2];
    int n = ml_result_drawn_names(layout, ml_drawn_summary(layout), names);
    if (shown.row >= 0)
        (void)ml_shown_name(layout, shown, names[n++]);
    if (ml_shown_error(layout, shown) >= 0)
        ml_shown_error_name(layout, shown, names[n++]);
    for (int i = 0; i < n; i++)
        all[i] = names[i];
    if (n > 0)
        ml_h5_texts_attribute(&result->h5, group, ML_COPIES_ATTRIBUTE, n, all);
}

static void name_outputs(struct ml_result_file *result, hid_t group, struct ml_shown shown)
{
    const struct ml_layout *layout = result->layout;
    const struct ml_results *results = &layout->results;
    const char *all[ML_MAX_OUTPUT], *more[ML_MAX_OUTPUT];
    char name[ML_NAME_LENGTH];
    int n_more = 0;
    for (int i = 0; i < results->n_output; i++) {
        all[i] = results->outputs[i].name;
        if (ml_shown_goes_with(layout, shown, i))
            more[n_more++] = all[i];
    }
    const char *signal = ml_shown_name(layout, shown, name);
    ml_h5_text_attribute(&result->h5, group, "signal", signal);
    name_axes(result, group, shown);
    if (n_more > 0)
        ml_h5_texts_attribute(&result->h5, group, "auxiliary_signals", n_more, more);
    ml_h5_texts_attribute(&result->h5, group, "outputs", results->n_output, all);
    name_copies(result, group, shown);
    ml_result_caption(result, group, signal, results->outputs[shown.output].unit);
}

/* A dataset of one number of every run that an output has among others. */
static hid_t begin_copy(struct ml_result_file *result, hid_t group, int output, const char *name)
{
    const struct ml_layout *layout = result->layout;
    struct ml_h5_field field = {.name = name,
                                .type = H5T_NATIVE_DOUBLE,
                                .unit = layout->results.outputs[output].unit,
                                .doc = layout->results.outputs[output].doc,
                                .extent = layout->runs};
    field.chunk = ml_layout_chunk(&field.extent, ML_RESULT_CHUNK);
    for (int k = 0; k < layout->runs.rank; k++)
        field.scales[k] = ml_layout_runs_name(layout, k);
    return ml_h5_field(&result->h5, group, &field);
}

static void begin_copies(struct ml_result_file *result, hid_t group, struct ml_shown shown)
{
    char name[ML_NAME_LENGTH];
    const int error = ml_shown_error(result->layout, shown);
    result->shown = result->error = -1;
    if (shown.row >= 0)
        result->shown =
            begin_copy(result, group, shown.output, ml_shown_name(result->layout, shown, name));
    if (error >= 0) {
        ml_shown_error_name(result->layout, shown, name);
        result->error = begin_copy(result, group, error, name);
    }
}

void ml_result_begin_summary(struct ml_result_file *result)
{
    const struct ml_layout *layout = result->layout;
    if (layout->results.n_output == 0)
        return;
    const struct ml_shown shown = ml_shown_first(layout);
    hid_t group = ml_h5_group(&result->h5, result->entry, "summary", "NXdata");
    name_outputs(result, group, shown);
    ml_result_begin_axes(result, group, ml_drawn_summary(layout));
    for (int i = 0; i < layout->results.n_output; i++)
        result->summary[i] = begin_output(result, group, i);
    begin_copies(result, group, shown);
}

/* One of the numbers that an output has of every run. */
static void add_copy(struct ml_result_file *result, const struct ml_part *part, hid_t copy,
                     int output, int row)
{
    const struct ml_layout *layout = result->layout;
    const int64_t n = part->n_run, rows = ml_layout_output_rows(layout, output);
    double *values = malloc((size_t)n * sizeof *values);
    if (!values) {
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
        return;
    }
    for (int64_t i = 0; i < n; i++)
        values[i] = part->summary[output][i * rows + row];
    ml_h5_write_range(&result->h5, copy, &layout->runs, H5T_NATIVE_DOUBLE,
                      (unsigned long long)ml_layout_block_row(layout, part->block),
                      (unsigned long long)n, values);
    free(values);
}

void ml_result_add_summary(struct ml_result_file *result, const struct ml_part *part)
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
    if (layout->results.n_output == 0)
        return;
    const struct ml_shown shown = ml_shown_first(layout);
    if (shown.row >= 0)
        add_copy(result, part, result->shown, shown.output, shown.row);
    if (ml_shown_error(layout, shown) >= 0)
        add_copy(result, part, result->error, ml_shown_error(layout, shown), 0);
}
