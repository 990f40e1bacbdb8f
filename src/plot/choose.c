/* Chooses which dimensions a picture shows, from the request and the shape of the dataset. */
#include "plot/view.h"

#include <math.h>
#include <string.h>

#include "plan/view.h"

/* An axis that was asked for. */
static void take_axis(struct ml_plot_source *source, struct ml_plot_view *view, const char *option,
                      const char *name, int *dim, struct ml_plot_scale *scale)
{
    *dim = name ? ml_plot_dimension(source, view->dataset, name, scale) : -1;
    if (name && *dim < 0)
        ml_plot_refuse_dimension(source, view->dataset, option, name);
    else if (*dim >= 0 && view->is_fixed[*dim])
        ml_plot_refuse(source, "cannot draw over %s %s: it is fixed", option, name);
}

/* No map, but a curve for every value of the axis that would be y. */
static bool wants_curves(const struct ml_plot_options *request)
{
    return request->y && strcmp(request->y, "none") == 0;
}

/* Where nothing is left to be drawn along. */
static void refuse_number(struct ml_plot_source *source, struct ml_plot_view *view)
{
    const struct ml_plot_dataset *dataset = view->dataset;
    double value = (double)NAN;
    ml_plot_read_box(source, view, &value, 1);
    ml_plot_refuse(source, "cannot draw %s: it is a single number here, %.9g %s", dataset->name,
                   value, strcmp(dataset->unit, "1") != 0 ? dataset->unit : "");
}

/* The dataset as the rules of views know it, and its usual view: that of the file; of shares the
 * last requirement, which is all of them, and of saved runs the first entry. */
static void choose_usual(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                         struct ml_array_info *info, struct ml_view *usual)
{
    *info = (struct ml_array_info){.size = sizeof *info};
    *usual = (struct ml_view){.size = sizeof *usual};
    (void)ml_result_find(source->result, dataset->path, info);
    info->rank = dataset->rank;
    info->n_run_dim = dataset->n_run_dim;
    const bool has_view =
        !dataset->is_share && ml_result_view_of(source->result, dataset->path, usual);
    for (int k = 0; k < dataset->rank; k++)
        if (!has_view)
            usual->dims[k] = strcmp(dataset->scales[k].name, "requirement") == 0
                                 ? info->shape[k] - 1
                                 : ML_VIEW_FREE;
        else if (!dataset->is_summary && usual->dims[k] == ML_VIEW_EACH)
            usual->dims[k] = 0;
}

unsigned long long ml_plot_usual_entry(struct ml_plot_source *source,
                                       const struct ml_plot_dataset *dataset, int dim)
{
    struct ml_array_info info;
    struct ml_view usual;
    choose_usual(source, dataset, &info, &usual);
    return (unsigned long long)(usual.dims[dim] >= 0 ? usual.dims[dim] : ml_view_entry(&info, dim));
}

/* Decides the dimensions that the request leaves free, by the rules of views. Of saved runs one is
 * drawn. */
static void choose_rest(struct ml_plot_source *source, struct ml_plot_view *view)
{
    const struct ml_plot_dataset *dataset = view->dataset;
    const int n = dataset->rank, n_run_dim = dataset->n_run_dim;
    struct ml_array_info info;
    struct ml_view usual;
    int64_t dims[ML_ARRAY_MAX_RANK];
    choose_usual(source, dataset, &info, &usual);
    for (int k = 0; k < n; k++)
        dims[k] = view->is_fixed[k]                       ? (int64_t)view->at[k]
                  : k == view->x                          ? ML_VIEW_X
                  : k == view->y                          ? ML_VIEW_Y
                  : k == view->family                     ? ML_VIEW_EACH
                  : k < n_run_dim && !dataset->is_summary ? 0
                                                          : ML_VIEW_FREE;
    view->style = ml_view_wish(&info, usual.dims,
                               view->y >= 0 && view->y == view->x ? ML_VIEW_SCATTER
                               : wants_curves(view->request)      ? ML_VIEW_CURVES
                               : view->request->n_contour != 0    ? ML_VIEW_MAP
                                                                  : -1,
                               dims);
    for (int i = 0; i < 2 * n; i++) { /* dimensions of one entry come first */
        const int k = i % n;
        if (!view->is_fixed[k] && dims[k] >= 0 && (i >= n || dataset->size[k] == 1)) {
            const struct ml_plot_scale scale = ml_plot_usual_scale(source, dataset, k);
            ml_plot_select(source, view, k, &scale, (unsigned long long)dims[k]);
        }
        view->x = dims[k] == ML_VIEW_X ? k : view->x;
        view->y = dims[k] == ML_VIEW_Y ? k : view->y;
        view->family = dims[k] == ML_VIEW_EACH && k < n_run_dim ? k : view->family;
    }
}

/* The scales of the axes that were not asked for. */
static void choose_scales(struct ml_plot_source *source, struct ml_plot_view *view)
{
    if (!view->x_scale.name)
        view->x_scale = ml_plot_usual_scale(source, view->dataset, view->x);
    if (view->y >= 0 && !view->y_scale.name)
        view->y_scale = ml_plot_usual_scale(source, view->dataset, view->y);
    if (view->y == view->x && strcmp(view->x_scale.name, view->y_scale.name) == 0)
        ml_plot_refuse(source, "cannot draw a picture: x and y are the same, %s",
                       view->x_scale.name);
}

/* Refuses a part of x that holds nothing, or of a picture that has no such part. */
static void check_part(struct ml_plot_source *source, struct ml_plot_view *view)
{
    const double from = view->request->part[0], to = view->request->part[1];
    bool is_all = isinf(from) && isinf(to), holds_any = false;
    for (unsigned long long i = 0; i < view->x_scale.n; i++)
        holds_any |= view->x_scale.values[i] >= from && view->x_scale.values[i] <= to;
    if (!is_all && (view->style != ML_VIEW_CURVES || view->x_scale.texts))
        ml_plot_refuse(source, "a part of x is for curves and stick figures");
    else if (!(from < to) || !holds_any)
        ml_plot_refuse(source, "cannot draw that part of x: no value of %s is between its ends",
                       view->x_scale.name);
}

void ml_plot_choose(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                    const struct ml_plot_options *request, struct ml_plot_view *view)
{
    *view = ml_plot_view_of(dataset, request);
    struct ml_plot_scale by;
    if (dataset->is_share)
        view->is_fixed[dataset->rank - 1] = true; /* the estimate */
    ml_plot_select_requested(source, view, request);
    if (source->status == ML_OK)
        take_axis(source, view, "x", request->x, &view->x, &view->x_scale);
    if (source->status == ML_OK && !wants_curves(request))
        take_axis(source, view, "y", request->y, &view->y, &view->y_scale);
    if (source->status == ML_OK)
        take_axis(source, view, "by", request->by, &view->family, &by);
    if (source->status != ML_OK)
        return;
    if (request->by && (view->family == view->x || view->y >= 0)) {
        ml_plot_refuse(source,
                       view->y >= 0 ? "by %s: it makes curves, which have no y"
                                    : "by %s: it is the axis of x",
                       request->by);
        return;
    }
    choose_rest(source, view);
    if (view->x < 0)
        refuse_number(source, view);
    else
        choose_scales(source, view);
    if (source->status == ML_OK)
        check_part(source, view);
}
