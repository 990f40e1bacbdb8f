/* /study/sensitivity/global: Sobol' indices of the numbers of the summary, for runs of Saltelli's
 * design. All of them follow from the numbers in the file, so shards, threads and resumed runs do
 * not matter; `manylink sensitivity` prints the same. */
#include <math.h>
#include <stdlib.h>

#include "config/values.h"
#include "manylink/indices.h"
#include "plan/layout.h"
#include "store/result.h"

enum {
    WIDEST = 16, /* numbers of a run: as of `manylink sensitivity` without names */
    N_RESAMPLE = 200
};

#define HALF_DOC "half of the interval of 95 %, by bootstrap; NaN: too few points differ"

/* Datasets. */
enum { FIRST, FIRST_HALF, TOTAL, TOTAL_HALF, SECOND, SECOND_HALF, COMPLETE, N_TABLE };

static const struct {
    const char *name, *doc;
    int n_input_dim;
} tables[N_TABLE] = {
    [FIRST] = {"first_order",
               "part of the variance that an input explains alone (Saltelli et al. 2010); NaN: the "
               "number is the same in all points, or fewer than two are complete",
               1},
    [FIRST_HALF] = {"first_order_half", HALF_DOC, 1},
    [TOTAL] = {"total",
               "part of the variance that an input explains alone and with others (Jansen 1999)",
               1},
    [TOTAL_HALF] = {"total_half", HALF_DOC, 1},
    [SECOND] = {"second_order",
                "part of the variance that two inputs explain together, beyond each alone; NaN "
                "below the diagonal",
                2},
    [SECOND_HALF] = {"second_order_half", HALF_DOC, 2},
    [COMPLETE] = {"complete", "points of which all runs have a finite number", 0},
};

struct global {
    struct ml_result_file *result;
    const struct ml_sample_points *points;
    int64_t n_row, n_run, n_cell; /* runs of a point; of the sample; points of the grid */
    int n_input, n_output;
    const char *const *inputs, *const *outputs; /* [n_input], [n_output] names */
    double *values[N_TABLE]; /* [n_cell][n_output][n_input..]; NULL: not written */
};

static bool is_taken(const struct ml_layout *layout, int i)
{
    return ml_layout_output_rows(layout, i) <= WIDEST && ml_described_output(layout, i);
}

/* "max_rate.upper": component `row` of an output, as ml_result_component has it. */
static const char *component_name(struct ml_result_file *result, const struct ml_output *output,
                                  int64_t row)
{
    const struct ml_study *study = result->layout->study;
    const char *name = output->name;
    int64_t stride = ml_output_rows(output, study->ensemble.model.n);
    for (int k = 0; name && k < ML_MAX_DIM; k++) {
        if (output->dim[k] == ML_DIM_NONE)
            continue;
        const int n = ml_output_size(output, k, study->ensemble.model.n);
        stride /= n;
        const int at = (int)(row / stride % n);
        const char *const *labels = ml_result_labels(study, output->dim[k], true, n, &result->pool);
        name = labels ? ml_pool_format(&result->pool, "%s.%s", name, labels[at])
                      : ml_pool_format(&result->pool, "%s.%d", name, at + 1);
    }
    return name;
}

/* The names of all numbers; false without memory. */
static bool name_outputs(struct global *g)
{
    const struct ml_layout *layout = g->result->layout;
    for (int i = 0; i < layout->results.n_output; i++)
        g->n_output += is_taken(layout, i) ? (int)ml_layout_output_rows(layout, i) : 0;
    const char **names = ml_pool_take(&g->result->pool, (size_t)g->n_output, sizeof *names);
    int n = 0;
    for (int i = 0; names && i < layout->results.n_output; i++)
        for (int64_t row = 0; is_taken(layout, i) && row < ml_layout_output_rows(layout, i); row++)
            names[n++] = component_name(g->result, &layout->results.outputs[i], row);
    g->outputs = names;
    return names && !g->result->pool.is_short;
}

/* Numbers of a table for each number of the summary. */
static int64_t table_width(const struct global *g, int table)
{
    int64_t n = 1;
    for (int k = 0; k < tables[table].n_input_dim; k++)
        n *= g->n_input;
    return n;
}

static bool has_table(const struct global *g, int table)
{
    return g->points->has_second || (table != SECOND && table != SECOND_HALF);
}

/* Component `row` of an output at a point of the grid. */
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
        count.size[k] = k == at ? all.size[k] : 1;
    }
    ml_h5_read_box(&g->result->h5, g->result->summary[i], H5T_NATIVE_DOUBLE, &start, NULL, &count,
                   y);
}

/* Puts the indices of a number; NaN without.
 *   at  number * n_cell .. */
static void put_indices(const struct global *g, int64_t at, bool is_found,
                        const struct ml_sobol_indices *found)
{
    const struct ml_index *const kinds[] = {found->first, found->total, found->second};
    g->values[COMPLETE][at] = (double)found->n_complete;
    for (int k = 0; k < 3; k++)
        for (int64_t i = 0; kinds[k] && i < table_width(g, 2 * k); i++) {
            const bool is_there = is_found && (2 * k != SECOND || i % g->n_input > i / g->n_input);
            const struct ml_index index =
                is_there ? kinds[k][i] : (struct ml_index){(double)NAN, (double)NAN};
            g->values[2 * k][at * table_width(g, 2 * k) + i] = index.value;
            g->values[2 * k + 1][at * table_width(g, 2 * k) + i] = index.half;
        }
}

/* Finds the indices of all numbers at all points of the grid.
 *   y     [n_run] room
 *   room  [n_input * (n_input + 2)] */
static void find_all(const struct global *g, double *y, struct ml_index *room)
{
    const struct ml_layout *layout = g->result->layout;
    struct ml_sobol_indices found = {
        .size = sizeof found,
        .first = room,
        .total = room + g->n_input,
        .second = g->points->has_second ? room + 2 * (ptrdiff_t)g->n_input : NULL};
    for (int64_t cell = 0, at = 0; cell < g->n_cell; cell++)
        for (int i = 0; i < layout->results.n_output; i++)
            for (int64_t row = 0; is_taken(layout, i) && row < ml_layout_output_rows(layout, i);
                 row++, at++) {
                read_number(g, i, cell, row, y);
                if (g->result->h5.status != ML_OK)
                    return;
                const bool is_found = ml_sobol_indices_find(y, g->n_run / g->n_row, g->n_input,
                                                            N_RESAMPLE, &found) != 0;
                put_indices(g, at, is_found, &found);
            }
}

static void write_table(const struct global *g, hid_t group, int table)
{
    const struct ml_layout *layout = g->result->layout;
    struct ml_h5 *h5 = &g->result->h5;
    const bool is_count = table == COMPLETE;
    const int64_t n = g->n_cell * g->n_output * table_width(g, table);
    struct ml_h5_field field = {.name = tables[table].name,
                                .type = is_count ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE,
                                .unit = "1",
                                .doc = tables[table].doc};
    for (int k = 0; k < layout->runs.rank - 1; k++) {
        field.scales[k] = ml_layout_runs_name(layout, k);
        field.extent.size[k] = layout->runs.size[k];
    }
    field.extent.rank = layout->runs.rank - 1;
    field.scales[field.extent.rank] = "output";
    field.extent.size[field.extent.rank++] = (unsigned long long)g->n_output;
    for (int k = 0; k < tables[table].n_input_dim; k++) {
        field.scales[field.extent.rank] = k == 0 ? "input" : "other_input";
        field.extent.size[field.extent.rank++] = (unsigned long long)g->n_input;
    }
    field.chunk = ml_extent_chunk(&field.extent, ML_RESULT_CHUNK);
    const hid_t id = ml_h5_field(h5, group, &field);
    ml_h5_write_range(h5, id, &field.extent, H5T_NATIVE_DOUBLE, 0, (unsigned long long)n,
                      g->values[table]);
    ml_h5_close_dataset(h5, id);
}

static void write_group(const struct global *g)
{
    struct ml_h5 *h5 = &g->result->h5;
    const hid_t above = ml_h5_group(h5, g->result->entry, "sensitivity", "NXcollection");
    const hid_t group = ml_h5_group(h5, above, "global", "NXcollection");
    ml_result_grid_scales(g->result, group);
    ml_h5_text_scale(h5, group, "output", "numbers of the summary", g->n_output, g->outputs);
    ml_h5_text_scale(h5, group, "input", "drawn quantities", g->n_input, g->inputs);
    if (g->points->has_second)
        ml_h5_text_scale(h5, group, "other_input", "drawn quantities", g->n_input, g->inputs);
    for (int t = 0; t < N_TABLE; t++)
        if (has_table(g, t))
            write_table(g, group, t);
    (void)H5Gclose(group);
    (void)H5Gclose(above);
}

static bool take_tables(struct global *g)
{
    struct ml_pool *pool = &g->result->pool;
    for (int t = 0; t < N_TABLE; t++)
        if (has_table(g, t))
            g->values[t] = ml_pool_take(pool, (size_t)(g->n_cell * g->n_output * table_width(g, t)),
                                        sizeof(double));
    return !pool->is_short;
}

void ml_result_write_sensitivity(struct ml_result_file *result)
{
    const struct ml_axis *axis = ml_study_spec_sample(&result->layout->study->spec);
    struct global g = {.result = result};
    if (!axis || axis->sample->design != ML_DESIGN_SALTELLI || result->layout->shard.count > 1 ||
        result->h5.status != ML_OK)
        return;
    g.points = axis->sample;
    g.n_row = ml_sample_runs_of_point(axis->sample);
    g.n_run = axis->count;
    g.n_cell = result->layout->n_run / g.n_run;
    g.inputs = ml_result_inputs(result, &g.n_input);
    const size_t n_input = (size_t)g.n_input;
    double *y = malloc((size_t)g.n_run * sizeof *y);
    struct ml_index *room = malloc(n_input * (n_input + 2) * sizeof *room);
    if (!g.inputs || !name_outputs(&g) || !take_tables(&g) || !y || !room)
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
    else if (!result->h5.is_sketch && g.n_output > 0)
        find_all(&g, y, room);
    if (result->h5.status == ML_OK && g.n_output > 0)
        write_group(&g);
    free(y);
    free(room);
}
