/* Phase portraits: one kept quantity of runs over another. */
#include <math.h>
#include <string.h>

#include "plot/colours.h"
#include "plot/figure.h"
#include "plot/select.h"

/* One of the two: a dataset of the trajectories at one entry of its dimensions. */
struct phase_axis {
    struct ml_plot_dataset dataset;
    struct ml_plot_view view;
    struct ml_plot_slice slice; /* a row per run */
    const char *label;          /* "angle.upper (rad)" */
};

/* The dataset that a name begins with: all before the first '.'. */
static const char *phase_dataset(struct ml_plot_source *source, const char *name)
{
    return ml_plot_format(source, "%.*s", (int)strcspn(name, "."), name);
}

static bool phase_is_kept(struct ml_plot_source *source, const char *name)
{
    struct ml_array_info info;
    return ml_plot_describe(source, "trajectories", phase_dataset(source, name), &info) &&
           ml_plot_has_numbers(&info);
}

bool ml_plot_is_phase(struct ml_plot_source *source, const struct ml_plot_options *request)
{
    return source->status == ML_OK && request->x && request->y &&
           phase_is_kept(source, request->x) && phase_is_kept(source, request->y);
}

/* Fixes the dimensions between runs and time by the labels after the dataset's name. */
static void phase_fix(struct ml_plot_source *source, struct phase_axis *axis, const char *option,
                      const char *name)
{
    const struct ml_plot_dataset *dataset = &axis->dataset;
    const char *rest = name + strcspn(name, ".");
    for (int k = 1; k + 1 < dataset->rank && source->status == ML_OK; k++) {
        const struct ml_plot_scale *scale = &dataset->scales[k];
        const char *label = *rest ? rest + 1 : "";
        const size_t length = k + 2 < dataset->rank ? strcspn(label, ".") : strlen(label);
        struct ml_plot_words words = {&source->pool, ml_nearest_typo(label), ""};
        unsigned long long at = 0;
        while (at < scale->n && scale->texts &&
               (strlen(scale->texts[at]) != length || memcmp(scale->texts[at], label, length) != 0))
            ml_plot_allow(&words, scale->texts[at++]);
        if (!scale->texts || at == scale->n)
            ml_plot_refuse(source, "%s %s: %s.%s is wanted; of %s %s", option, name, dataset->name,
                           scale->name, scale->name, ml_plot_hint(&words));
        axis->view.is_fixed[k] = true;
        axis->view.at[k] = at;
        rest = label + length;
    }
    if (*rest)
        ml_plot_refuse(source, "%s %s: there is nothing more of %s to choose", option, name,
                       dataset->name);
}

static void phase_read(struct ml_plot_source *source, const struct ml_plot_options *request,
                       const char *option, const char *name, struct phase_axis *axis)
{
    struct ml_plot_options runs = *request;
    runs.x = runs.y = NULL;
    ml_plot_find(source, phase_dataset(source, name), &axis->dataset);
    if (source->status == ML_OK && axis->dataset.is_summary)
        ml_plot_refuse(source, "%s %s: the summary has one of that name too", option, name);
    if (source->status != ML_OK)
        return;
    axis->view = (struct ml_plot_view){.dataset = &axis->dataset,
                                       .x = axis->dataset.rank - 1,
                                       .y = -1,
                                       .family = -1,
                                       .low = (double)NAN,
                                       .high = (double)NAN,
                                       .subtitle = ""};
    ml_plot_select_requested(source, &axis->view, &runs);
    if (source->status == ML_OK && !axis->view.is_fixed[0] &&
        !(request->by && strcmp(request->by, "run") == 0))
        ml_plot_select(source, &axis->view, 0, &axis->dataset.scales[0], 0);
    phase_fix(source, axis, option, name);
    if (source->status == ML_OK)
        ml_plot_read(source, &axis->view, &axis->slice);
    const bool has_unit = strcmp(axis->dataset.unit, "1") != 0;
    axis->label = has_unit ? ml_plot_format(source, "%s (%s)", name, axis->dataset.unit) : name;
}

/* Of a run time, x, y. */
static const char *phase_write(const struct ml_plot_script *script,
                               const struct ml_plot_options *request, const struct phase_axis *x,
                               const struct phase_axis *y, unsigned long long row)
{
    const struct ml_plot_scale *time = &x->dataset.scales[x->view.x];
    struct ml_plot_table table = ml_plot_begin_table(script, 3);
    for (unsigned long long i = 0; i < x->slice.n_column; i++) {
        const unsigned long long at = row * x->slice.n_column + i;
        if (time->values[i] < request->part[0] || time->values[i] > request->part[1])
            continue;
        ml_plot_put(&table, time->values[i]);
        ml_plot_put(&table, x->slice.values[at]);
        ml_plot_put(&table, y->slice.values[at]);
    }
    return ml_plot_end_table(&table);
}

/* A single run in the colour of its time; of several each in its own. */
static void phase_plot(const struct ml_plot_script *script, const struct ml_plot_options *request,
                       const struct phase_axis *x, const struct phase_axis *y)
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
    struct ml_plot_source *source = script->source;
    struct phase_axis *x = ml_plot_take(source, 1, sizeof *x);
    struct phase_axis *y = ml_plot_take(source, 1, sizeof *y);
    if (!x || !y)
        return;
    phase_read(source, request, "x", request->x, x);
    phase_read(source, request, "y", request->y, y);
    if (source->status != ML_OK)
        return;
    const unsigned long long n = x->slice.n_row * x->slice.n_column;
    const struct ml_plot_range across = ml_plot_range_of(source, request->x, x->slice.values, n);
    const struct ml_plot_range up = ml_plot_range_of(source, request->y, y->slice.values, n);
    ml_plot_label_rows(source, &x->view, &x->slice);
    if (source->status != ML_OK)
        return;
    ml_plot_begin_script(script, ml_plot_run_subtitle(source, &x->view));
    (void)fputs("set autoscale fix\nset offsets graph 0.04, graph 0.04, graph 0.04, graph "
                "0.04\n",
                script->file);
    ml_plot_set_label(script, "x", x->label);
    ml_plot_set_label(script, "y", y->label);
    ml_plot_set_aspect(script, x->dataset.unit, across, y->dataset.unit, up);
    phase_plot(script, request, x, y);
}
