/* /study/statistics: the distribution of the numbers of the summary over the runs of a sample. All
 * of it follows from the numbers of the file, so shards, threads and resumed runs do not matter. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/layout.h"
#include "store/result_rows.h"
#include "store/sample_statistics.h"

/* Dimensions that no dataset of the summary has. */
enum { STATISTIC, QUANTILE, ESTIMATE, INPUT, CORRELATION, BIN, EDGE, N_OWN, NONE = N_OWN };
enum { MOST_OWN = 2 };

static const struct {
    const char *group, *doc;
    int own[MOST_OWN]; /* dimensions behind those of the output */
} statistics_tables[ML_N_SAMPLE_TABLE] = {
    [ML_SAMPLE_MOMENTS] = {"moments",
                           "mean, standard deviation (sum of squares / (n - 1)), standard error of "
                           "the mean, smallest and largest number",
                           {STATISTIC, NONE}},
    [ML_SAMPLE_QUANTILES] = {"quantiles",
                             "quantiles, linear between order statistics, and order statistics "
                             "between which the quantile of the distribution is with 95 % or more; "
                             "NaN: too few runs for that end, or it lies among runs where the "
                             "number never came about",
                             {QUANTILE, ESTIMATE}},
    [ML_SAMPLE_RUNS] = {"runs", "runs with a finite number", {NONE, NONE}},
    [ML_SAMPLE_HISTOGRAM] = {"histogram",
                             "runs in bins of equal width; Rice's rule: 2 n^(1/3) bins",
                             {BIN, NONE}},
    [ML_SAMPLE_EDGES] = {"edges", "ends of the bins", {EDGE, NONE}},
    [ML_SAMPLE_CORRELATIONS] = {"correlations",
                                "correlation with each input, of the numbers and of their ranks; "
                                "NaN: the number or the input is the same in all runs",
                                {INPUT, CORRELATION}},
    [ML_SAMPLE_NEVER] = {"never",
                         "finished runs without the number, as nothing of the kind happened: the "
                         "worst in quantiles",
                         {NONE, NONE}},
    [ML_SAMPLE_NEVER_PART] = {"never_fraction",
                              "part of the finished runs without the number, with Wilson's "
                              "interval of 95 %",
                              {ESTIMATE, NONE}},
};

struct statistics_writing {
    struct ml_result_file *result;
    struct ml_sample_statistics found;
    hid_t group; /* /study/statistics */
};

struct own_dim {
    const char *name, *doc;
    int n;
    const char *const *labels; /* [n]; NULL: numbers, from 0 on or */
    const double *numbers;     /* [n] */
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

static struct own_dim statistics_own(const struct statistics_writing *w, int dim)
{
    static const char *const moments[] = {"mean", "sd", "standard_error", "min", "max"};
    static const char *const correlations[] = {"pearson", "spearman"};
    const struct ml_sample_statistics *s = &w->found;
    switch (dim) {
    case STATISTIC:
        return (struct own_dim){ML_DESCRIBED_STATISTIC, "statistics", ML_N_SAMPLE_MOMENT, moments,
                                NULL};
    case QUANTILE:
        return (struct own_dim){ML_DESCRIBED_QUANTILE, "part of the runs below",
                                ML_N_SAMPLE_QUANTILE, NULL, ml_sample_quantiles};
    case ESTIMATE:
        return (struct own_dim){ML_DESCRIBED_ESTIMATE, "estimate, and ends of its interval of 95 %",
                                ML_N_SAMPLE_ESTIMATE, ml_sample_estimates, NULL};
    case INPUT:
        return (struct own_dim){ML_DESCRIBED_INPUT, "drawn quantities", s->n_input,
                                statistics_inputs(w), NULL};
    case CORRELATION:
        return (struct own_dim){ML_DESCRIBED_CORRELATION, "of numbers, of ranks",
                                ML_N_SAMPLE_CORRELATION, correlations, NULL};
    case BIN:
        return (struct own_dim){ML_DESCRIBED_BIN, "number of the bin", s->n_bin, NULL, NULL};
    default:
        return (struct own_dim){ML_DESCRIBED_EDGE, "number of the end of bins", s->n_bin + 1, NULL,
                                NULL};
    }
}

static bool statistics_is_count(int table)
{
    return table == ML_SAMPLE_RUNS || table == ML_SAMPLE_HISTOGRAM || table == ML_SAMPLE_NEVER;
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

/* The dataset of a table for an output, without the table's own dimensions. */
static struct ml_h5_field statistics_field(const struct ml_layout *layout,
                                           const struct ml_output *output, int table)
{
    const bool is_count = statistics_is_count(table);
    const bool has_unit =
        !is_count && table != ML_SAMPLE_CORRELATIONS && table != ML_SAMPLE_NEVER_PART;
    struct ml_h5_field field = {.name = output->name,
                                .type = is_count ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE,
                                .unit = has_unit ? output->unit : "1",
                                .doc = statistics_tables[table].doc};
    ml_result_along_grid(layout, &field);
    ml_result_along_dims(layout, &field, output->dim, output);
    return field;
}

/* Numbers of a table for output i, of which `values` are the table's from there on. */
static void statistics_write_output(const struct statistics_writing *w, hid_t group, int i,
                                    int table, const double *values)
{
    struct ml_result_file *result = w->result;
    const struct ml_layout *layout = result->layout;
    const struct ml_output *output = &layout->results.outputs[i];
    struct ml_h5_field field = statistics_field(layout, output, table);
    ml_result_dim_scales(result, group, output->dim, output);
    for (int k = 0; k < MOST_OWN && statistics_tables[table].own[k] != NONE; k++) {
        const struct own_dim own = statistics_own(w, statistics_tables[table].own[k]);
        if (ml_result_needs_scale(result, group, ML_N_DIM + statistics_tables[table].own[k]))
            ml_result_scale(result, group, own.name, own.labels ? H5T_C_S1 : H5T_NATIVE_DOUBLE,
                            own.doc, own.n, own.labels ? (const void *)own.labels : own.numbers);
        ml_h5_along(&field, own.name, own.n);
    }
    ml_h5_dataset(&result->h5, group, &field, H5T_NATIVE_DOUBLE, values);
}

/* Readers look for scales in the dataset's own group, so each table has its own. */
static void statistics_write_table(const struct statistics_writing *w, int table)
{
    struct ml_result_file *result = w->result;
    const struct ml_layout *layout = result->layout;
    const char *name = statistics_tables[table].group;
    const double *values = w->found.tables[table];
    if (result->h5.status != ML_OK ||
        (table >= ML_SAMPLE_NEVER && !statistics_is_wanted(layout, table)))
        return;
    const hid_t group = ml_h5_group(&result->h5, w->group, name, "NXcollection");
    ml_result_grid_scales(result, group);
    for (int i = 0; i < layout->results.n_output; i++) {
        if (!ml_described_output(layout, i))
            continue;
        if (statistics_has(layout, i, table))
            statistics_write_output(w, group, i, table, values);
        if (values)
            values += ml_layout_output_rows(layout, i) * w->found.n_cell * w->found.size[table];
    }
    (void)H5Gclose(group);
}

static void statistics_write(const struct statistics_writing *w)
{
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
