/* Histograms: how often values occur in the finished runs. */
#include <math.h>

#include "plot/figure.h"
#include "statistics/quantile.h"

enum { LEAST_BINS = 8, MOST_BINS = 120 };

static const double low_quantile = 0.05, high_quantile = 0.95;

struct histogram {
    struct ml_plot_gathered g;
    struct ml_plot_range range;
    int n_bin;
    bool is_log;
    unsigned long long n_beyond; /* values outside of the range */
};

static double histogram_scale(const struct histogram *h, double value)
{
    return h->is_log ? log10(value) : value;
}

/* Width by Freedman and Diaconis, 2 IQR/n^(1/3), of the part with most values. */
static void histogram_choose_bins(struct histogram *h)
{
    const struct ml_plot_gathered *g = &h->g;
    double width = (double)INFINITY;
    const double low = histogram_scale(h, h->range.low), high = histogram_scale(h, h->range.high);
    for (unsigned long long part = 0; part < g->n_part; part++) {
        const double *values = g->values + part * g->n_run;
        const unsigned long long n = g->count[part];
        if (n < 2 || (h->is_log && !(ml_quantile(values, (int64_t)n, 0.25) > 0.0)))
            continue;
        const double inner = histogram_scale(h, ml_quantile(values, (int64_t)n, 0.75)) -
                             histogram_scale(h, ml_quantile(values, (int64_t)n, 0.25));
        if (inner > 0.0)
            width = fmin(width, 2.0 * inner / cbrt((double)n));
    }
    const double wanted = isfinite(width) ? ceil((high - low) / width) : LEAST_BINS;
    h->n_bin = (int)fmin(fmax(wanted, LEAST_BINS), MOST_BINS);
}

/* Where a value is; those beyond the range are in none. */
static int histogram_bin(const struct histogram *h, double value)
{
    const double low = histogram_scale(h, h->range.low), high = histogram_scale(h, h->range.high);
    if (h->is_log && !(value > 0.0))
        value = h->range.low;
    const double at = (histogram_scale(h, value) - low) / (high - low) * h->n_bin;
    if (!(at >= 0.0) || at > h->n_bin)
        return -1;
    return at < h->n_bin ? (int)at : h->n_bin - 1;
}

/* A row per bin: its lower edge, then the counts of every part; last the upper edge, and 0. */
static const char *histogram_write(const struct ml_plot_script *script, struct histogram *h)
{
    const struct ml_plot_gathered *g = &h->g;
    const double low = histogram_scale(h, h->range.low), high = histogram_scale(h, h->range.high);
    const size_t n = (size_t)h->n_bin + 1;
    unsigned long long *counts = ml_plot_take(script->source, n * g->n_part, sizeof *counts);
    struct ml_plot_table table = ml_plot_begin_table(script, 1 + g->n_part);
    for (unsigned long long part = 0; counts && part < g->n_part; part++)
        for (unsigned long long i = 0; i < g->count[part]; i++) {
            const int bin = histogram_bin(h, g->values[part * g->n_run + i]);
            if (bin >= 0)
                counts[part * n + (size_t)bin]++;
            else
                h->n_beyond++;
        }
    for (size_t i = 0; counts && i < n; i++) {
        const double edge = low + (high - low) * (double)i / h->n_bin;
        ml_plot_write(&table, h->is_log ? pow(10.0, edge) : edge);
        for (unsigned long long part = 0; part < g->n_part; part++)
            ml_plot_write(&table, (double)counts[part * n + i]);
    }
    return ml_plot_end_table(&table);
}

static const char *histogram_subtitle(struct ml_plot_source *source, const struct histogram *h)
{
    const struct ml_plot_gathered *g = &h->g;
    const char *fixed = ml_plot_beyond_subtitle(source, g->view.subtitle, h->n_beyond);
    const char *end = *fixed ? "\n" : "";
    if (g->n_part != 1)
        return ml_plot_format(source, "%s%s%llu runs", fixed, end, g->n_run);
    return ml_plot_format(source, "%s%s%llu of %llu runs; 5 %%: %.4g; median: %.4g; 95 %%: %.4g",
                          fixed, end, g->count[0], g->n_run,
                          ml_quantile(g->values, (int64_t)g->count[0], low_quantile),
                          ml_quantile(g->values, (int64_t)g->count[0], 0.5),
                          ml_quantile(g->values, (int64_t)g->count[0], high_quantile));
}

static void histogram_plot(const struct ml_plot_script *script, const struct histogram *h,
                           const char *data)
{
    FILE *file = script->file;
    const struct ml_plot_slice *parts = &h->g.parts;
    const char *begin = "plot ";
    for (unsigned long long part = 0; part < parts->n_row; part++, begin = ML_PLOT_AGAIN) {
        if (parts->n_row == 1)
            (void)fprintf(file,
                          "%s%s using 1:%llu with fillsteps fillstyle solid 0.35 noborder "
                          "linecolor rgb '%s' notitle",
                          begin, data, part + 2, ml_plot_distinct[part]);
        begin = parts->n_row == 1 ? ML_PLOT_AGAIN : begin;
        (void)fprintf(file, "%s%s using 1:%llu with steps linewidth 1.3 linecolor rgb '%s' title ",
                      begin, data, part + 2, ml_plot_distinct[part]);
        ml_plot_quote(script, parts->labels[part]);
    }
    (void)fputc('\n', file);
}

/* The range of the values without far outliers, or the range asked for. */
static void histogram_choose_range(struct ml_plot_source *source, struct histogram *h,
                                   const struct ml_plot_options *request)
{
    const struct ml_plot_gathered *g = &h->g;
    const unsigned long long n = g->n_part * g->n_run;
    double *all = ml_plot_take(source, n, sizeof *all);
    for (unsigned long long part = 0; all && part < g->n_part; part++)
        for (unsigned long long i = 0; i < g->n_run; i++)
            all[part * g->n_run + i] =
                i < g->count[part] ? g->values[part * g->n_run + i] : (double)NAN;
    if (!all)
        return;
    h->range = ml_plot_range_of(source, g->view.dataset->name, all, n);
    if (!ml_plot_ask_range(request, &h->range))
        h->range = ml_plot_cut_axis(h->range);
    h->is_log = h->range.is_log && h->range.low > 0.0;
    if (source->status == ML_OK && !(h->range.low < h->range.high))
        ml_plot_refuse(source, "range: %s has no values there", g->view.dataset->name);
}

void ml_plot_check_parts(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                         const struct ml_plot_slice *parts, const char *picture)
{
    if (source->status == ML_OK && parts->n_row > ML_PLOT_DISTINCT)
        ml_plot_refuse(source, "%s has %llu parts, of which %s at most %d: fix %s", dataset->name,
                       parts->n_row, picture, ML_PLOT_DISTINCT, parts->entries);
}

void ml_plot_set_parts_key(const struct ml_plot_script *script, const struct ml_plot_slice *parts)
{
    if (parts->n_row == 1) {
        (void)fputs("unset key\n", script->file);
        return;
    }
    (void)fputs("set key outside right top Left reverse title ", script->file);
    ml_plot_key_title(script, parts->entries);
}

void ml_plot_histogram(const struct ml_plot_script *script, const struct ml_plot_dataset *dataset,
                       const struct ml_plot_options *request)
{
    struct ml_plot_source *source = script->source;
    struct histogram h = {.n_bin = 0};
    if (!dataset->is_summary || dataset->is_outcome || dataset->is_share) {
        ml_plot_refuse(source, "a histogram is for numbers of the summary; %s is not one of them",
                       dataset->name);
        return;
    }
    ml_plot_gather(source, dataset, request, false, &h.g);
    ml_plot_check_parts(source, dataset, &h.g.parts, "a histogram shows");
    if (source->status == ML_OK)
        histogram_choose_range(source, &h, request);
    if (source->status != ML_OK)
        return;
    histogram_choose_bins(&h);
    const char *data = histogram_write(script, &h);
    ml_plot_begin_script(script, histogram_subtitle(source, &h));
    (void)fprintf(script->file, "set xrange [%.17g:%.17g]\n%sset yrange [0:*]\n", h.range.low,
                  h.range.high, h.is_log ? "set logscale x\n" : "");
    ml_plot_set_label(script, "x", dataset->label);
    ml_plot_set_label(script, "y", "runs");
    ml_plot_set_parts_key(script, &h.g.parts);
    histogram_plot(script, &h, data);
}
