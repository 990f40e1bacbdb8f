/* Chooses which dimensions a picture shows, from the request and the shape of the dataset. */
#include "plot/view.h"

#include <math.h>
#include <string.h>

/* The inputs of the choice, and the view in the making. */
struct choose_choice {
    struct ml_plot_source *source;
    const struct ml_plot_options *request;
    struct ml_plot_view *view;
    struct ml_view stored; /* of the dataset in the file: the source of all that is not asked for */
};

static bool is_free(const struct ml_plot_view *view, int dim)
{
    return !view->is_fixed[dim] && dim != view->x && dim != view->y && dim != view->family;
}

/* An axis that was asked for. */
static void take_axis(struct choose_choice *choice, const char *option, const char *name, int *dim,
                      struct ml_plot_scale *scale)
{
    *dim = name ? ml_plot_dimension(choice->source, choice->view->dataset, name, scale) : -1;
    if (name && *dim < 0)
        ml_plot_refuse_dimension(choice->source, choice->view->dataset, option, name);
    else if (*dim >= 0 && choice->view->is_fixed[*dim])
        ml_plot_refuse(choice->source, "cannot draw over %s %s: it is fixed", option, name);
}

/* Fixes a dimension that is left. */
static void choose_fix(struct choose_choice *choice, int dim, unsigned long long at)
{
    struct ml_plot_scale scale = ml_plot_usual_scale(choice->source, choice->view->dataset, dim);
    ml_plot_select(choice->source, choice->view, dim, &scale, at);
}

/* No map, but a curve for every value of the axis that would be y. */
static bool wants_curves(const struct ml_plot_options *request)
{
    return request->y && strcmp(request->y, "none") == 0;
}

/* The dimension that the stored view has in a role, if it is free; -1. */
static int stored_role(const struct choose_choice *choice, int64_t role)
{
    for (int k = 0; k < choice->view->dataset->rank && k < choice->stored.n_dim; k++)
        if (choice->stored.dims[k] == role && is_free(choice->view, k))
            return k;
    return -1;
}

/* A dimension with one entry is no axis, unless asked for. */
static void fix_single(struct choose_choice *choice)
{
    const struct ml_plot_dataset *dataset = choice->view->dataset;
    for (int k = 0; k < dataset->rank; k++)
        if (is_free(choice->view, k) && dataset->size[k] == 1)
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
    double value = (double)NAN;
    ml_plot_read_box(choice->source, choice->view, &value, 1);
    ml_plot_refuse(choice->source, "cannot draw %s: it is a single number here, %.9g %s",
                   dataset->name, value, strcmp(dataset->unit, "1") != 0 ? dataset->unit : "");
}

/* The dimension x is along unless another is asked for: that of the stored view, or where it is
 * fixed the last that is left, of the runs before others; -1: none is left. */
static int usual_x(const struct choose_choice *choice)
{
    const struct ml_plot_view *view = choice->view;
    const struct ml_plot_dataset *dataset = view->dataset;
    const int stored = stored_role(choice, ML_VIEW_X);
    const int of_runs = dataset->is_summary ? last_free(view, 0, dataset->n_run_dim) : -1;
    return stored >= 0    ? stored
           : of_runs >= 0 ? of_runs
                          : last_free(view, dataset->n_run_dim, dataset->rank);
}

static void choose_x(struct choose_choice *choice)
{
    struct ml_plot_view *view = choice->view;
    view->x = usual_x(choice);
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
        if (ml_plot_is_unordered(dataset, dim)) /* a sample beside its grid */
            dim = last_free(view, 0, dim);
        const bool is_family = wants_curves(choice->request) ||
                               ml_plot_is_unordered(dataset, view->x) ||
                               (dim >= 0 && dim == stored_role(choice, ML_VIEW_EACH) &&
                                choice->request->n_contour == 0);
        *(is_family ? &view->family : &view->y) = dim;
    }
    if (view->y >= 0 && !view->y_scale.values)
        view->y_scale = ml_plot_usual_scale(choice->source, dataset, view->y);
    view->kind = view->y < 0 ? ML_PLOT_CURVES : view->y == view->x ? ML_PLOT_POINTS : ML_PLOT_MAP;
    if (view->kind == ML_PLOT_POINTS && strcmp(view->x_scale.name, view->y_scale.name) == 0)
        ml_plot_refuse(choice->source, "cannot draw a picture: x and y are the same, %s",
                       view->x_scale.name);
}

unsigned long long ml_plot_usual_entry(struct ml_plot_source *source,
                                       const struct ml_plot_dataset *dataset, int dim)
{
    struct ml_view stored = {.size = sizeof stored};
    if (source->status == ML_OK && !dataset->is_share &&
        ml_result_view_of(source->result, dataset->path, &stored) && dim < stored.n_dim &&
        stored.dims[dim] >= 0)
        return (unsigned long long)stored.dims[dim];
    const char *name = dataset->scales[dim].name;
    const bool is_last = dataset->is_share ? strcmp(name, "requirement") == 0
                                           : dataset->is_summary && strcmp(name, "segment") == 0;
    return is_last ? dataset->size[dim] - 1 : 0;
}

/* Whether a dimension is of events over an axis of their runs: all are drawn as points, in a colour
 * for each entry of the family, where curves would show the first event only. */
static bool choose_has_points(const struct ml_plot_view *view, int dim)
{
    return dim == ml_plot_events(view->dataset) && view->x < view->dataset->n_run_dim;
}

static void fix_rest(struct choose_choice *choice)
{
    struct ml_plot_view *view = choice->view;
    const struct ml_plot_dataset *dataset = view->dataset;
    for (int k = 0; k < dataset->rank; k++) {
        unsigned long long n = dataset->size[k];
        if (!is_free(view, k))
            continue;
        if (k < dataset->n_run_dim)
            choose_fix(choice, k,
                       dataset->is_summary && !ml_plot_is_unordered(dataset, k) ? (n - 1) / 2 : 0);
        else if (strcmp(dataset->scales[k].name, "time") == 0)
            choose_fix(choice, k, n - 1);
        else if (view->kind != ML_PLOT_CURVES || (view->family >= 0 && !choose_has_points(view, k)))
            choose_fix(choice, k, ml_plot_usual_entry(choice->source, dataset, k));
    }
}

/* Refuses a part of x that holds nothing, or of a picture that has no such part. */
static void check_part(struct choose_choice *choice)
{
    const struct ml_plot_view *view = choice->view;
    const double from = view->request->part[0], to = view->request->part[1];
    bool is_all = isinf(from) && isinf(to), holds_any = false;
    for (unsigned long long i = 0; i < view->x_scale.n; i++)
        holds_any |= view->x_scale.values[i] >= from && view->x_scale.values[i] <= to;
    if (!is_all && (view->kind != ML_PLOT_CURVES || view->x_scale.texts))
        ml_plot_refuse(choice->source, "a part of x is for curves and stick figures");
    else if (!(from < to) || !holds_any)
        ml_plot_refuse(choice->source,
                       "cannot draw that part of x: no value of %s is between its ends",
                       view->x_scale.name);
}

void ml_plot_choose(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                    const struct ml_plot_options *request, struct ml_plot_view *view)
{
    *view = ml_plot_view_of(dataset, request);
    struct ml_plot_scale by;
    struct choose_choice choice = {source, request, view, {.size = sizeof choice.stored}};
    if (source->status == ML_OK && !dataset->is_share)
        (void)ml_result_view_of(source->result, dataset->path, &choice.stored);
    if (dataset->is_share)
        view->is_fixed[dataset->rank - 1] = true; /* the estimate */
    ml_plot_select_requested(source, view, request);
    if (source->status == ML_OK)
        take_axis(&choice, "x", request->x, &view->x, &view->x_scale);
    if (source->status == ML_OK && !wants_curves(request))
        take_axis(&choice, "y", request->y, &view->y, &view->y_scale);
    if (source->status == ML_OK)
        take_axis(&choice, "by", request->by, &view->family, &by);
    if (source->status != ML_OK)
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
    if (source->status == ML_OK)
        choose_y(&choice);
    if (source->status == ML_OK)
        check_part(&choice);
    if (source->status == ML_OK)
        fix_rest(&choice);
}
