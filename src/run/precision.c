/* Writes a table of integrators as a result file: numbers over integrator and level, and views,
 * which viewers show as curves of the error over the work. */
#include "manylink/precision.h"
#include "base/compare.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/numeric_env.h"
#include "base/path.h"
#include "base/sized.h"
#include "manylink/fail.h"
#include "manylink/version.h"
#include "store/result.h"
#include "store/result_h5.h"

#define GROUP "precision"
#define PLOTS GROUP "/plots"

/* Curves of the error over the work. */
struct precision_view {
    const char *name, *work, *unit, *doc, *label; /* `work` is a column */
};

static const struct precision_view views[] = {
    {"error", "cpu_time", "s", "CPU time per run on one thread", "CPU time per run (s)"},
    {"error_over_evaluations", "evaluations", "1", "evaluations of the equations of motion per run",
     "evaluations per run"},
};

struct precision_file {
    const struct ml_study *study;
    const struct ml_precision *table;
    struct ml_layout layout;
    struct ml_result_file result;
    hid_t group;
    double *axis, *curve; /* [n_integrator n_level] of a view: positions along it, values there */
    double (*points)[2];  /* [n_level] work and error of one integrator */
    char began[ML_TIME_LENGTH];
};

/* Values of the column; NULL if not found. */
static const double *precision_values(const struct ml_precision *table, const char *name)
{
    for (int c = 0; c < table->n_column; c++)
        if (strcmp(table->columns[c].name, name) == 0)
            return table->columns[c].values;
    return NULL;
}

/* Points of integrator k at levels with both work and error, ascending in the work. Errors below
 * the difference of the references count as that difference. Returns the number of points. */
static int precision_points(struct precision_file *f, const struct precision_view *view, int k)
{
    const size_t first = (size_t)k * (size_t)f->table->n_level;
    const double *works = precision_values(f->table, view->work) + first;
    const double *errors = precision_values(f->table, "error") + first;
    int n = 0;
    for (int l = 0; l < f->table->n_level; l++) {
        const double work = works[l], error = fmax(errors[l], f->table->reference_difference);
        if (isnan(errors[l]) || !(error > 0.0) || !(work > 0.0))
            continue;
        int at = n++;
        for (; at > 0 && f->points[at - 1][0] > work; at--)
            memcpy(f->points[at], f->points[at - 1], sizeof *f->points);
        f->points[at][0] = work;
        f->points[at][1] = error;
    }
    return n;
}

/* Value at x of the line through points in the logarithms; NaN beyond them. */
static double precision_between(double (*const points)[2], int n, double x)
{
    for (int i = 0; i < n; i++)
        if (points[i][0] == x)
            return points[i][1];
    for (int i = 1; i < n; i++)
        if (points[i - 1][0] < x && x < points[i][0]) {
            const double way = log(x / points[i - 1][0]) / log(points[i][0] / points[i - 1][0]);
            return points[i - 1][1] * pow(points[i][1] / points[i - 1][1], way);
        }
    return (double)NAN;
}

/* Positions along a view: the work of all points, each once. */
static int precision_axis(struct precision_file *f, const struct precision_view *view)
{
    int n = 0, kept = 0;
    for (int k = 0; k < f->table->n_integrator; k++) {
        const int n_point = precision_points(f, view, k);
        for (int i = 0; i < n_point; i++)
            f->axis[n++] = f->points[i][0];
    }
    qsort(f->axis, (size_t)n, sizeof *f->axis, ml_compare_double);
    for (int i = 0; i < n; i++)
        if (i == 0 || f->axis[i] > f->axis[kept - 1])
            f->axis[kept++] = f->axis[i];
    return kept;
}

/* Curves of all integrators over one axis, as viewers want it: between its own points a curve has
 * the values of straight lines in the logarithms. */
static void precision_write_curves(struct precision_file *f, const struct precision_view *view,
                                   hid_t group, int n)
{
    const struct ml_h5_field axis = {.name = view->work,
                                     .type = H5T_NATIVE_DOUBLE,
                                     .unit = view->unit,
                                     .doc = view->doc,
                                     .label = view->label,
                                     .is_scale = true};
    ml_result_vector(&f->result, group, axis, n, f->axis);
    for (int k = 0; k < f->table->n_integrator; k++) {
        const int n_point = precision_points(f, view, k);
        for (int i = 0; i < n; i++)
            f->curve[i] = precision_between(f->points, n_point, f->axis[i]);
        const struct ml_h5_field curve = {
            .name = f->table->integrators[k],
            .type = H5T_NATIVE_DOUBLE,
            .unit = "1",
            .label = k == 0 ? "error" : NULL, /* of the axis of all */
            .doc = "largest error of the end state; between the levels of the integrator on lines "
                   "of the logarithms",
            .scales = {view->work}};
        ml_result_vector(&f->result, group, curve, n, f->curve);
    }
}

static void precision_write_view(struct precision_file *f, const struct precision_view *view,
                                 hid_t plots)
{
    struct ml_h5 *h5 = &f->result.h5;
    const int n = precision_axis(f, view);
    if (n == 0 || h5->status != ML_OK)
        return;
    hid_t group = ml_h5_group(h5, plots, view->name, "NXdata");
    ml_result_note_view(&f->result, view->name);
    ml_result_caption(&f->result, group, "error of the end state", "1");
    precision_write_curves(f, view, group, n);
    ml_h5_text_attribute(h5, group, "signal", f->table->integrators[0]);
    if (f->table->n_integrator > 1)
        ml_h5_texts_attribute(h5, group, "auxiliary_signals", f->table->n_integrator - 1,
                              f->table->integrators + 1);
    ml_h5_texts_attribute(h5, group, "axes", 1, &view->work);
    const struct ml_view shown = {.dataset = "error",
                                  .x = view->work,
                                  .y = "error",
                                  .colour = "integrator",
                                  .x_scale = ML_VIEW_LOG,
                                  .y_scale = ML_VIEW_LOG,
                                  .section = "",
                                  .n_dim = 2,
                                  .dims = {ML_VIEW_EACH, ML_VIEW_X}};
    ml_nxdata_attributes(&f->result, group, &shown, 1);
}

static void precision_write_views(struct precision_file *f)
{
    struct ml_h5 *h5 = &f->result.h5;
    hid_t plots = ml_h5_group(h5, f->group, "plots", "NXcollection");
    for (size_t v = 0; v < sizeof views / sizeof *views; v++)
        precision_write_view(f, &views[v], plots);
    ml_result_index_views(&f->result, plots);
    ml_h5_text_attribute(h5, plots, "default", views[0].name);
    ml_h5_text_attribute(h5, f->group, "default", "plots/error");
}

static void precision_write_reference(struct precision_file *f)
{
    struct ml_h5 *h5 = &f->result.h5;
    const struct ml_precision *table = f->table;
    const struct {
        const char *name;
        int64_t runs;
    } counts[] = {{"runs", table->runs},
                  {"compared", table->compared},
                  {"undetermined", table->undetermined},
                  {"unfinished", table->unfinished}};
    ml_h5_texts_attribute(h5, f->group, "reference", 2, table->reference);
    ml_h5_numbers_attribute(h5, f->group, "reference_tolerance", H5T_NATIVE_DOUBLE, 2,
                            table->reference_tolerance);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        ml_h5_numbers_attribute(h5, f->group, counts[i].name, H5T_NATIVE_INT64, 0, &counts[i].runs);
    ml_result_write_dataset(&(struct ml_result_group){&f->result, f->group, NULL},
                            ML_DATA_PRECISION_DIFFERENCE, NULL, &table->reference_difference);
}

/* Names all datasets but scales in the attribute `outputs`. */
static void precision_write_outputs(struct precision_file *f)
{
    const int n = f->table->n_column;
    const char **names = ml_pool_take(&f->result.pool, (size_t)n, sizeof *names);
    for (int c = 0; names && c < n; c++)
        names[c] = f->table->columns[c].name;
    if (ml_h5_need(&f->result.h5, names))
        ml_h5_texts_attribute(&f->result.h5, f->group, "outputs", n, names);
}

static void precision_write_group(struct precision_file *f)
{
    struct ml_h5 *h5 = &f->result.h5;
    f->group = ml_h5_group(h5, f->result.entry, GROUP, "NXcollection");
    precision_write_outputs(f);
    precision_write_reference(f);
    const struct ml_precision *table = f->table;
    const struct ml_result_dim dims[] = {
        {ML_DATA_PRECISION_INTEGRATOR, table->n_integrator, table->integrators},
        {ML_DATA_PRECISION_LEVEL, table->n_level},
        {ML_DATA_NONE}};
    ml_result_write_scales(&(struct ml_result_group){&f->result, f->group, dims},
                           ML_DATA_PRECISION_NAME);
    for (int c = 0; c < table->n_column; c++) {
        const struct ml_precision_column *column = &table->columns[c];
        const struct ml_result_item item = {column->name, column->unit, column->description};
        struct ml_h5_field field = ml_result_field(&f->layout, dims, ML_DATA_PRECISION_NAME, &item);
        field.label = column->label;
        ml_h5_dataset(h5, f->group, &field, H5T_NATIVE_DOUBLE, column->values);
    }
    precision_write_views(f);
}

static enum ml_status precision_finish(struct precision_file *f, const char *path,
                                       struct ml_error *err)
{
    char ended[ML_TIME_LENGTH], host[ML_HOST_LENGTH];
    ml_provenance_time(ended);
    ml_provenance_host(host);
    const struct ml_provenance provenance = {.version = ML_VERSION,
                                             .compiler = ml_provenance_compiler(),
                                             .isa = f->study->ensemble.kernels->isa,
                                             .host = host,
                                             .threads = 1,
                                             .start_time = f->began,
                                             .end_time = ended};
    return ml_result_finish(&f->result, &provenance, path, err);
}

static enum ml_status precision_make(void *context, const char *path, struct ml_error *err)
{
    struct precision_file *f = context;
    ml_result_create(&f->result, &f->layout, path, PLOTS "/error", err);
    precision_write_group(f);
    return precision_finish(f, path, err);
}

static const struct ml_result_mark precision_mark = {.group = "/study/" GROUP, .called = "compare"};

/* A file at `path` is replaced only if it is of the same kind. */
static enum ml_status precision_check_output(const char *path, struct ml_error *err)
{
    struct stat about;
    struct ml_h5 h5;
    if (ml_path_is_link(path))
        return ml_fail(err, ML_E_FILE, "%s: cannot replace a symbolic link", path);
    if (stat(path, &about) != 0)
        return errno == ENOENT ? ML_OK : ml_fail(err, ML_E_FILE, "%s: %s", path, strerror(errno));
    ml_h5_begin(&h5, path, NULL);
    hid_t file = S_ISREG(about.st_mode) && ml_h5_is_hdf5(path) ? ml_h5_open(&h5) : -1;
    h5.status = ML_OK; /* a file that cannot be opened is no result either */
    h5.err = err;
    ml_result_h5_check_mark(&h5, file, &precision_mark, ML_E_INPUT);
    ml_h5_close(&h5, file);
    return ml_h5_end(&h5);
}

static enum ml_status precision_check(const struct ml_precision *table, struct ml_error *err)
{
    const char *const needed[] = {"error", "cpu_time", "evaluations"};
    enum ml_status status = ml_sized_check_numbers(
        ML_SIZED_NUMBERS({"n_integrator", table->n_integrator, 1, INT_MAX},
                         {"n_level", table->n_level, 1,
                          INT_MAX / (table->n_integrator > 0 ? table->n_integrator : 1)},
                         {"n_column", table->n_column, 1, INT_MAX}),
        "ml_precision", err);
    for (size_t i = 0; status == ML_OK && i < sizeof needed / sizeof *needed; i++)
        if (!precision_values(table, needed[i]))
            status =
                ml_fail(err, ML_E_INPUT, "struct ml_precision: there is no column `%s`", needed[i]);
    return status;
}

enum ml_status ml_precision_write(const struct ml_study *study, const struct ml_precision *given,
                                  const char *path, struct ml_error *err)
{
    struct ml_precision table;
    struct precision_file f = {.study = study, .table = &table};
    enum ml_status status = ml_sized_read(&table, sizeof table, given, "ml_precision", err);
    if (status == ML_OK)
        status = precision_check(&table, err);
    if (status != ML_OK)
        return status;
    const struct ml_numeric_env before = ml_numeric_env_set();
    const size_t levels = (size_t)table.n_level, n = (size_t)table.n_integrator * levels;
    ml_provenance_time(f.began);
    ml_layout_init(&f.layout, study);
    f.axis = calloc(n, sizeof *f.axis);
    f.curve = calloc(n, sizeof *f.curve);
    f.points = calloc(levels, sizeof *f.points);
    status = precision_check_output(path, err);
    if (status == ML_OK)
        status = f.axis && f.curve && f.points ? ml_atomic_file_make(path, precision_make, &f, err)
                                               : ML_E_MEMORY;
    free(f.axis);
    free(f.curve);
    free(f.points);
    ml_numeric_env_restore(&before);
    return status;
}
