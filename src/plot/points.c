/* Coloured points: runs without an order over two of their quantities. */
#include "plot/colours.h"
#include "plot/figure.h"
#include "plot/slice.h"

static const char *write_points(const struct ml_plot_script *script,
                                const struct ml_plot_view *view, const struct ml_plot_slice *slice)
{
    struct ml_plot_table table = ml_plot_begin_table(script, 3);
    for (unsigned long long i = 0; i < slice->n_column; i++) {
        ml_plot_put(&table, view->x_scale.values[i]);
        ml_plot_put(&table, view->y_scale.values[i]);
        ml_plot_put(&table, slice->values[i]);
    }
    return ml_plot_end_table(&table);
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
    if (source->status != ML_OK)
        return;
    const char *data = write_points(script, view, &slice);
    ml_plot_begin_script(
        script, ml_plot_colour_subtitle(source, view, slice.n_missing, slice.n_column, &colours));
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
