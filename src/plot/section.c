/* Sections: what is kept of events, one quantity over another, points of all runs. And return maps:
 * the same quantity of the next event. */
#include <math.h>
#include <string.h>

#include "plan/drawn.h"
#include "plot/colours.h"
#include "plot/figure.h"
#include "plot/select.h"

enum {
    FEW_POINTS = 1000,
    MANY_POINTS = 20000
}; /* below and above, points are larger and smaller */

/* One of the two: a dataset of the summary with a dimension of events. */
struct section_axis {
    struct ml_plot_dataset dataset;
    struct ml_plot_view view;
    struct ml_plot_slice slice; /* a row per run */
    const char *label;
};

/* A picture of them. */
struct section_data {
    struct section_axis x, y;
    unsigned long long lag; /* events from that of x to that of y */
};

/* Bytes of a name that are the dataset's: all, or all before one of the last dots; 0 if there is no
 * such dataset of events. */
static size_t section_length(struct ml_plot_source *source, const char *name)
{
    struct ml_array_info info;
    size_t length = strlen(name);
    while (length > 0 &&
           !(ml_plot_describe(source, "summary", ml_plot_format(source, "%.*s", (int)length, name),
                              &info) &&
             ml_plot_has_numbers(&info)))
        do
            length--;
        while (length > 0 && name[length] != '.');
    return length;
}

static bool section_find(struct ml_plot_source *source, const char *name,
                         struct ml_plot_dataset *dataset)
{
    const size_t length = section_length(source, name);
    if (length == 0 || source->status != ML_OK)
        return false;
    ml_plot_find(source, ml_plot_format(source, "%.*s", (int)length, name), dataset);
    return source->status == ML_OK && ml_plot_events(dataset) >= 0;
}

bool ml_plot_is_section(struct ml_plot_source *source, const struct ml_plot_options *request)
{
    struct ml_plot_dataset *dataset = ml_plot_take(source, 1, sizeof *dataset);
    return source->status == ML_OK && request->x && request->y && dataset &&
           section_find(source, request->x, dataset) && section_find(source, request->y, dataset);
}

void ml_plot_prefer_section(struct ml_plot_source *source, struct ml_plot_options *request)
{
    if (source->status != ML_OK || request->what || request->x || request->y || request->by ||
        request->return_map || request->n_contour != 0 || request->is_histogram ||
        request->has_bands)
        return;
    struct ml_view first = {.size = sizeof first};
    struct ml_plot_options section = *request;
    if (!ml_result_view(source->result, 0, &first) || first.style != ML_VIEW_EVENTS)
        return;
    section.x = first.x;
    section.y = first.y;
    if (ml_plot_is_section(source, &section))
        *request = section;
}

/* Fixes the dimension behind that of the events by the label after the dataset's name. */
static void section_fix(struct ml_plot_source *source, struct section_axis *axis,
                        const char *option, const char *name)
{
    const int k = axis->view.x + 1;
    const char *rest = name + section_length(source, name), *label = *rest ? rest + 1 : "";
    const struct ml_plot_scale *scale = &axis->dataset.scales[k];
    unsigned long long at = 0;
    if (k >= axis->dataset.rank && *rest)
        ml_plot_refuse(source, "%s %s: there is nothing more of %s to choose", option, name,
                       axis->dataset.name);
    if (k >= axis->dataset.rank)
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

static void section_read(struct ml_plot_source *source, const struct ml_plot_options *request,
                         const char *option, const char *name, struct section_axis *axis)
{
    struct ml_plot_options runs = *request;
    runs.x = runs.y = NULL;
    (void)section_find(source, name, &axis->dataset);
    if (source->status != ML_OK)
        return;
    axis->view = (struct ml_plot_view){.dataset = &axis->dataset,
                                       .x = ml_plot_events(&axis->dataset),
                                       .y = -1,
                                       .family = -1,
                                       .low = (double)NAN,
                                       .high = (double)NAN,
                                       .subtitle = ""};
    ml_plot_select_requested(source, &axis->view, &runs);
    section_fix(source, axis, option, name);
    if (source->status == ML_OK)
        ml_plot_read(source, &axis->view, &axis->slice);
    const bool has_unit = strcmp(axis->dataset.unit, "1") != 0;
    const unsigned long long n = axis->slice.n_row * axis->slice.n_column;
    if (source->status == ML_OK && ml_points_wrap(axis->dataset.unit, n, axis->slice.values))
        name = ml_plot_format(source, "%s modulo 2 pi", name);
    axis->label = has_unit ? ml_plot_format(source, "%s (%s)", name, axis->dataset.unit) : name;
}

/* A row per event: x, y, number of the run's row; counts them. */
static const char *section_write(const struct ml_plot_script *script,
                                 const struct section_data *section, unsigned long long *n_point)
{
    const struct ml_plot_slice *x = &section->x.slice, *y = &section->y.slice;
    struct ml_plot_table table = ml_plot_begin_table(script, 3);
    *n_point = 0;
    for (unsigned long long row = 0; row < x->n_row; row++)
        for (unsigned long long k = 0; k + section->lag < x->n_column; k++) {
            const double from = x->values[row * x->n_column + k];
            const double to = y->values[row * x->n_column + k + section->lag];
            if (!isfinite(from) || !isfinite(to))
                continue;
            ml_plot_put(&table, from);
            ml_plot_put(&table, to);
            ml_plot_put(&table, (double)row);
            ++*n_point;
        }
    return ml_plot_end_table(&table);
}

/* The beginning of the script, up to the labels of the axes. */
static void section_begin(const struct ml_plot_script *script, const struct section_data *section)
{
    ml_plot_begin_script(script, ml_plot_run_subtitle(script->source, &section->x.view));
    ml_plot_set_palette(script);
    (void)fputs("unset key\nunset colorbox\n", script->file);
    ml_plot_set_label(script, "x", section->x.label);
    ml_plot_set_label(script, "y", section->y.label);
}

/* The points, as the last of what a `plot` command draws. */
static void section_points(const struct ml_plot_script *script, const char *data,
                           unsigned long long n_point)
{
    (void)fprintf(script->file,
                  "%s using 1:2:3 with points pointtype 7 pointsize %s linecolor palette notitle\n",
                  data,
                  n_point > MANY_POINTS  ? "0.15"
                  : n_point < FEW_POINTS ? "0.6"
                                         : "0.3");
}

void ml_plot_section(const struct ml_plot_script *script, const struct ml_plot_options *request)
{
    struct ml_plot_source *source = script->source;
    struct section_data *section = ml_plot_take(source, 1, sizeof *section);
    if (!section)
        return;
    struct section_axis *x = &section->x, *y = &section->y;
    section_read(source, request, "x", request->x, x);
    section_read(source, request, "y", request->y, y);
    if (source->status == ML_OK &&
        (x->slice.n_row != y->slice.n_row || x->slice.n_column != y->slice.n_column))
        ml_plot_refuse(source, "%s and %s are not of the same events", request->x, request->y);
    if (source->status != ML_OK)
        return;
    const unsigned long long n = x->slice.n_row * x->slice.n_column;
    const struct ml_plot_range across = ml_plot_range_of(source, request->x, x->slice.values, n);
    const struct ml_plot_range up = ml_plot_range_of(source, request->y, y->slice.values, n);
    if (source->status != ML_OK)
        return;
    unsigned long long n_point;
    const char *data = section_write(script, section, &n_point);
    section_begin(script, section);
    ml_plot_set_aspect(script, x->dataset.unit, across, y->dataset.unit, up);
    (void)fputs("set autoscale fix\nset offsets graph 0.04, graph 0.04, graph 0.04, graph 0.04\n"
                "plot ",
                script->file);
    section_points(script, data, n_point);
}

/* Refuses what is not kept of events, and what goes with other pictures only. */
static void return_map_check(struct ml_plot_source *source, const struct ml_plot_options *request)
{
    const char *name = request->return_map;
    struct ml_plot_dataset *dataset = ml_plot_take(source, 1, sizeof *dataset);
    if (request->what || request->x || request->y || request->by || isfinite(request->part[0]) ||
        isfinite(request->part[1]))
        ml_plot_refuse(
            source,
            "return map of %s: it is a picture by itself, which fixed axes, runs and a range "
            "choose parts of",
            name);
    if (!dataset || source->status != ML_OK || section_find(source, name, dataset) ||
        source->status != ML_OK)
        return;
    struct ml_plot_words words = {&source->pool, ml_nearest_typo(name), ""};
    struct ml_array_info info;
    const char *member;
    for (int i = 0; (member = ml_plot_member(source, "summary", i, &info)); i++)
        if (section_find(source, member, dataset))
            ml_plot_allow(&words, member);
    if (*words.all)
        ml_plot_refuse(source, "return map of %s: no event keeps it; %s", name,
                       ml_plot_hint(&words));
    else
        ml_plot_refuse(
            source,
            "return map of %s: no event of this study keeps more than one; give it `keep`, "
            "and a `max` of 2 or more",
            name);
}

/* Both axes from the same number to the same number. */
static void return_map_ranges(const struct ml_plot_script *script, struct ml_plot_range range,
                              const struct ml_plot_options *request)
{
    const double margin = 0.04 * (range.high - range.low);
    const double low = isnan(request->range[0]) ? range.low - margin : request->range[0];
    const double high = isnan(request->range[1]) ? range.high + margin : request->range[1];
    (void)fprintf(script->file,
                  "set size square\nset xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\n", low,
                  high, low, high);
}

void ml_plot_return_map(const struct ml_plot_script *script, const struct ml_plot_options *request)
{
    struct ml_plot_source *source = script->source;
    struct section_data *section = ml_plot_take(source, 1, sizeof *section);
    return_map_check(source, request);
    if (!section || source->status != ML_OK)
        return;
    const char *name = request->return_map;
    section_read(source, request, "return map", name, &section->x);
    section->y = section->x;
    section->y.label = ml_plot_format(source, "next %s", section->x.label);
    section->lag = 1;
    if (source->status != ML_OK)
        return;
    const struct ml_plot_slice *slice = &section->x.slice;
    const struct ml_plot_range range =
        ml_plot_range_of(source, name, slice->values, slice->n_row * slice->n_column);
    if (source->status != ML_OK)
        return;
    unsigned long long n_point;
    const char *data = section_write(script, section, &n_point);
    if (source->status == ML_OK && n_point == 0)
        ml_plot_refuse(source,
                       "return map of %s: no run here has two events of it; give it a larger "
                       "`max`, or runs a later end",
                       name);
    if (source->status != ML_OK)
        return;
    section_begin(script, section);
    return_map_ranges(script, range, request);
    (void)fputs("plot x linecolor rgb '#808080' notitle, ", script->file);
    section_points(script, data, n_point);
}
