/* Maps: an image with a pixel per cell, or finer where cells differ in width or pixels are blended.
 * Coloured points: runs without an order over two of their quantities. */

#include "plot/figure.h"

#include <math.h>

/* Where a pixel per cell will not do: twice as many as the picture has, and enough for every cell.
 */
enum { PIXELS = 1200, PIXELS_PER_CELL = 4 };

/* The pixels along an axis of the image. */
struct map_side {
    unsigned long long n;             /* pixels */
    const unsigned long long *places; /* [n] position on the scale */
    double first, width;              /* edge and width of the pixels, as the axis' edges */
};

static unsigned long long count_pixels(const struct ml_plot_picture *picture,
                                       const struct ml_plot_axis *axis)
{
    unsigned long long some = PIXELS / axis->n, per_cell = some > 0 ? some : 1;
    if (axis->is_regular && !picture->is_smoothed)
        return axis->n > 1 ? axis->n : 2; /* gnuplot draws no image of one pixel */
    if (axis->is_regular)
        return per_cell * axis->n;
    return (per_cell > PIXELS_PER_CELL ? per_cell : PIXELS_PER_CELL) * axis->n;
}

static struct map_side side_of(const struct ml_plot_script *script, const struct ml_plot_axis *axis)
{
    unsigned long long cell = 0;
    struct map_side side = {.n = count_pixels(script->picture, axis)};
    unsigned long long *places = ml_plot_take(script->source, side.n, sizeof *places);
    if (script->source->status != ML_OK)
        return side;
    side.places = places;
    side.first = axis->edges[0];
    side.width = (axis->edges[axis->n] - side.first) / (double)side.n;
    for (unsigned long long i = 0; i < side.n; i++) {
        double middle = side.first + ((double)i + 0.5) * side.width;
        while (cell + 1 < axis->n && axis->edges[cell + 1] < middle)
            cell++;
        places[i] = axis->order[cell];
    }
    return side;
}

static struct ml_plot_table write_image(const struct ml_plot_script *script,
                                        const struct ml_plot_slice *slice, const struct map_side *x,
                                        const struct map_side *y)
{
    struct ml_plot_table table = ml_plot_begin_table(script, 1);
    for (unsigned long long j = 0; j < y->n; j++)
        for (unsigned long long i = 0; i < x->n; i++)
            ml_plot_write(&table, slice->values[y->places[j] * slice->n_column + x->places[i]]);
    return table;
}

/* The image lies on the second pair of axes, which are linear: in the logarithm where the first are
 * logarithmic. */
static void plot_image(FILE *file, const struct ml_plot_table *table, const struct map_side *x,
                       const struct map_side *y, const char *colour)
{
    (void)fprintf(file, "set x2range [%.17g:%.17g]\nset y2range [%.17g:%.17g]\n", x->first,
                  x->first + (double)x->n * x->width, y->first, y->first + (double)y->n * y->width);
    (void)fprintf(file,
                  "plot data binary skip=%ld array=(%llu,%llu) format='%%double' "
                  "\\\n    origin=(%.17g,%.17g) dx=%.17g dy=%.17g ",
                  table->skip, x->n, y->n, x->first + 0.5 * x->width, y->first + 0.5 * y->width,
                  x->width, y->width);
    (void)fprintf(file, "using %s with image axes x2y2 notitle", colour);
}

/* The numbers of a table whose rows and columns have labels, one per cell. */
static const char *map_write_numbers(const struct ml_plot_script *script,
                                     const struct ml_plot_slice *slice,
                                     const struct ml_plot_axis *x, const struct ml_plot_axis *y)
{
    struct ml_plot_table table = ml_plot_begin_table(script, 3);
    for (unsigned long long j = 0; j < y->n; j++)
        for (unsigned long long i = 0; i < x->n; i++) {
            ml_plot_write(&table, (double)i);
            ml_plot_write(&table, (double)j);
            ml_plot_write(&table, slice->values[j * slice->n_column + i]);
        }
    return ml_plot_end_table(&table);
}

/* Whether it is a table of so few cells that a number has room in each. */
static bool is_table(const struct ml_plot_view *view)
{
    const unsigned long long most_columns = 12, most_rows = 30;
    return view->x_scale.texts && view->y_scale.texts && view->x_scale.n <= most_columns &&
           view->y_scale.n <= most_rows;
}

/* In white on dark colours: the ends of the two hues, the lower part of the other palette. */
static void plot_numbers(const struct ml_plot_script *script, const char *data,
                         const struct ml_plot_colours *colours)
{
    const double dark = 0.6;
    const double low = colours->range.low, high = colours->range.high;
    const char *value = ml_plot_colour_value(script->source, colours, 3);
    value = *value == '3' ? "$3" : value;
    const bool is_asinh = colours->linear > 0.0;
    const double end = is_asinh ? asinh(high / colours->linear) : high;
    (void)fprintf(script->file,
                  ML_PLOT_AGAIN "%s using 1:2:(sprintf('%%.2g', $3)):"
                                "(%s%s%s > %.17g ? 0xffffff : 0x000000) with labels font ',9' "
                                "textcolor rgb variable axes x2y2 notitle",
                  data, colours->is_signed ? "abs(" : "-(", value, ")",
                  colours->is_signed ? dark * end : -(0.5 * low + 0.5 * high));
}

void ml_plot_map(const struct ml_plot_script *script, const struct ml_plot_view *view)
{
    struct ml_plot_source *source = script->source;
    struct ml_plot_slice slice;
    struct ml_plot_axis x, y;
    if (script->picture->is_tex)
        ml_plot_refuse(source, "a map is an image, which TikZ has not; take .eps or .pdf");
    ml_plot_read(source, view, &slice);
    ml_plot_axis_init(source, &view->x_scale, &x);
    ml_plot_axis_init(source, &view->y_scale, &y);
    if (source->status != ML_OK)
        return;
    unsigned long long n = slice.n_row * slice.n_column;
    struct ml_plot_colours colours = ml_plot_colours_of(source, view, slice.values, n);
    struct map_side across = side_of(script, &x), up = side_of(script, &y);
    if (source->status != ML_OK)
        return;
    const struct ml_plot_table image = write_image(script, &slice, &across, &up);
    ml_plot_begin_script(script,
                         ml_plot_colour_subtitle(source, view, slice.n_missing, n, &colours));
    if (view->request->n_contour != 0) /* gnuplot leaves out points beyond ranges that are set */
        ml_plot_contours(script, &slice, &x, &y, &colours, view);
    ml_plot_set_axis(script, "x", &x, ml_plot_cells(&x));
    ml_plot_set_axis(script, "y", &y, ml_plot_cells(&y));
    ml_plot_set_aspect(script, view->x_scale.unit, ml_plot_cells(&x), view->y_scale.unit,
                       ml_plot_cells(&y));
    ml_plot_set_colours(script, view->dataset->label, &colours);
    (void)fputs("set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb "
                "'#c0c0c0' fillstyle solid noborder\n",
                script->file);
    plot_image(script->file, &image, &across, &up, ml_plot_colour_value(source, &colours, 1));
    if (view->request->n_contour != 0)
        ml_plot_add_contours(script);
    if (is_table(view)) {
        const char *numbers = map_write_numbers(script, &slice, &x, &y);
        plot_numbers(script, numbers, &colours);
    }
    (void)fputc('\n', script->file);
}

static const char *write_points(const struct ml_plot_script *script,
                                const struct ml_plot_view *view, const struct ml_plot_slice *slice)
{
    struct ml_plot_table table = ml_plot_begin_table(script, 3);
    for (unsigned long long i = 0; i < slice->n_column; i++) {
        ml_plot_write(&table, view->x_scale.values[i]);
        ml_plot_write(&table, view->y_scale.values[i]);
        ml_plot_write(&table, slice->values[i]);
    }
    return ml_plot_end_table(&table);
}

/* Points at the places of both scales, in the colours of the slice. */
static void points_draw(const struct ml_plot_script *script, const struct ml_plot_view *view,
                        const struct ml_plot_slice *slice)
{
    struct ml_plot_source *source = script->source;
    struct ml_plot_axis x, y;
    ml_plot_axis_init(source, &view->x_scale, &x);
    ml_plot_axis_init(source, &view->y_scale, &y);
    if (source->status != ML_OK)
        return;
    struct ml_plot_colours colours =
        ml_plot_colours_of(source, view, slice->values, slice->n_column);
    if (source->status != ML_OK)
        return;
    const char *data = write_points(script, view, slice);
    ml_plot_begin_script(
        script, ml_plot_colour_subtitle(source, view, slice->n_missing, slice->n_column, &colours));
    ml_plot_set_axis(script, "x", &x, ml_plot_span(&x, 0.02));
    ml_plot_set_axis(script, "y", &y, ml_plot_span(&y, 0.02));
    ml_plot_set_aspect(script, view->x_scale.unit, ml_plot_span(&x, 0.02), view->y_scale.unit,
                       ml_plot_span(&y, 0.02));
    ml_plot_set_colours(script, view->dataset->label, &colours);
    /* A point whose colour is not a number would be white, and on top of the grey one. */
    const char *colour = ml_plot_colour_value(source, &colours, 3);
    (void)fprintf(script->file,
                  "plot %s using 1:2 with points pointtype 7 "
                  "pointsize 0.9 linecolor rgb '#c0c0c0' notitle, \\\n    "
                  "%s using ($3 == $3 ? $1 : NaN):2:%s with points pointtype 7 pointsize 0.9 "
                  "linecolor palette "
                  "notitle\n",
                  data, data, colour);
}

void ml_plot_points(const struct ml_plot_script *script, const struct ml_plot_view *view)
{
    struct ml_plot_slice slice;
    ml_plot_read(script->source, view, &slice);
    points_draw(script, view, &slice);
}

/* Reads the number and the quantity of the colours; refuses numbers that are no single row of
 * points of a sample. */
static void points_read(struct ml_plot_source *source, const struct ml_plot_view *view,
                        const char *colour, struct ml_plot_slice *slice,
                        struct ml_plot_scale *colours)
{
    const struct ml_plot_dataset *dataset = view->dataset;
    if (view->style != ML_VIEW_CURVES || !dataset->is_summary ||
        !ml_plot_is_unordered(dataset, view->x))
        ml_plot_refuse(source,
                       "cannot colour %s by %s: colours of another quantity are for points of a "
                       "sample over one of its quantities",
                       dataset->name, colour);
    else if (ml_plot_dimension(source, dataset, colour, colours) != view->x || !colours->values)
        ml_plot_refuse_dimension(source, dataset, "colour", colour);
    if (source->status == ML_OK)
        ml_plot_read(source, view, slice);
    if (source->status != ML_OK || slice->n_row == 1)
        return;
    ml_plot_label_rows(source, view, slice);
    ml_plot_refuse(source, "cannot colour %s by %s: the number has %llu entries of %s; fix one",
                   dataset->name, colour, slice->n_row, slice->entries);
}

void ml_plot_coloured_points(const struct ml_plot_script *script, const struct ml_plot_view *view,
                             const char *colour)
{
    struct ml_plot_source *source = script->source;
    struct ml_plot_slice slice = {.n_row = 0};
    struct ml_plot_scale colours = {.n = 0};
    points_read(source, view, colour, &slice, &colours);
    const unsigned long long most = slice.n_column;
    double *x = ml_plot_take(source, most, sizeof *x), *y = ml_plot_take(source, most, sizeof *y);
    double *values = ml_plot_take(source, most, sizeof *values);
    struct ml_plot_dataset *of_colour = ml_plot_take(source, 1, sizeof *of_colour);
    if (source->status != ML_OK || !x || !y || !values || !of_colour || !slice.values ||
        !colours.values)
        return;
    struct ml_plot_slice drawn = {.n_row = 1, .values = values, .entries = ""};
    for (unsigned long long i = 0; i < most; i++) {
        if (!isfinite(slice.values[i]) || !isfinite(view->x_scale.values[i]))
            continue;
        x[drawn.n_column] = view->x_scale.values[i];
        y[drawn.n_column] = slice.values[i];
        drawn.n_missing += !isfinite(colours.values[i]);
        values[drawn.n_column++] = colours.values[i];
    }
    if (drawn.n_column == 0) {
        ml_plot_refuse_empty(source, view->dataset->name);
        return;
    }
    struct ml_plot_view own = *view;
    *of_colour = (struct ml_plot_dataset){.group = "runs",
                                          .path = ml_plot_format(source, "runs/%s", colours.name),
                                          .name = colours.name,
                                          .label = colours.label,
                                          .unit = colours.unit};
    own.dataset = of_colour;
    own.x_scale.n = drawn.n_column;
    own.x_scale.values = x;
    own.y_scale = (struct ml_plot_scale){.name = view->dataset->name,
                                         .unit = view->dataset->unit,
                                         .label = view->dataset->label,
                                         .n = drawn.n_column,
                                         .values = y};
    points_draw(script, &own, &drawn);
}
