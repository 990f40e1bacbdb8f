/* Datasets of every run: its row in /study/runs, its numbers in /study/summary on the grid or over
 * the sample, and [run, segment, ..., time] in /study/trajectories for the runs that are saved. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numeric_env.h"
#include "store/result.h"
#include "store/result_h5.h"

/* A column of all runs.
 *   compressed  part of its bytes that compression leaves, about */
static hid_t result_runs_column(struct ml_result_file *result, hid_t group, enum ml_dataset column,
                                double compressed)
{
    const struct ml_result_dim dims[] = {{ML_DATA_RUN, result->layout->n_run}, {ML_DATA_NONE}};
    struct ml_h5_field field = ml_result_field(result->layout, dims, column, NULL);
    field.is_compressed = true;
    field.compressed = compressed;
    return ml_h5_field(&result->h5, group, &field);
}

/* Viewers that are shown the group draw how the runs ended. */
static void runs_draw_outcome(struct ml_result_file *result, hid_t group)
{
    static const char *const axes[] = {"run"};
    ml_h5_text_attribute(&result->h5, group, "signal", ml_dataset_name(ML_DATA_RUNS_OUTCOME));
    ml_h5_texts_attribute(&result->h5, group, "axes", 1, axes);
}

static const char *const *name_inputs(struct ml_result_file *result, bool is_grouped, int *n)
{
    const struct ml_axis *axis = ml_study_spec_sample(&result->layout->study->spec);
    const char **names = ml_pool_take(&result->pool, (size_t)axis->n_swept, sizeof *names);
    *n = 0;
    for (int i = 0; names && i < axis->n_swept; i++) {
        const struct ml_swept *swept = &axis->swept[i];
        if (swept->dimension == *n)
            names[(*n)++] = is_grouped && swept->group ? swept->group : swept->path;
    }
    ml_h5_need(&result->h5, names);
    return names;
}

const char *const *ml_result_inputs(struct ml_result_file *result, int *n)
{
    return name_inputs(result, false, n);
}

const char *const *ml_result_groups(struct ml_result_file *result, int *n)
{
    return name_inputs(result, result->layout->study->spec.runs.sample->group != NULL, n);
}

/* The inputs whose numbers depend on those of another. */
static void runs_name_correlated(struct ml_result_file *result, hid_t group,
                                 const struct ml_correlation *c, int n_input,
                                 const char *const *inputs)
{
    const char **names = ml_pool_take(&result->pool, (size_t)n_input, sizeof *names);
    int n = 0;
    for (int i = 0; names && i < c->n && i < n_input; i++) {
        bool is_correlated = false;
        for (int j = 0; j < c->n; j++)
            is_correlated |= j != i && c->matrix[i > j ? i * c->n + j : j * c->n + i] != 0.0;
        if (is_correlated)
            names[n++] = inputs[i];
    }
    if (n > 0)
        ml_h5_texts_attribute(&result->h5, group, "correlated", n, names);
}

/* The design of a sample: how runs follow from its points, how the points lie, and the inputs in
 * their order. A shard with a part of the runs of some points, or of some points of a grid, has no
 * design. */
static void runs_name_design(struct ml_result_file *result, hid_t group)
{
    const struct ml_study_spec *spec = &result->layout->study->spec;
    const struct ml_sample_points *sample = spec->runs.sample;
    int n;
    if (!sample || (result->layout->shard.count > 1 &&
                    (sample->design != ML_DESIGN_POINTS || !ml_study_spec_is_sample(spec))))
        return;
    const char *const *inputs = ml_result_inputs(result, &n);
    ml_h5_text_attribute(&result->h5, group, "design",
                         sample->has_second ? "saltelli, second order"
                                            : ml_designs[sample->design].word);
    if (sample->design == ML_DESIGN_MORRIS)
        ml_h5_text_attribute(&result->h5, group, "levels",
                             ml_pool_format(&result->pool, "%lld", (long long)sample->levels));
    ml_h5_text_attribute(&result->h5, group, "points",
                         ml_sample_is_even(sample) ? "low discrepancy" : "independent");
    ml_h5_texts_attribute(&result->h5, group, "inputs", n, inputs);
    const char *const *groups = sample->group ? ml_result_groups(result, &n) : NULL;
    if (groups)
        ml_h5_texts_attribute(&result->h5, group, "groups", n, groups);
    if (inputs)
        runs_name_correlated(result, group, &sample->correlation, n, inputs);
}

/* Part of their bytes that compression leaves of columns that are the same for most runs, unless
 * runs end by events or choose their steps; measured. */
struct runs_compressed {
    double end_time, steps;
};

static struct runs_compressed runs_compressed(const struct ml_ensemble *e)
{
    bool has_stop = false;
    for (int i = 0; i < e->n_event; i++)
        has_stop = has_stop || e->events[i].stops;
    return (struct runs_compressed){.end_time = has_stop ? 0.6 : 0.0,
                                    .steps = has_stop || e->time.is_adaptive ? 0.15 : 0.0};
}

hid_t ml_result_begin_run_list(struct ml_result_file *result)
{
    hid_t group = ml_h5_group(&result->h5, result->entry, "runs", "NXdata");
    ml_result_name_run_dims(result, group, 1, &(const char *){"run"});
    runs_draw_outcome(result, group);
    return group;
}

void ml_result_begin_inputs(struct ml_result_file *result, hid_t group)
{
    runs_name_design(result, group);
    ml_result_run_scale(result, group, ML_ALL_RUNS);
    ml_result_swept_columns(result, group);
}

void ml_result_begin_outcome(struct ml_result_file *result, hid_t group)
{
    result->outcome = result_runs_column(result, group, ML_DATA_RUNS_OUTCOME, 0.0);
}

void ml_result_begin_runs(struct ml_result_file *result)
{
    const hid_t group = ml_result_begin_run_list(result);
    const struct runs_compressed compressed = runs_compressed(&result->layout->study->ensemble);
    ml_result_begin_inputs(result, group);
    ml_result_begin_outcome(result, group);
    result->end_time =
        result_runs_column(result, group, ML_DATA_RUNS_END_TIME, compressed.end_time);
    result->steps = result_runs_column(result, group, ML_DATA_RUNS_STEPS, compressed.steps);
}

static void result_runs_count(struct ml_result_file *result, const struct ml_part *part)
{
    const int64_t first = ml_layout_block_first(result->layout, part->block);
    for (int64_t i = 0; i < part->n_run && result->h5.status == ML_OK; i++)
        if (part->outcome[i] >= 0 && part->outcome[i] < ML_N_OUTCOME)
            ml_tally_add(&result->tally, part->outcome[i], first + i, part->end_time[i]);
        else
            ml_h5_fail(&result->h5, ML_E_FILE, "a part has an unknown outcome");
}

void ml_result_add_runs(struct ml_result_file *result, const struct ml_part *part)
{
    struct ml_h5 *h5 = &result->h5;
    unsigned long long first = (unsigned long long)ml_layout_block_row(result->layout, part->block);
    unsigned long long n = (unsigned long long)part->n_run;
    struct ml_extent all = {.rank = 1, .size = {(unsigned long long)result->layout->n_run}};
    result_runs_count(result, part);
    ml_h5_write_range(h5, result->outcome, &all, H5T_NATIVE_INT8, first, n, part->outcome);
    ml_h5_write_range(h5, result->end_time, &all, H5T_NATIVE_DOUBLE, first, n, part->end_time);
    ml_h5_write_range(h5, result->steps, &all, H5T_NATIVE_INT64, first, n, part->steps);
}

/* First times and numbers of events: NaN, or the same few, for many runs, as other outputs are not.
 * Labels are written again in the end. */
static bool is_sparse(const struct ml_layout *layout, int i)
{
    const struct ml_ensemble *e = &layout->study->ensemble;
    const struct ml_output *output = &layout->results.outputs[i];
    return e->n_event > 0 && i >= layout->results.first_of_event[0] &&
           output->dim[0] == ML_DIM_NONE && !ml_event_is_label(e->n_event, e->events, output->name);
}

struct ml_result_item ml_result_output_item(const struct ml_output *output)
{
    return (struct ml_result_item){.name = output->name,
                                   .unit = output->unit,
                                   .doc = output->doc,
                                   .dim = output->dim,
                                   .output = output};
}

struct ml_result_item ml_result_record_item(const struct ml_quantity *record)
{
    return (struct ml_result_item){
        .name = record->name, .unit = record->unit, .doc = record->doc, .dim = record->dim};
}

struct ml_h5_field ml_result_output_field(const struct ml_layout *layout, int i)
{
    const struct ml_output *output = &layout->results.outputs[i];
    const struct ml_result_item item = ml_result_output_item(output);
    struct ml_h5_field field = ml_result_field(layout, NULL, ML_DATA_SUMMARY_NAME, &item);
    field.is_compressed = field.extent.rank > 0 && is_sparse(layout, i);
    field.compressed = strcmp(output->unit, "s") == 0 ? 0.6 : 0.0; /* numbers are mostly alike */
    return field;
}

static hid_t begin_output(struct ml_result_file *result, hid_t group, int i)
{
    const struct ml_output *output = &result->layout->results.outputs[i];
    const struct ml_h5_field field = ml_result_output_field(result->layout, i);
    ml_result_dim_scales(result, group, output->dim, output);
    return ml_h5_field(&result->h5, group, &field);
}

static void result_runs_name_outputs(struct ml_result_file *result, hid_t group)
{
    const struct ml_results *results = &result->layout->results;
    const char **all = ml_pool_take(&result->pool, (size_t)results->n_output, sizeof *all);
    for (int i = 0; all && i < results->n_output; i++)
        all[i] = results->outputs[i].name;
    ml_h5_need(&result->h5, all);
    ml_h5_texts_attribute(&result->h5, group, "outputs", results->n_output, all);
}

/* Auxiliary coordinates of a group, by the CF convention: values of swept numbers that are no
 * scales. The list separates names by spaces, so a name must not have any. */
static void name_coordinates(struct ml_result_file *result, hid_t dataset)
{
    const struct ml_layout *layout = result->layout;
    struct ml_pool pool = {0};
    const char *list = "";
    for (int i = 0; i < layout->study->spec.runs.n_axis; i++) {
        const struct ml_axis *axis = &layout->study->spec.runs.axes[i];
        const bool is_own = axis->n_swept == 1 && axis->kind == ML_AXIS_SAME;
        if (is_own && !ml_layout_is_list(layout))
            continue;
        for (int k = 0; k < axis->n_swept && list; k++)
            if (!strchr(axis->swept[k].path, ' '))
                list = ml_pool_format(&pool, "%s%s%s", list, *list ? " " : "", axis->swept[k].path);
    }
    if (ml_h5_need(&result->h5, list) && *list)
        ml_h5_text_attribute(&result->h5, dataset, "coordinates", list);
    ml_pool_free(&pool);
}

/* A dataset shaped on the runs that is no output. */
static hid_t begin_extra(struct ml_result_file *result, hid_t group, struct ml_h5_field field)
{
    field.is_compressed = field.extent.rank > 0;
    return ml_h5_field(&result->h5, group, &field);
}

/* Repetitions of other data of the file: outcomes on the grid, and the wrapped angle. */
static void begin_copies(struct ml_result_file *result, hid_t group)
{
    const struct ml_layout *layout = result->layout;
    char wrapped[ML_NAME_LENGTH];
    const char *names[2];
    int n = 0;
    if (!ml_layout_is_list(layout) && layout->runs.rank > 0) {
        const struct ml_h5_field field =
            ml_result_field(layout, NULL, ML_DATA_SUMMARY_OUTCOME, NULL);
        result->outcome_grid = begin_extra(result, group, field);
        name_coordinates(result, result->outcome_grid);
        names[n++] = field.name;
    }
    if (ml_shown_wrapped(layout) >= 0) {
        names[n] = ml_shown_wrapped_name(layout, wrapped);
        struct ml_h5_field field = ml_result_field(layout, NULL, ML_DATA_SUMMARY_WRAPPED,
                                                   &(struct ml_result_item){.name = names[n++]});
        field.compressed = 0.56;
        result->wrapped = begin_extra(result, group, field);
    }
    if (n > 0)
        ml_h5_texts_attribute(&result->h5, group, ML_COPIES_ATTRIBUTE, n, names);
}

static void summary_refuse(struct ml_result_file *result, const char *name, const char *why)
{
    char text[3 * ML_NAME_LENGTH];
    (void)snprintf(text, sizeof text, "\"%s\" cannot name a dataset of /study/summary: %s", name,
                   why);
    ml_h5_fail(&result->h5, ML_E_INPUT, text);
}

/* Readers know extra dimensions and outcomes by name, in results without them too. */
static void refuse_reserved(struct ml_result_file *result, const char *name)
{
    bool is_reserved = strcmp(name, ml_dataset_name(ML_DATA_SUMMARY_OUTCOME)) == 0;
    for (enum ml_dim dim = ML_DIM_NONE + 1; dim < ML_N_DIM; dim++)
        is_reserved = is_reserved || strcmp(name, ml_layout_dim_name(dim)) == 0;
    if (is_reserved)
        summary_refuse(result, name,
                       "the name is taken by another dataset there; take another name");
}

/* Derivatives of the state, along `output`, have the names of its quantities, and those of other
 * outputs the names of the outputs; names must differ for readers. */
static void refuse_names(struct ml_result_file *result)
{
    const struct ml_layout *layout = result->layout;
    const struct ml_results *results = &layout->results;
    for (int k = 0; k < layout->study->spec.runs.n_axis && !ml_layout_is_list(layout); k++)
        refuse_reserved(result, layout->study->spec.runs.axes[k].name);
    for (int i = 0; i < results->n_output; i++) {
        const struct ml_output *state = &results->outputs[i];
        const bool is_alone = layout->study->ensemble.derivatives.n_differentiated > 0 &&
                              state->label && !ml_dim_is_named(state->dim[0]);
        refuse_reserved(result, state->name);
        for (int k = 0; k < results->n_output && is_alone; k++)
            if (strcmp(state->label, results->outputs[k].name) == 0)
                summary_refuse(result, state->label,
                               "derivatives of the state have this name in `sensitivity`; choose "
                               "another name");
    }
}

void ml_result_begin_summary(struct ml_result_file *result)
{
    const struct ml_layout *layout = result->layout;
    result->outcome_grid = result->wrapped = -1;
    if (layout->results.n_output == 0 || result->h5.status != ML_OK)
        return;
    refuse_names(result);
    hid_t group = ml_h5_group(&result->h5, result->entry, "summary", "NXcollection");
    result_runs_name_outputs(result, group);
    ml_result_begin_axes(result, group);
    for (int i = 0; i < layout->results.n_output; i++) {
        const enum ml_better better = layout->results.outputs[i].better;
        result->summary[i] = begin_output(result, group, i);
        if (better != ML_BETTER_UNKNOWN)
            ml_h5_text_attribute(&result->h5, result->summary[i], "better",
                                 better == ML_BETTER_LARGER ? "larger" : "smaller");
        name_coordinates(result, result->summary[i]);
    }
    if (!result->is_in_memory)
        begin_copies(result, group);
}

enum { WORTH = 4096 /* angles that are worth a team */ };

/* Angles of one row of an output. */
static void add_wrapped(struct ml_result_file *result, const struct ml_part *part)
{
    const struct ml_layout *layout = result->layout;
    const int output = ml_shown_wrapped(layout);
    const int64_t n = part->n_run, rows = ml_layout_output_rows(layout, output);
    float *values = malloc((size_t)n * sizeof *values);
    if (!ml_h5_need(&result->h5, values))
        return;
#pragma omp parallel num_threads(result->n_thread) if (n >= WORTH)
    {
        const fenv_t before = ml_float_env_set();
#pragma omp for
        for (int64_t i = 0; i < n; i++)
            values[i] = ml_shown_wrap(part->summary[output][(i + 1) * rows - 1]);
        ml_float_env_restore(&before);
    }
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

void ml_result_time_scale(struct ml_result_file *result, hid_t group)
{
    const struct ml_ensemble *ensemble = &result->layout->study->ensemble;
    int64_t n = result->layout->results.n_sample;
    double *values = malloc((size_t)n * sizeof *values);
    if (!ml_h5_need(&result->h5, values))
        return;
    for (int64_t i = 0; i < n; i++)
        values[i] = ml_ensemble_sample_time(ensemble, i);
    ml_result_write_scale(result, group, ML_DATA_TIME, n, values);
    free(values);
}

struct ml_h5_field ml_result_record_field(const struct ml_layout *layout, int i)
{
    const struct ml_quantity *record = ml_layout_quantity(layout, i);
    const struct ml_result_item item = ml_result_record_item(record);
    const struct ml_result_dim dims[] = {
        {ML_DATA_RUN, layout->n_saved}, {ML_DATA_TIME, layout->results.n_sample}, {ML_DATA_NONE}};
    return ml_result_field(layout, dims, ML_DATA_TRAJECTORY, &item);
}

static void begin_record(struct ml_result_file *result, hid_t group, int i)
{
    const struct ml_h5_field field = ml_result_record_field(result->layout, i);
    ml_result_dim_scales(result, group, ml_layout_quantity(result->layout, i)->dim, NULL);
    ml_h5_place(&result->h5, group, result->trajectory[i], &field);
    ml_h5_text_attribute(&result->h5, result->trajectory[i], "interpretation", "spectrum");
}

/* Readers look for scales in the dataset's own group, so there is one more of the runs. */
static void begin_checksums(struct ml_result_file *result, hid_t trajectories)
{
    const struct ml_layout *layout = result->layout;
    const struct ml_result_dim dims[] = {{ML_DATA_RUN, layout->n_saved}, {ML_DATA_NONE}};
    hid_t group = ml_h5_group(&result->h5, trajectories, "checksums", "NXcollection");
    ml_result_run_scale(result, group, ML_SAVED_RUNS);
    for (int i = 0; i < ml_layout_records(layout); i++) {
        const struct ml_result_item item = ml_result_record_item(ml_layout_quantity(layout, i));
        const struct ml_h5_field field =
            ml_result_field(layout, dims, ML_DATA_TRAJECTORY_CHECKSUM, &item);
        result->checksum[i] = ml_h5_field(&result->h5, group, &field);
    }
}

hid_t ml_result_begin_trajectories(struct ml_result_file *result)
{
    const struct ml_layout *layout = result->layout;
    if (!ml_layout_has_trajectories(layout) || result->h5.status != ML_OK)
        return -1;
    hid_t group = ml_h5_group(&result->h5, result->entry, "trajectories", "NXcollection");
    ml_result_name_run_dims(result, group, 1, &(const char *){"run"});
    ml_result_run_scale(result, group, ML_SAVED_RUNS);
    ml_result_time_scale(result, group);
    for (int i = 0; i < ml_layout_records(layout); i++)
        begin_record(result, group, i);
    if (!result->is_in_memory)
        begin_checksums(result, group);
    return group;
}

void ml_result_add_trajectories(struct ml_result_file *result, const struct ml_block *block)
{
    const struct ml_layout *layout = result->layout;
    for (int i = 0; i < ml_layout_records(layout) && block->n_saved > 0; i++) {
        const struct ml_extent all = ml_layout_record(layout, i, layout->n_saved);
        const unsigned long long numbers = ml_layout_run_bytes(layout, i) / sizeof(double);
        const unsigned long long row =
            (unsigned long long)ml_layout_saved_before(layout, block->index);
        ml_h5_write_range(&result->h5, result->trajectory[i], &all, H5T_NATIVE_DOUBLE,
                          row * numbers, (unsigned long long)block->n_saved * numbers,
                          block->records[i]);
    }
}

void ml_result_add_checksums(struct ml_result_file *result, const struct ml_part *part)
{
    const struct ml_layout *layout = result->layout;
    const struct ml_extent all = {.rank = 1, .size = {(unsigned long long)layout->n_saved}};
    for (int i = 0; i < ml_layout_records(layout) && part->n_saved > 0; i++)
        ml_h5_write_range(&result->h5, result->checksum[i], &all, H5T_NATIVE_UINT64,
                          (unsigned long long)ml_layout_saved_before(layout, part->block),
                          (unsigned long long)part->n_saved, part->sums + i * part->n_saved);
}
