/* Curves over one axis, with error bars; points where runs have no order. */
#include <math.h>
#include <string.h>

#include "manylink/outcome.h"
#include "plan/view.h"
#include "plot/figure.h"

enum {
    MAX_LEGEND = 24,  /* entries that fit beside the picture */
    LEGEND_LINE = 20, /* pixels of each */
    BESIDE = 20,      /* bytes of a label that fit beside the picture; there is more room below */
    UNDER = 5,        /* lines of an axis' tics and label */
    SAMPLE = 4,       /* letters as wide as a legend's sample */
    MAX_MARKED = 100, /* points on a curve */
};

struct curves {
    const struct ml_plot_script *script;
    const struct ml_plot_view *view;
    struct ml_plot_axis x;
    struct ml_plot_slice slice, ends[2]; /* of error bars */
    bool has_errors, is_joined;
    bool has_bands;              /* in place of error bars: of means over a cycle */
    struct ml_plot_range range;  /* of y; of points it may leave outliers out */
    unsigned long long n_beyond; /* of these */
    const char *data;            /* as of ml_plot_end_table */
};

/* A row per place on the axis: x, then of every curve the value and the ends of its error bar, if
 * any. */
static const char *write_columns(const struct curves *curves)
{
    const struct ml_plot_slice *slice = &curves->slice;
    struct ml_plot_table table =
        ml_plot_begin_table(curves->script, 1 + slice->n_row * (curves->has_errors ? 3 : 1));
    for (unsigned long long i = 0; i < slice->n_column; i++) {
        unsigned long long column = curves->x.order[i];
        ml_plot_write(&table, curves->x.scale->values[column]);
        for (unsigned long long row = 0; row < slice->n_row; row++) {
            ml_plot_write(&table, slice->values[row * slice->n_column + column]);
            for (int end = 0; end < 2 && curves->has_errors; end++)
                ml_plot_write(&table, curves->ends[end].values[row * slice->n_column + column]);
        }
    }
    return ml_plot_end_table(&table);
}

/* Lines go to the frame, points keep away from it. */
static void set_x(const struct curves *curves)
{
    const struct ml_plot_view *view = curves->view;
    bool has_points = !curves->is_joined || curves->x.n <= MAX_MARKED;
    struct ml_plot_range range = ml_plot_span(&curves->x, has_points ? 0.02 : 0.0);
    range.low = fmax(range.low, view->request->part[0]);
    range.high = fmin(range.high, view->request->part[1]);
    ml_plot_set_axis(curves->script, "x", &curves->x, range);
}

static void set_outcomes(FILE *file)
{
    (void)fputs("set yrange [-0.5:*]\nset ytics (", file);
    for (int k = 0; k < ML_N_OUTCOME; k++)
        (void)fprintf(file, "%s'%s' %d", k > 0 ? ", " : "", ml_outcome_name(k), k);
    (void)fputs(")\n", file);
}

/* Chooses the range of y. Outliers of points in no order are left out and counted, where they would
 * take up most of y. */
static void choose_range(struct curves *curves)
{
    const struct ml_plot_view *view = curves->view;
    const unsigned long long n = curves->slice.n_row * curves->slice.n_column;
    const double *values = curves->slice.values;
    struct ml_plot_range *range = &curves->range;
    *range = ml_plot_range_of(curves->script->source, view->dataset->name, values, n);
    if (curves->is_joined || view->dataset->is_outcome || !isnan(view->request->range[0]) ||
        !isnan(view->request->range[1]))
        return;
    const struct ml_plot_range cut = ml_plot_cut_axis(*range);
    for (unsigned long long i = 0; i < n && cut.is_cut; i++)
        curves->n_beyond += values[i] < cut.low || values[i] > cut.high;
    if (curves->n_beyond > 0)
        *range = cut;
}

static void set_y(const struct curves *curves)
{
    FILE *file = curves->script->file;
    const double *range = curves->view->request->range;
    ml_plot_set_label(curves->script, "y", curves->view->dataset->label);
    if (curves->view->dataset->is_outcome)
        set_outcomes(file);
    else if (!isnan(range[0]) || !isnan(range[1]))
        ml_plot_set_ends(file, "y", range[0], range[1]);
    else if (curves->n_beyond > 0)
        ml_plot_set_ends(file, "y", curves->range.low, curves->range.high);
    else
        (void)fputs(curves->range.is_log
                        ? "set logscale y\n"
                        : "set autoscale yfix\nset offsets 0, 0, graph 0.04, graph 0.04\n",
                    file);
    if (curves->range.is_few)
        (void)fputs("set ytics 1\n", file);
}

static size_t longest_of(const char *const *texts, unsigned long long n)
{
    size_t longest = 0;
    for (unsigned long long i = 0; i < n; i++)
        longest = strlen(texts[i]) > longest ? strlen(texts[i]) : longest;
    return longest;
}

/* The legend beside the picture; of long labels below, in two columns where these are as wide as
 * the picture, which texts at the left of bars narrow. */
static void set_legend(const struct curves *curves)
{
    const double wide = 0.85; /* of the picture's width */
    const struct ml_plot_slice *slice = &curves->slice;
    const struct ml_plot_scale *x = &curves->view->x_scale;
    FILE *file = curves->script->file;
    const size_t longest = longest_of(slice->labels, slice->n_row);
    const size_t left = x->texts ? longest_of(x->texts, x->n) : 0;
    const double two = ml_plot_letter(curves->script) * (double)(left + 2 * (longest + SAMPLE));
    const unsigned long long n_column = two < wide ? 2 : 1;
    if (longest > BESIDE) /* lines of the legend, its title, and the axis above them */
        (void)fprintf(file,
                      "set bmargin %llu\nunset colorbox\nset key bmargin center horizontal "
                      "maxcols %llu Left reverse samplen 1.5 title ",
                      (slice->n_row + n_column - 1) / n_column + 1 + UNDER, n_column);
    else
        (void)fputs("unset colorbox\nset key outside right top Left reverse samplen 1.5 title ",
                    file);
    ml_plot_key_title(curves->script, slice->entries);
}

/* The bar of colours of curves that are too many for a legend. */
static void set_bar(const struct curves *curves)
{
    FILE *file = curves->script->file;
    const struct ml_plot_slice *slice = &curves->slice;
    const double usual = 0.78, least = 0.5, bar = 0.12; /* of the picture's width */
    unsigned long long last = slice->n_row - 1;
    size_t first_length = strlen(slice->labels[0]), last_length = strlen(slice->labels[last]);
    double longest = (double)(first_length > last_length ? first_length : last_length);
    double margin = fmax(least, fmin(usual, 1.0 - bar - ml_plot_letter(curves->script) * longest));
    (void)fprintf(file, "unset key\nset rmargin at screen %.3f\n",
                  ml_plot_place(curves->script, margin));
    ml_plot_set_label(curves->script, "cb", slice->entries);
    (void)fputs("set cbtics (", file);
    ml_plot_quote_tic(curves->script, slice->labels[0]);
    (void)fputs(" 0, ", file);
    ml_plot_quote_tic(curves->script, slice->labels[last]);
    (void)fprintf(file, " %llu)\n", last);
}

static void set_key(const struct curves *curves)
{
    const double most = 0.84; /* of the height */
    FILE *file = curves->script->file;
    const struct ml_plot_slice *slice = &curves->slice;
    if (slice->n_row > ML_PLOT_DISTINCT) {
        ml_plot_set_palette(curves->script);
        (void)fprintf(file, "set cbrange [0:%llu]\n", slice->n_row - 1);
    }
    if (slice->n_row == 1)
        (void)fputs("unset key\nunset colorbox\n", file);
    else if (slice->n_row <= MAX_LEGEND &&
             (double)slice->n_row * LEGEND_LINE <= most * curves->script->height)
        set_legend(curves);
    else
        set_bar(curves);
}

static void write_colour(const struct curves *curves, unsigned long long row)
{
    if (curves->slice.n_row > ML_PLOT_DISTINCT)
        (void)fprintf(curves->script->file, " linecolor palette cb %llu", row);
    else
        (void)fprintf(curves->script->file, " linecolor rgb '%s'", ml_plot_distinct[row]);
}

/* Error bars of points: gnuplot leaves a white ring around the points it draws with them, which
 * hides others. */
static void plot_bars(const struct curves *curves, unsigned long long row)
{
    (void)fprintf(curves->script->file, "using 1:%llu:%llu:%llu with yerrorbars pointtype 0",
                  3 * row + 2, 3 * row + 3, 3 * row + 4);
    write_colour(curves, row);
    (void)fputs(" notitle", curves->script->file);
}

/* Whether a row has the measured numbers of a fit, which its model is drawn through. */
static bool is_measured(const struct curves *curves, unsigned long long row)
{
    const char *label = curves->slice.labels[row], *end = label ? strrchr(label, '.') : NULL;
    return end && strcmp(end, ".measured") == 0 &&
           strcmp(curves->view->dataset->name, "comparison") == 0;
}

/* The band between the ends of the error bars. */
static void plot_band(const struct curves *curves, unsigned long long row)
{
    (void)fprintf(curves->script->file,
                  "using 1:%llu:%llu with filledcurves fillstyle transparent solid 0.18 noborder",
                  3 * row + 3, 3 * row + 4);
    write_colour(curves, row);
    (void)fputs(" notitle", curves->script->file);
}

/* The line at 0, and that at the mean of the toe-offs, where the stance of a cycle ends. */
static void set_cycle(const struct curves *curves)
{
    struct ml_plot_source *source = curves->script->source;
    struct ml_plot_dataset toe_off;
    double sum = 0.0;
    (void)fputs("set xzeroaxis linetype 1 linecolor rgb '#808080'\n", curves->script->file);
    if (!ml_plot_find_in(source, curves->view->dataset->group, "toe_off", &toe_off))
        return;
    const struct ml_plot_view all = ml_plot_view_of(&toe_off, curves->view->request);
    const unsigned long long n = ml_plot_box(&all);
    double *values = ml_plot_take(source, n, sizeof *values);
    if (!values)
        return;
    ml_plot_read_box(source, &all, values, n);
    for (unsigned long long i = 0; i < n; i++)
        sum += values[i] / (double)n;
    (void)fprintf(
        curves->script->file,
        "set arrow from first %.6g, graph 0 to first %.6g, graph 1 nohead back dashtype 2 "
        "linecolor rgb '#808080'\n",
        sum, sum);
}

static void plot_curve(const struct curves *curves, unsigned long long row)
{
    FILE *file = curves->script->file;
    const bool is_joined = curves->is_joined && !is_measured(curves, row);
    const bool is_marked = !is_joined || (curves->slice.n_column <= MAX_MARKED &&
                                          strcmp(curves->view->dataset->name, "comparison") != 0);
    if (curves->has_errors && is_joined && !curves->has_bands)
        (void)fprintf(file, "using 1:%llu:%llu:%llu with yerrorlines", 3 * row + 2, 3 * row + 3,
                      3 * row + 4);
    else
        (void)fprintf(file, "using 1:%llu with %s", curves->has_errors ? 3 * row + 2 : row + 2,
                      !is_joined  ? "points"
                      : is_marked ? "linespoints"
                                  : "lines");
    if (is_marked || (curves->has_errors && !curves->has_bands))
        (void)fprintf(file, " pointtype 7 pointsize %s", is_joined ? "0.5" : "0.6");
    if (is_joined)
        (void)fputs(" linewidth 1.3", file);
    write_colour(curves, row);
    (void)fputs(" title ", file);
    ml_plot_quote(curves->script, curves->slice.labels[row]);
}

static void plot(const struct curves *curves)
{
    FILE *file = curves->script->file;
    const char *begin = "plot ";
    const bool has_bars = curves->has_errors && (curves->has_bands || !curves->is_joined);
    for (unsigned long long row = 0; has_bars && row < curves->slice.n_row;
         row++, begin = ML_PLOT_AGAIN) {
        (void)fprintf(file, "%s%s ", begin, curves->data);
        (curves->has_bands ? plot_band : plot_bars)(curves, row);
    }
    for (unsigned long long row = 0; row < curves->slice.n_row; row++, begin = ML_PLOT_AGAIN) {
        (void)fprintf(file, "%s%s ", begin, curves->data);
        plot_curve(curves, row);
    }
    (void)fputc('\n', file);
}

/* The family of a view, whose entries have a colour each. */
static struct ml_plot_orbit_family events_family(const struct ml_plot_view *view)
{
    struct ml_plot_orbit_family family = {1, 1};
    const struct ml_plot_dataset *dataset = view->dataset;
    for (int k = dataset->rank - 1; k > view->family && view->family >= 0; k--)
        family.inner *= view->is_fixed[k] || k == view->x ? 1 : dataset->size[k];
    if (view->family >= 0)
        family.n = dataset->size[view->family];
    return family;
}

/* Points of each entry of a family, with a legend; where they are few, the first are larger, so
 * that others do not hide them. */
static void plot_family(const struct curves *curves, unsigned long long n)
{
    enum { FEW = 2000 };
    struct ml_plot_view entries = *curves->view;
    struct curves by = *curves;
    FILE *file = curves->script->file;
    const bool are_few = curves->slice.n_row * curves->slice.n_column < FEW;
    const char *begin = "plot ";
    for (int k = 0; k < entries.dataset->rank; k++)
        entries.is_fixed[k] = entries.is_fixed[k] || (k != entries.x && k != entries.family);
    by.slice = (struct ml_plot_slice){.n_row = n, .entries = ""};
    ml_plot_label_rows(curves->script->source, &entries, &by.slice);
    if (!by.slice.labels)
        return;
    set_key(&by);
    for (unsigned long long k = 0; k < n; k++, begin = ML_PLOT_AGAIN) {
        (void)fprintf(file,
                      "%s%s using ($3 == %llu ? $1 : NaN):2 with points pointtype 7 pointsize %s",
                      begin, by.data, k,
                      !are_few ? "0.15"
                      : k == 0 ? "0.8"
                               : "0.4");
        write_colour(&by, k);
        (void)fputs(" title ", file);
        ml_plot_quote(curves->script, by.slice.labels[k]);
    }
    (void)fputc('\n', file);
}

/* Events over an axis of their runs: points, in a colour for each entry of a family. */
static void plot_events(struct curves *curves)
{
    struct ml_plot_source *source = curves->script->source;
    const struct ml_plot_view *view = curves->view;
    const struct ml_plot_orbit_family family = events_family(view);
    struct ml_plot_range range = curves->range;
    ml_plot_ask_range(view->request, &range);
    bool are_cells;
    curves->data =
        ml_plot_orbit_write(curves->script, &curves->x, &curves->slice, family, range, &are_cells);
    ml_plot_begin_script(curves->script, ml_plot_run_subtitle(source, view));
    set_x(curves);
    set_y(curves);
    if (are_cells || family.n == 1)
        ml_plot_orbit_draw(curves->script, curves->data, are_cells);
    else
        plot_family(curves, family.n);
}

void ml_plot_curves(const struct ml_plot_script *script, const struct ml_plot_view *view)
{
    struct ml_plot_source *source = script->source;
    struct curves curves = {.script = script,
                            .view = view,
                            .is_joined = !ml_plot_is_unordered(view->dataset, view->x) &&
                                         !view->dataset->is_outcome && !view->x_scale.texts};
    ml_plot_read(source, view, &curves.slice);
    ml_plot_axis_init(source, &view->x_scale, &curves.x);
    curves.has_errors = ml_plot_read_ends(source, view, &curves.slice, curves.ends);
    curves.has_bands = curves.has_errors && strcmp(view->x_scale.name, ML_VIEW_PERCENT) == 0;
    ml_plot_label_rows(source, view, &curves.slice);
    if (source->status == ML_OK)
        choose_range(&curves);
    if (source->status != ML_OK)
        return;
    const int events = ml_plot_events(view->dataset);
    if (events >= 0 && !view->is_fixed[events]) {
        plot_events(&curves);
        return;
    }
    curves.data = write_columns(&curves);
    const char *subtitle = ml_plot_run_subtitle(source, view);
    ml_plot_begin_script(script, ml_plot_beyond_subtitle(source, subtitle, curves.n_beyond));
    if (view->x_scale.texts && (!curves.has_errors || view->dataset->is_share)) {
        set_key(&curves);
        ml_plot_bars(script, &view->x_scale, view->dataset->label, &curves.slice,
                     curves.has_errors ? curves.ends : NULL);
        return;
    }
    set_x(&curves);
    set_y(&curves);
    set_key(&curves);
    if (curves.has_bands)
        set_cycle(&curves);
    plot(&curves);
}
