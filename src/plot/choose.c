/* Chooses which dimensions a picture shows, from the request and the shape of the dataset. */
#include "plot/choose.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "plot/select.h"

/* What is needed on the way to a view. */
struct choose_choice {
    struct ml_plot_source *source;
    const struct ml_plot_request *request;
    struct ml_plot_view *view;
};

static bool is_free(const struct ml_plot_view *view, int dim)
{
    return !view->is_fixed[dim] && dim != view->x && dim != view->y && dim != view->family;
}

static bool choose_is_named(const struct ml_plot_view *view, int dim, const char *name)
{
    return strcmp(view->dataset->scales[dim].name, name) == 0;
}

/* An axis that was asked for. */
static void take_axis(struct choose_choice *choice, const char *option, const char *name, int *dim,
                      struct ml_plot_scale *scale)
{
    *dim = name ? ml_plot_dimension(choice->source, choice->view->dataset, name, scale) : -1;
    if (name && *dim < 0)
        ml_plot_refuse_dimension(choice->source, choice->view->dataset, option, name);
    else if (*dim >= 0 && choice->view->is_fixed[*dim])
        ml_plot_refuse(choice->source, "%s %s: it is fixed already", option, name);
}

/* Fixes a dimension that is left. */
static void choose_fix(struct choose_choice *choice, int dim, unsigned long long at)
{
    struct ml_plot_scale scale = ml_plot_usual_scale(choice->source, choice->view->dataset, dim);
    ml_plot_select(choice->source, choice->view, dim, &scale, at);
}

/* No map, but a curve for every value of the axis that would be y. */
static bool wants_curves(const struct ml_plot_request *request)
{
    return request->y && strcmp(request->y, "none") == 0;
}

/* Of two rows a map says less than two curves, such as those of a continuation forward and back. */
static bool suits_curves(const struct choose_choice *choice, int dim)
{
    const struct ml_plot_dataset *dataset = choice->view->dataset;
    const bool is_of_kinds = dataset->is_outcome || dataset->categories;
    return dim >= 0 && dataset->extent.size[dim] == 2 &&
           dataset->extent.size[choice->view->x] > 2 && !is_of_kinds &&
           choice->request->n_contour == 0;
}

/* A dimension with one entry is no axis, unless asked for. */
static void fix_single(struct choose_choice *choice)
{
    const struct ml_plot_dataset *dataset = choice->view->dataset;
    for (int k = 0; k < dataset->extent.rank; k++)
        if (is_free(choice->view, k) && dataset->extent.size[k] == 1)
            choose_fix(choice, k, 0);
}

/* Last of the free dimensions first .. end - 1; -1: none. */
static int last_free(const struct ml_plot_view *view, int first, int end)
{
    while (end > first && !is_free(view, end - 1))
        end--;
    return end > first ? end - 1 : -1;
}

/* Where nothing is left to be drawn along. */
static void refuse_number(struct choose_choice *choice)
{
    const struct ml_plot_dataset *dataset = choice->view->dataset;
    struct ml_extent start = dataset->extent, one = dataset->extent;
    double value = (double)NAN;
    for (int k = 0; k < dataset->extent.rank; k++) {
        start.size[k] = choice->view->at[k];
        one.size[k] = 1;
    }
    ml_h5_read_box(&choice->source->h5, dataset->id, H5T_NATIVE_DOUBLE, &start, NULL, &one, &value);
    ml_plot_refuse(choice->source, "%s is a single number here, nothing to draw: %.9g %s",
                   dataset->name, value, strcmp(dataset->unit, "1") != 0 ? dataset->unit : "");
}

/* The dimension x is along unless another is asked for; -1: none is left. */
static int usual_x(const struct ml_plot_view *view)
{
    const struct ml_plot_dataset *dataset = view->dataset;
    int last = last_free(view, 0, dataset->extent.rank);
    if (last < 0 || choose_is_named(view, last, "time"))
        return last;
    int of_runs = dataset->is_summary ? last_free(view, 0, dataset->n_run_dim) : -1;
    return of_runs >= 0 ? of_runs : last_free(view, dataset->n_run_dim, dataset->extent.rank);
}

static void choose_x(struct choose_choice *choice)
{
    struct ml_plot_view *view = choice->view;
    view->x = usual_x(view);
    if (view->x < 0) {
        refuse_number(choice);
        return;
    }
    view->x_scale = ml_plot_usual_scale(choice->source, view->dataset, view->x);
}

static void choose_y(struct choose_choice *choice)
{
    struct ml_plot_view *view = choice->view;
    const struct ml_plot_dataset *dataset = view->dataset;
    if (view->y < 0 && view->family < 0 && dataset->is_summary && view->x < dataset->n_run_dim) {
        int dim = last_free(view, 0, dataset->n_run_dim);
        const bool is_family = wants_curves(choice->request) || suits_curves(choice, dim);
        *(is_family ? &view->family : &view->y) = dim;
    }
    if (view->y >= 0 && !view->y_scale.values)
        view->y_scale = ml_plot_usual_scale(choice->source, dataset, view->y);
    view->kind = view->y < 0 ? ML_PLOT_CURVES : view->y == view->x ? ML_PLOT_POINTS : ML_PLOT_MAP;
    if (view->kind == ML_PLOT_POINTS && strcmp(view->x_scale.name, view->y_scale.name) == 0)
        ml_plot_refuse(choice->source, "x and y are the same: %s", view->x_scale.name);
}

static bool holds_any(const double *values, unsigned long long n)
{
    for (unsigned long long i = 0; i < n; i++)
        if (isfinite(values[i]))
            return true;
    return false;
}

/* Entry of an extra dimension that is drawn: the first that has a number for any run, 0 if none
 * has; of segments the last, as in the views of the file. */
static unsigned long long usual_entry(struct choose_choice *choice, int dim)
{
    if (choice->view->dataset->is_summary && choose_is_named(choice->view, dim, "segment"))
        return choice->view->dataset->extent.size[dim] - 1;
    const struct ml_plot_view *view = choice->view;
    const struct ml_extent *extent = &view->dataset->extent;
    struct ml_extent start = {.rank = extent->rank}, count = {.rank = extent->rank};
    unsigned long long n = 1;
    for (int k = 0; k < extent->rank; k++) {
        start.size[k] = view->is_fixed[k] ? view->at[k] : 0;
        count.size[k] = view->is_fixed[k] || k == dim ? 1 : extent->size[k];
        n *= count.size[k];
    }
    double *values = ml_plot_take(choice->source, n, sizeof *values);
    for (; values && start.size[dim] < extent->size[dim]; start.size[dim]++) {
        ml_h5_read_box(&choice->source->h5, view->dataset->id, H5T_NATIVE_DOUBLE, &start, NULL,
                       &count, values);
        if (choice->source->h5.status != ML_OK || holds_any(values, n))
            return start.size[dim];
    }
    return 0;
}

/* Whether a dimension is of events over an axis of their runs: all are drawn as points, in a colour
 * for each entry of the family, where curves would show the first event only. */
static bool choose_has_points(const struct ml_plot_view *view, int dim)
{
    return choose_is_named(view, dim, ML_PLOT_EVENTS) && view->x < view->dataset->n_run_dim;
}

static void fix_rest(struct choose_choice *choice)
{
    struct ml_plot_view *view = choice->view;
    const struct ml_plot_dataset *dataset = view->dataset;
    for (int k = 0; k < dataset->extent.rank; k++) {
        unsigned long long n = dataset->extent.size[k];
        if (!is_free(view, k))
            continue;
        if (k < dataset->n_run_dim)
            choose_fix(choice, k, dataset->is_summary ? (n - 1) / 2 : 0);
        else if (choose_is_named(view, k, "time"))
            choose_fix(choice, k, n - 1);
        else if (view->kind != ML_PLOT_CURVES || (view->family >= 0 && !choose_has_points(view, k)))
            choose_fix(choice, k, usual_entry(choice, k));
    }
}

/* Refuses a part of x that holds nothing, or of a picture that has no such part. */
static void check_part(struct choose_choice *choice)
{
    const struct ml_plot_view *view = choice->view;
    bool is_all = isinf(view->from) && isinf(view->to), holds_any = false;
    for (unsigned long long i = 0; i < view->x_scale.n; i++)
        holds_any = holds_any ||
                    (view->x_scale.values[i] >= view->from && view->x_scale.values[i] <= view->to);
    if (!is_all && (view->kind != ML_PLOT_CURVES || view->x_scale.texts))
        ml_plot_refuse(choice->source, "a part of x is for curves and stick figures");
    else if (!(view->from < view->to) || !holds_any)
        ml_plot_refuse(choice->source, "nothing of %s is between the ends that are asked for",
                       view->x_scale.name);
}

void ml_plot_choose(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                    const struct ml_plot_request *request, struct ml_plot_view *view)
{
    *view = (struct ml_plot_view){.dataset = dataset,
                                  .x = -1,
                                  .y = -1,
                                  .family = -1,
                                  .subtitle = "",
                                  .from = request->from,
                                  .to = request->to,
                                  .contours = request->contours,
                                  .n_contour = request->n_contour,
                                  .low = request->low,
                                  .high = request->high};
    struct ml_plot_scale by;
    struct choose_choice choice = {source, request, view};
    ml_plot_select_requested(source, view, request);
    if (source->h5.status == ML_OK)
        take_axis(&choice, "x", request->x, &view->x, &view->x_scale);
    if (source->h5.status == ML_OK && !wants_curves(request))
        take_axis(&choice, "y", request->y, &view->y, &view->y_scale);
    if (source->h5.status == ML_OK)
        take_axis(&choice, "by", request->by, &view->family, &by);
    if (source->h5.status != ML_OK)
        return;
    if (request->by && (view->family == view->x || view->y >= 0)) {
        ml_plot_refuse(source,
                       view->y >= 0 ? "by %s: it makes curves, which have no y"
                                    : "by %s: it is the axis of x",
                       request->by);
        return;
    }
    fix_single(&choice);
    if (view->x < 0)
        choose_x(&choice);
    if (source->h5.status == ML_OK)
        choose_y(&choice);
    if (source->h5.status == ML_OK)
        check_part(&choice);
    if (source->h5.status == ML_OK)
        fix_rest(&choice);
}

bool ml_plot_same_choice(const struct ml_plot_view *view, const struct ml_plot_dataset *other,
                         struct ml_plot_view *same)
{
    const struct ml_plot_dataset *dataset = view->dataset;
    int k = 0;
    *same = *view;
    same->dataset = other;
    for (int i = 0; i < other->extent.rank; i++) {
        same->is_fixed[i] = true;
        same->at[i] = 0;
        if (k == dataset->extent.rank || !choose_is_named(view, k, other->scales[i].name) ||
            dataset->extent.size[k] != other->extent.size[i])
            continue;
        same->is_fixed[i] = view->is_fixed[k];
        same->at[i] = view->at[k];
        if (view->x == k)
            same->x = i;
        k++;
    }
    return k == dataset->extent.rank;
}

/* The number of a run that a scale has as a double. */
static unsigned long long choose_run_of(double value)
{
    const double end = 0x1p63;
    return value >= 0.0 && value < end ? (unsigned long long)value : ULLONG_MAX;
}

bool ml_plot_single_run(const struct ml_plot_view *view, unsigned long long *run)
{
    const struct ml_plot_dataset *dataset = view->dataset;
    *run = 0;
    if (view->n_several > 0)
        return false;
    for (int k = 0; k < dataset->n_run_dim; k++) {
        if (!view->is_fixed[k])
            return false;
        *run = *run * dataset->extent.size[k] + view->at[k];
    }
    if (!dataset->is_summary && dataset->n_run_dim > 0)
        *run = choose_run_of(dataset->scales[0].values[view->at[0]]);
    return true;
}
