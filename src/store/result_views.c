/* Chooses the views of a result: of the summary one for each output, of a list of runs one for each
 * number over a swept quantity, of the trajectories one for each quantity. */
#include <stdio.h>
#include <string.h>

#include "plan/labels.h"
#include "store/result.h"

enum { MOST_SCATTERS = 16 }; /* of one output over one quantity */

/* Common to the views of a group. */
struct views {
    struct ml_result_file *result;
    hid_t data, plots;
    const char *name; /* of the group of the data, in /study */
    struct ml_shown main;
    struct ml_pool pool;
};

/* Points of events decide the first view where they may come first. */
static void views_default(struct views *views, const char *view)
{
    if (views->main.points >= 0 && strcmp(views->name, "summary") == 0)
        (void)snprintf(views->result->instead, ML_NAME_LENGTH, "%s", view);
    else
        ml_result_default_view(views->result, views->name, views->data, views->plots, view);
}

static bool views_begin(struct views *views, struct ml_result_file *result, hid_t data,
                        const char *name)
{
    *views = (struct views){.result = result, .data = data, .name = name};
    views->main = ml_shown_first(result->layout);
    views->plots = ml_h5_group(&result->h5, data, "plots", "NXcollection");
    return result->h5.status == ML_OK;
}

static void views_end(struct views *views)
{
    ml_result_index_views(views->result, views->plots);
    ml_h5_need(&views->result->h5, !views->pool.is_short);
    ml_pool_free(&views->pool);
}

/* Axes of the grid; NULL: the runs are a list. */
static const struct ml_axis *axes_of_runs(const struct ml_layout *layout)
{
    return ml_layout_is_list(layout) ? NULL : layout->study->spec.runs.axes;
}

/* A view of an output, its extra dimensions as signals. */
static struct ml_nxdata output_view(struct views *views, int i)
{
    const struct ml_layout *layout = views->result->layout;
    const struct ml_output *output = &layout->results.outputs[i];
    struct ml_nxdata view = {.name = output->name,
                             .shows = output->name,
                             .data = views->data,
                             .plots = views->plots,
                             .path = "/study/summary",
                             .field = ml_result_output_field(layout, i)};
    ml_nxdata_begin(&view, layout->runs.rank, axes_of_runs(layout));
    for (int k = 0, d = layout->runs.rank; k < ML_MAX_DIM; k++) {
        if (output->dim[k] == ML_DIM_NONE)
            continue;
        const bool is_numbers = output->dim[k] == ML_DIM_TIME ||
                                output->dim[k] == ML_DIM_CROSSING ||
                                output->dim[k] == ML_DIM_FREQUENCY;
        view.dim[d].labels = ml_dim_labels(layout->study, output->dim[k], true,
                                           (int)view.field.extent.size[d], &views->pool);
        const bool is_one = is_numbers && view.field.extent.size[d] == 1;
        const bool is_axis = view.view.dims[d] == ML_VIEW_X || (is_numbers && !is_one);
        view.dim[d++].role = is_axis ? ML_NXDATA_AXIS : is_one ? ML_NXDATA_FIXED : ML_NXDATA_SIGNAL;
    }
    const int controlled = ml_shown_controlled(layout, i);
    view.first = controlled >= 0 ? controlled : ml_shown_is_last(output) ? -1 : 0;
    if (controlled >= 0 && view.view.dims[layout->runs.rank] >= 0)
        view.view.dims[layout->runs.rank] = controlled;
    return view;
}

static bool dim_is_any(const enum ml_dim dim[ML_MAX_DIM], enum ml_dim which)
{
    for (int k = 0; k < ML_MAX_DIM; k++)
        if (dim[k] == which)
            return true;
    return false;
}

/* Drifts are over decades, and derivatives too, of either sign. Where all drifts are 0 h5web would
 * have no range for a logarithmic axis. */
static enum ml_view_scale scale_of(const struct ml_result_file *result, int i)
{
    const struct ml_output *output = &result->layout->results.outputs[i];
    static const char *const drifts[] = {"energy_drift", "power_balance_error"};
    for (size_t k = 0; k < sizeof drifts / sizeof *drifts; k++)
        if (strcmp(output->name, drifts[k]) == 0)
            return result->has_positive[i] ? ML_VIEW_LOG : ML_VIEW_LINEAR;
    return dim_is_any(output->dim, ML_DIM_PARAMETER) ? ML_VIEW_SYMLOG : ML_VIEW_LINEAR;
}

/* More entries than viewers can name are along an axis. */
static void bound_signals(struct ml_nxdata *view, int lead)
{
    for (;;) {
        int64_t n = 1;
        int last = -1;
        for (int d = 0; d < view->field.extent.rank; d++)
            if (view->dim[d].role == ML_NXDATA_SIGNAL) {
                n *= (int64_t)view->field.extent.size[d];
                last = d < lead ? last : d;
            }
        if (n <= ML_NXDATA_MOST_SIGNALS || last < 0)
            return;
        view->dim[last].role = ML_NXDATA_AXIS;
    }
}

/* Adds a view for each row of a matrix of derivatives: "NAME_of_LABEL". */
static void views_of_rows(struct views *views, struct ml_nxdata *view, int dim, bool is_main)
{
    const int64_t n = (int64_t)view->field.extent.size[dim];
    for (int64_t i = 0; i < n && view->dim[dim].labels; i++) {
        struct ml_nxdata row = *view;
        row.name =
            ml_pool_format(&views->pool, "%s_of_%.128s", view->shows, view->dim[dim].labels[i]);
        if (!row.name)
            return;
        row.title = row.name;
        row.dim[dim].role = ML_NXDATA_FIXED;
        row.view.dims[dim] = i;
        bound_signals(&row, dim);
        ml_nxdata_write(views->result, &row);
        if (is_main && i == 0)
            views_default(views, row.name);
    }
}

static void views_of_output(struct views *views, int i)
{
    const struct ml_layout *layout = views->result->layout;
    const struct ml_output *output = &layout->results.outputs[i];
    const int error = ml_shown_error(layout, i), lead = layout->runs.rank;
    const bool is_main = views->main.output == i && !views->main.is_wrapped;
    struct ml_nxdata view = output_view(views, i);
    struct ml_h5_field errors;
    ml_nxdata_scale(&view.view, scale_of(views->result, i));
    if (error >= 0) {
        errors = ml_result_output_field(layout, error);
        view.error = &errors;
    }
    if (output->dim[0] == ML_DIM_OUTPUT && output->dim[1] != ML_DIM_NONE) {
        views_of_rows(views, &view, lead, is_main);
        return;
    }
    bound_signals(&view, lead);
    ml_nxdata_write(views->result, &view);
    if (is_main)
        views_default(views, view.name);
}

/* One number of a list of runs over swept quantities: the number that is shown first over each of
 * them, another number over the first.
 *   main  the swept quantity shown first, if the number is; -1: it is another number */
static void views_of_number(struct views *views, struct ml_nxdata *view, const char *number,
                            int main)
{
    const bool is_main = main >= 0;
    const struct ml_layout *layout = views->result->layout;
    const struct ml_swept *swept;
    for (int k = 0; (swept = ml_layout_swept_at(layout, k)) && (is_main || k == 0); k++) {
        view->view.x = swept->path;
        view->view.x_scale = ml_drawn_swept_has_log(layout, k) ? ML_VIEW_LOG : ML_VIEW_LINEAR;
        view->over_unit = swept->unit;
        view->name = ml_pool_format(&views->pool, "%.100s_over_%.140s", number, swept->path);
        if (!view->name)
            return;
        ml_nxdata_write(views->result, view);
        if (k == main)
            views_default(views, view->name);
    }
}

static void views_of_list(struct views *views, int i)
{
    const struct ml_layout *layout = views->result->layout;
    const int64_t rows = ml_layout_output_rows(layout, i);
    const int lead = layout->runs.rank;
    struct ml_nxdata view = output_view(views, i);
    const int64_t first = view.first >= 0 ? view.first : rows - 1;
    ml_nxdata_scale(&view.view, scale_of(views->result, i));
    for (int d = lead; d < view.field.extent.rank; d++)
        view.dim[d].role = ML_NXDATA_SIGNAL;
    for (int64_t row = 0; row < rows && row < MOST_SCATTERS; row++) {
        struct ml_nxdata one = view;
        char label[ML_NAME_LENGTH];
        int64_t left = row;
        ml_nxdata_signal_name(&view, row, label);
        for (int d = view.field.extent.rank - 1; d >= lead; d--) {
            const int64_t size = (int64_t)view.field.extent.size[d];
            one.dim[d] = (struct ml_nxdata_dim){.role = ML_NXDATA_FIXED};
            one.view.dims[d] = left % size;
            left /= size;
        }
        const char *number = rows == 1 && view.field.extent.rank == lead
                                 ? view.shows
                                 : ml_pool_format(&views->pool, "%s.%.64s", view.shows, label);
        one.signal = one.title = number;
        const bool is_main = views->main.output == i && row == first;
        if (number)
            views_of_number(views, &one, number,
                            is_main ? ml_nxdata_over(views->result, i, row) : -1);
    }
}

static void view_of_wrapped(struct views *views)
{
    const struct ml_layout *layout = views->result->layout;
    const int output = ml_shown_wrapped(layout);
    char name[ML_NAME_LENGTH], group[ML_NAME_LENGTH];
    if (output < 0)
        return;
    struct ml_nxdata view = output_view(views, output);
    view.name = ml_shown_twin(&layout->results.outputs[output], group);
    view.shows = view.field.name = ml_shown_wrapped_name(layout, name);
    view.field.type = H5T_NATIVE_FLOAT;
    view.field.extent = layout->runs;
    view.view.colour = view.view.dataset = view.field.name;
    view.view.n_dim = layout->runs.rank;
    ml_nxdata_write(views->result, &view);
    if (views->main.is_wrapped)
        views_default(views, view.name);
}

/* Whether all its numbers are in pictures of points, or are the times of such: one by one, those of
 * the first events, then those of the second, they say nothing. */
static bool has_points(const struct ml_layout *layout, int i)
{
    struct ml_points points[ML_MAX_POINTS];
    return layout->results.outputs[i].dim[0] == ML_DIM_CROSSING &&
           ml_points_find(layout, points) > 0;
}

static void views_of_summary(struct ml_result_file *result, hid_t summary)
{
    const struct ml_layout *layout = result->layout;
    const bool is_scatter = ml_layout_is_list(layout) && ml_layout_swept(layout) > 0;
    struct views views;
    if (!views_begin(&views, result, summary, "summary"))
        return;
    ml_result_draw_axes(result, summary, views.plots);
    for (int i = 0; i < layout->results.n_output; i++)
        if (!is_scatter)
            views_of_output(&views, i);
        else if (!has_points(layout, i) || i == views.main.output)
            views_of_list(&views, i);
    view_of_wrapped(&views);
    ml_result_write_points(result, summary, views.plots);
    views_end(&views);
}

void ml_result_write_views(struct ml_result_file *result)
{
    if (result->h5.status != ML_OK || result->layout->results.n_output == 0)
        return;
    hid_t summary = ml_h5_find_group(&result->h5, result->entry, "summary");
    if (summary < 0)
        return;
    views_of_summary(result, summary);
    (void)H5Gclose(summary);
}

/* Curves over time, of one run those of all its segments. */
static void view_of_record(struct views *views, int i)
{
    const struct ml_layout *layout = views->result->layout;
    const struct ml_quantity *record = ml_layout_quantity(layout, i);
    struct ml_nxdata view = {.name = record->name,
                             .shows = record->name,
                             .data = views->data,
                             .plots = views->plots,
                             .path = "/study/trajectories",
                             .field = ml_result_record_field(layout, i)};
    ml_nxdata_begin(&view, 1, NULL);
    if (dim_is_any(record->dim, ML_DIM_PARAMETER))
        ml_nxdata_scale(&view.view, ML_VIEW_SYMLOG);
    for (int k = 0, d = 1; k < ML_MAX_DIM; k++)
        if (record->dim[k] != ML_DIM_NONE) {
            view.dim[d].labels = ml_dim_labels(layout->study, record->dim[k], false,
                                               (int)view.field.extent.size[d], &views->pool);
            view.dim[d++].role = ML_NXDATA_SIGNAL;
        }
    bound_signals(&view, 1);
    ml_nxdata_write(views->result, &view);
}

void ml_result_begin_motion_views(struct ml_result_file *result, hid_t trajectories)
{
    const struct ml_layout *layout = result->layout;
    struct views views;
    if (!views_begin(&views, result, trajectories, "trajectories"))
        return;
    for (int i = 0; i < ml_layout_records(layout); i++)
        view_of_record(&views, i);
    const int first = views.main.record < 0 ? 0 : views.main.record;
    views_default(&views, ml_layout_quantity(layout, first)->name);
    views_end(&views);
}
