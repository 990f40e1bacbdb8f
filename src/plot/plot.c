/* Draws one picture from a request: opens the result, chooses a view, writes data and script, runs
 * gnuplot. */
#include "manylink/plot.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/numeric_env.h"
#include "base/path.h"
#include "base/sized.h"
#include "manylink/fail.h"
#include "plot/figure.h"

enum { USUAL_WIDTH = 800, USUAL_HEIGHT = 600, MATRIX_SIZE = 1000 }; /* pixels */
enum { USUAL_DPI = 100 };

/* The picture of a dataset, of the kind that suits its remaining dimensions. Returns whether
 * it is a map. */
static bool draw_dataset(const struct ml_plot_script *script, const struct ml_plot_options *request)
{
    struct ml_plot_source *source = script->source;
    struct ml_plot_dataset dataset;
    struct ml_plot_view view;
    ml_plot_find(source, request->what, &dataset);
    if (source->status != ML_OK)
        return false;
    if (request->is_histogram || request->has_bands || request->is_matrix) {
        (request->is_histogram ? ml_plot_histogram
         : request->has_bands  ? ml_plot_bands
                               : ml_plot_matrix)(script, &dataset, request);
        return false;
    }
    ml_plot_choose(source, &dataset, request, &view);
    if (source->status != ML_OK)
        return false;
    if (request->colour) {
        ml_plot_coloured_points(script, &view, request->colour);
        return false;
    }
    (view.style == ML_VIEW_MAP      ? ml_plot_map
     : view.style == ML_VIEW_CURVES ? ml_plot_curves
                                    : ml_plot_points)(script, &view);
    return view.style == ML_VIEW_MAP;
}

static void plot_draw(const struct ml_plot_script *script, const struct ml_plot_options *asked)
{
    bool is_map = false;
    struct ml_plot_options own = *asked;
    const struct ml_plot_options *request = &own;
    ml_plot_prefer_section(script->source, &own);
    if (script->picture->is_animated && (!request->what || strcmp(request->what, "stick") != 0))
        ml_plot_refuse(script->source, "%s: only `stick` moves; a picture's name ends in %s",
                       request->output, ml_plot_suffixes);
    if (script->source->is_comparison)
        ml_plot_precision(script, request);
    else if (request->return_map)
        ml_plot_return_map(script, request);
    else if (request->what && strcmp(request->what, "stick") == 0)
        ml_plot_stick(script, request);
    else if (request->what && strcmp(request->what, "parts") == 0 && script->source->is_inverse)
        ml_plot_parts(script, request);
    else if (!request->what && ml_plot_is_phase(script->source, request))
        ml_plot_phase(script, request);
    else if (!request->what && ml_plot_is_section(script->source, request))
        ml_plot_section(script, request);
    else
        is_map = draw_dataset(script, request);
    if (request->n_contour != 0 && !is_map)
        ml_plot_refuse(script->source,
                       "contours are for a map over two axes, which this dataset is not drawn as");
}

/* A picture does not take the place of its result, nor of a device or folder. */
static void plot_check_output(struct ml_plot_source *source, const struct ml_plot_options *request)
{
    struct stat output;
    if (source->status != ML_OK || !request->output || stat(request->output, &output) != 0)
        return;
    if (ml_path_is_same(request->result, request->output))
        ml_plot_fail(source, ML_E_INPUT,
                     "%s: is the result itself; give the picture another name with -o",
                     request->output);
    else if (!S_ISREG(output.st_mode))
        ml_plot_fail(source, ML_E_INPUT, "%s: is not an ordinary file", request->output);
}

/* The name of a picture ends in its kind, and only some kinds have dots. */
static enum ml_status plot_check_kind(const struct ml_plot_options *request,
                                      const struct ml_plot_script *script, struct ml_error *err)
{
    const struct ml_plot_picture *picture = script->picture;
    const int larger = script->width > script->height ? script->width : script->height;
    if (!picture)
        return ml_fail(err, ML_E_INPUT, "%s: a picture's name ends in %s", request->output,
                       ml_plot_suffixes);
    if (request->dpi > 0 && strcmp(picture->suffix, ".png") != 0)
        return ml_fail(err, ML_E_INPUT, "%s: dpi is for .png: %s", request->output,
                       picture->is_animated ? "the size of what moves is in pixels"
                                            : "a drawing has no dots, and is sharp at any size");
    if (request->palette && !ml_plot_palette(ml_plot_palette_find(request->palette)))
        return ml_fail(err, ML_E_INPUT,
                       "palette %s: there are viridis, cividis, magma, grey and blue-red",
                       request->palette);
    for (int i = 0; i < request->n_label; i++) {
        const char *axis = request->labels[i].axis;
        if (strcmp(axis, "x") != 0 && strcmp(axis, "y") != 0 && strcmp(axis, "colour") != 0)
            return ml_fail(err, ML_E_INPUT, "label %s: there are x, y and colour", axis);
    }
    if (script->scale * larger > ML_PLOT_MOST_DOTS)
        return ml_fail(err, ML_E_INPUT, "dpi %d: %g dots are more than %d", request->dpi,
                       script->scale * larger, ML_PLOT_MOST_DOTS);
    return ML_OK;
}

static enum ml_status plot_make(const struct ml_plot_options *asked, struct ml_error *err)
{
    struct ml_plot_options own = *asked;
    const struct ml_plot_options *request = &own;
    struct ml_plot_source source;
    struct ml_plot_folder folder;
    struct ml_plot_script script = {
        .source = &source,
        .options = request,
        .folder = &folder,
        .picture = ml_plot_picture_of(request->output ? request->output : "plot.png"),
        .width = request->width > 0   ? request->width
                 : request->is_matrix ? MATRIX_SIZE
                                      : USUAL_WIDTH,
        .height = request->height > 0  ? request->height
                  : request->is_matrix ? MATRIX_SIZE
                                       : USUAL_HEIGHT,
        .scale = request->dpi > 0 ? request->dpi / (double)USUAL_DPI : 1.0,
    };
    const enum ml_status kind = plot_check_kind(request, &script, err);
    if (kind != ML_OK)
        return kind;
    ml_plot_open(&source, request, err);
    if (request->title)
        source.title = request->title;
    plot_check_output(&source, request);
    ml_plot_split_name(&source, &own);
    if (source.status == ML_OK) {
        if (request->begin)
            request->begin(request->context);
        source.stop = (struct ml_stop){request->stop, request->context};
    }
    ml_plot_folder_make(&source, request->script, &folder);
    script.file = ml_plot_create(&source, &folder, ML_PLOT_SCRIPT);
    script.data = ml_plot_create(&source, &folder, ML_PLOT_DATA);
    if (script.file && script.data) {
        ml_plot_mark_script(&script);
        if (request->n_estimate > 0)
            ml_plot_estimates(&script, request);
        else if (request->panels)
            ml_plot_panels(&script, request, plot_draw);
        else
            plot_draw(&script, request);
    }
    ml_plot_finish(&source, script.file);
    ml_plot_finish(&source, script.data);
    if (request->output && source.status == ML_OK && !ml_plot_is_stopped(&source))
        ml_plot_run_gnuplot(&source, &folder, request->output);
    ml_plot_folder_end(&source, &folder);
    return ml_plot_close(&source);
}

enum ml_status ml_plot(const struct ml_plot_options *options, struct ml_error *err)
{
    const double everything[] = {-(double)INFINITY, (double)INFINITY};
    const double as_they_are[] = {(double)NAN, (double)NAN};
    struct ml_plot_options own;
    enum ml_status status = ml_sized_read(&own, sizeof own, options, "ml_plot_options", err);
    if (status == ML_OK)
        status = ml_sized_check_numbers(
            ML_SIZED_NUMBERS({"n_at", own.n_at, 0, INT_MAX},
                             {"n_contour", own.n_contour, -1, INT_MAX},
                             {"n_estimate", own.n_estimate, 0, ML_PLOT_MOST_PANELS},
                             {"n_label", own.n_label, 0, INT_MAX}, {"n_run", own.n_run, 0, INT_MAX},
                             {"n_column", own.n_column, 0, ML_PLOT_MOST_PANELS},
                             {"n_mark", own.n_mark, 0, INT_MAX}),
            "ml_plot_options", err);
    if (status != ML_OK)
        return status;
    if (!own.result || (!own.output && !own.script))
        return ml_fail(err, ML_E_INPUT, "a picture needs a result, and `output` or `script`");
    if (!own.part)
        own.part = everything;
    if (!own.range)
        own.range = as_they_are;
    const struct ml_numeric_env env = ml_numeric_env_set();
    const enum ml_status made = plot_make(&own, err);
    ml_numeric_env_restore(&env);
    return made;
}
