/* Scales and columns that several groups have: of the swept axes, with the true values and the
 * coordinates of views, of runs and of extra dimensions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numeric_env.h"
#include "config/schema/values.h"
#include "plan/labels.h"
#include "store/opened.h"
#include "store/result.h"

enum { PIECE = 4096 }; /* runs that a thread computes at a time */

/* Pieces of n runs that are computed together. */
static int64_t axes_pieces(const struct ml_result_file *result, int64_t n)
{
    const int64_t needed = n / PIECE + 1;
    return needed < result->n_thread ? needed : result->n_thread;
}

static hid_t result_axes_column(struct ml_result_file *result, hid_t group,
                                struct ml_h5_field field, int64_t n)
{
    field.extent = (struct ml_extent){.rank = 1, .size = {(unsigned long long)n}};
    field.is_compressed = field.is_scale || !ml_layout_is_list(result->layout);
    field.compressed = field.is_scale ? 0.007 : 0.011; /* measured */
    return ml_h5_field(&result->h5, group, &field);
}

void ml_result_run_scale(struct ml_result_file *result, hid_t group, enum ml_result_runs which)
{
    const struct ml_layout *layout = result->layout;
    const int64_t n = which == ML_SAVED_RUNS ? layout->n_saved : layout->n_run;
    hid_t id =
        result_axes_column(result, group, ml_result_field(layout, NULL, ML_DATA_RUN, NULL), n);
    struct ml_extent extent = {.rank = 1, .size = {(unsigned long long)n}};
    const struct ml_study *study = layout->study;
    const int64_t most = axes_pieces(result, n) * PIECE;
    int64_t *runs = malloc((size_t)most * sizeof *runs);
    (void)ml_h5_need(&result->h5, runs);
    ml_h5_team_begin(&result->h5, result->n_thread);
    for (int64_t first = 0, count; first < n && result->h5.status == ML_OK && !result->h5.is_sketch;
         first += count) {
        count = n - first < most ? n - first : most;
#pragma omp parallel for num_threads(result->n_thread) if (count > PIECE)
        for (int64_t i = 0; i < count; i++)
            runs[i] = study->member_swept
                          ? study->member
                          : (which == ML_SAVED_RUNS ? ml_layout_saved_run
                                                    : ml_layout_run)(layout, first + i);
        ml_h5_write_range(&result->h5, id, &extent, H5T_NATIVE_INT64, (unsigned long long)first,
                          (unsigned long long)count, runs);
    }
    ml_h5_team_end(&result->h5);
    free(runs);
    ml_h5_close_dataset(&result->h5, id);
}

struct ml_h5_field ml_result_swept_field(const struct ml_layout *layout,
                                         const struct ml_swept *swept)
{
    const struct ml_result_dim dims[] = {{ML_DATA_RUN, layout->n_run}, {ML_DATA_NONE}};
    const struct ml_result_item item = {
        .name = swept->path, .unit = swept->unit, .doc = swept->doc};
    return ml_result_field(layout, dims, ML_DATA_RUNS_PATH, &item);
}

static void begin_swept(struct ml_result_file *result, hid_t group, hid_t *ids)
{
    const struct ml_study *study = result->layout->study;
    for (int i = 0; i < study->spec.runs.n_axis; i++)
        for (int k = 0; k < study->spec.runs.axes[i].n_swept; k++) {
            const struct ml_swept *swept = &study->spec.runs.axes[i].swept[k];
            const struct ml_h5_field field = ml_result_swept_field(result->layout, swept);
            *ids = result_axes_column(result, group, field, result->layout->n_run);
            if (study->spec.runs.axes[i].sample)
                ml_result_name_distribution(&result->h5, *ids, &study->spec.runs.axes[i], k);
            ids++;
        }
}

/* Fills columns [n_swept][PIECE] with the values of the runs of `count` rows.
 *   columns  and, behind them, room for the values of a run */
static void fill_swept(const struct ml_layout *layout, int n_swept, int64_t first, int64_t count,
                       double *columns)
{
    const fenv_t before = ml_float_env_set(); /* threads of the team may be older than the call */
    double *one = columns + (size_t)n_swept * PIECE;
    for (int64_t i = 0; i < count; i++) {
        ml_study_swept(&layout->study->spec, ml_layout_run(layout, first + i), one);
        for (int k = 0; k < n_swept; k++)
            columns[(int64_t)k * PIECE + i] = one[k];
    }
    ml_float_env_restore(&before);
}

/* Runs of piece i, of those from `first` on. */
static int64_t axes_count(int64_t n_run, int64_t first, int64_t i)
{
    const int64_t left = n_run - first - i * PIECE;
    return left < 0 ? 0 : left < PIECE ? left : PIECE;
}

/* columns  [n_piece][n_swept][PIECE], each with room for the values of a run */
static void write_swept(struct ml_result_file *result, int n_swept, const hid_t *ids,
                        int64_t n_piece, double *columns)
{
    const int64_t n_run = result->layout->n_run, piece = (int64_t)n_swept * (PIECE + 1);
    struct ml_extent extent = {.rank = 1, .size = {(unsigned long long)n_run}};
    ml_h5_team_begin(&result->h5, result->n_thread);
    for (int64_t first = 0; first < n_run && result->h5.status == ML_OK && !result->h5.is_sketch;
         first += n_piece * PIECE) {
#pragma omp parallel for num_threads(result->n_thread) if (n_piece > 1)
        for (int64_t i = 0; i < n_piece; i++)
            fill_swept(result->layout, n_swept, first + i * PIECE, axes_count(n_run, first, i),
                       columns + i * piece);
        for (int64_t i = 0; i < n_piece; i++)
            for (int k = 0; k < n_swept; k++)
                ml_h5_write_range(&result->h5, ids[k], &extent, H5T_NATIVE_DOUBLE,
                                  (unsigned long long)first + (unsigned long long)i * PIECE,
                                  (unsigned long long)axes_count(n_run, first, i),
                                  columns + i * piece + (int64_t)k * PIECE);
    }
    ml_h5_team_end(&result->h5);
}

/* Values of the quantities that are swept in the study of a run alone. */
static void write_member(struct ml_result_file *result, hid_t group)
{
    const struct ml_study *study = result->layout->study;
    for (int k = 0; k < study->n_member; k++)
        ml_result_vector(result, group,
                         ml_result_swept_field(result->layout, &study->member_swept[k]), 1,
                         &study->member_values[k]);
}

void ml_result_swept_columns(struct ml_result_file *result, hid_t group)
{
    int n_swept = ml_layout_swept(result->layout);
    write_member(result, group);
    if (n_swept == 0 || result->h5.status != ML_OK)
        return;
    hid_t *ids = calloc((size_t)n_swept, sizeof *ids);
    const int64_t n_piece = axes_pieces(result, result->layout->n_run);
    double *columns = calloc((size_t)(n_swept * n_piece), (PIECE + 1) * sizeof *columns);
    if (ml_h5_need(&result->h5, ids && columns)) {
        begin_swept(result, group, ids);
        write_swept(result, n_swept, ids, n_piece, columns);
        for (int k = 0; k < n_swept; k++)
            ml_h5_close_dataset(&result->h5, ids[k]);
    }
    free(columns);
    free(ids);
}

void ml_result_vector(struct ml_result_file *result, hid_t group, struct ml_h5_field field,
                      int64_t n, const void *values)
{
    field.extent = (struct ml_extent){.rank = 1, .size = {(unsigned long long)n}};
    ml_h5_dataset(&result->h5, group, &field, field.type, values);
}

/* The numbers along an extra dimension. */
static void number_scale(struct ml_result_file *result, hid_t group, enum ml_dim dim,
                         const struct ml_output *output, int n)
{
    double *values = malloc((size_t)n * sizeof *values);
    if (!ml_h5_need(&result->h5, values))
        return;
    (void)ml_layout_dim_values(dim, output, n, values);
    ml_result_write_scale(result, group, (enum ml_dataset)dim, n, values);
    free(values);
}

static void label_scale(struct ml_result_file *result, hid_t group, enum ml_dim dim, bool is_at_end,
                        int n)
{
    struct ml_pool pool = {0};
    const char *const *labels = ml_dim_labels(result->layout->study, dim, is_at_end, n, &pool);
    const bool is_state = dim == ML_DIM_OUTPUT && !is_at_end;
    if (ml_h5_need(&result->h5, labels))
        ml_result_write_scale(result, group, is_state ? ML_DATA_STATE_OUTPUT : (enum ml_dataset)dim,
                              n, labels);
    ml_pool_free(&pool);
}

/* Numbers along dimension k of an output, or of a record. */
static int dim_size(const struct ml_layout *layout, const enum ml_dim *dim, int k,
                    const struct ml_output *output)
{
    const struct ml_ensemble *ensemble = &layout->study->ensemble;
    return output ? ml_output_size(output, k, ensemble->model.n) : ml_record_size(ensemble, dim[k]);
}

void ml_result_along_dims(const struct ml_layout *layout, struct ml_h5_field *field,
                          const enum ml_dim *dim, const struct ml_output *output)
{
    for (int k = 0; k < ML_MAX_DIM; k++)
        if (dim[k] != ML_DIM_NONE)
            ml_h5_along(field, ml_layout_dim_name(dim[k]), dim_size(layout, dim, k, output));
}

void ml_result_along_grid(const struct ml_layout *layout, struct ml_h5_field *field)
{
    for (int k = 0; k < layout->runs.rank - 1; k++)
        ml_h5_along(field, ml_layout_runs_name(layout, k), (int64_t)layout->runs.size[k]);
}

static void dim_scale(struct ml_result_file *result, hid_t group, enum ml_dim dim,
                      const struct ml_output *output, int n)
{
    if (ml_result_has_scale(result, group, (enum ml_dataset)dim))
        return;
    if (ml_layout_dim_values(dim, output, 0, NULL))
        number_scale(result, group, dim, output, n);
    else
        label_scale(result, group, dim, output != NULL, n);
}

void ml_result_dim_scales(struct ml_result_file *result, hid_t group, const enum ml_dim *dim,
                          const struct ml_output *output)
{
    for (int k = 0; k < ML_MAX_DIM; k++)
        if (dim[k] != ML_DIM_NONE)
            dim_scale(result, group, dim[k], output, dim_size(result->layout, dim, k, output));
}

/* Columns of an axis that are none of its quantities. */
enum { POSITION = -1, NUMBER = -2, LOGARITHM = -3 };

/* In long double, the C library's logarithm does not depend on the instruction set. */
static double value_of(const struct ml_axis *axis, int column, int64_t i)
{
    switch (column) {
    case POSITION:
        return (double)i;
    case NUMBER:
        return ml_axis_number(axis, i);
    case LOGARITHM:
        return (double)log10l((long double)ml_axis_number(axis, i));
    default:
        return ml_axis_value(axis, column, i);
    }
}

/* Room for the numbers of an axis; a sketch of the file has none, and NULL is no failure of it. */
static void *axis_room(struct ml_result_file *result, const struct ml_axis *axis, size_t size)
{
    void *room = result->h5.is_sketch ? NULL : malloc((size_t)axis->count * size);
    ml_h5_need(&result->h5, room || result->h5.is_sketch);
    return room;
}

/* A row of an axis, named as the item. */
static struct ml_h5_field axis_field(const struct ml_layout *layout, const struct ml_axis *axis,
                                     enum ml_dataset dataset, const struct ml_result_item *item)
{
    const struct ml_result_dim dims[] = {
        {.scale = ML_DATA_AXIS, .n = axis->count, .name = axis->name}, {ML_DATA_NONE}};
    return ml_result_field(layout, dims, dataset, item);
}

/* A dataset [count] of a column. */
static void write_column(struct ml_result_file *result, hid_t group, struct ml_h5_field field,
                         const struct ml_axis *axis, int column)
{
    double *values = axis_room(result, axis, sizeof *values);
    for (int64_t i = 0; values && i < axis->count; i++)
        values[i] = value_of(axis, column, i);
    field.type = H5T_NATIVE_DOUBLE;
    ml_result_vector(result, group, field, axis->count, values);
    free(values);
}

/* Scale 0, 1, 2, ... of an axis that moves several quantities. */
static void index_scale(struct ml_result_file *result, hid_t group, const struct ml_axis *axis,
                        enum ml_drawn kind)
{
    char label[ML_DRAWN_LABEL];
    int64_t *values = axis_room(result, axis, sizeof *values);
    for (int64_t i = 0; values && i < axis->count; i++)
        values[i] = i;
    ml_drawn_positions_label(axis, label);
    const struct ml_result_item item = {.name = axis->name, .doc = ml_axis_doc(axis)};
    struct ml_h5_field field = axis_field(result->layout, axis, ML_DATA_AXIS_INDEX, &item);
    field.label = kind == ML_DRAWN_SCALE ? label : NULL;
    ml_result_vector(result, group, field, axis->count, values);
    free(values);
}

/* Scale of an axis that has numbers of its own, which its keys follow. */
static void axis_number_scale(struct ml_result_file *result, hid_t group,
                              const struct ml_axis *axis)
{
    const struct ml_result_item item = {
        .name = axis->name, .unit = ml_axis_unit(axis), .doc = ml_axis_doc(axis)};
    write_column(result, group, axis_field(result->layout, axis, ML_DATA_AXIS, &item), axis,
                 NUMBER);
}

static bool is_single(const struct ml_axis *axis)
{
    return axis->n_swept == 1 && axis->kind == ML_AXIS_SAME;
}

/* Values of quantity k of an axis: its scale, or beside that of several. */
static void value_dataset(struct ml_result_file *result, hid_t group, const struct ml_axis *axis,
                          int k)
{
    const struct ml_swept *swept = &axis->swept[k];
    const bool is_scale = is_single(axis);
    char doc[4 * ML_NAME_LENGTH];
    (void)snprintf(doc, sizeof doc, "%s: %s", swept->path, swept->doc);
    const struct ml_result_item item = {
        .name = is_scale ? axis->name : swept->path,
        .unit = swept->unit,
        .doc = is_scale && strcmp(axis->name, swept->path) != 0 ? doc : swept->doc};
    const struct ml_h5_field field =
        axis_field(result->layout, axis, is_scale ? ML_DATA_AXIS : ML_DATA_AXIS_VALUE, &item);
    write_column(result, group, field, axis, k);
}

static void begin_axis(struct ml_result_file *result, hid_t group, int k)
{
    const struct ml_layout *layout = result->layout;
    const struct ml_axis *axis = &layout->study->spec.runs.axes[k];
    const enum ml_drawn kind = ml_drawn_kind(axis, ml_drawn_is_map(layout));
    if (axis->kind == ML_AXIS_EACH)
        index_scale(result, group, axis, kind);
    else if (!is_single(axis))
        axis_number_scale(result, group, axis);
    for (int i = 0; i < axis->n_swept; i++)
        value_dataset(result, group, axis, i);
}

void ml_result_name_run_dims(struct ml_result_file *result, hid_t group, int n,
                             const char *const *names)
{
    if (n > 0)
        ml_h5_texts_attribute(&result->h5, group, ML_RUN_DIMS_ATTRIBUTE, n, names);
}

void ml_result_begin_axes(struct ml_result_file *result, hid_t group)
{
    const struct ml_layout *layout = result->layout;
    const char *names[ML_MAX_RANK];
    for (int k = 0; k < layout->runs.rank; k++)
        names[k] = ml_layout_runs_name(layout, k);
    ml_result_name_run_dims(result, group, layout->runs.rank, names);
    if (ml_layout_is_list(layout)) {
        ml_result_run_scale(result, group, ML_ALL_RUNS);
        ml_result_swept_columns(result, group);
        return;
    }
    for (int k = 0; k < layout->study->spec.runs.n_axis; k++)
        begin_axis(result, group, k);
}

void ml_result_grid_scales(struct ml_result_file *result, hid_t group)
{
    for (int k = 0; k < result->layout->study->spec.runs.n_axis - 1; k++)
        begin_axis(result, group, k);
}

/* It is an ordinary dataset along the axis, not a second scale of it: netCDF takes the last scale
 * attached for the dimension. */
static void draw_axis(struct ml_result_file *result, hid_t data, hid_t plots, int k, bool has_unit,
                      bool tells_one)
{
    const struct ml_axis *axis = &result->layout->study->spec.runs.axes[k];
    const enum ml_drawn kind = ml_drawn_kind(axis, ml_drawn_is_map(result->layout));
    const bool is_each = axis->kind == ML_AXIS_EACH;
    char name[ML_NAME_LENGTH], label[ML_DRAWN_LABEL];
    (void)snprintf(name, sizeof name, ML_NXDATA_AXIS_PREFIX "%s", axis->name);
    ml_drawn_label(axis, kind, label);
    const struct ml_h5_field field = {.name = name,
                                      .unit = has_unit ? ml_drawn_unit(axis, kind) : NULL,
                                      .tells_one = tells_one,
                                      .doc = is_each && !axis->sample ? axis->swept[0].doc
                                                                      : ml_axis_doc(axis),
                                      .label = label,
                                      .scales = {axis->name},
                                      .scales_at = data};
    const bool is_position = kind == ML_DRAWN_INDEX || (is_each && kind == ML_DRAWN_SCALE);
    write_column(result, plots, field, axis,
                 kind == ML_DRAWN_LOG ? LOGARITHM
                 : is_position        ? POSITION
                 : is_each            ? 0
                                      : NUMBER);
}

void ml_result_draw_axes(struct ml_result_file *result, hid_t data, hid_t plots)
{
    const struct ml_axis *axes = result->layout->study->spec.runs.axes;
    int kept[ML_MAX_AXES];
    const int n = ml_drawn_axes(result->layout, kept);
    const bool is_apart = n > 1 && ml_drawn_stands_apart(&axes[kept[n - 2]], &axes[kept[n - 1]]);
    for (int i = 0; i < n; i++)
        draw_axis(result, data, plots, kept[i], !is_apart || i < n - 1, is_apart && i == n - 2);
}
