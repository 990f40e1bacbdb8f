/* Gathers the values of all runs, sorted, for histograms and bands of quantiles. */
#include "plot/axis.h"
#include "plot/slice.h"

/* Dimensions of the runs first, then the extra ones, then the time: rows of a slice along time, or
 * along the last dimension of the runs. */
static void gather_sort(const struct ml_plot_slice *slice, struct ml_plot_gathered *g,
                        bool over_time)
{
    for (unsigned long long row = 0; row < slice->n_row; row++)
        for (unsigned long long i = 0; i < slice->n_column; i++) {
            const unsigned long long part = row % g->n_part, outer = row / g->n_part;
            const unsigned long long time = over_time ? i : 0;
            const unsigned long long run = over_time ? outer : outer * slice->n_column + i;
            g->values[(part * g->n_time + time) * g->n_run + run] =
                slice->values[row * slice->n_column + i];
        }
    for (unsigned long long k = 0; k < g->n_part * g->n_time; k++)
        g->count[k] = ml_plot_sort_finite(g->values + k * g->n_run, g->n_run);
}

/* Counts runs and parts of a view with all runs free. */
static void gather_count(const struct ml_plot_dataset *dataset, struct ml_plot_gathered *g,
                         bool over_time)
{
    const int end = over_time ? dataset->rank - 1 : dataset->rank;
    g->n_run = g->n_part = 1;
    g->n_time = over_time ? dataset->size[end] : 1;
    for (int k = 0; k < end; k++)
        if (!g->view.is_fixed[k])
            *(k < dataset->n_run_dim ? &g->n_run : &g->n_part) *= dataset->size[k];
}

void ml_plot_gather(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                    const struct ml_plot_options *request, bool over_time,
                    struct ml_plot_gathered *g)
{
    const int rank = dataset->rank;
    *g = (struct ml_plot_gathered){.view = ml_plot_view_of(dataset, request)};
    ml_plot_select_requested(source, &g->view, request);
    for (int k = 0; k < dataset->n_run_dim && !over_time; k++)
        if (!g->view.is_fixed[k])
            g->view.x = k; /* the last that is free */
    if (over_time)
        g->view.x = rank - 1;
    if (source->status != ML_OK)
        return;
    gather_count(dataset, g, over_time);
    if (g->n_run < 2 || g->view.x < 0 || g->view.is_fixed[g->view.x] || g->view.n_several > 0) {
        ml_plot_refuse(source,
                       over_time
                           ? "cannot draw bands of %s: bands are of all kept runs, and of two "
                             "at least"
                           : "cannot count values of %s: they are of a single run here",
                       dataset->name);
        return;
    }
    struct ml_plot_slice slice;
    ml_plot_read(source, &g->view, &slice);
    g->values = ml_plot_take(source, g->n_part * g->n_time * g->n_run, sizeof *g->values);
    g->count = ml_plot_take(source, g->n_part * g->n_time, sizeof *g->count);
    if (source->status != ML_OK)
        return;
    gather_sort(&slice, g, over_time);
    struct ml_plot_view extra = g->view;
    for (int k = 0; k < dataset->n_run_dim; k++)
        extra.is_fixed[k] = true;
    if (over_time)
        extra.is_fixed[rank - 1] = true;
    extra.x = -1;
    g->parts = (struct ml_plot_slice){.n_row = g->n_part, .entries = ""};
    ml_plot_label_rows(source, &extra, &g->parts);
}
