/* /study/sensitivity/global: the table of indices that `manylink sensitivity` prints of the numbers
 * of the summary. All of them follow from the numbers in the file, so shards, threads and resumed
 * runs do not matter. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/indexed.h"
#include "plan/labels.h"
#include "store/result.h"

static const char half_doc[] =
    "half of the interval of 95 %, by bootstrap; NaN: too few points differ";
static const struct ml_index_kind complete = {.name = "complete"};

/* A column of the table: a dataset. */
struct column {
    const struct ml_index_kind *kind;
    bool is_half;
    int n_input_dim; /* dimensions behind that of the outputs */
    int64_t width;   /* their size */
    double *values;  /* [n_cell][n_output][width] */
};

enum {
    MOST_COLUMNS = 2 * (ML_INDEX_KINDS + 2) + 1,
    MOST_UNITS = 4000 /* of an attribute: HDF5 allows 64 KiB */
};

struct global {
    struct ml_result_file *result;
    const struct ml_index_table_kinds *of;
    struct ml_indexed indexed;
    int n_input, n_output, n_column;
    const char **inputs;           /* [n_input] names, of groups where the sample has groups */
    const char **outputs, **units; /* [n_output] */
    struct column columns[MOST_COLUMNS];
};

/* The names and units of all numbers; false without memory. */
static bool name_outputs(struct global *g)
{
    const struct ml_layout *layout = g->result->layout;
    struct ml_pool *pool = &g->result->pool;
    g->outputs = ml_pool_take(pool, (size_t)g->indexed.n_number, sizeof *g->outputs);
    g->units = ml_pool_take(pool, (size_t)g->indexed.n_number, sizeof *g->units);
    for (int i = 0; g->outputs && g->units && i < layout->results.n_output; i++)
        for (int64_t row = 0; row < ml_indexed_rows(layout, i); row++) {
            g->units[g->n_output] = layout->results.outputs[i].unit;
            g->outputs[g->n_output++] = ml_output_component(layout, i, row, pool);
        }
    return !pool->is_short;
}

/* The names of inputs or groups, in the order of the indices; false without memory. */
static bool name_inputs(struct global *g)
{
    int n;
    const struct ml_sample_points *sample = g->result->layout->study->spec.runs.sample;
    const char *const *groups = ml_result_groups(g->result, &n);
    g->inputs = ml_pool_take(&g->result->pool, (size_t)n + 1, sizeof *g->inputs);
    for (int i = 0; groups && g->inputs && i < n; i++)
        if (ml_sample_group(sample, i) == g->n_input)
            g->inputs[g->n_input++] = groups[i];
    return groups && g->inputs;
}

static void add_column(struct global *g, const struct ml_index_kind *kind, int n_input_dim,
                       bool is_half)
{
    struct column *column = &g->columns[g->n_column++];
    *column = (struct column){.kind = kind, .is_half = is_half, .n_input_dim = n_input_dim};
    column->width = 1;
    for (int k = 0; k < n_input_dim; k++)
        column->width *= g->n_input;
    column->values =
        ml_pool_take(&g->result->pool, (size_t)(g->indexed.n_cell * g->n_output * column->width),
                     sizeof *column->values);
}

static void add_kind(struct global *g, const struct ml_index_kind *kind, int n_input_dim)
{
    if (!kind->word)
        return;
    add_column(g, kind, n_input_dim, false);
    if (g->of->has_halves)
        add_column(g, kind, n_input_dim, true);
}

/* Columns in the order of write_table; false without memory. */
static bool add_columns(struct global *g)
{
    for (int k = 0; k < ML_INDEX_KINDS; k++)
        add_kind(g, &g->of->kinds[k], 1);
    if (g->indexed.points.has_second)
        add_kind(g, &g->of->second, 2);
    add_kind(g, &g->of->whole, 0);
    add_column(g, &complete, 0, false);
    return !g->result->pool.is_short;
}

/* Numbers of a column and of the column of halves behind. NULL: NaN. */
static struct column *write_indices(const struct global *g, struct column *to, int64_t at,
                                    const struct ml_index *from)
{
    for (int64_t i = 0; i < to->width; i++) {
        const bool is_there = from && (to->n_input_dim < 2 || i % g->n_input > i / g->n_input);
        to->values[at * to->width + i] = is_there ? from[i].value : (double)NAN;
        if (g->of->has_halves)
            to[1].values[at * to->width + i] = is_there ? from[i].half : (double)NAN;
    }
    return to + (g->of->has_halves ? 2 : 1);
}

static void write_table(struct global *g, int64_t at, const struct ml_index_table *found)
{
    struct column *to = g->columns;
    for (int k = 0; k < ML_INDEX_KINDS && g->of->kinds[k].word; k++)
        to = write_indices(g, to, at, found->is_found ? found->kinds[k] : NULL);
    if (g->indexed.points.has_second)
        to = write_indices(g, to, at, found->is_found ? found->second : NULL);
    if (g->of->whole.word)
        to = write_indices(g, to, at, found->is_found ? &found->whole : NULL);
    to->values[at] = (double)found->n_complete;
}

/* Component `row` of an output at a point of the grid, of the runs that are taken. */
static void read_number(const struct global *g, int i, int64_t cell, int64_t row, double *y)
{
    const struct ml_layout *layout = g->result->layout;
    const struct ml_extent all = ml_layout_output(layout, i);
    struct ml_extent start = all, count = all;
    const int at = layout->runs.rank - 1; /* of the sample */
    for (int k = all.rank - 1; k >= 0; k--) {
        int64_t *left = k > at ? &row : &cell;
        start.size[k] = k == at ? 0 : (unsigned long long)*left % all.size[k];
        *left /= k == at ? 1 : (int64_t)all.size[k];
        count.size[k] = k == at ? (unsigned long long)g->indexed.points.n_run : 1;
    }
    ml_h5_read_box(&g->result->h5, g->result->summary[i], H5T_NATIVE_DOUBLE, &start, NULL, &count,
                   y);
}

/* An ml_index_read_fn: the drawn numbers, which are the same at every point of the grid. */
static int read_input(void *context, int input, int64_t n, double *values)
{
    const struct global *g = context;
    struct ml_h5 *h5 = &g->result->h5;
    const struct ml_extent all = {.rank = 1,
                                  .size = {(unsigned long long)g->result->layout->n_run}};
    char path[2 * ML_NAME_LENGTH];
    (void)snprintf(path, sizeof path, "runs/%s", g->inputs[input]);
    const hid_t id = ml_h5_open_dataset(h5, g->result->entry, path);
    ml_h5_read_range(h5, id, &all, H5T_NATIVE_DOUBLE, 0, (unsigned long long)n, values);
    ml_h5_close_dataset(h5, id);
    return h5->status == ML_OK;
}

/* Finds the indices of all numbers at a point of the grid; false after a problem.
 *   y     [runs that are taken] room
 *   room  of ml_index_table_find */
static bool find_cell(struct global *g, int64_t cell, double *y, struct ml_index *room)
{
    const struct ml_layout *layout = g->result->layout;
    int64_t at = cell * g->n_output;
    for (int i = 0; i < layout->results.n_output; i++)
        for (int64_t row = 0; row < ml_indexed_rows(layout, i); row++) {
            struct ml_index_table found = {.size = sizeof found};
            read_number(g, i, cell, row, y);
            if (g->result->h5.status != ML_OK)
                return false;
            if (!ml_h5_need(&g->result->h5, ml_index_table_find(&g->indexed.points, y, room,
                                                                &found) != ML_INDEX_NO_MEMORY))
                return false;
            write_table(g, at++, &found);
        }
    return true;
}

static void find_all(struct global *g)
{
    struct ml_h5 *h5 = &g->result->h5;
    const size_t n_input = (size_t)g->n_input;
    double *y = malloc((size_t)g->indexed.points.n_run * sizeof *y + 1);
    struct ml_index *room = malloc(n_input * (n_input + ML_INDEX_KINDS) * sizeof *room + 1);
    bool is_good = ml_index_points_begin(&g->indexed.points, read_input, g) && y && room;
    ml_h5_need(h5, is_good);
    for (int64_t cell = 0; is_good && cell < g->indexed.n_cell; cell++)
        is_good = find_cell(g, cell, y, room);
    ml_index_points_free(&g->indexed.points);
    free(y);
    free(room);
}

/* The unit of a column whose numbers have the same unit in all outputs; NULL: they differ. */
static const char *column_unit(const struct global *g, const struct column *column)
{
    if (!column->kind->is_of_output)
        return "1";
    for (int i = 1; i < g->n_output; i++)
        if (strcmp(g->units[i], g->units[0]) != 0)
            return NULL;
    return g->units[0];
}

static void write_column(const struct global *g, const struct ml_result_group *group,
                         const struct column *column)
{
    struct ml_result_file *result = g->result;
    const bool is_count = column->kind == &complete;
    const char *name = column->kind->name;
    const struct ml_result_item item = {
        .name = column->is_half ? ml_pool_format(&result->pool, "%s_half", name) : name,
        .unit = column_unit(g, column),
        .doc = column->is_half ? half_doc : column->kind->doc};
    const enum ml_dataset dataset = (enum ml_dataset)(ML_DATA_INDEX_OF_ALL + column->n_input_dim);
    if (ml_h5_need(&result->h5, item.name))
        ml_result_write_dataset(group, is_count ? ML_DATA_INDEX_COMPLETE : dataset, &item,
                                column->values);
}

/* Estimator and design of the numbers, and the runs that they are of. */
static void write_source(const struct global *g, hid_t group)
{
    struct ml_h5 *h5 = &g->result->h5;
    const int64_t n = ml_study_spec_sample(&g->result->layout->study->spec)->count;
    const int64_t taken = g->indexed.points.n_run;
    const int resamples = ML_INDEX_RESAMPLES;
    ml_h5_text_attribute(h5, group, "design", g->of->design);
    ml_h5_text_attribute(h5, group, "estimator", ml_estimator_word(g->indexed.points.estimator));
    if (g->of->has_halves)
        ml_h5_numbers_attribute(h5, group, "resamples", H5T_NATIVE_INT, 0, &resamples);
    ml_h5_text_attribute(h5, group, "taken",
                         taken < n ? ml_pool_format(&g->result->pool, "first %lld of %lld runs",
                                                    (long long)taken, (long long)n)
                                   : "all runs of the sample");
    if (g->result->tally.count[ML_MISSING].runs > 0)
        ml_h5_text_attribute(h5, group, "missing", g->result->missing);
}

static void write_group(const struct global *g)
{
    struct ml_h5 *h5 = &g->result->h5;
    const bool has_second = g->indexed.points.has_second;
    const struct ml_result_dim dims[] = {{ML_DATA_NUMBER, g->n_output, g->outputs},
                                         {ML_DATA_INDEX_INPUT, g->n_input, g->inputs},
                                         {ML_DATA_INDEX_OTHER_INPUT, g->n_input, g->inputs},
                                         {ML_DATA_NONE}};
    const hid_t above = ml_h5_group(h5, g->result->entry, "sensitivity", "NXcollection");
    const struct ml_result_group group = {
        g->result, ml_result_begin_group(g->result, above, ML_DATA_INDEX_OF_ALL), dims};
    bool has_unit = false;
    write_source(g, group.id);
    ml_result_grid_scales(g->result, group.id);
    ml_result_write_scales(&group, has_second ? ML_DATA_INDEX_OF_PAIR : ML_DATA_INDEX_OF_INPUT);
    for (int k = 0; k < g->n_column; k++) {
        has_unit = has_unit || g->columns[k].kind->is_of_output;
        write_column(g, &group, &g->columns[k]);
    }
    if (has_unit && g->n_output <= MOST_UNITS)
        ml_h5_texts_attribute(h5, group.id, "output_units", g->n_output, g->units);
    (void)H5Gclose(group.id);
    (void)H5Gclose(above);
}

void ml_result_write_sensitivity(struct ml_result_file *result)
{
    struct global g = {.result = result};
    if (result->h5.status != ML_OK || !ml_indexed_find(&g.indexed, result->layout))
        return;
    g.of = ml_index_table_kinds(g.indexed.points.design);
    if (ml_h5_need(&result->h5, name_inputs(&g) && name_outputs(&g) && add_columns(&g)) &&
        !result->h5.is_sketch)
        find_all(&g);
    if (result->h5.status == ML_OK)
        write_group(&g);
}
