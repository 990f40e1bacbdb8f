/* Turns fixed axes and runs into an index of each dimension, by name and nearest value. */
#include "plot/view.h"

#include <math.h>
#include <string.h>

#include "manylink/text.h"

void ml_plot_select(struct ml_plot_source *source, struct ml_plot_view *view, int dim,
                    const struct ml_plot_scale *scale, unsigned long long at)
{
    if (source->status != ML_OK)
        return;
    if (view->is_fixed[dim]) {
        ml_plot_refuse(source, "%s is fixed more than once", view->dataset->scales[dim].name);
        return;
    }
    view->is_fixed[dim] = true;
    view->at[dim] = at;
    if (scale->n > 1 || scale->texts == NULL)
        view->subtitle =
            ml_plot_format(source, "%s%s%s", view->subtitle, *view->subtitle ? "; " : "",
                           ml_plot_at_text(source, scale, at));
}

/* Position of a label. */
static unsigned long long find_label(struct ml_plot_source *source,
                                     const struct ml_plot_scale *scale, const char *label)
{
    struct ml_plot_words words = {&source->pool, ml_nearest_typo(label), ""};
    for (unsigned long long i = 0; i < scale->n; i++) {
        if (strcmp(scale->texts[i], label) == 0)
            return i;
        ml_plot_allow(&words, scale->texts[i]);
    }
    ml_plot_refuse(source, "%s=%s: no such entry; %s", scale->name, label, ml_plot_hint(&words));
    return 0;
}

/* Position of the nearest number; one that lies further outside than the whole range is wide is a
 * mistake. */
struct select_found {
    double wanted;
    unsigned long long at;
};

static struct select_found select_find_number(struct ml_plot_source *source,
                                              const struct ml_plot_scale *scale, const char *text)
{
    char why[256];
    double wanted, low = (double)INFINITY, high = -(double)INFINITY;
    unsigned long long nearest = 0;
    if (!ml_number_parse(text, &wanted, why, sizeof why)) {
        ml_plot_refuse(source, "%s=%s: %s", scale->name, text, why);
        return (struct select_found){0};
    }
    for (unsigned long long i = 0; scale->values && i < scale->n; i++) {
        low = fmin(low, scale->values[i]);
        high = fmax(high, scale->values[i]);
        if (fabs(scale->values[i] - wanted) < fabs(scale->values[nearest] - wanted))
            nearest = i;
    }
    if (wanted < low - (high - low) || wanted > high + (high - low))
        ml_plot_refuse(source, "%s=%s: it goes from %.6g to %.6g", scale->name, text, low, high);
    return (struct select_found){wanted, nearest};
}

static const double decade = 10.0;

/* How far the saved runs are from the values asked for: squared and relative to the range of all
 * runs, of the logarithm where that is more than a decade.
 *   distance  [saved runs] added to; NULL: nothing is asked for so far */
static void add_distance(struct ml_plot_source *source, const struct ml_plot_scale *runs,
                         const struct ml_plot_at *assign, double **distance)
{
    struct ml_plot_scale all = {.name = assign->axis, .n = source->n_run};
    all.values = ml_plot_swept_values(source, assign->axis);
    if (!*distance)
        *distance = ml_plot_take(source, runs->n, sizeof **distance);
    const int64_t *numbers = ml_plot_run_numbers(source);
    double wanted = select_find_number(source, &all, assign->value).wanted;
    if (source->status != ML_OK)
        return;
    double low = wanted, high = wanted;
    for (unsigned long long i = 0; i < all.n; i++) {
        low = fmin(low, all.values[i]);
        high = fmax(high, all.values[i]);
    }
    const bool is_log = low > 0.0 && high > decade * low;
    const double range = is_log ? log(high / low) : high - low;
    for (unsigned long long i = 0, row = 0; i < runs->n && range > 0.0; i++) {
        while (row < all.n && (double)numbers[row] < runs->values[i]) /* both ascend */
            row++;
        const bool is_run = row < all.n && (double)numbers[row] == runs->values[i];
        const double value = is_run ? all.values[row] : (double)NAN;
        const double off = (is_log ? log(value / wanted) : value - wanted) / range;
        (*distance)[i] += isfinite(off) ? off * off : (double)INFINITY;
    }
}

static void fix_nearest(struct ml_plot_source *source, struct ml_plot_view *view,
                        const double *distance)
{
    const struct ml_plot_scale *runs = &view->dataset->scales[0];
    unsigned long long best = 0;
    for (unsigned long long i = 0; i < runs->n; i++)
        if (distance[i] < distance[best])
            best = i;
    ml_plot_select(source, view, 0, runs, best);
    if (distance[best] > 0.0)
        view->subtitle = ml_plot_format(source, "%s, the nearest that was saved", view->subtitle);
}

static void fix_assigned(struct ml_plot_source *source, struct ml_plot_view *view,
                         const struct ml_plot_at *assign, double **distance)
{
    const struct ml_plot_dataset *dataset = view->dataset;
    struct ml_plot_scale scale;
    int dim = ml_plot_dimension(source, dataset, assign->axis, &scale);
    if (dim < 0 && !dataset->is_summary && dataset->n_run_dim > 0 &&
        ml_plot_is_swept(source, assign->axis)) {
        add_distance(source, &dataset->scales[0], assign, distance);
        return;
    }
    if (dim < 0) {
        ml_plot_refuse_dimension(source, dataset, "at", assign->axis);
        return;
    }
    unsigned long long at = scale.texts ? find_label(source, &scale, assign->value)
                                        : select_find_number(source, &scale, assign->value).at;
    if (source->status == ML_OK)
        ml_plot_select(source, view, dim, &scale, at);
}

/* The run's position among the saved ones. */
static unsigned long long find_saved_run(struct ml_plot_source *source,
                                         const struct ml_plot_view *view, int64_t run)
{
    const struct ml_plot_scale *runs = &view->dataset->scales[0];
    for (unsigned long long i = 0; i < runs->n; i++)
        if (runs->values[i] == (double)run)
            return i;
    if (runs->n == 1)
        ml_plot_refuse(source, "the trajectory of run %lld is not in it, only that of run %g",
                       (long long)run, runs->values[0]);
    else
        ml_plot_refuse(
            source, "the trajectory of run %lld is not in it; saved are every %gth run up to %g",
            (long long)run, runs->values[1] - runs->values[0], runs->values[runs->n - 1]);
    return 0;
}

/* The run's place in the grid. */
static void fix_run(struct ml_plot_source *source, struct ml_plot_view *view,
                    const struct ml_plot_options *request)
{
    const struct ml_plot_dataset *dataset = view->dataset;
    const unsigned long long run = (unsigned long long)request->runs[0];
    if (!dataset->is_summary) {
        const unsigned long long at = find_saved_run(source, view, request->runs[0]);
        if (source->status == ML_OK)
            ml_plot_select(source, view, 0, &dataset->scales[0], at);
        return;
    }
    const unsigned long long row = ml_plot_row(source, run);
    if (source->status != ML_OK)
        return;
    unsigned long long stride = source->n_run;
    view->subtitle = ml_plot_format(source, "run %llu", run);
    for (int k = 0; k < dataset->n_run_dim; k++) {
        stride /= dataset->size[k];
        struct ml_plot_scale scale = ml_plot_usual_scale(source, dataset, k);
        ml_plot_select(source, view, k, &scale, row / stride % dataset->size[k]);
    }
}

/* Several runs over time. */
static void fix_runs(struct ml_plot_source *source, struct ml_plot_view *view,
                     const struct ml_plot_options *request)
{
    unsigned long long *several = ml_plot_take(source, (size_t)request->n_run, sizeof *several);
    if (view->dataset->is_summary)
        ml_plot_refuse(source, "several runs are for what is kept over time");
    if (view->is_fixed[0])
        ml_plot_refuse(source, "%s is fixed more than once", view->dataset->scales[0].name);
    for (int i = 0; i < request->n_run && source->status == ML_OK; i++) {
        several[i] = find_saved_run(source, view, request->runs[i]);
    }
    view->is_fixed[0] = true;
    view->several = several;
    view->n_several = request->n_run;
}

void ml_plot_select_requested(struct ml_plot_source *source, struct ml_plot_view *view,
                              const struct ml_plot_options *request)
{
    double *distance = NULL;
    for (int i = 0; i < request->n_at && source->status == ML_OK; i++)
        fix_assigned(source, view, &request->at[i], &distance);
    if (distance && source->status == ML_OK)
        fix_nearest(source, view, distance);
    if (request->n_run == 1 && source->status == ML_OK)
        fix_run(source, view, request);
    if (request->n_run > 1 && source->status == ML_OK)
        fix_runs(source, view, request);
}
