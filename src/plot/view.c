/* The part of a dataset that a view shows, and which runs it is of. */
#include "plot/view.h"

#include <limits.h>
#include <string.h>

struct ml_plot_view ml_plot_view_of(const struct ml_plot_dataset *dataset,
                                    const struct ml_plot_options *request)
{
    return (struct ml_plot_view){
        .dataset = dataset, .x = -1, .y = -1, .family = -1, .request = request, .subtitle = ""};
}

unsigned long long ml_plot_count(const struct ml_plot_view *view, int dim)
{
    return view->is_fixed[dim] ? 1 : view->dataset->size[dim];
}

unsigned long long ml_plot_box(const struct ml_plot_view *view)
{
    unsigned long long n = 1;
    for (int k = 0; k < view->dataset->rank; k++)
        n *= ml_plot_count(view, k);
    return n;
}

void ml_plot_read_box(struct ml_plot_source *source, const struct ml_plot_view *view,
                      double *values, unsigned long long n)
{
    int64_t start[ML_ARRAY_MAX_RANK], count[ML_ARRAY_MAX_RANK];
    for (int k = 0; k < view->dataset->rank; k++) {
        start[k] = view->is_fixed[k] ? (int64_t)view->at[k] : 0;
        count[k] = (int64_t)ml_plot_count(view, k);
    }
    if (source->status == ML_OK)
        source->status = ml_result_read_slice(source->result, view->dataset->path, start, count,
                                              NULL, values, (size_t)n, source->err);
}

bool ml_plot_same_choice(const struct ml_plot_view *view, const struct ml_plot_dataset *other,
                         struct ml_plot_view *same)
{
    const struct ml_plot_dataset *dataset = view->dataset;
    int k = 0;
    *same = *view;
    same->dataset = other;
    for (int i = 0; i < other->rank; i++) {
        same->is_fixed[i] = true;
        same->at[i] = 0;
        if (k == dataset->rank || strcmp(dataset->scales[k].name, other->scales[i].name) != 0 ||
            dataset->size[k] != other->size[i])
            continue;
        same->is_fixed[i] = view->is_fixed[k];
        same->at[i] = view->at[k];
        if (view->x == k)
            same->x = i;
        k++;
    }
    return k == dataset->rank;
}

/* The number of a run that a scale has as a double. */
static unsigned long long view_run_of(double value)
{
    const double end = 0x1p63;
    return value >= 0.0 && value < end ? (unsigned long long)value : ULLONG_MAX;
}

bool ml_plot_single_run(const struct ml_plot_view *view, unsigned long long *run)
{
    const struct ml_plot_dataset *dataset = view->dataset;
    *run = 0;
    if (view->n_several > 0 || dataset->is_share)
        return false;
    for (int k = 0; k < dataset->n_run_dim; k++) {
        if (!view->is_fixed[k])
            return false;
        *run = *run * dataset->size[k] + view->at[k];
    }
    if (!dataset->is_summary && dataset->n_run_dim > 0)
        *run = view_run_of(dataset->scales[0].values[view->at[0]]);
    return true;
}
