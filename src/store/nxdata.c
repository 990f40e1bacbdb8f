/* Writes a view: its group, the numbers along its axes, and its signals. */
#include "store/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "plan/view.h"

void ml_nxdata_begin(struct ml_nxdata *nx, int n_run_dim, const struct ml_axis *axes)
{
    const struct ml_extent *extent = &nx->field.extent;
    struct ml_array_info info = {
        .name = nx->field.name, .rank = extent->rank, .n_run_dim = n_run_dim};
    struct ml_view *view = &nx->view;
    for (int k = 0; k < extent->rank; k++) {
        info.shape[k] = (int64_t)extent->size[k];
        info.dim[k] = nx->field.scales[k];
    }
    (void)ml_view_of_shape(&info, view);
    for (int k = 0; k < n_run_dim; k++) {
        const bool is_one = view->dims[k] >= 0 && info.shape[k] == 1;
        const bool is_signal =
            view->dims[k] == ML_VIEW_EACH || ml_view_is_family(k, n_run_dim, info.shape);
        nx->dim[k] = (struct ml_nxdata_dim){.role = is_signal ? ML_NXDATA_SIGNAL
                                                    : is_one  ? ML_NXDATA_FIXED
                                                              : ML_NXDATA_AXIS,
                                            .axis = axes ? &axes[k] : NULL};
        const bool has_log = axes && ml_drawn_has_log(&axes[k]);
        const bool is_map = view->style == ML_VIEW_MAP, is_x = view->dims[k] == ML_VIEW_X;
        if (is_x || view->dims[k] == ML_VIEW_Y) {
            *(is_x ? &view->x_scale : &view->y_scale) = has_log ? ML_VIEW_LOG : ML_VIEW_LINEAR;
            if (axes && ml_drawn_kind(&axes[k], is_map) == ML_DRAWN_MEMBER)
                *(is_x ? &view->x : &view->y) = axes[k].swept[0].path;
        }
    }
}

void ml_nxdata_scale(struct ml_view *view, enum ml_view_scale scale)
{
    *(view->style == ML_VIEW_MAP ? &view->colour_scale : &view->y_scale) = scale;
}

/* Whether it is curves with sliders, such as those of motions: along the last axis. */
static bool view_is_spectrum(const struct ml_nxdata *nx)
{
    const struct ml_view *view = &nx->view;
    bool has_slider = strcmp(view->x, ML_VIEW_TIME) == 0 || strcmp(view->x, ML_VIEW_PERCENT) == 0;
    for (int k = 0; k < view->n_dim; k++)
        has_slider =
            has_slider || (nx->dim[k].role == ML_NXDATA_AXIS && view->dims[k] != ML_VIEW_X);
    return view->style == ML_VIEW_CURVES && has_slider;
}

/* Signals of a view. */
static int64_t view_signals(const struct ml_nxdata *view)
{
    int64_t n = 1;
    for (int k = 0; k < view->field.extent.rank; k++)
        if (view->dim[k].role == ML_NXDATA_SIGNAL)
            n *= (int64_t)view->field.extent.size[k];
    return n;
}

/* Which entry of each dimension signal i is; -1: all. True if it is not all of the dataset. */
static bool view_entries(const struct ml_nxdata *view, int64_t i, int64_t entry[ML_MAX_RANK])
{
    bool is_part = false;
    for (int k = view->field.extent.rank - 1; k >= 0; k--) {
        const int64_t size = (int64_t)view->field.extent.size[k];
        const struct ml_nxdata_dim *dim = &view->dim[k];
        entry[k] = dim->role == ML_NXDATA_SIGNAL ? i % size : -1;
        if (dim->role == ML_NXDATA_SIGNAL)
            i /= size;
        if (dim->role == ML_NXDATA_FIXED)
            entry[k] = view->view.dims[k];
        is_part = is_part || entry[k] >= 0;
    }
    return is_part;
}

/* xarray refuses data that are named as one of their dimensions. */
static bool view_is_dimension(const struct ml_nxdata *view, const char *name)
{
    for (int k = 0; k < view->field.extent.rank; k++)
        if (strcmp(view->field.scales[k], name) == 0)
            return true;
    return false;
}

static void view_join_labels(const struct ml_nxdata *view, int64_t i, char name[ML_NAME_LENGTH])
{
    int64_t entry[ML_MAX_RANK];
    char number[ML_NAME_LENGTH];
    (void)view_entries(view, i, entry);
    for (int k = 0; k < view->field.extent.rank; k++) {
        if (view->dim[k].role != ML_NXDATA_SIGNAL)
            continue;
        if (view->dim[k].axis)
            (void)snprintf(number, sizeof number, "%.128s=%.6g", view->field.scales[k],
                           ml_drawn_number(view->dim[k].axis, entry[k]));
        else
            (void)snprintf(number, sizeof number, "%.128s_%lld", view->field.scales[k],
                           (long long)entry[k] + 1);
        ml_name_append(name, view->dim[k].labels ? view->dim[k].labels[entry[k]] : number);
    }
}

void ml_nxdata_signal_name(const struct ml_nxdata *view, int64_t i, char name[ML_NAME_LENGTH])
{
    char labels[ML_NAME_LENGTH] = "";
    name[0] = '\0';
    if (!view->signal)
        view_join_labels(view, i, labels);
    if (labels[0] && view_is_dimension(view, labels))
        ml_name_append(name, "by");
    ml_name_append(name, view->signal ? view->signal : labels[0] ? labels : view->field.name);
}

/* "NAME: LABEL, LABEL, .., LABEL" */
static void index_label(const char *name, const char *const *labels, int64_t n,
                        char text[ML_DRAWN_LABEL])
{
    enum { MOST = 6, LEAST = 2 };
    const int64_t n_told = n > MOST ? LEAST : n - 1;
    (void)snprintf(text, ML_DRAWN_LABEL, "%s: ", name);
    for (int64_t i = 0; i <= n_told; i++) {
        const size_t used = strlen(text);
        const bool is_last = i == n_told;
        (void)snprintf(text + used, ML_DRAWN_LABEL - used, "%s%s%s",
                       is_last && n_told < n - 1 ? ".., " : "", labels[is_last ? n - 1 : i],
                       is_last ? "" : ", ");
    }
}

/* Positions along a dimension of texts: h5web refuses axes that are not numbers. */
static void view_index(struct ml_result_file *result, const struct ml_nxdata *view, hid_t group,
                       int k, const char *name)
{
    char label[ML_DRAWN_LABEL];
    const int64_t n = (int64_t)view->field.extent.size[k];
    double *positions = malloc((size_t)n * sizeof *positions);
    if (!ml_h5_need(&result->h5, positions))
        return;
    for (int64_t i = 0; i < n; i++)
        positions[i] = (double)i;
    index_label(view->field.scales[k], view->dim[k].labels, n, label);
    ml_result_vector(result, group,
                     (struct ml_h5_field){.name = name,
                                          .type = H5T_NATIVE_DOUBLE,
                                          .doc = "position along the dimension",
                                          .label = label,
                                          .scales = {view->field.scales[k]},
                                          .scales_at = view->data},
                     n, positions);
    free(positions);
}

/* The numbers of the scale of dimension k, along which it is drawn: a dataset of its own, which
 * views share, as readers take any link of a scale for its name. */
static void view_numbers(struct ml_result_file *result, const struct ml_nxdata *view, int k,
                         const char *name)
{
    const char *scale = view->field.scales[k];
    char path[2 * ML_NAME_LENGTH];
    if (result->h5.status != ML_OK || H5Lexists(view->plots, name, H5P_DEFAULT) > 0)
        return;
    const bool is_time = strcmp(scale, "time") == 0, is_run = strcmp(scale, "run") == 0;
    const bool is_percent = strcmp(scale, ML_VIEW_PERCENT) == 0;
    const struct ml_h5_field whole = {
        .name = scale,
        .type = is_run ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE,
        .unit = is_time      ? "s"
                : is_percent ? "%"
                             : "1",
        .doc = is_time      ? "time"
               : is_percent ? "part of the cycle"
               : is_run     ? "index of the run"
                            : "number along the dimension",
        .tells_one = !is_time &&
                     !is_percent, /* or it would be drawn to one scale with numbers without unit */
        .label = is_time      ? "time (s)"
                 : is_percent ? "cycle (%)"
                              : scale,
        .extent = {.rank = 1, .size = {view->field.extent.size[k]}},
        .scales = {scale},
        .scales_at = view->data};
    (void)snprintf(path, sizeof path, "%s/%s", view->path, scale);
    const int64_t all = -1;
    ml_h5_close_dataset(&result->h5,
                        ml_h5_slice(&result->h5, view->plots, name, &whole, path, &all));
}

/* Makes the dataset along dimension k, unless views share it, and gives its name. */
static void view_axis(struct ml_result_file *result, const struct ml_nxdata *view, hid_t group,
                      int k, char name[ML_NAME_LENGTH])
{
    (void)snprintf(name, ML_NAME_LENGTH, ML_NXDATA_AXIS_PREFIX "%s", view->field.scales[k]);
    if (view->dim[k].labels) {
        view_index(result, view, group, k, name);
        return;
    }
    if (!view->dim[k].axis)
        view_numbers(result, view, k, name);
    ml_h5_link(&result->h5, view->plots, name, group, name);
}

/* Which run each point of a scatter plot is. h5web lets an axis run from right to left, or
 * downwards, where the last number is less than the first, whatever is between them, but not where
 * the last is NaN. So all that is drawn ends with a missing point (NaN), which no viewer draws. */
static void view_points(struct ml_result_file *result, const struct ml_nxdata *view)
{
    char path[2 * ML_NAME_LENGTH];
    if (result->h5.status != ML_OK || H5Lexists(view->plots, ML_NXDATA_POINT, H5P_DEFAULT) > 0)
        return;
    (void)snprintf(path, sizeof path, "%s/run", view->path);
    const struct ml_h5_field whole = {.name = "run",
                                      .type = H5T_NATIVE_INT64,
                                      .unit = "1",
                                      .doc = "run of each point; -1 of the last, which is missing",
                                      .extent = {.rank = 1, .size = {view->field.extent.size[0]}},
                                      .is_scale = true,
                                      .ends_with_missing = true};
    const int64_t all = -1;
    ml_h5_close_dataset(&result->h5,
                        ml_h5_slice(&result->h5, view->plots, ML_NXDATA_POINT, &whole, path, &all));
}

/* A dataset of the list as points are: along them, and with the missing point at the end. */
static struct ml_h5_field view_by_point(const struct ml_nxdata *view, struct ml_h5_field field)
{
    field.scales[0] = ML_NXDATA_POINT;
    field.scales_at = view->plots;
    field.ends_with_missing = true;
    return field;
}

/* A swept quantity of a list of runs, with a label. */
static void view_over(struct ml_result_file *result, const struct ml_nxdata *view, const char *name)
{
    char label[2 * ML_NAME_LENGTH], path[2 * ML_NAME_LENGTH];
    if (result->h5.status != ML_OK || H5Lexists(view->plots, name, H5P_DEFAULT) > 0)
        return;
    (void)snprintf(label, sizeof label, "%s%s", view->view.x,
                   ml_unit_text(" (", view->over_unit, ")").text);
    (void)snprintf(path, sizeof path, "%s/%s", view->path, view->view.x);
    const struct ml_h5_field whole =
        view_by_point(view, (struct ml_h5_field){.name = view->view.x,
                                                 .type = H5T_NATIVE_DOUBLE,
                                                 .unit = view->over_unit,
                                                 .doc = "what is swept",
                                                 .label = label,
                                                 .extent = {1, {view->field.extent.size[0]}}});
    const int64_t all = -1;
    ml_h5_close_dataset(&result->h5,
                        ml_h5_slice(&result->h5, view->plots, name, &whole, path, &all));
}

static void view_axes(struct ml_result_file *result, const struct ml_nxdata *view, hid_t group)
{
    char names[ML_MAX_RANK][ML_NAME_LENGTH];
    const char *axes[ML_MAX_RANK];
    int n = 0;
    for (int k = 0; k < view->field.extent.rank && !view->over_unit; k++)
        if (view->dim[k].role == ML_NXDATA_AXIS) {
            view_axis(result, view, group, k, names[n]);
            axes[n] = names[n];
            n++;
        }
    if (view->over_unit) {
        (void)snprintf(names[0], ML_NAME_LENGTH, ML_NXDATA_AXIS_PREFIX "%s", view->view.x);
        view_points(result, view);
        view_over(result, view, names[0]);
        ml_h5_link(&result->h5, view->plots, names[0], group, names[0]);
        ml_nxdata_signal_name(view, 0, names[1]);
        axes[0] = names[0];
        axes[1] = names[1];
        n = 2;
    }
    if (n > 0)
        ml_h5_texts_attribute(&result->h5, group, "axes", n, axes);
}

/* Where sliders stand at first. */
static void view_default_slice(struct ml_result_file *result, const struct ml_nxdata *view,
                               hid_t group)
{
    char numbers[ML_MAX_RANK][24];
    const char *slice[ML_MAX_RANK];
    const bool is_spectrum = view_is_spectrum(view);
    int n = 0;
    for (int k = 0; k < view->field.extent.rank; k++) {
        const int64_t at = view->view.dims[k];
        if (view->dim[k].role != ML_NXDATA_AXIS)
            continue;
        (void)snprintf(numbers[n], sizeof numbers[n], "%lld", at < 0 ? 0LL : (long long)at);
        slice[n] = at == ML_VIEW_X || at == ML_VIEW_Y ? "." : numbers[n];
        n++;
    }
    if (!view->over_unit && n > (is_spectrum ? 1 : 2))
        ml_h5_texts_attribute(&result->h5, group, "default_slice", n, slice);
}

void ml_result_note_view(struct ml_result_file *result, const char *name)
{
    if (result->n_view == result->views_room) {
        result->views_room = 2 * result->n_view + 16;
        const char **more = ml_pool_take(&result->pool, (size_t)result->views_room, sizeof *more);
        if (more && result->n_view > 0)
            memcpy(more, result->views, (size_t)result->n_view * sizeof *more);
        result->views = more;
    }
    if (result->views)
        result->views[result->n_view++] = ml_pool_text(&result->pool, name, strlen(name));
    ml_h5_need(&result->h5, !result->pool.is_short);
}

void ml_result_index_views(struct ml_result_file *result, hid_t plots)
{
    if (result->n_view > 0)
        ml_h5_texts_attribute(&result->h5, plots, "views", result->n_view, result->views);
    result->n_view = 0;
}

void ml_result_default_view(struct ml_result_file *result, const char *name, hid_t data,
                            hid_t plots, const char *view)
{
    struct ml_h5 *h5 = &result->h5;
    const bool is_of_study =
        (ml_shown_first(result->layout).record < 0) == (strcmp(name, "summary") == 0);
    char path[2 * ML_NAME_LENGTH];
    (void)snprintf(path, sizeof path, "%.64s/plots/%s", name, view);
    ml_h5_text_attribute(h5, plots, "default", view);
    ml_h5_text_attribute(h5, data, "default", path + strlen(name) + 1);
    if (is_of_study)
        ml_h5_text_attribute(h5, result->entry, "default", path);
}

/* Number of axes that are drawn, and the axis of the sweep that is the only one. */
static int view_rank(const struct ml_nxdata *view, const struct ml_axis **only)
{
    int n = 0;
    *only = NULL;
    for (int k = 0; k < view->field.extent.rank; k++)
        if (view->dim[k].role == ML_NXDATA_AXIS) {
            *only = n == 0 ? view->dim[k].axis : NULL;
            n++;
        }
    return n;
}

/* silx reads one spelling of the scales of axes, and h5web the other. Axes of maps have their
 * logarithms as numbers. */
static void nxdata_style(struct ml_result_file *result, hid_t group, const struct ml_view *view,
                         int n)
{
    const bool is_map = view->style == ML_VIEW_MAP, is_curve = view->style == ML_VIEW_CURVES;
    const enum ml_view_scale signal = is_map ? view->colour_scale : view->y_scale;
    const bool has_log = !is_map && (view->x_scale || (!is_curve && view->y_scale == ML_VIEW_LOG));
    char axes[ML_MAX_RANK * 16] = "", style[ML_NAME_LENGTH + sizeof axes];
    for (int i = 0; i < n && has_log; i++) {
        const size_t used = strlen(axes);
        const bool is_x = is_curve ? i == n - 1 : i == 0;
        const enum ml_view_scale scale = is_x       ? view->x_scale
                                         : is_curve ? ML_VIEW_LINEAR
                                                    : view->y_scale;
        (void)snprintf(axes + used, sizeof axes - used, "%s\"%s\"", i > 0 ? ", " : "",
                       ml_view_scale_name(scale == ML_VIEW_LOG));
    }
    if (!signal && !has_log)
        return;
    const int used = signal ? snprintf(style, sizeof style, "{\"signal_scale_type\": \"%s\"",
                                       ml_view_scale_name((int)signal))
                            : 0;
    if (has_log)
        (void)snprintf(style + used, sizeof style - (size_t)used,
                       "%s\"axes_scale_type\": [%s], \"axes_scale_types\": [%s]",
                       signal ? ", " : "{", axes, axes);
    (void)snprintf(style + strlen(style), sizeof style - strlen(style), "}");
    ml_h5_text_attribute(&result->h5, group, "SILX_style", style);
}

void ml_nxdata_attributes(struct ml_result_file *result, hid_t group, const struct ml_view *view,
                          int n)
{
    ml_view_write(&result->h5, group, view);
    nxdata_style(result, group, view, n);
}

/*   label  of the axis that it is drawn along; NULL: its name and unit */
static void view_dataset(struct ml_result_file *result, const struct ml_nxdata *view, hid_t group,
                         const struct ml_h5_field *field, const int64_t *entry, const char *name,
                         const char *label)
{
    char path[2 * ML_NAME_LENGTH];
    struct ml_h5_field whole = view->over_unit ? view_by_point(view, *field) : *field;
    if (!view->over_unit)
        whole.scales_at = view->data;
    whole.label = label;
    (void)snprintf(path, sizeof path, "%s/%s", view->path, field->name);
    hid_t id = ml_h5_slice(&result->h5, group, name, &whole, path, entry);
    if (view_is_spectrum(view))
        ml_h5_text_attribute(&result->h5, id, "interpretation", "spectrum");
    ml_h5_close_dataset(&result->h5, id);
}

/* The error of a signal: the same entry, or the first of those of one number. */
static void view_error(struct ml_result_file *result, const struct ml_nxdata *view, hid_t group,
                       const int64_t *entry, const char *signal)
{
    const struct ml_axis *only;
    int64_t first[ML_MAX_RANK] = {0};
    char name[ML_NAME_LENGTH + sizeof "_errors"];
    if (!view->error || view_rank(view, &only) != 1)
        return;
    bool is_part = false;
    for (int k = 0; k < view->error->extent.rank; k++) {
        first[k] = k < view->field.extent.rank ? entry[k] : 0;
        is_part = is_part || first[k] >= 0;
    }
    (void)snprintf(name, sizeof name, "%.*s_errors", (int)ML_NAME_LENGTH - 1, signal);
    if (is_part)
        view_dataset(result, view, group, view->error, first, name, NULL);
    else
        ml_h5_link(&result->h5, view->data, view->error->name, group, name);
}

/* Viewers write the name of the first of several curves beside the axis of them all: "angle (rad):
 * upper", not "upper (rad)". NULL of maps, whose signals are a menu, and of scatter plots. */
static const char *view_y_label(const struct ml_nxdata *view, const char *signal,
                                char label[ML_DRAWN_LABEL])
{
    const struct ml_axis *only;
    const char *unit = view->field.unit ? view->field.unit : "1";
    const bool is_alone = view_signals(view) == 1;
    if (view->over_unit || (view_rank(view, &only) != 1 && !view_is_spectrum(view)))
        return NULL;
    const int most = ML_DRAWN_LABEL / 2 - 64; /* longer names are cut */
    (void)snprintf(label, ML_DRAWN_LABEL, "%.*s%.63s%s%.*s", most, view->field.name,
                   ml_unit_text(" (", unit, ")").text, is_alone ? "" : ": ", most,
                   is_alone ? "" : signal);
    return label;
}

/* Writes signal i, unless there is one of its name, as labels may be alike. */
static bool view_signal(struct ml_result_file *result, const struct ml_nxdata *view, hid_t group,
                        int64_t i, bool is_first, char name[ML_NAME_LENGTH])
{
    int64_t entry[ML_MAX_RANK];
    char label[ML_DRAWN_LABEL];
    const bool is_part = view_entries(view, i, entry);
    ml_nxdata_signal_name(view, i, name);
    if (result->h5.status != ML_OK || H5Lexists(group, name, H5P_DEFAULT) > 0)
        return false;
    const bool has_own_word = view_is_spectrum(view) && strcmp(view->view.x, ML_VIEW_TIME) != 0;
    if (is_part || view->over_unit || has_own_word)
        view_dataset(result, view, group, &view->field, entry, name,
                     is_first ? view_y_label(view, name, label) : NULL);
    else
        ml_h5_link(&result->h5, view->data, view->field.name, group, name);
    view_error(result, view, group, entry, name);
    return true;
}

static void view_signals_write(struct ml_result_file *result, const struct ml_nxdata *view,
                               hid_t group)
{
    char names[ML_NXDATA_MOST_SIGNALS][ML_NAME_LENGTH];
    const char *more[ML_NXDATA_MOST_SIGNALS], *signal = NULL;
    const int64_t n = view_signals(view);
    const int64_t first = view->first >= 0 ? view->first : n - 1;
    int n_more = 0;
    for (int64_t i = 0; i < n && i < ML_NXDATA_MOST_SIGNALS; i++) {
        if (!view_signal(result, view, group, i, i == first, names[i]))
            continue;
        if (i == first)
            signal = names[i];
        else
            more[n_more++] = names[i];
    }
    ml_h5_text_attribute(&result->h5, group, "signal", signal);
    if (n_more > 0)
        ml_h5_texts_attribute(&result->h5, group, "auxiliary_signals", n_more, more);
}

/* Without the folders: where a study is, is no part of it. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *ml_result_title(const struct ml_study *study)
{
    return study->spec.title[0] ? study->spec.title : base_name(study->spec.name);
}

void ml_result_caption(struct ml_result_file *result, hid_t group, const char *signal,
                       const char *unit)
{
    enum { MOST = 60 }; /* characters: more would cover the picture */
    static const char cut[] = " ..";
    char caption[4 * ML_NAME_LENGTH];
    (void)snprintf(caption, sizeof caption, "%s%s, %.*s", signal,
                   ml_unit_text(" (", unit, ")").text, 2 * ML_NAME_LENGTH,
                   ml_result_title(result->layout->study));
    size_t kept = 0; /* bytes before the last space that leaves room for the dots, or the first */
    int n = 0;
    for (size_t i = 0; caption[i]; i++) {
        if (caption[i] == ' ' && (kept == 0 || n <= MOST - (int)sizeof cut + 1))
            kept = i;
        n += (caption[i] & 0xC0) != 0x80; /* the first byte of a character */
    }
    if (n > MOST)
        memcpy(caption + kept, cut, sizeof cut);
    ml_h5_text(&result->h5, group, "title", caption);
}

void ml_nxdata_write(struct ml_result_file *result, const struct ml_nxdata *view)
{
    int n = 0;
    if (result->h5.status != ML_OK || H5Lexists(view->plots, view->name, H5P_DEFAULT) > 0)
        return;
    hid_t group = ml_h5_group(&result->h5, view->plots, view->name, "NXdata");
    ml_result_note_view(result, view->name);
    ml_result_caption(result, group, view->title ? view->title : view->shows, view->field.unit);
    view_axes(result, view, group);
    view_signals_write(result, view, group);
    view_default_slice(result, view, group);
    for (int k = 0; k < view->field.extent.rank; k++)
        n += view->dim[k].role == ML_NXDATA_AXIS;
    ml_nxdata_attributes(result, group, &view->view, view->over_unit ? 2 : n);
    (void)H5Gclose(group);
}
