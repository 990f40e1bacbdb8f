/* /study/statistics/over_time: the distribution of saved quantities at each saved time over the
 * runs of a sample that are saved. */
#include <stdio.h>

#include "store/bands.h"
#include "store/result.h"

/* The datasets of the tables, while their numbers are written. */
struct bands_writing {
    struct ml_result_file *result;
    const struct ml_bands *bands;
    const struct ml_result_dim *dims;
    hid_t *datasets[ML_N_BAND_TABLE]; /* [ml_layout_records] of those with numbers */
};

/* The dataset of record k: the other axes, dimensions of the record, time, and the table's own. */
static struct ml_h5_field bands_field(const struct bands_writing *w, int k, int table)
{
    const struct ml_result_item item =
        ml_result_record_item(ml_layout_quantity(w->result->layout, k));
    return ml_result_field(w->result->layout, w->dims,
                           (enum ml_dataset)(ML_DATA_BAND_QUANTILES + table), &item);
}

static void bands_begin_record(const struct bands_writing *w, hid_t group, int table, int k)
{
    struct ml_result_file *result = w->result;
    const struct ml_layout *layout = result->layout;
    const struct ml_h5_field field = bands_field(w, k, table);
    ml_result_dim_scales(result, group, ml_layout_quantity(layout, k)->dim, NULL);
    w->datasets[table][k] = ml_h5_field(&result->h5, group, &field);
}

/* As ml_bands_take. */
static void bands_write_point(void *context, const struct ml_bands *bands, int64_t cell)
{
    const struct bands_writing *w = context;
    for (int table = 0; table < ML_N_BAND_TABLE; table++)
        for (int k = 0; k < ml_layout_records(w->result->layout); k++) {
            const int64_t n = bands->numbers[k] * ml_band_size[table], first = cell * n;
            const struct ml_extent extent = bands_field(w, k, table).extent;
            if (n > 0)
                ml_h5_write_range(&w->result->h5, w->datasets[table][k], &extent, H5T_NATIVE_DOUBLE,
                                  (unsigned long long)first, (unsigned long long)n,
                                  bands->tables[table][k]);
        }
}

/* Which runs are described: "68 runs of the sample, whose trajectories are saved". */
static void bands_name_runs(struct ml_result_file *result, hid_t group,
                            const struct ml_bands *bands)
{
    char text[320];
    const struct ml_layout *layout = result->layout;
    const bool shares = layout->study->spec.runs.sample->design != ML_DESIGN_POINTS,
               is_chosen = bands->n_taken < bands->n_saved;
    int n = 0;
    if (is_chosen)
        n = snprintf(text, sizeof text, "%lld runs, chosen at random for the sake of time, of ",
                     (long long)bands->n_taken);
    (void)snprintf(text + n, sizeof text - (size_t)n, "%s%lld runs of the sample%s%s",
                   bands->n_saved == layout->n_run ? "all " : "", (long long)bands->n_saved,
                   shares ? ", the first and the last of each point of the design" : "",
                   layout->n_saved < layout->n_run ? ", whose trajectories are saved" : "");
    ml_h5_text_attribute(&result->h5, group, "counts", text);
}

static void bands_begin_table(const struct bands_writing *w, hid_t all, int table)
{
    struct ml_result_file *result = w->result;
    const enum ml_dataset dataset = (enum ml_dataset)(ML_DATA_BAND_QUANTILES + table);
    const hid_t group = ml_result_begin_group(result, all, dataset);
    ml_result_grid_scales(result, group);
    ml_result_time_scale(result, group);
    ml_result_write_scales(&(struct ml_result_group){result, group, w->dims}, dataset);
    for (int k = 0; k < ml_layout_records(result->layout); k++)
        if (w->bands->numbers[k] > 0)
            bands_begin_record(w, group, table, k);
    (void)H5Gclose(group);
}

static void bands_write(struct bands_writing *w, hid_t statistics, struct ml_bands *bands)
{
    struct ml_result_file *result = w->result;
    const hid_t all = ml_h5_group(&result->h5, statistics, "over_time", "NXcollection");
    for (int table = 0; table < ML_N_BAND_TABLE && result->h5.status == ML_OK; table++)
        bands_begin_table(w, all, table);
    if (!result->h5.is_sketch && result->h5.status == ML_OK)
        ml_bands_find(bands,
                      &(struct ml_bands_source){&result->h5, result->layout, result->outcome,
                                                result->written, result->trajectory},
                      bands_write_point, w);
    for (int table = 0; table < ML_N_BAND_TABLE; table++)
        for (int k = 0; k < ml_layout_records(result->layout); k++)
            if (bands->numbers[k] > 0)
                ml_h5_close_dataset(&result->h5, w->datasets[table][k]);
    bands_name_runs(result, all, bands);
    ml_result_name_left_out(result, all, bands->n_cell,
                            (const int64_t(*)[ML_N_OUTCOME])bands->outcomes);
    (void)H5Gclose(all);
}

void ml_result_write_bands(struct ml_result_file *result, hid_t statistics)
{
    struct ml_bands bands;
    static const char *const moments[] = {"mean", "sd"};
    const struct ml_result_dim dims[] = {
        {ML_DATA_TIME, result->layout->results.n_sample},
        {ML_DATA_STATISTIC, ml_band_size[ML_BAND_MOMENTS], moments},
        {ML_DATA_QUANTILE, ml_band_size[ML_BAND_QUANTILES], ml_band_quantiles},
        {ML_DATA_NONE}};
    struct bands_writing w = {.result = result, .bands = &bands, .dims = dims};
    if (ml_bands_measure(&bands, result->layout) && result->h5.status == ML_OK) {
        const size_t n_record = (size_t)ml_layout_records(result->layout);
        for (int table = 0; table < ML_N_BAND_TABLE; table++)
            w.datasets[table] = ml_pool_take(&bands.pool, n_record, sizeof(hid_t));
        for (int table = 0; table < ML_N_BAND_TABLE && !bands.pool.is_short; table++)
            for (size_t k = 0; k < n_record; k++)
                w.datasets[table][k] = H5I_INVALID_HID;
        if (!bands.pool.is_short)
            bands_write(&w, statistics, &bands);
    }
    ml_h5_need(&result->h5, !bands.pool.is_short);
    ml_bands_free(&bands);
}
