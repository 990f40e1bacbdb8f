/* Bars: a quantity at the labels of an axis, such as the sensitivity to every parameter. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/figure.h"

enum { SORTED_FROM = 5 }; /* labels: fewer stay in their order */

struct bar {
    double size; /* largest of its row, without sign; 0: no number */
    unsigned long long at;
};

static int bars_compare(const void *a, const void *b)
{
    const struct bar *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* The labels from top to bottom: the longest bars first, where there are many. */
static struct bar *bars_sort(struct ml_plot_source *source, const struct ml_plot_slice *slice)
{
    struct bar *bars = ml_plot_take(source, slice->n_column, sizeof *bars);
    for (unsigned long long i = 0; bars && i < slice->n_column; i++) {
        bars[i].at = i;
        for (unsigned long long row = 0; row < slice->n_row; row++) {
            const double size = fabs(slice->values[row * slice->n_column + i]);
            if (isfinite(size))
                bars[i].size = fmax(bars[i].size, size);
        }
    }
    if (bars && slice->n_column >= SORTED_FROM)
        qsort(bars, slice->n_column, sizeof *bars, bars_compare);
    return bars;
}

/* Writes position from the top, value, and the ends of its interval of each row. */
static const char *bars_write(const struct ml_plot_script *script,
                              const struct ml_plot_slice *slice, const struct ml_plot_slice *ends,
                              const struct bar *bars, unsigned long long row)
{
    struct ml_plot_table table = ml_plot_begin_table(script, ends ? 4 : 2);
    for (unsigned long long i = 0; i < slice->n_column; i++) {
        const unsigned long long at = row * slice->n_column + bars[i].at;
        ml_plot_write(&table, (double)i);
        ml_plot_write(&table, slice->values[at]);
        for (int end = 0; end < 2 && ends; end++)
            ml_plot_write(&table, ends[end].values[at]);
    }
    return ml_plot_end_table(&table);
}

static void bars_set_labels(const struct ml_plot_script *script, const struct ml_plot_scale *scale,
                            const struct bar *bars)
{
    const double most = 0.5, tic = 0.02;
    FILE *file = script->file;
    size_t longest = 0;
    for (unsigned long long i = 0; i < scale->n; i++)
        longest = strlen(scale->texts[i]) > longest ? strlen(scale->texts[i]) : longest;
    (void)fprintf(file, "set lmargin at screen %.3f\nset yrange [%g:-0.5]\nset ytics scale 0 (",
                  ml_plot_place(script, fmin(most, tic + ml_plot_letter(script) * (double)longest)),
                  (double)scale->n - 0.5);
    for (unsigned long long i = 0; i < scale->n; i++) {
        (void)fputs(i > 0 ? ", " : "", file);
        ml_plot_quote_tic(script, scale->texts[bars[i].at]);
        (void)fprintf(file, " %llu", i);
    }
    (void)fputs(")\nset yzeroaxis linetype 1 linecolor rgb '#808080'\n"
                "set grid xtics linecolor rgb '#e0e0e0'\n",
                file);
}

/* Few tics, where labels and a legend leave little room: gnuplot's own would overlap. */
static void bars_set_tics(FILE *file, const struct ml_plot_slice *slice,
                          const struct ml_plot_slice *ends)
{
    double low = 0.0, high = 0.0;
    for (unsigned long long i = 0; i < slice->n_row * slice->n_column; i++) {
        low = fmin(low, slice->values[i]); /* passes over NaN */
        high = fmax(high, slice->values[i]);
        for (int end = 0; end < 2 && ends; end++) {
            low = fmin(low, ends[end].values[i]);
            high = fmax(high, ends[end].values[i]);
        }
    }
    ml_plot_set_steps(file, "x", low, high, 4);
}

void ml_plot_bars(const struct ml_plot_script *script, const struct ml_plot_scale *scale,
                  const char *label, const struct ml_plot_slice *slice,
                  const struct ml_plot_slice *ends)
{
    FILE *file = script->file;
    struct bar *bars = bars_sort(script->source, slice);
    if (!bars)
        return;
    const double width = 0.8 / (double)slice->n_row;
    bars_set_labels(script, scale, bars);
    bars_set_tics(file, slice, ends);
    (void)fputs("set autoscale xfix\nset offsets graph 0.04, graph 0.12, 0, 0\n", file);
    ml_plot_set_label(script, "x", label);
    for (unsigned long long row = 0; row < slice->n_row; row++) {
        const char *data = bars_write(script, slice, ends, bars, row);
        const double low = -0.4 + width * (double)row, high = low + width;
        (void)fprintf(file,
                      "%s%s using (0):1:(0):2:($1 + %g):($1 + %g) with boxxyerror fillstyle "
                      "solid 0.8 noborder linecolor rgb '%s' title ",
                      row > 0 ? ML_PLOT_AGAIN : "plot ", data, low, high,
                      ml_plot_distinct[row % ML_PLOT_DISTINCT]);
        ml_plot_quote(script, slice->labels[row]);
        if (ends)
            (void)fprintf(
                file,
                ", \\\n    %s using 2:($1 + %g):3:4 with xerrorbars pointtype 0 linewidth "
                "1.2 linecolor rgb '#303030' notitle",
                data, 0.5 * (low + high));
        else if (slice->n_row == 1)
            (void)fprintf(file,
                          ", \\\n    %s using ($2 > 0 ? $2 : 0):1:(sprintf(' %%.3g', $2)) with "
                          "labels left font ',9' notitle",
                          data);
    }
    (void)fputc('\n', file);
}
