/* Coloured points: runs without an order over two of their quantities. */
#include "plot/colours.h"
#include "plot/figure.h"
#include "plot/slice.h"

static void write_points(const struct ml_plot_script *script, const struct ml_plot_view *view,
                         const struct ml_plot_slice *slice)
{
    FILE *file = ml_plot_create(script->source, script->folder, ML_PLOT_DATA);
    for (unsigned long long i = 0; file && i < slice->n_column; i++)
        (void)fprintf(file, "%.17g %.17g %.17g\n", view->x_scale.values[i], view->y_scale.values[i],
                      slice->values[i]);
    ml_plot_finish(script->source, file);
}

void ml_plot_points(const struct ml_plot_script *script, const struct ml_plot_view *view)
{
    struct ml_plot_source *source = script->source;
    struct ml_plot_slice slice;
    struct ml_plot_axis x, y;
    ml_plot_read(source, view, &slice);
    ml_plot_axis_init(source, &view->x_scale, &x);
    ml_plot_axis_init(source, &view->y_scale, &y);
    if (source->status != ML_OK)
        return;
    struct ml_plot_colours colours = ml_plot_colours_of(source, view, slice.values, slice.n_column);
    write_points(script, view, &slice);
    if (source->status != ML_OK)
        return;
    ml_plot_begin_script(
        script, ml_plot_colour_subtitle(source, view, slice.n_missing, slice.n_column, &colours));
    ml_plot_set_axis(script, "x", &x, ml_plot_span(&x, 0.02));
    ml_plot_set_axis(script, "y", &y, ml_plot_span(&y, 0.02));
    ml_plot_set_colours(script, view->dataset->label, &colours);
    /* A point whose colour is not a number would be white, and on top of the grey one. */
    const char *colour = ml_plot_colour_value(source, &colours, 3);
    (void)fprintf(script->file,
                  "plot folder . '" ML_PLOT_DATA "' using 1:2 with points pointtype 7 "
                  "pointsize 0.9 linecolor rgb '#c0c0c0' notitle, \\\n    "
                  "'' using ($3 == $3 ? $1 : NaN):2:%s with points pointtype 7 pointsize 0.9 "
                  "linecolor palette "
                  "notitle\n",
                  colour);
}
