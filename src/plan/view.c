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

/* Curves over time. */
static bool view_is_motion(const struct ml_array_info *info)
{
    return info->rank > 0 && view_dim_is(info, info->rank - 1, ML_VIEW_TIME);
}

static void view_motion(const struct ml_array_info *info, struct ml_view *view)
{
    for (int k = 0; k < info->rank - 1; k++)
        view->dims[k] = k < info->n_run_dim ? view_fixed_run(info, k) : ML_VIEW_EACH;
    view->dims[info->rank - 1] = ML_VIEW_X;
}

/* Axes of the runs: x is the last, y the one before unless families make curves. Beside other
 * axes a sample is drawn of its first point. */
static void view_grid(const struct ml_array_info *info, struct ml_view *view)
{
    bool has_x = false, has_family = false, has_axis = false;
    for (int k = 0; k < info->n_run_dim; k++) {
        has_family = has_family || ml_view_is_family(k, info->n_run_dim, info->shape);
        has_axis = has_axis || (info->shape[k] > 1 && !view_is_unordered(info, k));
    }
    for (int k = info->n_run_dim - 1; k >= 0; k--) {
        if (info->shape[k] == 1 || (has_axis && view_is_unordered(info, k))) {
            view->dims[k] = 0;
        } else if (ml_view_is_family(k, info->n_run_dim, info->shape)) {
            view->dims[k] = ML_VIEW_EACH;
        } else if (!has_x) {
            view->dims[k] = ML_VIEW_X;
            has_x = true;
        } else if (!has_family && view->style != ML_VIEW_MAP) {
            view->dims[k] = ML_VIEW_Y;
            view->style = ML_VIEW_MAP;
        } else {
            view->dims[k] = view_fixed_run(info, k);
        }
    }
    if (has_x && info->n_run_dim == 1 && view_is_unordered(info, 0))
        view->style = ML_VIEW_SCATTER;
}

/* Dimensions that are no axes of runs: curves, or one entry of a map or of points. */
static void view_rest(const struct ml_array_info *info, struct ml_view *view)
{
    for (int k = info->n_run_dim; k < info->rank; k++)
        view->dims[k] = view->style == ML_VIEW_CURVES && info->shape[k] > 1
                            ? ML_VIEW_EACH
                            : ml_view_entry(info, k);
}

/* Without axes of runs the last dimension that has several entries, or any, is x. */
static void view_single(const struct ml_array_info *info, struct ml_view *view)
{
    int x = info->rank - 1;
    while (x > 0 && info->shape[x] == 1)
        x--;
    view->dims[info->shape[x] == 1 ? info->rank - 1 : x] = ML_VIEW_X;
}

static int view_find(const struct ml_view *view, int64_t how)
{
    for (int k = 0; k < view->n_dim; k++)
        if (view->dims[k] == how)
            return k;
    return -1;
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
                             .rank = -1,
                             .n_dim = info->rank};
    if (info->rank == 0 || info->type == ML_ARRAY_TEXT)
        return false;
    if (view_is_motion(info)) {
        view_motion(info, view);
    } else {
        view_grid(info, view);
        view_rest(info, view);
        if (view_find(view, ML_VIEW_X) < 0)
            view_single(info, view);
    }
    const int x = view_find(view, ML_VIEW_X), y = view_find(view, ML_VIEW_Y);
    const int each = view_find(view, ML_VIEW_EACH);
    view->x = info->dim[x];
    if (y >= 0) {
        view->y = info->dim[y];
        view->colour = info->name;
    } else if (each >= 0 && view->style == ML_VIEW_CURVES) {
        view->colour = info->dim[each];
    }
    return true;
}
