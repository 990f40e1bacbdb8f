/* One kept quantity over another: phase portraits of trajectories; sections, of quantities that
 * events keep, points of all runs; and return maps, the same quantity of the next event. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "plan/drawn.h"
#include "plot/figure.h"

enum {
    FEW_POINTS = 1000,
    MANY_POINTS = 20000
}; /* below and above, points are larger and smaller */

/* Groups that pictures of two quantities are of. */
static const char of_events[] = "summary", over_time[] = "trajectories";

/* One of the two: a dataset with a dimension of events or of time, at one entry of its others. */
struct section_axis {
    struct ml_plot_dataset dataset;
    struct ml_plot_view view;
    struct ml_plot_slice slice; /* a row per run */
    const char *label;          /* "angle.upper (rad)" */
};

/* A picture of them. */
struct section_data {
    struct section_axis x, y;
    unsigned long long lag; /* events from that of x to that of y */
};

static bool section_find(struct ml_plot_source *source, const char *group, const char *name,
                         struct ml_plot_dataset *dataset)
{
    const size_t length = ml_plot_name_length(source, group, name);
    return length > 0 &&
           ml_plot_find_in(source, group, ml_plot_format(source, "%.*s", (int)length, name),
                           dataset) &&
           source->status == ML_OK && (!dataset->is_summary || ml_plot_events(dataset) >= 0);
}

/* Whether x and y name quantities of a group. */
static bool section_is(struct ml_plot_source *source, const char *group,
                       const struct ml_plot_options *request)
{
    struct ml_plot_dataset dataset;
    return request->x && request->y && section_find(source, group, request->x, &dataset) &&
           section_find(source, group, request->y, &dataset);
}

bool ml_plot_is_section(struct ml_plot_source *source, const struct ml_plot_options *request)
{
    return section_is(source, of_events, request);
}

bool ml_plot_is_phase(struct ml_plot_source *source, const struct ml_plot_options *request)
{
    return section_is(source, over_time, request);
}

void ml_plot_prefer_section(struct ml_plot_source *source, struct ml_plot_options *request)
{
    if (source->status != ML_OK || request->what || request->x || request->y || request->by ||
        request->return_map || request->n_contour != 0 || request->is_histogram ||
        request->is_matrix || request->has_bands)
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

/* Fixes the dimensions but those of the runs and x by the labels after the dataset's name. A
 * dimension with one entry needs no label. */
static void section_fix(struct ml_plot_source *source, struct section_axis *axis,
                        const char *option, const char *name)
{
    const struct ml_plot_dataset *dataset = &axis->dataset;
    const char *rest = name + ml_plot_name_length(source, dataset->group, name);
    for (int k = dataset->n_run_dim; k < dataset->rank && source->status == ML_OK; k++) {
        const struct ml_plot_scale *scale = &dataset->scales[k];
        const char *label = *rest ? rest + 1 : "";
        const bool is_last = k + 1 + (k + 1 == axis->view.x) == dataset->rank;
        const size_t length = is_last ? strlen(label) : strcspn(label, ".");
        struct ml_plot_words words = {&source->pool, ml_nearest_typo(label), ""};
        unsigned long long at = 0;
        if (k == axis->view.x)
            continue;
        while (at < scale->n && scale->texts &&
               (strlen(scale->texts[at]) != length || memcmp(scale->texts[at], label, length) != 0))
            ml_plot_allow(&words, scale->texts[at++]);
        const bool is_named = scale->texts && at < scale->n;
        if (!is_named && scale->n > 1)
            ml_plot_refuse(source, "%s %s: %s.%s is wanted; of %s %s", option, name, dataset->name,
                           scale->name, scale->name, ml_plot_hint(&words));
        axis->view.is_fixed[k] = true;
        axis->view.at[k] = is_named ? at : 0;
        rest = is_named ? label + length : rest;
    }
    if (*rest)
        ml_plot_refuse(source, "%s %s: there is nothing more of %s to choose", option, name,
                       dataset->name);
}

/* Reads the quantity; of trajectories of the first run unless others are asked for. */
static void section_read(struct ml_plot_source *source, const struct ml_plot_options *request,
                         const char *group, const char *option, const char *name,
                         struct section_axis *axis)
{
    struct ml_plot_options runs = *request;
    const struct ml_plot_dataset *dataset = &axis->dataset;
    runs.x = runs.y = NULL;
    if (!section_find(source, group, name, &axis->dataset))
        return;
    axis->view = ml_plot_view_of(dataset, request);
    axis->view.x = dataset->is_summary ? ml_plot_events(dataset) : dataset->rank - 1;
    ml_plot_select_requested(source, &axis->view, &runs);
    if (source->status == ML_OK && !dataset->is_summary && !axis->view.is_fixed[0] &&
        !(request->by && strcmp(request->by, "run") == 0))
        ml_plot_select(source, &axis->view, 0, &dataset->scales[0], 0);
    section_fix(source, axis, option, name);
    if (source->status == ML_OK)
        ml_plot_read(source, &axis->view, &axis->slice);
    const unsigned long long n = axis->slice.n_row * axis->slice.n_column;
    if (source->status == ML_OK && dataset->is_summary &&
        ml_points_wrap(dataset->unit, n, axis->slice.values))
        name = ml_plot_format(source, "%s modulo 2 pi", name);
    axis->label = ml_plot_format(source, "%s%s", name, ml_unit_text(" (", dataset->unit, ")").text);
}

/* Reads both; NULL after a refusal. */
static struct section_data *section_read_both(const struct ml_plot_script *script,
                                              const struct ml_plot_options *request,
                                              const char *group)
{
    struct ml_plot_source *source = script->source;
    struct section_data *section = ml_plot_take(source, 1, sizeof *section);
    if (!section)
        return NULL;
    struct section_axis *x = &section->x, *y = &section->y;
    section_read(source, request, group, "x", request->x, x);
    section_read(source, request, group, "y", request->y, y);
    if (source->status == ML_OK &&
        (x->slice.n_row != y->slice.n_row || x->slice.n_column != y->slice.n_column))
        ml_plot_refuse(source, "cannot draw %s over %s: they are not of the same events",
                       request->y, request->x);
    return source->status == ML_OK ? section : NULL;
}

/* The beginning of the script, up to the scales of the axes. */
static void section_begin(const struct ml_plot_script *script,
                          const struct ml_plot_options *request, const struct section_data *section)
{
    struct ml_plot_source *source = script->source;
    const struct section_axis *x = &section->x, *y = &section->y;
    const unsigned long long n = x->slice.n_row * x->slice.n_column;
    const struct ml_plot_range across = ml_plot_range_of(source, request->x, x->slice.values, n);
    const struct ml_plot_range up = ml_plot_range_of(source, request->y, y->slice.values, n);
    if (source->status != ML_OK)
        return;
    ml_plot_begin_script(script, ml_plot_run_subtitle(source, &x->view));
    ml_plot_set_label(script, "x", x->label);
    ml_plot_set_label(script, "y", y->label);
    ml_plot_set_aspect(script, x->dataset.unit, across, y->dataset.unit, up);
    (void)fputs("set autoscale fix\nset offsets graph 0.04, graph 0.04, graph 0.04, graph 0.04\n",
                script->file);
}

/* Each run in a colour of its own, without a key. */
static void section_set_palette(const struct ml_plot_script *script)
{
    ml_plot_set_palette(script);
    (void)fputs("unset key\nunset colorbox\n", script->file);
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
            ml_plot_write(&table, from);
            ml_plot_write(&table, to);
            ml_plot_write(&table, (double)row);
            ++*n_point;
        }
    return ml_plot_end_table(&table);
}

/* The points, as the last part of a `plot` command. */
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
    const struct section_data *section = section_read_both(script, request, of_events);
    unsigned long long n_point;
    if (section)
        section_begin(script, request, section);
    if (script->source->status != ML_OK)
        return;
    const char *data = section_write(script, section, &n_point);
    section_set_palette(script);
    (void)fputs("plot ", script->file);
    section_points(script, data, n_point);
}

/* Writes time, x, y of each run. */
static const char *phase_write(const struct ml_plot_script *script,
                               const struct ml_plot_options *request, const struct section_axis *x,
                               const struct section_axis *y, unsigned long long row)
{
    const struct ml_plot_scale *time = &x->dataset.scales[x->view.x];
    struct ml_plot_table table = ml_plot_begin_table(script, 3);
    for (unsigned long long i = 0; i < x->slice.n_column; i++) {
        const unsigned long long at = row * x->slice.n_column + i;
        if (time->values[i] < request->part[0] || time->values[i] > request->part[1])
            continue;
        ml_plot_write(&table, time->values[i]);
        ml_plot_write(&table, x->slice.values[at]);
        ml_plot_write(&table, y->slice.values[at]);
    }
    return ml_plot_end_table(&table);
}

/* A single run in the colour of its time; of several each in its own. */
static void phase_plot(const struct ml_plot_script *script, const struct ml_plot_options *request,
                       const struct section_axis *x, const struct section_axis *y)
{
    FILE *file = script->file;
    const struct ml_plot_slice *slice = &x->slice;
    const char *begin = "plot ";
    if (slice->n_row == 1) {
        ml_plot_set_fading_palette(script);
        ml_plot_leave_room_for_bar(script);
        ml_plot_set_label(script, "cb", x->dataset.scales[x->view.x].label);
        (void)fprintf(file,
                      "plot %s using 2:3:1 with lines linewidth 1.3 linecolor palette notitle\n",
                      phase_write(script, request, x, y, 0));
        return;
    }
    if (slice->n_row > ML_PLOT_DISTINCT)
        ml_plot_set_palette(script);
    (void)fprintf(file, "set key outside right top Left reverse samplen 1.5 title 'run'\n%s\n",
                  slice->n_row > 24 ? "unset key\nunset colorbox" : "unset colorbox");
    for (unsigned long long row = 0; row < slice->n_row; row++, begin = ML_PLOT_AGAIN) {
        (void)fprintf(file, "%s%s using 2:3 with lines linewidth 1.3 linecolor ", begin,
                      phase_write(script, request, x, y, row));
        if (slice->n_row > ML_PLOT_DISTINCT)
            (void)fprintf(file, "palette cb %llu title ", row);
        else
            (void)fprintf(file, "rgb '%s' title ", ml_plot_distinct[row]);
        ml_plot_quote(script, slice->labels[row]);
    }
    (void)fputc('\n', file);
}

void ml_plot_phase(const struct ml_plot_script *script, const struct ml_plot_options *request)
{
    struct section_data *section = section_read_both(script, request, over_time);
    if (!section)
        return;
    ml_plot_label_rows(script->source, &section->x.view, &section->x.slice);
    section_begin(script, request, section);
    if (script->source->status == ML_OK)
        phase_plot(script, request, &section->x, &section->y);
}

/* Refuses quantities that events do not keep, and options of other pictures. */
static void return_map_check(struct ml_plot_source *source, const struct ml_plot_options *request)
{
    const char *name = request->return_map;
    struct ml_plot_dataset dataset;
    if (request->what || request->x || request->y || request->by || isfinite(request->part[0]) ||
        isfinite(request->part[1]))
        ml_plot_refuse(
            source,
            "return map of %s: it is a picture by itself, which fixed axes, runs and a range "
            "choose parts of",
            name);
    if (source->status != ML_OK || section_find(source, of_events, name, &dataset) ||
        source->status != ML_OK)
        return;
    struct ml_plot_words words = {&source->pool, ml_nearest_typo(name), ""};
    struct ml_array_info info;
    const char *member;
    for (int i = 0; (member = ml_plot_member(source, "summary", i, &info)); i++)
        if (section_find(source, of_events, member, &dataset))
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
    range.low -= margin;
    range.high += margin;
    (void)ml_plot_ask_range(request, &range);
    (void)fputs("set size square\n", script->file);
    ml_plot_set_ends(script->file, "x", range.low, range.high);
    ml_plot_set_ends(script->file, "y", range.low, range.high);
}

void ml_plot_return_map(const struct ml_plot_script *script, const struct ml_plot_options *request)
{
    struct ml_plot_source *source = script->source;
    struct section_data *section = ml_plot_take(source, 1, sizeof *section);
    return_map_check(source, request);
    if (!section || source->status != ML_OK)
        return;
    const char *name = request->return_map;
    section_read(source, request, of_events, "return map", name, &section->x);
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
    ml_plot_begin_script(script, ml_plot_run_subtitle(source, &section->x.view));
    section_set_palette(script);
    ml_plot_set_label(script, "x", section->x.label);
    ml_plot_set_label(script, "y", section->y.label);
    return_map_ranges(script, range, request);
    (void)fputs("plot x linecolor rgb '#808080' notitle, ", script->file);
    section_points(script, data, n_point);
}
