/* Several pictures in one: a panel for each entry of an axis, each as it would be drawn alone. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "plot/figure.h"

enum {
    IN_A_ROW = 3,
    USUAL_WIDTH = 560, /* pixels of one */
    USUAL_HEIGHT = 420
};

/* The axis; refuses pictures without an axis, and those drawn in another way. */
static void panels_find(struct ml_plot_source *source, const struct ml_plot_options *request,
                        struct ml_plot_scale *scale)
{
    struct ml_plot_dataset dataset;
    const bool is_own = request->what && (strcmp(request->what, "stick") == 0 ||
                                          strcmp(request->what, "parts") == 0);
    struct ml_plot_options first = *request;
    ml_plot_prefer_section(source, &first);
    if (is_own || source->is_comparison ||
        (!request->what && ((first.x && first.y) || request->return_map)))
        ml_plot_refuse(source, "panels are for a dataset over an axis of it");
    if (source->status != ML_OK)
        return;
    ml_plot_find(source, request->what, &dataset);
    if (source->status == ML_OK && request->has_bands)
        (void)ml_plot_find_bands(source, dataset.name, &dataset);
    if (source->status == ML_OK && ml_plot_dimension(source, &dataset, request->panels, scale) < 0)
        ml_plot_refuse_dimension(source, &dataset, "panels", request->panels);
    if (source->status == ML_OK && (scale->n < 2 || scale->n > ML_PLOT_MOST_PANELS))
        ml_plot_refuse(source, "panels %s: it has %llu entries, and there can be 2 to %d panels",
                       request->panels, scale->n, ML_PLOT_MOST_PANELS);
}

void ml_plot_divide(struct ml_plot_script *script, const struct ml_plot_options *request, int n)
{
    const double most = ML_PLOT_MOST_DOTS;
    int columns = request->n_column > 0 ? request->n_column : n <= IN_A_ROW ? n : 1;
    while (request->n_column == 0 && n > IN_A_ROW && columns * columns < n)
        columns++;
    const int rows = (n + columns - 1) / columns;
    script->n_panel = n;
    script->columns = columns;
    script->width = request->width > 0 ? request->width / columns : USUAL_WIDTH;
    script->height = request->height > 0 ? request->height / rows : USUAL_HEIGHT;
    const int larger = script->width * columns > script->height * rows ? script->width * columns
                                                                       : script->height * rows;
    if (script->scale * larger > most)
        ml_plot_refuse(script->source, "dpi %d: %g dots are more than %g", request->dpi,
                       script->scale * larger, most);
}

/* Entry of panel i: a label, or a number. */
static const char *panels_entry(struct ml_plot_source *source, const struct ml_plot_scale *scale,
                                int i, int digits)
{
    return scale->texts ? scale->texts[i]
                        : ml_plot_format(source, "%.*g", digits, scale->values[i]);
}

/* A panel whose dataset has no finite value there, in place of its part of the script. */
static void panels_draw_empty(struct ml_plot_script *script, const char *entry, long begin)
{
    ml_error_clear(script->source->err); /* that there is nothing to draw */
    script->source->status = ML_OK;
    script->source->is_empty = false;
    if (begin < 0 || fflush(script->file) != 0 || ftruncate(fileno(script->file), begin) != 0 ||
        fseek(script->file, begin, SEEK_SET) != 0) {
        ml_plot_fail(script->source, ML_E_FILE, "%s: cannot write the script of the picture",
                     script->source->path);
        return;
    }
    ml_plot_begin_script(script, entry);
    (void)fputs("unset tics\nset label 1 'no finite value of a finished run' at graph 0.5,0.5 "
                "center\nplot [0:1] [0:1] NaN notitle\n",
                script->file);
}

static void panels_draw(struct ml_plot_script *script, const struct ml_plot_options *request,
                        const struct ml_plot_scale *scale, ml_plot_draw_fn *draw)
{
    struct ml_plot_source *source = script->source;
    const int n = request->n_at + 1;
    struct ml_plot_at *at = ml_plot_take(source, (unsigned long long)n, sizeof *at);
    struct ml_plot_options own = *request;
    if (!at)
        return; /* told already */
    for (int i = 0; i < request->n_at; i++)
        at[i] = request->at[i];
    int n_empty = 0;
    own.panels = NULL;
    own.at = at;
    own.n_at = n;
    for (int i = 0; i < script->n_panel && source->status == ML_OK; i++) {
        at[n - 1] = (struct ml_plot_at){request->panels, panels_entry(source, scale, i, 17)};
        script->panel = i + 1;
        const long begin = ftell(script->file);
        draw(script, &own);
        if (source->is_empty && ++n_empty < script->n_panel)
            panels_draw_empty(
                script,
                ml_plot_format(source, "%s=%s", request->panels, panels_entry(source, scale, i, 6)),
                begin);
    }
}

void ml_plot_panels(struct ml_plot_script *script, const struct ml_plot_options *request,
                    ml_plot_draw_fn *draw)
{
    struct ml_plot_source *source = script->source;
    struct ml_plot_scale scale = {.n = 0};
    panels_find(source, request, &scale);
    if (source->status == ML_OK)
        ml_plot_divide(script, request, (int)scale.n);
    if (source->status == ML_OK)
        panels_draw(script, request, &scale, draw);
    if (source->status == ML_OK)
        (void)fputs("unset multiplot\n", script->file);
}
