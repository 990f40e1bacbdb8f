/* /study/summary: one map per output of the indicators, on the grid or over the sample. */
#include <stdlib.h>
#include <string.h>

#include "store/result.h"
#include "store/result_h5.h"

/* First times and numbers of events: NaN, or the same few, for many runs, as other outputs are not.
 * Labels are written again in the end. */
static bool is_sparse(const struct ml_layout *layout, int i)
{
    const struct ml_ensemble *e = &layout->study->ensemble;
    const struct ml_output *output = &layout->results.outputs[i];
    struct ml_output unused;
    int first = layout->results.n_output;
    for (int k = 0; k < e->n_event; k++)
        for (int o = 0; ml_event_output(&e->events[k], o, &unused); o++)
            first--;
    return i >= first && output->dim[0] == ML_DIM_NONE &&
           !ml_event_is_label(e->n_event, e->events, output->name);
}

struct ml_h5_field ml_result_output_field(const struct ml_layout *layout, int i)
{
    const struct ml_output *output = &layout->results.outputs[i];
    struct ml_h5_field field = {.name = output->name,
                                .type = H5T_NATIVE_DOUBLE,
                                .unit = output->unit,
                                .doc = output->doc,
                                .extent = ml_layout_output(layout, i)};
    int rank = 0;
    for (; rank < layout->runs.rank; rank++)
        field.scales[rank] = ml_layout_runs_name(layout, rank);
    for (int k = 0; k < ML_MAX_DIM; k++)
        if (output->dim[k] != ML_DIM_NONE)
            field.scales[rank++] = ml_layout_dim_name(output->dim[k]);
    field.chunk = ml_layout_chunk(&field.extent, ML_RESULT_CHUNK);
    field.is_compressed = field.extent.rank > 0 && is_sparse(layout, i);
    return field;
}

static hid_t begin_output(struct ml_result_file *result, hid_t group, int i)
{
    const struct ml_layout *layout = result->layout;
    const struct ml_output *output = &layout->results.outputs[i];
    const struct ml_h5_field field = ml_result_output_field(layout, i);
    for (int k = 0; k < ML_MAX_DIM; k++)
        ml_result_dim_scale(result, group, output->dim[k], output,
                            output->dim[k] == ML_DIM_NONE
                                ? 0
                                : ml_output_size(output, k, layout->study->ensemble.shape.n));
    return ml_h5_field(&result->h5, group, &field);
}

static void name_outputs(struct ml_result_file *result, hid_t group)
{
    const struct ml_results *results = &result->layout->results;
    const char *all[ML_MAX_OUTPUT];
    for (int i = 0; i < results->n_output; i++)
        all[i] = results->outputs[i].name;
    ml_h5_texts_attribute(&result->h5, group, "outputs", results->n_output, all);
}

/* What programs take along with the data of a group, by the name that CF gives it: values of what
 * is swept that are no scales. Such a list has spaces between names, so none may be in a name. */
static void name_coordinates(struct ml_result_file *result, hid_t dataset)
{
    const struct ml_layout *layout = result->layout;
    struct ml_pool pool = {0};
    const char *list = "";
    for (int i = 0; i < layout->study->n_axis; i++) {
        const struct ml_axis *axis = &layout->study->axes[i];
        const bool is_own = axis->n_swept == 1 && axis->kind == ML_AXIS_SAME;
        if (is_own && !ml_layout_is_list(layout))
            continue;
        for (int k = 0; k < axis->n_swept && list; k++)
            if (!strchr(axis->swept[k].path, ' '))
                list = ml_pool_format(&pool, "%s%s%s", list, *list ? " " : "", axis->swept[k].path);
    }
    if (!list)
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
    else if (*list)
        ml_h5_text_attribute(&result->h5, dataset, "coordinates", list);
    ml_pool_free(&pool);
}

/* A dataset shaped on the runs that is no output. */
static hid_t begin_extra(struct ml_result_file *result, hid_t group, struct ml_h5_field field)
{
    const struct ml_layout *layout = result->layout;
    field.extent = layout->runs;
    field.chunk = ml_layout_chunk(&field.extent, ML_RESULT_CHUNK);
    field.is_compressed = field.extent.rank > 0;
    for (int k = 0; k < layout->runs.rank; k++)
        field.scales[k] = ml_layout_runs_name(layout, k);
    return ml_h5_field(&result->h5, group, &field);
}

static void begin_wrapped(struct ml_result_file *result, hid_t group, const char *name)
{
    const struct ml_h5_field field = {
        .name = name,
        .type = H5T_NATIVE_FLOAT,
        .unit = "rad",
        .doc = "the end angle of the last segment, turned into -pi .. pi and rounded to 2^-12 rad: "
               "to be drawn as a map"};
    result->wrapped = begin_extra(result, group, field);
}

/* What repeats other data of the file: outcomes on the grid, and the wrapped angle. */
static void begin_copies(struct ml_result_file *result, hid_t group)
{
    const struct ml_layout *layout = result->layout;
    char wrapped[ML_NAME_LENGTH];
    const char *names[2];
    int n = 0;
    if (!ml_layout_is_list(layout) && layout->runs.rank > 0) {
        result->outcome_grid = begin_extra(result, group, ml_result_outcome_field());
        ml_result_describe_outcome(result, result->outcome_grid);
        name_coordinates(result, result->outcome_grid);
        names[n++] = "outcome";
    }
    if (ml_shown_wrapped(layout) >= 0) {
        names[n] = ml_shown_wrapped_name(layout, wrapped);
        begin_wrapped(result, group, names[n++]);
    }
    if (n > 0)
        ml_h5_texts_attribute(&result->h5, group, ML_COPIES_ATTRIBUTE, n, names);
}

void ml_result_begin_summary(struct ml_result_file *result)
{
    const struct ml_layout *layout = result->layout;
    result->outcome_grid = result->wrapped = -1;
    if (layout->results.n_output == 0)
        return;
    hid_t group = ml_h5_group(&result->h5, result->entry, "summary", "NXcollection");
    name_outputs(result, group);
    ml_result_begin_axes(result, group);
    for (int i = 0; i < layout->results.n_output; i++) {
        result->summary[i] = begin_output(result, group, i);
        name_coordinates(result, result->summary[i]);
    }
    if (!result->is_in_memory)
        begin_copies(result, group);
}

/* Angles of one row of an output. */
static void add_wrapped(struct ml_result_file *result, const struct ml_part *part)
{
    const struct ml_layout *layout = result->layout;
    const int output = ml_shown_wrapped(layout);
    const int64_t n = part->n_run, rows = ml_layout_output_rows(layout, output);
    float *values = malloc((size_t)n * sizeof *values);
    if (!values) {
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
        return;
    }
    for (int64_t i = 0; i < n; i++)
        values[i] = ml_shown_wrap(part->summary[output][(i + 1) * rows - 1]);
    ml_h5_write_range(&result->h5, result->wrapped, &layout->runs, H5T_NATIVE_FLOAT,
                      (unsigned long long)ml_layout_block_row(layout, part->block),
                      (unsigned long long)n, values);
    free(values);
}

static bool has_positive(const double *values, int64_t n)
{
    int64_t i = 0;
    while (i < n && !(values[i] > 0.0))
        i++;
    return i < n;
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
        result->has_positive[i] =
            result->has_positive[i] ||
            has_positive(part->summary[i], part->n_run * ml_layout_output_rows(layout, i));
    }
    if (result->outcome_grid >= 0)
        ml_h5_write_range(&result->h5, result->outcome_grid, &layout->runs, H5T_NATIVE_INT8,
                          (unsigned long long)ml_layout_block_row(layout, part->block),
                          (unsigned long long)part->n_run, part->outcome);
    if (result->wrapped >= 0)
        add_wrapped(result, part);
}
