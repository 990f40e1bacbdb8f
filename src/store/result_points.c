/* Views of the numbers that events keep: a scatter plot of the points of all runs. They are written
 * once all runs are there, in the order of the runs, so that shards, threads and resumed runs do
 * not matter. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config/schema/values.h"
#include "store/result.h"

enum {
    MOST = 1 << 16,        /* points */
    MOST_OF_MAP = 1 << 14, /* where the other data are small */
    AT_ONCE = 1 << 16      /* numbers of an output that are read together, or those of a run */
};

/* One picture. */
struct points_writing {
    struct ml_result_file *result;
    const struct ml_points *points;
    int64_t every, each; /* of which runs points are taken, and of each how many at most */
    int64_t batch;       /* runs that are read together */
    double *read[2];     /* [batch] runs of the outputs of x and y */
    double *swept;       /* [number of swept quantities] */
    int family;          /* swept quantity of the colours of points; -1: none */
    double *values[3];   /* [n + 1] x, y and that of the family */
    int64_t *run;        /* [n + 1] */
    int64_t n;
};

static int64_t points_rows(const struct points_writing *w, const struct ml_points_axis *axis)
{
    return axis->output < 0 ? 0 : ml_layout_output_rows(w->result->layout, axis->output);
}

/* Leaves the first events of runs in even distances: on a cycle these show every one of its points.
 */
static void points_thin(struct points_writing *w)
{
    const struct ml_layout *layout = w->result->layout;
    int kept[ML_MAX_AXES];
    const int64_t most = ml_drawn_axes(layout, kept) > 1 ? MOST_OF_MAP : MOST;
    const int64_t room = layout->results.outputs[w->points->y.output].size[0];
    w->every = (layout->n_run + most - 1) / most;
    w->each = most / ((layout->n_run + w->every - 1) / w->every);
    w->each = w->each < room ? w->each : room;
}

static bool points_take(struct points_writing *w)
{
    const struct ml_layout *layout = w->result->layout;
    const int64_t x = points_rows(w, &w->points->x), y = points_rows(w, &w->points->y);
    const int64_t larger = x > y ? x : y;
    points_thin(w);
    w->batch = 1 + AT_ONCE / (larger + 1);
    const size_t room = (size_t)(layout->n_run / w->every + 1) * (size_t)w->each + 1;
    w->read[0] = malloc((size_t)(w->batch * x + 1) * sizeof(double));
    w->read[1] = malloc((size_t)(w->batch * y + 1) * sizeof(double));
    w->swept = malloc((size_t)(ml_layout_swept(layout) + 1) * sizeof(double));
    w->values[0] = malloc(room * sizeof(double));
    w->values[1] = malloc(room * sizeof(double));
    w->values[2] = malloc(room * sizeof(double));
    w->run = malloc(room * sizeof *w->run);
    return w->read[0] && w->read[1] && w->swept && w->values[0] && w->values[1] && w->values[2] &&
           w->run;
}

static void points_free(struct points_writing *w)
{
    for (int i = 0; i < 2; i++)
        free(w->read[i]);
    for (int i = 0; i < 3; i++)
        free(w->values[i]);
    free(w->swept);
    free(w->run);
}

/* The number of event j of the i-th run that is read. */
static double points_value(const struct points_writing *w, int which, int64_t i, int64_t j)
{
    const struct ml_points_axis *axis = which == 0 ? &w->points->x : &w->points->y;
    if (axis->output < 0)
        return w->swept[axis->row];
    const int64_t rows = points_rows(w, axis);
    const int64_t own = rows / w->result->layout->results.outputs[axis->output].size[0];
    return w->read[which][i * rows + j * own + axis->row];
}

static void points_add_run(struct points_writing *w, int64_t row, int64_t i)
{
    const struct ml_layout *layout = w->result->layout;
    const int64_t run = ml_layout_run(layout, row);
    ml_study_swept(&layout->study->spec, run, w->swept);
    for (int64_t j = 0; j < w->each; j++) {
        const double x = points_value(w, 0, i, j), y = points_value(w, 1, i, j);
        if (!isfinite(x) || !isfinite(y))
            continue;
        w->values[0][w->n] = x;
        w->values[1][w->n] = y;
        w->values[2][w->n] = w->family >= 0 ? w->swept[w->family] : 0.0;
        w->run[w->n++] = run;
    }
}

/* Runs from row `first` on of an output. */
static void points_read(const struct points_writing *w, const struct ml_points_axis *axis,
                        int64_t first, int64_t n, double *values)
{
    const struct ml_layout *layout = w->result->layout;
    const unsigned long long rows = (unsigned long long)points_rows(w, axis);
    if (axis->output < 0)
        return;
    const struct ml_extent extent = ml_layout_output(layout, axis->output);
    ml_h5_read_range(&w->result->h5, w->result->summary[axis->output], &extent, H5T_NATIVE_DOUBLE,
                     (unsigned long long)first * rows, (unsigned long long)n * rows, values);
}

static void points_gather(struct points_writing *w)
{
    const int64_t n_run = w->result->layout->n_run;
    for (int64_t first = 0; first < n_run && w->result->h5.status == ML_OK; first += w->batch) {
        const int64_t n = n_run - first < w->batch ? n_run - first : w->batch;
        points_read(w, &w->points->x, first, n, w->read[0]);
        points_read(w, &w->points->y, first, n, w->read[1]);
        for (int64_t i = 0; i < n && w->result->h5.status == ML_OK; i++)
            if ((first + i) % w->every == 0)
                points_add_run(w, first + i, i);
    }
}

/* As many as there can be, of no run: for a sketch. */
static void points_fill(struct points_writing *w)
{
    w->n = (w->result->layout->n_run / w->every) * w->each;
    for (int64_t i = 0; i < w->n; i++) {
        w->values[0][i] = w->values[1][i] = w->values[2][i] = 0.0;
        w->run[i] = 0;
    }
}

/* The numbers of one axis, rounded to the precision of a picture. */
static void points_write_axis(struct points_writing *w, hid_t group, int which, const char *name)
{
    const struct ml_layout *layout = w->result->layout;
    const struct ml_points_axis family = {-1, w->family};
    const struct ml_points_axis *axis = which == 0   ? &w->points->x
                                        : which == 1 ? &w->points->y
                                                     : &family;
    const char *unit = ml_points_unit(layout, axis);
    const bool is_wrapped = ml_points_wrap(unit, (size_t)w->n, w->values[which]);
    char label[2 * ML_NAME_LENGTH];
    (void)snprintf(label, sizeof label, "%s%s%s", name, is_wrapped ? " modulo 2 pi" : "",
                   ml_unit_text(" (", unit, ")").text);
    const struct ml_extent extent = {.rank = 1, .size = {(unsigned long long)w->n + 1}};
    const struct ml_h5_field field = {.name = name,
                                      .type = H5T_NATIVE_FLOAT,
                                      .unit = unit,
                                      .doc = axis->output < 0 ? "what is swept, of the run"
                                                              : "at the events of all runs",
                                      .label = label,
                                      .extent = extent,
                                      .is_compressed = true,
                                      .compressed = axis->output < 0 ? 0.1 : 0.85, /* measured */
                                      .scales = {"run"}};
    w->values[which][w->n] = (double)NAN;
    ml_h5_dataset(&w->result->h5, group, &field, H5T_NATIVE_DOUBLE, w->values[which]);
}

/* Ends with a missing point, as view_points in view.c says; it has a run here, as runs have
 * colours. */
static void points_write_runs(struct points_writing *w, hid_t group)
{
    const struct ml_extent extent = {.rank = 1, .size = {(unsigned long long)w->n + 1}};
    const struct ml_h5_field field = {.name = "run",
                                      .type = H5T_NATIVE_INT64,
                                      .unit = "1",
                                      .doc = "run of each point; the last point is missing",
                                      .extent = extent,
                                      .is_compressed = true,
                                      .is_scale = true};
    w->run[w->n] = w->run[w->n - 1];
    ml_h5_dataset(&w->result->h5, group, &field, H5T_NATIVE_INT64, w->run);
}

/* The colours of the points: those of a section by run, of an orbit diagram by the direction of a
 * continuation, if there are two. */
static struct ml_view points_view(const struct points_writing *w, char names[2][ML_NAME_LENGTH])
{
    const struct ml_layout *layout = w->result->layout;
    const bool is_section = w->points->x.output >= 0;
    const int shown = is_section ? w->points->x.output : w->points->y.output;
    const struct ml_h5_field field = ml_result_output_field(layout, shown);
    const bool has_log = !is_section && ml_drawn_swept_has_log(layout, w->points->x.row);
    const char *family = w->family < 0 ? "" : ml_layout_swept_at(layout, w->family)->path;
    struct ml_view view = {.dataset = field.name,
                           .style = ML_VIEW_EVENTS,
                           .x = names[0],
                           .y = names[1],
                           .colour = is_section ? "run" : family,
                           .x_scale = has_log ? ML_VIEW_LOG : ML_VIEW_LINEAR,
                           .section = w->points->event,
                           .n_dim = field.extent.rank};
    for (int k = 0; k < view.n_dim; k++) {
        const bool is_axis = !is_section && k < layout->runs.rank &&
                             (ml_layout_is_list(layout) || !ml_drawn_is_family(layout, k));
        view.dims[k] = field.extent.size[k] == 1 ? 0 : is_axis ? ML_VIEW_X : ML_VIEW_EACH;
    }
    return view;
}

static void points_write(struct points_writing *w, hid_t plots, const char *name)
{
    struct ml_h5 *h5 = &w->result->h5;
    const struct ml_layout *layout = w->result->layout;
    const struct ml_points_axis *x = &w->points->x, *y = &w->points->y;
    const bool is_section = x->output >= 0;
    char names[2][ML_NAME_LENGTH];
    const char *const axes[] = {names[0], names[1]};
    hid_t group = ml_h5_group(h5, plots, name, "NXdata");
    ml_result_note_view(w->result, name);
    ml_points_name(layout, x, names[0]);
    ml_points_name(layout, y, names[1]);
    const struct ml_view view = points_view(w, names);
    ml_nxdata_attributes(w->result, group, &view, 2);
    ml_result_caption(w->result, group, is_section ? w->points->event : names[1],
                      is_section ? "1" : ml_points_unit(layout, y));
    ml_name_replace_slashes(names[0]);
    ml_name_replace_slashes(names[1]);
    points_write_runs(w, group);
    points_write_axis(w, group, 0, names[0]);
    points_write_axis(w, group, 1, names[1]);
    if (!is_section && w->family >= 0)
        points_write_axis(w, group, 2, view.colour);
    ml_h5_texts_attribute(h5, group, "axes", 2, axes);
    ml_h5_text_attribute(h5, group, "signal", *view.colour ? view.colour : names[1]);
    (void)H5Gclose(group);
}

/* Whether there is a point. */
static bool points_picture(struct ml_result_file *result, hid_t plots,
                           const struct ml_points *points, const char *name)
{
    struct points_writing w = {
        .result = result, .points = points, .family = ml_drawn_family(result->layout)};
    if (ml_h5_need(&result->h5, points_take(&w)))
        (result->h5.is_sketch ? points_fill : points_gather)(&w);
    if (w.n > 0 && result->h5.status == ML_OK)
        points_write(&w, plots, name);
    points_free(&w);
    return w.n > 0;
}

void ml_result_write_points(struct ml_result_file *result, hid_t summary, hid_t plots)
{
    const struct ml_layout *layout = result->layout;
    struct ml_points points[ML_MAX_POINTS];
    const int n = ml_points_find(layout, points), first = ml_shown_first(layout).points;
    char name[ML_NAME_LENGTH];
    if (n == 0 || result->h5.status != ML_OK)
        return;
    for (int i = 0; i < n; i++) {
        ml_points_group(layout, &points[i], name);
        if (points_picture(result, plots, &points[i], name) && i == first)
            (void)snprintf(result->instead, sizeof result->instead, "%s", name);
    }
    if (first >= 0)
        ml_result_default_view(result, "summary", summary, plots, result->instead);
}
