/* Scales and columns that several groups have. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "config/values.h"
#include "store/names.h"
#include "store/result.h"

enum { PIECE = 4096 }; /* runs that are written at a time */

static hid_t column(struct ml_result_file *result, hid_t group, struct ml_h5_field field, int64_t n)
{
    field.extent = (struct ml_extent){.rank = 1, .size = {(unsigned long long)n}};
    field.chunk = ml_layout_chunk(&field.extent, ML_RESULT_CHUNK);
    field.is_compressed = field.is_scale || !ml_layout_is_list(result->layout);
    if (!field.is_scale)
        field.scales[0] = "run";
    return ml_h5_field(&result->h5, group, &field);
}

void ml_result_run_scale(struct ml_result_file *result, hid_t group, enum ml_result_runs which)
{
    const struct ml_layout *layout = result->layout;
    const int64_t n = which == ML_SAVED_RUNS ? layout->n_saved : layout->n_run;
    struct ml_h5_field field = {.name = "run",
                                .type = H5T_NATIVE_INT64,
                                .unit = "1",
                                .doc = "index of the run",
                                .is_scale = true};
    hid_t id = column(result, group, field, n);
    struct ml_extent extent = {.rank = 1, .size = {(unsigned long long)n}};
    int64_t runs[PIECE];
    for (int64_t first = 0, count; first < n && result->h5.status == ML_OK; first += count) {
        count = n - first < PIECE ? n - first : PIECE;
        for (int64_t i = 0; i < count; i++)
            runs[i] =
                (which == ML_SAVED_RUNS ? ml_layout_saved_run : ml_layout_run)(layout, first + i);
        ml_h5_write_range(&result->h5, id, &extent, H5T_NATIVE_INT64, (unsigned long long)first,
                          (unsigned long long)count, runs);
    }
    ml_h5_close_dataset(&result->h5, id);
}

static void begin_swept(struct ml_result_file *result, hid_t group, hid_t *ids)
{
    const struct ml_study *study = result->layout->study;
    for (int i = 0; i < study->n_axis; i++)
        for (int k = 0; k < study->axes[i].n_swept; k++) {
            const struct ml_swept *swept = &study->axes[i].swept[k];
            struct ml_h5_field field = {.name = swept->path,
                                        .type = H5T_NATIVE_DOUBLE,
                                        .unit = swept->unit,
                                        .doc = swept->doc};
            *ids++ = column(result, group, field, result->layout->n_run);
        }
}

/* Fills columns [n_swept][PIECE] with the values of the runs of `count` rows. */
static void fill_swept(const struct ml_layout *layout, int n_swept, int64_t first, int64_t count,
                       double *one, double *columns)
{
    for (int64_t i = 0; i < count; i++) {
        ml_study_swept(layout->study, ml_layout_run(layout, first + i), one);
        for (int k = 0; k < n_swept; k++)
            columns[(int64_t)k * PIECE + i] = one[k];
    }
}

static void write_swept(struct ml_result_file *result, int n_swept, const hid_t *ids, double *one,
                        double *columns)
{
    const int64_t n_run = result->layout->n_run;
    struct ml_extent extent = {.rank = 1, .size = {(unsigned long long)n_run}};
    for (int64_t first = 0, count; first < n_run && result->h5.status == ML_OK; first += count) {
        count = n_run - first < PIECE ? n_run - first : PIECE;
        fill_swept(result->layout, n_swept, first, count, one, columns);
        for (int k = 0; k < n_swept; k++)
            ml_h5_write_range(&result->h5, ids[k], &extent, H5T_NATIVE_DOUBLE,
                              (unsigned long long)first, (unsigned long long)count,
                              columns + (size_t)k * PIECE);
    }
}

void ml_result_swept_columns(struct ml_result_file *result, hid_t group)
{
    int n_swept = ml_layout_swept(result->layout);
    if (n_swept == 0 || result->h5.status != ML_OK)
        return;
    hid_t *ids = calloc((size_t)n_swept, sizeof *ids);
    double *columns = calloc((size_t)n_swept, (PIECE + 1) * sizeof *columns);
    if (ids && columns) {
        begin_swept(result, group, ids);
        write_swept(result, n_swept, ids, columns + (size_t)n_swept * PIECE, columns);
        for (int k = 0; k < n_swept; k++)
            ml_h5_close_dataset(&result->h5, ids[k]);
    } else {
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
    }
    free(columns);
    free(ids);
}

void ml_result_vector(struct ml_result_file *result, hid_t group, struct ml_h5_field field,
                      int64_t n, const void *values)
{
    field.extent = (struct ml_extent){.rank = 1, .size = {(unsigned long long)n}};
    field.chunk = ml_layout_chunk(&field.extent, ML_RESULT_CHUNK);
    hid_t id = ml_h5_field(&result->h5, group, &field);
    ml_h5_write_range(&result->h5, id, &field.extent, field.type, 0, (unsigned long long)n, values);
    ml_h5_close_dataset(&result->h5, id);
}

/* first, first + increment, ... */
static void number_scale(struct ml_result_file *result, hid_t group, struct ml_h5_field field,
                         int n, double first, double increment)
{
    double *values = malloc((size_t)n * sizeof *values);
    if (!values) {
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
        return;
    }
    for (int i = 0; i < n; i++)
        values[i] = fma(i, increment, first);
    field.type = H5T_NATIVE_DOUBLE;
    field.is_scale = true;
    ml_result_vector(result, group, field, n, values);
    free(values);
}

static void exponent_scale(struct ml_result_file *result, hid_t group, const char *name, int n)
{
    struct ml_h5_field field = {
        .name = name, .unit = "1", .doc = "number of the exponent, 1 is the largest"};
    number_scale(result, group, field, n, 1.0, 1.0);
}

/* Labels of a scale: "angle.upper". */
struct labels {
    const struct ml_study *study;
    char (*text)[ML_NAME_LENGTH];
    const char **texts; /* [n] the same, for ml_h5_text_scale */
    int n;
};

/* Of the rows of a quantity or an output. */
static void add_labels(struct labels *labels, const char *name, enum ml_dim dim, int n_row)
{
    const bool is_by_segment = ml_dim_is_named(dim) && labels->study->segment_names;
    for (int r = 0; r < n_row; r++, labels->n++)
        (void)snprintf(labels->text[labels->n], ML_NAME_LENGTH, "%s%s%s", name,
                       is_by_segment ? "." : "",
                       is_by_segment ? labels->study->segment_names[r] : "");
}

static void add_state(struct labels *labels)
{
    const struct ml_ensemble *e = &labels->study->ensemble;
    for (int q = 0; q < e->system->n_state; q++) {
        const struct ml_quantity *quantity = &e->system->state[q];
        add_labels(labels, quantity->name, quantity->dim[0],
                   ml_quantity_rows(quantity, e->shape.n));
    }
}

static void add_differentiated(struct labels *labels)
{
    const struct ml_ensemble *e = &labels->study->ensemble;
    for (int at = 0; at < e->n_differentiated; at++) {
        const int i = e->differentiated[at];
        const struct ml_indicator_use use = ml_ensemble_use(e, i);
        struct ml_output output;
        for (int d = 0; e->kernels->indicators[i]->output(&use, d, &output); d++)
            add_labels(labels, output.label ? output.label : output.name, output.dim[0],
                       ml_output_rows(&output, e->shape.n));
    }
}

/* What is differentiated, by name: at the end, or on the way the numbers of the state. */
static const char *const *output_labels(const struct ml_study *study, bool is_at_end, int n,
                                        struct ml_pool *pool)
{
    struct labels labels = {.study = study,
                            .text = ml_pool_take(pool, (size_t)n, sizeof *labels.text),
                            .texts = ml_pool_take(pool, (size_t)n, sizeof *labels.texts)};
    if (!labels.text || !labels.texts)
        return NULL;
    (is_at_end ? add_differentiated : add_state)(&labels);
    for (int i = 0; i < n; i++)
        labels.texts[i] = labels.text[i];
    return labels.texts;
}

const char *const *ml_result_labels(const struct ml_study *study, enum ml_dim dim, bool is_at_end,
                                    int n, struct ml_pool *pool)
{
    static const char *const coordinates[] = {"x", "y"}, *const only[] = {"1"};
    if (dim == ML_DIM_COORDINATE)
        return coordinates;
    if (ml_dim_is_named(dim))
        return study->segment_names ? (const char *const *)study->segment_names : only;
    if (dim == ML_DIM_PARAMETER)
        return (const char *const *)study->parameter_names;
    return dim == ML_DIM_OUTPUT ? output_labels(study, is_at_end, n, pool) : NULL;
}

/* What the entries of a dimension of texts are. */
static const char *labels_doc(enum ml_dim dim, bool is_at_end)
{
    switch (dim) {
    case ML_DIM_COORDINATE:
        return "coordinate in the plane";
    case ML_DIM_DOF:
        return "degrees of freedom";
    case ML_DIM_PARAMETER:
        return "what the derivatives are by";
    case ML_DIM_OUTPUT:
        return is_at_end ? "what is differentiated: numbers of the state at the end, and indicators"
                         : "numbers of the state";
    default:
        return "segments, proximal to distal";
    }
}

static void label_scale(struct ml_result_file *result, hid_t group, enum ml_dim dim, bool is_at_end,
                        int n)
{
    struct ml_pool pool = {0};
    const char *const *labels = ml_result_labels(result->layout->study, dim, is_at_end, n, &pool);
    if (labels)
        ml_h5_text_scale(&result->h5, group, ml_layout_dim_name(dim), labels_doc(dim, is_at_end), n,
                         labels);
    else
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
    ml_pool_free(&pool);
}

void ml_result_dim_scale(struct ml_result_file *result, hid_t group, enum ml_dim dim,
                         const struct ml_output *output, int n)
{
    struct ml_h5 *h5 = &result->h5;
    const char *name = ml_layout_dim_name(dim);
    if (dim == ML_DIM_NONE || h5->status != ML_OK ||
        ml_h5_check(h5, H5Lexists(group, name, H5P_DEFAULT), name) != 0)
        return;
    if (dim == ML_DIM_EXPONENT)
        exponent_scale(result, group, name, n);
    else if (dim == ML_DIM_CROSSING)
        number_scale(result, group,
                     (struct ml_h5_field){
                         .name = name, .unit = "1", .doc = "number of the event in the run"},
                     n, 1.0, 1.0);
    else if (dim == ML_DIM_TIME)
        number_scale(result, group, (struct ml_h5_field){.name = name, .unit = "s", .doc = "time"},
                     n, output->first, output->increment);
    else
        label_scale(result, group, dim, output != NULL, n);
}
