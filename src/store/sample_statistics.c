/* Passes over the summary of a result: one for as many inputs as are kept at a time, and in each
 * pass one number of all runs after the other, so that memory does not grow with the outputs. */
#include "store/sample_statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan/layout.h"
#include "plan/requirements.h"
#include "statistics/dependence.h"
#include "statistics/histogram.h"
#include "statistics/proportion.h"

/* Inputs that are kept with their ranks at a time take at most this, bytes, or there is one. */
static const double most_bytes = 5e8;
static const double input_bytes = 2 * sizeof(double);

/* One pass. */
struct sample_pass {
    struct ml_sample_statistics *out;
    const struct ml_sample_source *from;
    bool *counts;      /* [n] whether a point counts */
    int8_t *outcomes;  /* [n_cell][n] */
    int first, n_kept; /* inputs that are kept */
    double *x, *ranks; /* [n_kept][n] */
    double *among;     /* [n] ranks among the runs that count */
    int64_t *at_rank;  /* [2 n + 1] */
    struct ml_sample_numbers numbers;
    int64_t n_counted, n_never; /* runs that count, and those of them without the number */
};

void ml_sample_statistics_measure(struct ml_sample_statistics *statistics,
                                  const struct ml_layout *layout)
{
    const struct ml_axis *sample = ml_study_spec_sample(&layout->study->spec);
    *statistics = (struct ml_sample_statistics){.n = sample->count,
                                                .n_cell = layout->n_run / sample->count,
                                                .n_input = sample->n_swept,
                                                .n_bin = ml_histogram_bins(sample->count)};
    statistics->first_input = ml_layout_swept(layout) - sample->n_swept;
    statistics->size[ML_SAMPLE_MOMENTS] = ML_N_SAMPLE_MOMENT;
    statistics->size[ML_SAMPLE_QUANTILES] = (int64_t)ML_N_SAMPLE_QUANTILE * ML_N_SAMPLE_ESTIMATE;
    statistics->size[ML_SAMPLE_RUNS] = 1;
    statistics->size[ML_SAMPLE_HISTOGRAM] = statistics->n_bin;
    statistics->size[ML_SAMPLE_EDGES] = statistics->n_bin + 1;
    statistics->size[ML_SAMPLE_CORRELATIONS] = (int64_t)sample->n_swept * ML_N_SAMPLE_CORRELATION;
    statistics->size[ML_SAMPLE_NEVER] = 1;
    statistics->size[ML_SAMPLE_NEVER_PART] = ML_N_SAMPLE_ESTIMATE;
}

static int64_t sample_all_numbers(const struct ml_sample_statistics *statistics,
                                  const struct ml_layout *layout)
{
    int64_t rows = 0;
    for (int i = 0; i < layout->results.n_output; i++)
        rows += ml_described_output(layout, i) ? ml_layout_output_rows(layout, i) : 0;
    return rows * statistics->n_cell;
}

static int sample_kept(const struct ml_sample_statistics *statistics)
{
    const double fit = most_bytes / (input_bytes * (double)statistics->n);
    return fit >= statistics->n_input ? statistics->n_input : fit < 1.0 ? 1 : (int)fit;
}

double ml_sample_statistics_bytes(const struct ml_layout *layout)
{
    struct ml_sample_statistics s;
    double numbers = 0.0;
    if (!ml_described(layout))
        return 0.0;
    ml_sample_statistics_measure(&s, layout);
    for (int t = 0; t < ML_N_SAMPLE_TABLE; t++)
        numbers += (double)s.size[t] * (double)sample_all_numbers(&s, layout);
    return 8.0 * numbers + (double)layout->n_run +
           (double)s.n * (25.0 + ML_SAMPLE_RUN_BYTES + input_bytes * sample_kept(&s));
}

static bool sample_take(struct sample_pass *pass)
{
    struct ml_sample_statistics *out = pass->out;
    const struct ml_layout *layout = pass->from->layout;
    const size_t n = (size_t)out->n, numbers = (size_t)sample_all_numbers(out, layout);
    struct ml_pool *pool = &out->pool;
    for (int t = 0; t < ML_N_SAMPLE_TABLE; t++)
        out->tables[t] = ml_pool_take(pool, numbers * (size_t)out->size[t], sizeof(double));
    out->outcomes = ml_pool_take(pool, (size_t)out->n_cell, sizeof *out->outcomes);
    pass->n_kept = sample_kept(out);
    pass->counts = malloc(n * sizeof *pass->counts);
    pass->outcomes = malloc((size_t)layout->n_run * sizeof *pass->outcomes);
    pass->x = malloc(n * (size_t)pass->n_kept * sizeof *pass->x);
    pass->ranks = malloc(n * (size_t)pass->n_kept * sizeof *pass->ranks);
    pass->among = malloc(n * sizeof *pass->among);
    pass->at_rank = malloc((2 * n + 1) * sizeof *pass->at_rank);
    return ml_sample_numbers_take(&pass->numbers, out->n) && !pool->is_short && pass->counts &&
           pass->outcomes && pass->x && pass->ranks && pass->among && pass->at_rank;
}

static void sample_release(struct sample_pass *pass)
{
    ml_sample_numbers_free(&pass->numbers);
    free(pass->counts);
    free(pass->outcomes);
    free(pass->x);
    free(pass->ranks);
    free(pass->among);
    free(pass->at_rank);
}

/* How all runs ended, and which count. */
static void sample_read_outcomes(struct sample_pass *pass)
{
    const struct ml_sample_statistics *out = pass->out;
    const unsigned long long n_run = (unsigned long long)pass->from->layout->n_run;
    const struct ml_extent all = {.rank = 1, .size = {n_run}};
    ml_h5_read_range(pass->from->h5, pass->from->outcome, &all, H5T_NATIVE_INT8, 0, n_run,
                     pass->outcomes);
    if (pass->from->h5->status != ML_OK)
        return;
    for (int64_t k = 0; k < out->n; k++)
        pass->counts[k] = ml_described_run(pass->from->layout, k);
    for (int64_t i = 0; i < (int64_t)n_run; i++)
        if (pass->counts[i % out->n])
            out->outcomes[i / out->n][pass->outcomes[i]]++;
}

/* The drawn values of an input, which are the same at every point of the other axes. */
static void sample_read_input(struct sample_pass *pass, int i)
{
    const struct ml_sample_statistics *out = pass->out;
    const struct ml_sample_source *from = pass->from;
    const struct ml_swept *input =
        ml_layout_swept_at(from->layout, out->first_input + pass->first + i);
    const struct ml_extent all = {.rank = 1, .size = {(unsigned long long)from->layout->n_run}};
    double *x = pass->x + i * out->n;
    char path[2 * ML_NAME_LENGTH];
    (void)snprintf(path, sizeof path, "runs/%s", input->path);
    const hid_t id = ml_h5_open_dataset(from->h5, from->entry, path);
    ml_h5_read_range(from->h5, id, &all, H5T_NATIVE_DOUBLE, 0, (unsigned long long)out->n, x);
    ml_h5_close_dataset(from->h5, id);
    if (from->h5->status != ML_OK)
        return;
    ml_order_find(x, out->n, pass->numbers.order, pass->numbers.work);
    ml_order_ranks(x, pass->numbers.order, out->n, pass->ranks + i * out->n);
}

/* Component `row` of an output at one point of the other axes. */
static void sample_read_number(struct sample_pass *pass, int i, int64_t cell, int64_t row)
{
    const struct ml_layout *layout = pass->from->layout;
    const struct ml_extent all = ml_layout_output(layout, i);
    struct ml_extent start = all, count = all;
    const int at = layout->runs.rank - 1; /* of the sample */
    for (int k = all.rank - 1; k >= 0; k--) {
        if (k == at) {
            start.size[k] = 0;
            continue;
        }
        int64_t *left = k > at ? &row : &cell;
        start.size[k] = (unsigned long long)*left % all.size[k];
        *left /= (int64_t)all.size[k];
        count.size[k] = 1;
    }
    ml_h5_read_box(pass->from->h5, pass->from->summary[i], H5T_NATIVE_DOUBLE, &start, NULL, &count,
                   pass->numbers.values);
}

/* Makes NaN of the runs that do not count; of those that count it becomes infinite, if it is the
 * worst. */
static void sample_leave_out(struct sample_pass *pass, int64_t cell, enum ml_better better)
{
    const int8_t *outcomes = pass->outcomes + cell * pass->out->n;
    const double worst = better == ML_BETTER_LARGER ? -(double)INFINITY : (double)INFINITY;
    double *values = pass->numbers.values;
    pass->numbers.has_ends = better != ML_BETTER_UNKNOWN;
    pass->n_counted = pass->n_never = 0;
    for (int64_t k = 0; k < pass->out->n; k++) {
        const bool counts = pass->counts[k] && ml_outcome_is_sound(outcomes[k]);
        pass->n_counted += counts;
        pass->n_never += counts && isnan(values[k]);
        if (!counts)
            values[k] = (double)NAN;
        else if (pass->numbers.has_ends && isnan(values[k]))
            values[k] = worst;
    }
}

static double *sample_entry(const struct ml_sample_statistics *out, enum ml_sample_table table,
                            int64_t number)
{
    return out->tables[table] + number * out->size[table];
}

static void sample_write_numbers(const struct sample_pass *pass, int64_t number)
{
    const struct ml_sample_statistics *out = pass->out;
    const struct ml_moments *m = &pass->numbers.moments;
    const double moments[ML_N_SAMPLE_MOMENT] = {m->mean, m->sd, m->standard_error, m->min, m->max};
    double *to = sample_entry(out, ML_SAMPLE_MOMENTS, number);
    for (int k = 0; k < ML_N_SAMPLE_MOMENT; k++)
        to[k] = moments[k];
    to = sample_entry(out, ML_SAMPLE_QUANTILES, number);
    for (int k = 0; k < ML_N_SAMPLE_QUANTILE; k++) {
        const struct ml_sample_quantile *quantile = &pass->numbers.quantiles[k];
        *to++ = quantile->value;
        *to++ = quantile->low;
        *to++ = quantile->high;
    }
    *sample_entry(out, ML_SAMPLE_RUNS, number) = (double)m->n;
    to = sample_entry(out, ML_SAMPLE_EDGES, number);
    ml_histogram_edges(m->min, m->max, out->n_bin, to);
    ml_histogram_count(pass->numbers.ascending, m->n, out->n_bin, to,
                       sample_entry(out, ML_SAMPLE_HISTOGRAM, number));
    const struct ml_proportion never = ml_proportion_find(pass->n_never, pass->n_counted);
    *sample_entry(out, ML_SAMPLE_NEVER, number) = (double)pass->n_never;
    to = sample_entry(out, ML_SAMPLE_NEVER_PART, number);
    to[0] = never.value;
    to[1] = never.low;
    to[2] = never.high;
}

/* Ranks of an input among the runs that have the number. */
static const double *sample_ranks(const struct sample_pass *pass, int i)
{
    const struct ml_sample_numbers *y = &pass->numbers;
    const double *ranks = pass->ranks + i * y->n;
    if (y->moments.n == y->n)
        return ranks;
    ml_ranks_among(ranks, y->values, y->n, pass->among, pass->at_rank);
    return pass->among;
}

static void sample_write_correlations(const struct sample_pass *pass, int64_t number)
{
    const struct ml_sample_numbers *y = &pass->numbers;
    double *to = sample_entry(pass->out, ML_SAMPLE_CORRELATIONS, number) +
                 (ptrdiff_t)pass->first * ML_N_SAMPLE_CORRELATION;
    for (int i = 0; i < pass->n_kept; i++) {
        *to++ = ml_pearson(pass->x + i * y->n, y->values, y->n);
        *to++ = ml_pearson(sample_ranks(pass, i), y->ranks, y->n);
    }
}

/* Counts the runs that meet the requirements at a point of the other axes; `all` has room for a
 * point of each run. */
static void sample_count_met(struct sample_pass *pass, int64_t cell, bool *all)
{
    const struct ml_layout *layout = pass->from->layout;
    const struct ml_study_spec *spec = &layout->study->spec;
    const int8_t *outcomes = pass->outcomes + cell * pass->out->n;
    double *met = pass->out->met + cell * (spec->indicators.n_requirement + 1);
    for (int64_t k = 0; k < pass->out->n; k++)
        all[k] = pass->counts[k] && ml_outcome_is_sound(outcomes[k]);
    for (int i = 0; i < spec->indicators.n_requirement; i++) {
        const struct ml_required of =
            ml_required_find(layout, spec->indicators.requirements[i].name);
        sample_read_number(pass, of.output, cell, of.row);
        for (int64_t k = 0; k < pass->out->n && pass->from->h5->status == ML_OK; k++) {
            const bool is_met =
                ml_requirement_is_met(&spec->indicators.requirements[i], pass->numbers.values[k]);
            met[i] += is_met && pass->counts[k] && ml_outcome_is_sound(outcomes[k]);
            all[k] = all[k] && is_met;
        }
    }
    for (int64_t k = 0; k < pass->out->n; k++)
        met[spec->indicators.n_requirement] += all[k];
}

static void sample_find_met(struct sample_pass *pass)
{
    const size_t n = (size_t)pass->from->layout->study->spec.indicators.n_requirement;
    const size_t n_cell = (size_t)pass->out->n_cell;
    if (n == 0)
        return;
    bool *all = calloc((size_t)pass->out->n, sizeof *all);
    pass->out->met = ml_pool_take(&pass->out->pool, n_cell * (n + 1), sizeof(double));
    const bool is_there = ml_h5_need(pass->from->h5, all && pass->out->met);
    for (int64_t c = 0; is_there && c < pass->out->n_cell && pass->from->h5->status == ML_OK; c++)
        sample_count_met(pass, c, all);
    free(all);
}

static void sample_each_number(struct sample_pass *pass)
{
    const struct ml_layout *layout = pass->from->layout;
    int64_t number = 0;
    for (int i = 0; i < layout->results.n_output; i++) {
        const int64_t rows = ml_described_output(layout, i) ? ml_layout_output_rows(layout, i) : 0;
        for (int64_t k = 0; k < pass->out->n_cell * rows && pass->from->h5->status == ML_OK; k++) {
            sample_read_number(pass, i, k / rows, k % rows);
            sample_leave_out(pass, k / rows, layout->results.outputs[i].better);
            ml_sample_numbers_describe(&pass->numbers);
            if (pass->first == 0)
                sample_write_numbers(pass, number);
            sample_write_correlations(pass, number++);
        }
    }
}

void ml_sample_statistics_find(struct ml_sample_statistics *statistics,
                               const struct ml_sample_source *from)
{
    struct sample_pass pass = {.out = statistics, .from = from};
    ml_sample_statistics_measure(statistics, from->layout);
    if (ml_h5_need(from->h5, sample_take(&pass)))
        sample_read_outcomes(&pass);
    if (from->h5->status == ML_OK)
        sample_find_met(&pass);
    for (; from->h5->status == ML_OK && pass.first < statistics->n_input;
         pass.first += pass.n_kept) {
        const int left = statistics->n_input - pass.first;
        pass.n_kept = pass.n_kept < left ? pass.n_kept : left;
        for (int i = 0; i < pass.n_kept; i++)
            sample_read_input(&pass, i);
        sample_each_number(&pass);
    }
    sample_release(&pass);
}

void ml_sample_statistics_free(struct ml_sample_statistics *statistics)
{
    ml_pool_free(&statistics->pool);
}
