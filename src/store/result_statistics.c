/* /study/statistics: the distribution of the numbers of the summary over the runs of a sample. All
 * of it follows from the numbers of the file, so shards, threads and resumed runs do not matter. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/layout.h"
#include "store/result.h"
#include "store/sample_statistics.h"

struct statistics_writing {
    struct ml_result_file *result;
    struct ml_sample_statistics found;
    hid_t group; /* /study/statistics */
    const struct ml_result_dim *dims;
};

/* Paths of the inputs; NULL without memory. */
static const char *const *statistics_inputs(const struct statistics_writing *w)
{
    struct ml_result_file *result = w->result;
    const int n = w->found.n_input;
    const char **paths = ml_pool_take(&result->pool, (size_t)n, sizeof *paths);
    for (int i = 0; paths && i < n; i++)
        paths[i] = ml_layout_swept_at(result->layout, w->found.first_input + i)->path;
    ml_h5_need(&result->h5, paths);
    return paths;
}

static bool statistics_has(const struct ml_layout *layout, int i, int table)
{
    return ml_described_output(layout, i) &&
           (table < ML_SAMPLE_NEVER || layout->results.outputs[i].better != ML_BETTER_UNKNOWN);
}

/* Whether some output has the table. */
static bool statistics_is_wanted(const struct ml_layout *layout, int table)
{
    int i = 0;
    while (i < layout->results.n_output && !statistics_has(layout, i, table))
        i++;
    return i < layout->results.n_output;
}

/* Readers look for scales in the dataset's own group, so each table has its own. */
static void statistics_write_table(const struct statistics_writing *w, int table)
{
    struct ml_result_file *result = w->result;
    const struct ml_layout *layout = result->layout;
    const enum ml_dataset dataset = (enum ml_dataset)(ML_DATA_MOMENTS + table);
    const double *values = w->found.tables[table];
    if (result->h5.status != ML_OK ||
        (table >= ML_SAMPLE_NEVER && !statistics_is_wanted(layout, table)))
        return;
    const struct ml_result_group group = {result, ml_result_begin_group(result, w->group, dataset),
                                          w->dims};
    ml_result_grid_scales(result, group.id);
    for (int i = 0; i < layout->results.n_output; i++) {
        const struct ml_result_item item = ml_result_output_item(&layout->results.outputs[i]);
        if (statistics_has(layout, i, table)) {
            ml_result_dim_scales(result, group.id, item.dim, item.output);
            ml_result_write_scales(&group, dataset);
            ml_result_write_dataset(&group, dataset, &item, values);
        }
        if (values && ml_described_output(layout, i))
            values += ml_layout_output_rows(layout, i) * w->found.n_cell * w->found.size[table];
    }
    (void)H5Gclose(group.id);
}

static void statistics_write(struct statistics_writing *w)
{
    static const char *const moments[] = {"mean", "sd", "standard_error", "min", "max"};
    static const char *const correlations[] = {"pearson", "spearman"};
    const struct ml_result_dim dims[] = {
        {ML_DATA_STATISTIC, ML_N_SAMPLE_MOMENT, moments},
        {ML_DATA_QUANTILE, ML_N_SAMPLE_QUANTILE, ml_sample_quantiles},
        {ML_DATA_ESTIMATE, ML_N_SAMPLE_ESTIMATE, ml_sample_estimates},
        {ML_DATA_INPUT, w->found.n_input, statistics_inputs(w)},
        {ML_DATA_CORRELATION, ML_N_SAMPLE_CORRELATION, correlations},
        {ML_DATA_BIN, w->found.n_bin},
        {ML_DATA_EDGE, w->found.n_bin + 1},
        {ML_DATA_NONE}};
    w->dims = dims;
    const bool shares = w->result->layout->study->spec.runs.sample->design != ML_DESIGN_POINTS;
    ml_result_name_left_out(w->result, w->group, w->found.n_cell,
                            (const int64_t(*)[ML_N_OUTCOME])w->found.outcomes);
    ml_h5_text_attribute(&w->result->h5, w->group, "counts",
                         shares ? "the first and the last run of each point of the design, which "
                                  "are independent of each other"
                                : "all runs of the sample");
    ml_result_grid_scales(w->result, w->group);
    ml_result_write_outcome_parts(w->result, w->group, &w->found);
    ml_result_write_requirement_parts(w->result, w->group, &w->found);
    ml_result_write_label_parts(w->result, w->group, w->found.n_cell);
    for (int table = 0; table < ML_N_SAMPLE_TABLE; table++)
        statistics_write_table(w, table);
    ml_result_write_bands(w->result, w->group);
}

void ml_result_write_statistics(struct ml_result_file *result)
{
    struct statistics_writing w = {.result = result};
    if (!ml_described(result->layout) || result->h5.status != ML_OK)
        return;
    if (result->h5.is_sketch)
        ml_sample_statistics_measure(&w.found, result->layout);
    else
        ml_sample_statistics_find(
            &w.found, &(struct ml_sample_source){&result->h5, result->layout, result->entry,
                                                 result->outcome, result->summary});
    w.group = ml_h5_group(&result->h5, result->entry, "statistics", "NXcollection");
    if (result->h5.status == ML_OK)
        statistics_write(&w);
    ml_sample_statistics_free(&w.found);
}
