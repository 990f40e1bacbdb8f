/* Passes over the trajectories: each of as many numbers of a run, [row][time], as the runs of a
 * point of the other axes have room for, so that memory does not grow with runs and times. */
#include "store/bands.h"

#include <math.h>
#include <stdlib.h>

#include "design/philox.h"
#include "statistics/moments.h"
#include "statistics/quantile.h"
#include "statistics/select.h"

const double ml_band_quantiles[ML_N_BAND] = {0.05, 0.25, 0.5, 0.75, 0.95};
const int ml_band_size[ML_N_BAND_TABLE] = {
    [ML_BAND_QUANTILES] = ML_N_BAND, [ML_BAND_MOMENTS] = 2, [ML_BAND_RUNS] = 1};

enum {
    MOST_READ = 1 << 25,    /* numbers that are kept at a time, or those of one time */
    MOST_NUMBERS = 1 << 26, /* of all runs and times that are described, unless FEWEST runs of each
                               point have more: about 2 s */
    FEWEST = 1000,
    COLUMNS = 8 /* numbers that are brought into the order of runs together: a line of the cache */
};

/* One computation. */
struct bands_pass {
    struct ml_bands *out;
    const struct ml_bands_source *from;
    int8_t *outcomes; /* [n_run] */
    int64_t *rows;    /* [most saved runs of a point] that count, from `first` on */
    int64_t n_row;
    int64_t first, n_saved; /* saved runs of the point: row of the first, and how many */
    int64_t at_once;        /* numbers of each run */
    double *read;           /* [n_saved][at_once] */
    double *columns;        /* [COLUMNS][n_row] */
};

/* Saved runs of a point of the other axes: the row of the first, and of the first behind. */
static int64_t bands_first(const struct ml_layout *layout, int64_t cell)
{
    const int64_t n = ml_study_spec_sample(&layout->study->spec)->count;
    return ml_saving_index(&layout->study->ensemble.saving, cell * n);
}

static int64_t bands_most_saved(const struct ml_layout *layout, int64_t n_cell)
{
    int64_t most = 0;
    for (int64_t c = 0; c < n_cell; c++) {
        const int64_t n = bands_first(layout, c + 1) - bands_first(layout, c);
        most = n > most ? n : most;
    }
    return most;
}

/* Numbers of each run in a pass. */
static int64_t bands_at_once(const struct ml_bands *bands, const struct ml_layout *layout)
{
    const int64_t fit = MOST_READ / (bands_most_saved(layout, bands->n_cell) + 1);
    int64_t most = 0;
    for (int k = 0; k < ml_layout_records(layout); k++)
        most = bands->numbers[k] > most ? bands->numbers[k] : most;
    return fit < 1 ? 1 : fit < most ? fit : most;
}

/* Whether a run is taken: by a random number of its own, as samples of low discrepancy lose their
 * evenness, and files of points may be in order, where every k-th run is taken. */
static bool bands_takes(const struct ml_bands *bands, const struct ml_layout *layout, int64_t run)
{
    static const uint32_t key[2] = {0x62616e64, 0x73}; /* "bands" */
    const uint32_t counter[4] = {(uint32_t)run, (uint32_t)((uint64_t)run >> 32), 0, 0};
    const int64_t n = ml_study_spec_sample(&layout->study->spec)->count;
    return ml_described_run(layout, run % n) &&
           (bands->part >= 1.0 || ml_philox(counter, key).word[0] < bands->part * 0x1p32);
}

static int64_t bands_count(const struct ml_bands *bands, const struct ml_layout *layout)
{
    int64_t n = 0;
    for (int64_t row = 0; row < layout->n_saved; row++)
        n += bands_takes(bands, layout, ml_layout_saved_run(layout, row));
    return n;
}

bool ml_bands_measure(struct ml_bands *bands, const struct ml_layout *layout)
{
    *bands = (struct ml_bands){.part = 1.0};
    if (!ml_described(layout) || !ml_layout_has_trajectories(layout))
        return false;
    const int n_record = ml_layout_records(layout);
    bands->n_cell = layout->n_run / ml_study_spec_sample(&layout->study->spec)->count;
    bands->numbers = ml_pool_take(&bands->pool, (size_t)n_record, sizeof *bands->numbers);
    int64_t n = 0; /* of a run */
    for (int k = 0; bands->numbers && k < n_record; k++) {
        if (ml_described_record(layout, k))
            bands->numbers[k] = (int64_t)(ml_layout_run_bytes(layout, k) / sizeof(double));
        n += bands->numbers[k];
    }
    bands->n_saved = bands->n_taken = bands_count(bands, layout);
    if (n == 0 || bands->n_saved < 2 * bands->n_cell)
        return false;
    const double fit = (double)MOST_NUMBERS / (double)n,
                 least = (double)FEWEST * (double)bands->n_cell;
    bands->part = (fit > least ? fit : least) / (double)bands->n_saved;
    if (bands->part < 1.0)
        bands->n_taken = bands_count(bands, layout);
    return true;
}

double ml_bands_bytes(const struct ml_layout *layout)
{
    struct ml_bands bands;
    double tables = 0.0, passes = 0.0;
    if (ml_bands_measure(&bands, layout)) {
        const int64_t most = bands_most_saved(layout, bands.n_cell);
        for (int k = 0; k < ml_layout_records(layout); k++)
            for (int t = 0; t < ML_N_BAND_TABLE; t++)
                tables += 8.0 * (double)bands.numbers[k] * ml_band_size[t];
        passes = 8.0 * (double)most * (double)(bands_at_once(&bands, layout) + COLUMNS + 1) +
                 (double)layout->n_run;
    }
    ml_bands_free(&bands);
    return tables + passes;
}

static bool bands_take(struct bands_pass *pass)
{
    struct ml_bands *out = pass->out;
    const struct ml_layout *layout = pass->from->layout;
    struct ml_pool *pool = &out->pool;
    const int n_record = ml_layout_records(layout);
    const int64_t most = bands_most_saved(layout, out->n_cell);
    for (int t = 0; t < ML_N_BAND_TABLE; t++) {
        out->tables[t] = ml_pool_take(pool, (size_t)n_record, sizeof *out->tables[t]);
        for (int k = 0; out->tables[t] && k < n_record; k++)
            out->tables[t][k] = ml_pool_take(
                pool, (size_t)out->numbers[k] * (size_t)ml_band_size[t] + 1, sizeof(double));
    }
    out->outcomes = ml_pool_take(pool, (size_t)out->n_cell, sizeof *out->outcomes);
    pass->at_once = bands_at_once(out, layout);
    pass->outcomes = malloc((size_t)layout->n_run + 1);
    pass->rows = malloc((size_t)(most + 1) * sizeof *pass->rows);
    pass->read = malloc((size_t)(most + 1) * (size_t)pass->at_once * sizeof *pass->read);
    pass->columns = malloc((size_t)(most + 1) * COLUMNS * sizeof *pass->columns);
    return !pool->is_short && pass->outcomes && pass->rows && pass->read && pass->columns;
}

static void bands_read_outcomes(struct bands_pass *pass)
{
    const unsigned long long n_run = (unsigned long long)pass->from->layout->n_run;
    const struct ml_extent all = {.rank = 1, .size = {n_run}};
    ml_h5_read_range(pass->from->h5, pass->from->outcome, &all, H5T_NATIVE_INT8, 0, n_run,
                     pass->outcomes);
}

/* The runs of a point that count. */
static void bands_choose(struct bands_pass *pass, int64_t cell)
{
    const struct ml_layout *layout = pass->from->layout;
    pass->first = bands_first(layout, cell);
    pass->n_saved = bands_first(layout, cell + 1) - pass->first;
    pass->n_row = 0;
    for (int64_t i = 0; i < pass->n_saved; i++) {
        const int64_t run = ml_layout_saved_run(layout, pass->first + i);
        if (!bands_takes(pass->out, layout, run))
            continue;
        pass->out->outcomes[cell][pass->outcomes[run]]++;
        if (ml_outcome_is_sound(pass->outcomes[run]))
            pass->rows[pass->n_row++] = i;
    }
}

/* Numbers first .. first + n - 1 of record k of the chosen runs. */
static void bands_read(struct bands_pass *pass, int k, int64_t first, int64_t n)
{
    const struct ml_bands_source *from = pass->from;
    struct ml_h5 *h5 = from->h5;
    const struct ml_extent all = ml_layout_record(from->layout, k, from->layout->n_saved);
    const int64_t size = (int64_t)(ml_layout_run_bytes(from->layout, k) / sizeof(double));
    for (int64_t i = 0; i < pass->n_row && h5->status == ML_OK; i++) {
        const int64_t row = pass->first + pass->rows[i], at = row * size + first;
        double *to = pass->read + i * pass->at_once;
        if (from->written)
            h5->status = ml_trajectories_read(from->written, k, row, first, n, to, h5->err);
        else
            ml_h5_read_range(h5, from->datasets[k], &all, H5T_NATIVE_DOUBLE, (unsigned long long)at,
                             (unsigned long long)n, to);
    }
}

/* Describes the numbers of the runs in a column, which loses its order. */
static void bands_describe(struct bands_pass *pass, double *column, double *const to[])
{
    int64_t ranks[2 * ML_N_BAND];
    const int64_t n = ml_finite_pack(column, pass->n_row);
    const struct ml_moments moments = ml_moments_find(column, n);
    to[ML_BAND_MOMENTS][0] = moments.mean;
    to[ML_BAND_MOMENTS][1] = moments.sd;
    to[ML_BAND_RUNS][0] = (double)n;
    for (int q = 0; q < ML_N_BAND; q++) {
        ranks[2 * q] = (int64_t)floor(ml_band_quantiles[q] * (double)(n - 1));
        ranks[2 * q + 1] = ranks[2 * q] + (ranks[2 * q] + 1 < n);
    }
    for (int q = 1; q < 2 * ML_N_BAND; q++) /* of few numbers ranks may overlap */
        ranks[q] = ranks[q] > ranks[q - 1] ? ranks[q] : ranks[q - 1];
    if (n > 0)
        ml_select(column, n, ranks, 2 * ML_N_BAND);
    for (int q = 0; q < ML_N_BAND; q++)
        to[ML_BAND_QUANTILES][q] = ml_quantile(column, n, ml_band_quantiles[q]);
}

/* Numbers that a pass has read, from number `at` of record k in its table on. */
static void bands_each_column(struct bands_pass *pass, int k, int64_t at, int64_t n)
{
    for (int64_t t = 0; t < n; t += COLUMNS) {
        const int64_t n_column = n - t < COLUMNS ? n - t : COLUMNS;
        for (int64_t i = 0; i < pass->n_row; i++)
            for (int64_t c = 0; c < n_column; c++)
                pass->columns[c * pass->n_row + i] = pass->read[i * pass->at_once + t + c];
        for (int64_t c = 0; c < n_column; c++) {
            double *to[ML_N_BAND_TABLE];
            for (int table = 0; table < ML_N_BAND_TABLE; table++)
                to[table] = pass->out->tables[table][k] + (at + t + c) * ml_band_size[table];
            bands_describe(pass, pass->columns + c * pass->n_row, to);
        }
    }
}

/* A record of the chosen runs. */
static void bands_each_number(struct bands_pass *pass, int k)
{
    const int64_t numbers = pass->out->numbers[k];
    for (int64_t first = 0, n; first < numbers && pass->from->h5->status == ML_OK; first += n) {
        n = numbers - first < pass->at_once ? numbers - first : pass->at_once;
        bands_read(pass, k, first, n);
        bands_each_column(pass, k, first, n);
    }
}

void ml_bands_find(struct ml_bands *bands, const struct ml_bands_source *from, ml_bands_take *take,
                   void *context)
{
    struct bands_pass pass = {.out = bands, .from = from};
    if (ml_h5_need(from->h5, bands_take(&pass)))
        bands_read_outcomes(&pass);
    for (int64_t c = 0; c < bands->n_cell && from->h5->status == ML_OK; c++) {
        bands_choose(&pass, c);
        for (int k = 0; k < ml_layout_records(from->layout); k++)
            bands_each_number(&pass, k);
        if (from->h5->status == ML_OK)
            take(context, bands, c);
    }
    free(pass.outcomes);
    free(pass.rows);
    free(pass.read);
    free(pass.columns);
}

void ml_bands_free(struct ml_bands *bands) { ml_pool_free(&bands->pool); }
