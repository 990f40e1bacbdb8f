/* Estimates with intervals that the caller found: bars, or curves in bands. */
#include <math.h>

#include "plot/figure.h"

/* The legend of n names below the axis, in two columns; panels beside each other have room for one.
 */
static void estimates_set_key(const struct ml_plot_script *script, int n)
{
    const int axis = 4; /* lines of tics and label */
    const int n_column = script->panel > 0 ? 1 : 2;
    if (n == 1)
        (void)fputs("unset key\n", script->file);
    else
        (void)fprintf(script->file,
                      "set key bmargin center horizontal maxcols %d\nset bmargin %d\n", n_column,
                      (n + n_column - 1) / n_column + axis);
}

/* Whether any of the estimates has an interval. */
static bool estimates_have_intervals(const struct ml_plot_estimates *e)
{
    bool any = false;
    for (int i = 0; i < e->n_kind * e->n_row; i++)
        any |= !isnan(e->halves[i]);
    return any;
}

/* Bars of the only place along x. */
static void estimates_bars(const struct ml_plot_script *script, const struct ml_plot_estimates *e)
{
    struct ml_plot_source *source = script->source;
    const unsigned long long n_row = (unsigned long long)e->n_row;
    const size_t n = (size_t)e->n_kind * n_row;
    double *values = ml_plot_take(source, n, sizeof *values);
    double *places = ml_plot_take(source, n_row, sizeof *places);
    double *ends = ml_plot_take(source, 2 * n, sizeof *ends);
    if (!values || !places || !ends)
        return;
    for (size_t i = 0; i < n; i++) {
        values[i] = e->values[i];
        ends[i] = e->values[i] - e->halves[i];
        ends[n + i] = e->values[i] + e->halves[i];
    }
    for (unsigned long long i = 0; i < n_row; i++)
        places[i] = (double)i;
    const struct ml_plot_scale scale = {.name = "input",
                                        .unit = "1",
                                        .label = "input",
                                        .n = n_row,
                                        .values = places,
                                        .texts = e->rows};
    const struct ml_plot_slice slice = {.n_row = (unsigned long long)e->n_kind,
                                        .n_column = n_row,
                                        .values = values,
                                        .entries = "",
                                        .labels = e->kinds};
    estimates_set_key(script, e->n_kind);
    ml_plot_bars(script, &scale, e->label, &slice,
                 estimates_have_intervals(e)
                     ? (const struct ml_plot_slice[]){{.values = ends}, {.values = ends + n}}
                     : NULL);
}

/* x, then of every curve the estimate and the ends of its interval. */
static const char *estimates_write(const struct ml_plot_script *script,
                                   const struct ml_plot_estimates *e)
{
    const int n = e->n_kind * e->n_row;
    struct ml_plot_table table = ml_plot_begin_table(script, 1 + 3 * (unsigned long long)n);
    for (int i = 0; i < e->n_x; i++) {
        ml_plot_write(&table, e->x[i]);
        for (int k = 0; k < n; k++) {
            const size_t at = (size_t)i * (size_t)n + (size_t)k;
            ml_plot_write(&table, e->values[at]);
            ml_plot_write(&table, e->values[at] - e->halves[at]);
            ml_plot_write(&table, e->values[at] + e->halves[at]);
        }
    }
    return ml_plot_end_table(&table);
}

/* Lines at 0 and at the marks, behind the curves. */
static void estimates_mark(const struct ml_plot_script *script)
{
    const struct ml_plot_options *request = script->options;
    if (request->n_mark > 0)
        (void)fputs("set xzeroaxis linetype 1 linecolor rgb '#808080'\n", script->file);
    for (int i = 0; i < request->n_mark; i++)
        if (isfinite(request->marks[i]))
            (void)fprintf(script->file,
                          "set arrow from first %.6g, graph 0 to first %.6g, graph 1 nohead back "
                          "dashtype 2 linecolor rgb '%s'\n",
                          request->marks[i], request->marks[i],
                          ml_plot_distinct[i % ML_PLOT_DISTINCT]);
}

static void estimates_curves(const struct ml_plot_script *script, const struct ml_plot_estimates *e)
{
    FILE *file = script->file;
    const char *data = estimates_write(script, e), *begin = "plot ";
    const double doubled = 1.9; /* of the last x over the one before: sizes that double */
    const bool is_log =
        e->n_x > 1 && e->x[0] > 0.0 && e->x[e->n_x - 1] > doubled * e->x[e->n_x - 2];
    (void)fprintf(file, "%sset autoscale xfix\n", is_log ? "set logscale x 2\n" : "");
    estimates_set_key(script, e->n_kind * e->n_row);
    estimates_mark(script);
    ml_plot_set_label(script, "x", e->x_label);
    ml_plot_set_label(script, "y", e->label);
    for (int k = 0; k < e->n_kind * e->n_row; k++, begin = ML_PLOT_AGAIN) {
        const int row = k % e->n_row, kind = k / e->n_row;
        const char *colour = ml_plot_distinct[row % ML_PLOT_DISTINCT];
        (void)fprintf(file,
                      "%s%s using 1:%d:%d with filledcurves fillstyle transparent solid 0.15 "
                      "noborder linecolor rgb '%s' notitle, \\\n"
                      "    %s using 1:%d with %s linewidth 1.5 pointtype 7 pointsize 0.5 "
                      "dashtype %d linecolor rgb '%s' title ",
                      begin, data, 3 * k + 3, 3 * k + 4, colour, data, 3 * k + 2,
                      is_log ? "linespoints" : "lines", kind + 1, colour);
        ml_plot_quote(script, e->n_kind > 1 ? ml_plot_format(script->source, "%s, %s", e->rows[row],
                                                             e->kinds[kind])
                                            : e->rows[row]);
    }
    (void)fputc('\n', file);
}

void ml_plot_estimates(struct ml_plot_script *script, const struct ml_plot_options *request)
{
    struct ml_plot_source *source = script->source;
    if (request->n_estimate > 1)
        ml_plot_divide(script, request, request->n_estimate);
    for (int i = 0; i < request->n_estimate && source->status == ML_OK; i++) {
        const struct ml_plot_estimates *e = &request->estimates[i];
        script->panel = request->n_estimate > 1 ? i + 1 : 0;
        ml_plot_begin_script(script, e->title);
        (e->n_x > 1 ? estimates_curves : estimates_bars)(script, e);
    }
    if (source->status == ML_OK && request->n_estimate > 1)
        (void)fputs("unset multiplot\n", script->file);
}
