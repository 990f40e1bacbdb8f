/* Bands of quantiles: how far runs are apart at every time. A result of a sample has the quantiles;
 * those of other results are of all kept runs. */
#include <math.h>
#include <string.h>

#include "plan/view.h"
#include "plot/figure.h"
#include "statistics/quantile.h"

enum { N_QUANTILE = 5 };

static const double quantiles[N_QUANTILE] = {0.05, 0.25, 0.5, 0.75, 0.95};

struct bands {
    struct ml_plot_scale time;
    struct ml_plot_slice parts; /* labels only */
    const double *values;       /* [n_part][N_QUANTILE][n_time] */
    const char *subtitle, *runs;
    double from, to; /* s, part of the times to draw */
};

/* Refuses a name of --by that is none of the dimensions first .. end - 1, which bands are parts of.
 */
static void bands_check_by(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                           int first, int end, const char *by)
{
    bool has = by == NULL;
    for (int k = first; k < end; k++)
        has |= by && strcmp(dataset->scales[k].name, by) == 0;
    if (!has)
        ml_plot_refuse(source,
                       "cannot draw bands of %s by %s: bands are by components, or of a sample by "
                       "swept axes",
                       dataset->name, by);
}

/* Quantiles of all kept runs. */
static void bands_gather(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                         const struct ml_plot_options *request, struct bands *bands)
{
    struct ml_plot_gathered g;
    bands_check_by(source, dataset, dataset->n_run_dim, dataset->rank - 1, request->by);
    ml_plot_gather(source, dataset, request, true, &g);
    double *values = ml_plot_take(source, g.n_part * N_QUANTILE * g.n_time, sizeof *values);
    if (source->status != ML_OK)
        return;
    for (unsigned long long part = 0; part < g.n_part; part++)
        for (unsigned long long i = 0; i < g.n_time; i++) {
            const unsigned long long at = part * g.n_time + i;
            for (unsigned long long q = 0; q < N_QUANTILE; q++)
                values[(part * N_QUANTILE + q) * g.n_time + i] =
                    ml_quantile(g.values + at * g.n_run, (int64_t)g.count[at], quantiles[q]);
        }
    *bands = (struct bands){.parts = g.parts,
                            .values = values,
                            .subtitle = g.view.subtitle,
                            .runs = ml_plot_format(source, "%llu runs", g.n_run)};
}

bool ml_plot_find_bands(struct ml_plot_source *source, const char *name,
                        struct ml_plot_dataset *dataset)
{
    return ml_plot_find_in(source, "statistics/over_time/quantiles", name, dataset) &&
           dataset->rank >= 2 && dataset->size[dataset->rank - 1] == N_QUANTILE;
}

/* How many runs are described by the numbers of a view of quantiles, and which runs are not. */
static const char *bands_runs(struct ml_plot_source *source, struct ml_plot_view view)
{
    static const char group[] = "statistics/over_time";
    const char *counts = ml_plot_attribute(source, group, "counts", "all");
    const char *left_out = ml_plot_attribute(source, group, "left_out", "0 ");
    const char *missing = ml_plot_attribute(source, group, "missing", NULL);
    struct ml_plot_dataset runs;
    double most = 0.0;
    if (!ml_plot_find_in(source, "statistics/over_time/runs", view.dataset->name, &runs) ||
        runs.rank != view.dataset->rank - 1)
        return "";
    view.dataset = &runs;
    const unsigned long long n = ml_plot_box(&view);
    double *values = ml_plot_take(source, n, sizeof *values);
    if (values)
        ml_plot_read_box(source, &view, values, n);
    for (unsigned long long i = 0; values && i < n; i++)
        most = fmax(most, values[i]);
    const bool lacks = strncmp(left_out, "0 ", 2) != 0, is_part = strncmp(counts, "all", 3) != 0;
    return ml_plot_format(source, "%.0f runs%s%s%s%s%s%s%s%s", most, is_part ? " (of " : "",
                          is_part ? counts : "", is_part ? ")" : "", lacks ? " (left out: " : "",
                          lacks ? left_out : "", lacks && missing ? "; " : "",
                          lacks && missing ? missing : "", lacks ? ")" : "");
}

/* Quantiles of the statistics, of swept axes at the middle unless the request fixes an axis or has
 * parts along the axis; false if the result has none. */
static bool bands_read(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                       const struct ml_plot_options *request, struct bands *bands)
{
    struct ml_plot_dataset *found = ml_plot_take(source, 1, sizeof *found);
    struct ml_plot_slice slice;
    if (!found || request->n_run > 0 || !ml_plot_find_bands(source, dataset->name, found))
        return false;
    const int n_axis = found->rank - dataset->rank;
    struct ml_plot_view view = ml_plot_view_of(found, request);
    view.x = found->rank - 2;
    ml_plot_select_requested(source, &view, request);
    bands_check_by(source, found, 0, view.x, request->by);
    for (int k = 0; k < n_axis && source->status == ML_OK; k++)
        if (!view.is_fixed[k] && !(request->by && strcmp(found->scales[k].name, request->by) == 0))
            ml_plot_select(source, &view, k, &found->scales[k], (found->size[k] - 1) / 2);
    if (source->status != ML_OK)
        return true;
    if (view.is_fixed[view.x] || view.is_fixed[found->rank - 1]) {
        ml_plot_refuse(source, "bands are of all times and quantiles: neither can be fixed");
        return true;
    }
    ml_plot_read(source, &view, &slice);
    view.is_fixed[found->rank - 1] = true;
    *bands = (struct bands){.parts = {.n_row = slice.n_row / N_QUANTILE, .entries = ""},
                            .values = slice.values,
                            .subtitle = view.subtitle,
                            .runs = bands_runs(source, view)};
    if (source->status == ML_OK)
        ml_plot_label_rows(source, &view, &bands->parts);
    return true;
}

static bool bands_draws(const struct bands *bands, unsigned long long i)
{
    return bands->time.values[i] >= bands->from && bands->time.values[i] <= bands->to;
}

/* Whether a time between the ends of --from and --to has runs. */
static bool bands_has_any(const struct bands *bands)
{
    const unsigned long long n = bands->time.n;
    bool has_any = false;
    for (unsigned long long part = 0; part < bands->parts.n_row; part++)
        for (unsigned long long i = 0; i < n; i++)
            has_any |= bands_draws(bands, i) && !isnan(bands->values[part * N_QUANTILE * n + i]);
    return has_any;
}

/* Writes time and the five quantiles of a part; times at which no run is are left out. */
static const char *bands_write(const struct ml_plot_script *script, const struct bands *bands,
                               unsigned long long part)
{
    const unsigned long long n = bands->time.n;
    const double *values = bands->values + part * N_QUANTILE * n;
    struct ml_plot_table table = ml_plot_begin_table(script, 1 + N_QUANTILE);
    for (unsigned long long i = 0; i < n; i++) {
        if (isnan(values[i]) || !bands_draws(bands, i))
            continue;
        ml_plot_write(&table, bands->time.values[i]);
        for (int q = 0; q < N_QUANTILE; q++)
            ml_plot_write(&table, values[(unsigned long long)q * n + i]);
    }
    return ml_plot_end_table(&table);
}

static void bands_plot(const struct ml_plot_script *script, const struct bands *bands)
{
    FILE *file = script->file;
    for (unsigned long long part = 0; part < bands->parts.n_row; part++) {
        const char *colour = ml_plot_distinct[part], *data = bands_write(script, bands, part);
        (void)fprintf(file,
                      "%s%s using 1:2:6 with filledcurves fillstyle transparent solid 0.18 "
                      "noborder linecolor rgb '%s' notitle, \\\n"
                      "    %s using 1:3:5 with filledcurves fillstyle transparent solid "
                      "0.3 noborder linecolor rgb '%s' notitle, \\\n"
                      "    %s using 1:4 with lines linewidth 1.6 linecolor rgb '%s' "
                      "title ",
                      part > 0 ? ML_PLOT_AGAIN : "plot ", data, colour, data, colour, data, colour);
        ml_plot_quote(script, bands->parts.labels[part]);
    }
    (void)fputc('\n', file);
}

void ml_plot_bands(const struct ml_plot_script *script, const struct ml_plot_dataset *dataset,
                   const struct ml_plot_options *request)
{
    struct ml_plot_source *source = script->source;
    struct bands bands = {.subtitle = "", .runs = ""};
    const int last = dataset->rank - 1;
    if (last < 0 || (strcmp(dataset->scales[last].name, ML_VIEW_TIME) != 0 &&
                     strcmp(dataset->scales[last].name, ML_VIEW_PERCENT) != 0)) {
        ml_plot_refuse(source, "bands are for what is kept over time; %s is not", dataset->name);
        return;
    }
    if (request->x || request->y || request->colour)
        ml_plot_refuse(source, "cannot take x, y or colour: bands are over time");
    if (!bands_read(source, dataset, request, &bands))
        bands_gather(source, dataset, request, &bands);
    ml_plot_check_parts(source, dataset, &bands.parts, "bands show");
    bands.time = dataset->scales[last];
    bands.from = request->part[0];
    bands.to = request->part[1];
    if (source->status == ML_OK && !bands_has_any(&bands))
        ml_plot_refuse(source,
                       "cannot draw bands of %s: no run that counts has a number at these times",
                       dataset->name);
    if (source->status != ML_OK)
        return;
    ml_plot_begin_script(script,
                         ml_plot_format(source, "%s%s%s: median, bands of 50 %% and 90 %%",
                                        bands.subtitle, *bands.subtitle ? "\n" : "", bands.runs));
    (void)fputs("set autoscale xfix\n", script->file);
    ml_plot_set_label(script, "x", bands.time.label);
    ml_plot_set_label(script, "y", dataset->label);
    ml_plot_set_ends(script->file, "y", request->range[0], request->range[1]);
    ml_plot_set_parts_key(script, &bands.parts);
    bands_plot(script, &bands);
}
