#include "plot/plot.h"

#include <string.h>

#include "base/fail.h"
#include "plot/figure.h"
#include "plot/gnuplot.h"

/* The picture of a dataset, of the kind that suits what is left of its dimensions. */
static void draw_dataset(const struct ml_plot_script *script, const struct ml_plot_request *request)
{
    struct ml_plot_source *source = script->source;
    struct ml_plot_dataset *dataset = ml_plot_take(source, 1, sizeof *dataset);
    struct ml_plot_view *view = ml_plot_take(source, 1, sizeof *view);
    if (source->h5.status != ML_OK)
        return;
    ml_plot_find(source, request->what, dataset);
    if (source->h5.status == ML_OK)
        ml_plot_choose(source, dataset, request, view);
    if (source->h5.status != ML_OK)
        return;
    switch (view->kind) {
    case ML_PLOT_MAP:
        ml_plot_map(script, view);
        break;
    case ML_PLOT_CURVES:
        ml_plot_curves(script, view);
        break;
    case ML_PLOT_POINTS:
        ml_plot_points(script, view);
        break;
    }
}

static void draw(const struct ml_plot_script *script, const struct ml_plot_request *request)
{
    if (request->what && strcmp(request->what, "stick") == 0)
        ml_plot_stick(script, request);
    else
        draw_dataset(script, request);
}

enum ml_status ml_plot(const struct ml_plot_request *request, struct ml_error *err)
{
    struct ml_plot_source source;
    struct ml_plot_folder folder;
    struct ml_plot_script script = {
        .source = &source,
        .folder = &folder,
        .picture = ml_plot_picture_of(request->output ? request->output : "plot.png"),
    };
    if (!script.picture)
        return ml_fail(err, ML_E_INPUT, "%s: a picture's name ends in %s", request->output,
                       ml_plot_suffixes);
    ml_plot_open(&source, request, err);
    ml_plot_folder_make(&source, request->script, &folder);
    script.file = ml_plot_create(&source, &folder, ML_PLOT_SCRIPT);
    if (script.file)
        draw(&script, request);
    ml_plot_finish(&source, script.file);
    if (request->output && source.h5.status == ML_OK)
        ml_plot_run_gnuplot(&source, &folder, request->output);
    ml_plot_folder_end(&source, &folder);
    return ml_plot_close(&source);
}
