/* Sections: what is kept of events, one quantity over another, points of all runs. */
#include <math.h>
#include <string.h>

#include "plot/colours.h"
#include "plot/figure.h"
#include "plot/select.h"
#include "store/points.h"

enum { MANY_POINTS = 20000 }; /* from here on points are small */

/* One of the two: a dataset of the summary with a dimension of events. */
struct section_axis {
    struct ml_plot_dataset dataset;
    struct ml_plot_view view;
    struct ml_plot_slice slice; /* a row per run */
    const char *label;
};

/* Bytes of a name that are the dataset's: all, or all before one of the last dots; 0 if there is no
 * such dataset of events. */
static size_t section_length(struct ml_plot_source *source, const char *name)
{
    hid_t group = ml_h5_find_group(&source->h5, source->file, "/study/summary");
    size_t length = strlen(name);
    bool is = false;
    while (group >= 0 && length > 0 && !is) {
        const char *own = ml_plot_format(source, "%.*s", (int)length, name);
        hid_t id = strchr(own, '/') ? -1 : ml_h5_find_dataset(&source->h5, group, own);
        is = id >= 0 && ml_h5_is_number(id) && !ml_h5_is_scale(&source->h5, id);
        if (id >= 0)
            (void)H5Dclose(id);
        if (!is)
            do
                length--;
            while (length > 0 && name[length] != '.');
    }
    if (group >= 0)
        (void)H5Gclose(group);
    return length;
}

/* The dimension of events; -1 if there is none. */
static int section_dimension(const struct ml_plot_dataset *dataset)
{
    for (int k = dataset->n_run_dim; k < dataset->extent.rank; k++)
        if (strcmp(dataset->scales[k].name, ML_PLOT_EVENTS) == 0)
            return k;
    return -1;
}

static bool section_find(struct ml_plot_source *source, const char *name,
                         struct ml_plot_dataset *dataset)
{
    const size_t length = section_length(source, name);
    if (length == 0 || source->h5.status != ML_OK)
        return false;
    ml_plot_find(source, ml_plot_format(source, "%.*s", (int)length, name), dataset);
    return source->h5.status == ML_OK && section_dimension(dataset) >= 0;
}

bool ml_plot_is_section(struct ml_plot_source *source, const struct ml_plot_request *request)
{
    struct ml_plot_dataset *dataset = ml_plot_take(source, 1, sizeof *dataset);
    return source->h5.status == ML_OK && request->x && request->y && dataset &&
           section_find(source, request->x, dataset) && section_find(source, request->y, dataset);
}

void ml_plot_prefer_section(struct ml_plot_source *source, struct ml_plot_request *request)
{
    if (source->h5.status != ML_OK || request->what || request->x || request->y || request->by ||
        request->contours || request->is_histogram || request->has_bands)
        return;
    request->x = ml_plot_of_first(source, "shows_x");
    request->y = ml_plot_of_first(source, "shows_y");
}

/* Fixes the dimension behind that of the events by the label after the dataset's name. */
static void section_fix(struct ml_plot_source *source, struct section_axis *axis,
                        const char *option, const char *name)
{
    const int k = axis->view.x + 1;
    const char *rest = name + section_length(source, name), *label = *rest ? rest + 1 : "";
    const struct ml_plot_scale *scale = &axis->dataset.scales[k];
    unsigned long long at = 0;
    if (k >= axis->dataset.extent.rank && *rest)
        ml_plot_refuse(source, "%s %s: there is nothing more of %s to choose", option, name,
                       axis->dataset.name);
    if (k >= axis->dataset.extent.rank)
        return;
    struct ml_plot_words words = {&source->pool, ml_nearest_typo(label), ""};
    while (at < scale->n && scale->texts && strcmp(scale->texts[at], label) != 0)
        ml_plot_allow(&words, scale->texts[at++]);
    if (scale->n == 1)
        at = 0;
    else if (!scale->texts || at == scale->n)
        ml_plot_refuse(source, "%s %s: %s.%s is wanted; of %s %s", option, name, axis->dataset.name,
                       scale->name, scale->name, ml_plot_hint(&words));
    axis->view.is_fixed[k] = true;
    axis->view.at[k] = at;
}

static void section_read(struct ml_plot_source *source, const struct ml_plot_request *request,
                         const char *option, const char *name, struct section_axis *axis)
{
    struct ml_plot_request runs = *request;
    runs.x = runs.y = NULL;
    (void)section_find(source, name, &axis->dataset);
    if (source->h5.status != ML_OK)
        return;
    axis->view = (struct ml_plot_view){.dataset = &axis->dataset,
                                       .x = section_dimension(&axis->dataset),
                                       .y = -1,
                                       .family = -1,
                                       .low = (double)NAN,
                                       .high = (double)NAN,
                                       .subtitle = ""};
    ml_plot_select_requested(source, &axis->view, &runs);
    section_fix(source, axis, option, name);
    if (source->h5.status == ML_OK)
        ml_plot_read(source, &axis->view, &axis->slice);
    const bool has_unit = strcmp(axis->dataset.unit, "1") != 0;
    const unsigned long long n = axis->slice.n_row * axis->slice.n_column;
    if (source->h5.status == ML_OK && ml_points_wrap(axis->dataset.unit, n, axis->slice.values))
        name = ml_plot_format(source, "%s modulo 2 pi", name);
    axis->label = has_unit ? ml_plot_format(source, "%s (%s)", name, axis->dataset.unit) : name;
}

/* A line per event: x, y, number of the run's row. */
static unsigned long long section_write(const struct ml_plot_script *script,
                                        const struct section_axis *x, const struct section_axis *y)
{
    const unsigned long long n = x->slice.n_row * x->slice.n_column;
    unsigned long long n_point = 0;
    FILE *file = ml_plot_create(script->source, script->folder, ML_PLOT_DATA);
    for (unsigned long long i = 0; file && i < n; i++)
        if (isfinite(x->slice.values[i]) && isfinite(y->slice.values[i])) {
            (void)fprintf(file, "%.17g %.17g %llu\n", x->slice.values[i], y->slice.values[i],
                          i / x->slice.n_column);
            n_point++;
        }
    ml_plot_finish(script->source, file);
    return n_point;
}

void ml_plot_section(const struct ml_plot_script *script, const struct ml_plot_request *request)
{
    struct ml_plot_source *source = script->source;
    struct section_axis *x = ml_plot_take(source, 1, sizeof *x);
    struct section_axis *y = ml_plot_take(source, 1, sizeof *y);
    if (!x || !y)
        return;
    section_read(source, request, "--x", request->x, x);
    section_read(source, request, "--y", request->y, y);
    if (source->h5.status == ML_OK &&
        (x->slice.n_row != y->slice.n_row || x->slice.n_column != y->slice.n_column))
        ml_plot_refuse(source, "%s and %s are not of the same events", request->x, request->y);
    if (source->h5.status != ML_OK)
        return;
    (void)ml_plot_range_of(source, request->x, x->slice.values, x->slice.n_row * x->slice.n_column);
    if (source->h5.status != ML_OK)
        return;
    const unsigned long long n_point = section_write(script, x, y);
    ml_plot_begin_script(script, ml_plot_run_subtitle(source, &x->view));
    ml_plot_set_palette(script);
    (void)fputs("unset key\nunset colorbox\nset autoscale fix\nset offsets graph 0.04, graph 0.04, "
                "graph 0.04, graph 0.04\nset xlabel ",
                script->file);
    ml_plot_quote(script->file, x->label);
    (void)fputs("\nset ylabel ", script->file);
    ml_plot_quote(script->file, y->label);
    (void)fprintf(script->file,
                  "\nplot folder . '" ML_PLOT_DATA
                  "' using 1:2:3 with points pointtype 7 pointsize %s linecolor palette notitle\n",
                  n_point > MANY_POINTS ? "0.15" : "0.3");
}
