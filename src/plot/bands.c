/* Bands of quantiles: how far the kept runs are apart at every time. */
#include <math.h>
#include <string.h>

#include "plot/colours.h"
#include "plot/figure.h"
#include "plot/slice.h"
#include "statistics/quantile.h"

enum { N_QUANTILE = 5 };

static const double quantiles[N_QUANTILE] = {0.05, 0.25, 0.5, 0.75, 0.95};

/* Of a part time and the five quantiles; times at which no run is are left out. */
static const char *bands_write(const struct ml_plot_script *script,
                               const struct ml_plot_gathered *g, const struct ml_plot_scale *time,
                               unsigned long long part)
{
    struct ml_plot_table table = ml_plot_begin_table(script, 1 + N_QUANTILE);
    for (unsigned long long i = 0; i < g->n_time; i++) {
        const unsigned long long at = part * g->n_time + i;
        if (g->count[at] == 0)
            continue;
        ml_plot_put(&table, time->values[i]);
        for (int q = 0; q < N_QUANTILE; q++)
            ml_plot_put(&table, ml_quantile(g->values + at * g->n_run, (int64_t)g->count[at],
                                            quantiles[q]));
    }
    return ml_plot_end_table(&table);
}

static void bands_plot(const struct ml_plot_script *script, const struct ml_plot_gathered *g,
                       const struct ml_plot_scale *time)
{
    FILE *file = script->file;
    for (unsigned long long part = 0; part < g->n_part; part++) {
        const char *colour = ml_plot_distinct[part], *data = bands_write(script, g, time, part);
        (void)fprintf(file,
                      "%s%s using 1:2:6 with filledcurves fillstyle transparent solid 0.18 "
                      "noborder linecolor rgb '%s' notitle, \\\n"
                      "    %s using 1:3:5 with filledcurves fillstyle transparent solid "
                      "0.3 noborder linecolor rgb '%s' notitle, \\\n"
                      "    %s using 1:4 with lines linewidth 1.6 linecolor rgb '%s' "
                      "title ",
                      part > 0 ? ML_PLOT_AGAIN : "plot ", data, colour, data, colour, data, colour);
        ml_plot_quote(script, g->parts.labels[part]);
    }
    (void)fputc('\n', file);
}

void ml_plot_bands(const struct ml_plot_script *script, const struct ml_plot_dataset *dataset,
                   const struct ml_plot_options *request)
{
    struct ml_plot_source *source = script->source;
    struct ml_plot_gathered g;
    const int last = dataset->rank - 1;
    if (last < 0 || strcmp(dataset->scales[last].name, "time") != 0) {
        ml_plot_refuse(source, "bands are for what is kept over time; %s is not", dataset->name);
        return;
    }
    ml_plot_gather(source, dataset, request, true, &g);
    if (source->status == ML_OK && g.n_part > ML_PLOT_DISTINCT)
        ml_plot_refuse(source, "%s has %llu parts, of which bands show at most %d: fix %s",
                       dataset->name, g.n_part, ML_PLOT_DISTINCT, g.parts.entries);
    if (source->status != ML_OK)
        return;
    const struct ml_plot_scale *time = &dataset->scales[last];
    ml_plot_begin_script(
        script,
        ml_plot_format(source, "%s%s%llu runs: median, and what 50 and 90 of 100 are within",
                       g.view.subtitle, *g.view.subtitle ? "\n" : "", g.n_run));
    FILE *file = script->file;
    (void)fputs("set autoscale xfix\n", file);
    ml_plot_set_label(script, "x", time->label);
    ml_plot_set_label(script, "y", dataset->label);
    (void)fputs(g.n_part == 1 ? "unset key\n" : "set key outside right top Left reverse title ",
                file);
    if (g.n_part > 1) {
        ml_plot_key_title(script, g.parts.entries);
    }
    bands_plot(script, &g, time);
}
