/* Chooses how a dataset is drawn from names and sizes of its dimensions. */
#include "plan/view.h"

#include <string.h>

#include "design/axis.h"

bool ml_view_is_family(int k, int n, const int64_t *sizes)
{
    bool has_longer = false;
    for (int i = 0; i < n; i++)
        has_longer = has_longer || sizes[i] > 2;
    return sizes[k] == 2 && has_longer;
}

static bool view_dim_is(const struct ml_array_info *info, int k, const char *name)
{
    return strcmp(info->dim[k], name) == 0;
}

/* The entry that stands for all: the last of segments and their like, the end of a chain; else the
 * first. */
int64_t ml_view_entry(const struct ml_array_info *info, int k)
{
    const bool is_part = view_dim_is(info, k, "segment") || view_dim_is(info, k, "dof") ||
                         view_dim_is(info, k, "entry");
    return is_part && k == info->n_run_dim ? info->shape[k] - 1 : 0;
}

/* Whether the entries of a dimension are in no order. */
static bool view_is_unordered(const struct ml_array_info *info, int k)
{
    return view_dim_is(info, k, ML_VIEW_RUN) || view_dim_is(info, k, ML_SAMPLE_AXIS);
}

/* The entry of a dimension of runs that is not drawn along: the middle of an axis, the first saved
 * run, the first point of a sample. */
static int64_t view_fixed_run(const struct ml_array_info *info, int k)
{
    return view_is_unordered(info, k) ? 0 : (info->shape[k] - 1) / 2;
}

/* Curves over time, or over a cycle. */
static bool view_is_motion(const struct ml_array_info *info)
{
    return info->rank > 0 && (view_dim_is(info, info->rank - 1, ML_VIEW_TIME) ||
                              view_dim_is(info, info->rank - 1, ML_VIEW_PERCENT));
}

static void view_motion(const struct ml_array_info *info, struct ml_view *view)
{
    for (int k = 0; k < info->rank - 1; k++)
        view->dims[k] = k < info->n_run_dim ? view_fixed_run(info, k) : ML_VIEW_EACH;
    view->dims[info->rank - 1] = ML_VIEW_X;
}

static int view_find(const struct ml_array_info *info, const int64_t *dims, int64_t how)
{
    for (int k = 0; k < info->rank; k++)
        if (dims[k] == how)
            return k;
    return -1;
}

/* Last of the dimensions first .. end - 1 that are free; -1: none is. */
static int view_last_free(const int64_t *dims, int first, int end)
{
    while (end > first && dims[end - 1] != ML_VIEW_FREE)
        end--;
    return end > first ? end - 1 : -1;
}

/* The usual x, or the last axis of the runs that is left, or the last other dimension. */
static int view_choose_x(const struct ml_array_info *info, const int64_t *usual,
                         const int64_t *dims)
{
    for (int k = 0; k < info->rank; k++)
        if (usual[k] == ML_VIEW_X && dims[k] == ML_VIEW_FREE)
            return k;
    const int of_runs = view_last_free(dims, 0, info->n_run_dim);
    return of_runs >= 0 ? of_runs : view_last_free(dims, info->n_run_dim, info->rank);
}

/* The axis of the runs before x is y, or has a curve for each entry. */
static void view_choose_y(const struct ml_array_info *info, const int64_t *usual, int style, int x,
                          int64_t *dims)
{
    int k = view_last_free(dims, 0, info->n_run_dim);
    if (k >= 0 && view_is_unordered(info, k)) /* a sample beside its grid */
        k = view_last_free(dims, 0, k);
    const bool is_each = style == ML_VIEW_CURVES || view_is_unordered(info, x) ||
                         (k >= 0 && usual[k] == ML_VIEW_EACH && style != ML_VIEW_MAP);
    if (k >= 0)
        dims[k] = is_each ? ML_VIEW_EACH : ML_VIEW_Y;
}

enum ml_view_style ml_view_wish(const struct ml_array_info *info, const int64_t *usual, int style,
                                int64_t *dims)
{
    for (int k = 0; k < info->rank; k++)
        if (dims[k] == ML_VIEW_FREE && info->shape[k] == 1)
            dims[k] = 0;
    int x = view_find(info, dims, ML_VIEW_X);
    if (x < 0 && (x = view_choose_x(info, usual, dims)) >= 0)
        dims[x] = ML_VIEW_X;
    const bool is_over_runs = x >= 0 && x < info->n_run_dim;
    if (is_over_runs && style != ML_VIEW_SCATTER && view_find(info, dims, ML_VIEW_Y) < 0 &&
        view_find(info, dims, ML_VIEW_EACH) < 0)
        view_choose_y(info, usual, style, x, dims);
    const bool has_family = view_find(info, dims, ML_VIEW_EACH) >= 0;
    const bool is_map = view_find(info, dims, ML_VIEW_Y) >= 0 || style == ML_VIEW_SCATTER;
    for (int k = 0; k < info->rank; k++)
        if (dims[k] == ML_VIEW_FREE)
            dims[k] =
                k < info->n_run_dim                  ? view_fixed_run(info, k)
                : view_dim_is(info, k, ML_VIEW_TIME) ? info->shape[k] - 1
                : !is_map && (!has_family || (is_over_runs && view_dim_is(info, k, ML_VIEW_EVENT)))
                    ? ML_VIEW_EACH
                : usual[k] >= 0 ? usual[k]
                                : ml_view_entry(info, k);
    return style == ML_VIEW_SCATTER ? ML_VIEW_SCATTER : is_map ? ML_VIEW_MAP : ML_VIEW_CURVES;
}

/* Of axes of the runs x is the last, y the one before unless families make curves. Beside other
 * axes a sample is drawn of its first point. Other dimensions are curves, or one entry of a map or
 * of points. */
static void view_grid(const struct ml_array_info *info, struct ml_view *view)
{
    int64_t usual[ML_ARRAY_MAX_RANK];
    bool has_axis = false, is_list = false;
    for (int k = 0; k < info->n_run_dim; k++) {
        has_axis = has_axis || (info->shape[k] > 1 && !view_is_unordered(info, k));
        is_list = info->shape[k] > 1 && view_is_unordered(info, k) && info->n_run_dim == 1;
    }
    for (int k = 0; k < info->rank; k++) {
        const bool is_of_runs = k < info->n_run_dim;
        usual[k] = ML_VIEW_FREE;
        view->dims[k] = is_of_runs && has_axis && view_is_unordered(info, k) ? 0
                        : is_of_runs && ml_view_is_family(k, info->n_run_dim, info->shape)
                            ? ML_VIEW_EACH
                            : ML_VIEW_FREE;
    }
    view->style = ml_view_wish(info, usual, is_list ? ML_VIEW_SCATTER : -1, view->dims);
    for (int k = info->n_run_dim; k < info->rank; k++)
        if (view->style == ML_VIEW_CURVES && info->shape[k] > 1 && view->dims[k] >= 0)
            view->dims[k] = ML_VIEW_EACH;
}

/* Without axes of runs the last dimension that has several entries, or any, is x. */
static void view_single(const struct ml_array_info *info, struct ml_view *view)
{
    int x = info->rank - 1;
    while (x > 0 && info->shape[x] == 1)
        x--;
    view->dims[info->shape[x] == 1 ? info->rank - 1 : x] = ML_VIEW_X;
}

bool ml_view_of_shape(const struct ml_array_info *info, struct ml_view *view)
{
    const size_t size = view->size;
    *view = (struct ml_view){.size = size,
                             .dataset = info->name,
                             .x = "",
                             .y = info->name,
                             .colour = "",
                             .section = "",
                             .signal = "",
                             .rank = -1,
                             .n_dim = info->rank};
    if (info->rank == 0 || info->type == ML_ARRAY_TEXT)
        return false;
    if (view_is_motion(info)) {
        view_motion(info, view);
    } else {
        view_grid(info, view);
        if (view_find(info, view->dims, ML_VIEW_X) < 0)
            view_single(info, view);
    }
    const int y = view_find(info, view->dims, ML_VIEW_Y);
    const int each = view_find(info, view->dims, ML_VIEW_EACH);
    view->x = info->dim[view_find(info, view->dims, ML_VIEW_X)];
    if (y >= 0) {
        view->y = info->dim[y];
        view->colour = info->name;
    } else if (each >= 0 && view->style == ML_VIEW_CURVES) {
        view->colour = info->dim[each];
    }
    return true;
}
