/* Writes a comparison of integrators as a result file: numbers over integrator and level, and views
 * of them, which viewers show as curves of the error over the work. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/fail.h"
#include "base/numeric_env.h"
#include "base/path.h"
#include "manylink/compare.h"
#include "manylink/version.h"
#include "store/provenance.h"
#include "store/result.h"
#include "store/result_h5.h"
#include "store/seal.h"

#define GROUP "precision"
#define PLOTS GROUP "/plots"

/* A dataset [integrator][level]. */
struct compare_column {
    const char *name, *unit, *doc;
    size_t offset;     /* of a double of ml_comparison_row */
    bool is_positive;  /* 0 stands for a missing value */
    const char *label; /* what axes say, without the unit; NULL: the name */
};

#define FIELD(name) offsetof(struct ml_comparison_row, name)
static const struct compare_column columns[] = {
    {"error", "1",
     "largest error of the runs' end states: the largest |x - reference| / (1 + |reference|) of "
     "their numbers",
     FIELD(error), false},
    {"error_median", "1", "median of the same over the runs", FIELD(median), false},
    {"cpu_time", "s", "CPU time per run on one thread", FIELD(seconds), false, "CPU time per run"},
    {"evaluations", "1", "evaluations of the equations of motion per run", FIELD(evaluations),
     false, "evaluations per run"},
    {"steps", "1", "accepted steps per run", FIELD(steps), false, "steps per run"},
    {"rejected_steps", "1", "rejected steps per run", FIELD(rejected), false,
     "rejected steps per run"},
    {"energy_error", "1",
     "largest error of the energy at the end, relative as in energy_drift of a result",
     FIELD(energy_error), false},
    {"sweep_residual", "1",
     "largest sum over the steps of what the last sweep of an implicit method changed; above 1e-6 "
     "the sweeps have not converged",
     FIELD(residual), true},
    {"step", "s", "given step", FIELD(step), true},
    {"tolerance", "1", "tolerance by which steps are chosen", FIELD(tolerance), true},
};
enum { N_COLUMN = sizeof columns / sizeof *columns };

/* What curves of a view are drawn over. */
struct compare_view {
    const char *name, *axis, *unit, *doc, *label;
    size_t work; /* offset of a double of ml_comparison_row */
};

static const struct compare_view views[] = {
    {"error", "cpu_time", "s", "CPU time per run on one thread", "CPU time per run (s)",
     FIELD(seconds)},
    {"error_over_evaluations", "evaluations", "1", "evaluations of the equations of motion per run",
     "evaluations per run", FIELD(evaluations)},
};

struct compare_file {
    const struct ml_comparison *comparison;
    const struct ml_study *study;
    struct ml_comparison_reference about;
    struct ml_layout layout;
    struct ml_result_file result;
    hid_t group;
    const char **names;                 /* [n] of the integrators */
    int n, n_row;                       /* integrators; rows of all of them */
    double *values;                     /* [n][levels] of a dataset */
    double *axis, *curve;               /* [n_row] of a view: positions along it, values there */
    double (*points)[2];                /* [levels] work and error of one integrator */
    char (*quantities)[ML_NAME_LENGTH]; /* [n_quantity] names of the datasets of their errors */
    int n_quantity;
    char began[ML_TIME_LENGTH];
};

static double compare_field(const struct ml_comparison_row *row, size_t offset)
{
    double value;
    memcpy(&value, (const char *)row + offset, sizeof value);
    return value;
}

/* Integrators in the order of their rows; of which one row i is, -1 past the last. */
static int compare_walk(const struct compare_file *f, int i, int before,
                        struct ml_comparison_row *row)
{
    *row = (struct ml_comparison_row){.size = sizeof *row};
    if (!ml_comparison_row(f->comparison, i, row))
        return -1;
    return row->level == 0 ? before + 1 : before;
}

static bool compare_file_init(struct compare_file *f)
{
    struct ml_comparison_row row;
    f->about = (struct ml_comparison_reference){.size = sizeof f->about};
    ml_comparison_reference(f->comparison, &f->about);
    for (int k = compare_walk(f, 0, -1, &row); k >= 0; k = compare_walk(f, f->n_row, k, &row)) {
        f->n = k + 1;
        f->n_row++;
    }
    const size_t n = (size_t)f->n + 1, rows = (size_t)f->n_row + 1,
                 levels = (size_t)f->about.levels;
    f->names = calloc(n, sizeof *f->names);
    f->values = calloc(n * levels, sizeof *f->values);
    f->axis = calloc(rows, sizeof *f->axis);
    f->curve = calloc(rows, sizeof *f->curve);
    f->points = calloc(levels, sizeof *f->points);
    struct ml_array_info quantity = {.size = sizeof quantity};
    while (ml_study_state(f->study, f->n_quantity, &quantity))
        f->n_quantity++;
    f->quantities = calloc((size_t)f->n_quantity + 1, sizeof *f->quantities);
    if (!f->names || !f->values || !f->axis || !f->curve || !f->points || !f->quantities)
        return false;
    for (int q = 0; ml_study_state(f->study, q, &quantity); q++)
        (void)snprintf(f->quantities[q], ML_NAME_LENGTH, "error_%s", quantity.name);
    for (int i = 0, k = compare_walk(f, 0, -1, &row); k >= 0; k = compare_walk(f, ++i, k, &row))
        f->names[k] = row.integrator;
    return true;
}

static void compare_file_free(struct compare_file *f)
{
    free(f->names);
    free(f->values);
    free(f->axis);
    free(f->curve);
    free(f->points);
    free(f->quantities);
}

/* Writes f->values as a dataset of the group.
 *   label  as of ml_h5_field */
static void compare_put(struct compare_file *f, const char *name, const char *unit, const char *doc,
                        const char *label)
{
    struct ml_h5 *h5 = &f->result.h5;
    const unsigned long long n = (unsigned long long)f->n,
                             levels = (unsigned long long)f->about.levels;
    const struct ml_h5_field field = {.name = name,
                                      .type = H5T_NATIVE_DOUBLE,
                                      .unit = unit,
                                      .doc = doc,
                                      .label = label,
                                      .extent = {.rank = 2, .size = {n, levels}},
                                      .chunk = {.rank = 2, .size = {n, levels}},
                                      .scales = {"integrator", "level"}};
    hid_t id = ml_h5_field(h5, f->group, &field);
    ml_h5_write_range(h5, id, &field.extent, H5T_NATIVE_DOUBLE, 0, n * levels, f->values);
    ml_h5_close_dataset(h5, id);
}

/* Levels that took too long, or have no such number, have none. */
static void compare_clear(struct compare_file *f)
{
    for (int i = 0; i < f->n * f->about.levels; i++)
        f->values[i] = (double)NAN;
}

static void compare_put_column(struct compare_file *f, const struct compare_column *column)
{
    struct ml_comparison_row row;
    compare_clear(f);
    for (int i = 0, k = compare_walk(f, 0, -1, &row); k >= 0; k = compare_walk(f, ++i, k, &row)) {
        const double value = compare_field(&row, column->offset);
        if (!column->is_positive || value > 0.0)
            f->values[k * f->about.levels + row.level] = value;
    }
    compare_put(f, column->name, column->unit, column->doc, column->label);
}

/* The error of each quantity of the state in its unit: "error_angle". */
static void compare_put_quantities(struct compare_file *f)
{
    struct ml_array_info quantity = {.size = sizeof quantity};
    struct ml_comparison_row row;
    for (int q = 0; ml_study_state(f->study, q, &quantity); q++) {
        compare_clear(f);
        for (int i = 0, k = compare_walk(f, 0, -1, &row); k >= 0; k = compare_walk(f, ++i, k, &row))
            f->values[k * f->about.levels + row.level] = row.largest[q];
        compare_put(f, f->quantities[q], quantity.unit, "largest error of the runs at their end",
                    NULL);
    }
}

/* Points of integrator k with a number for both, ascending in the work. Errors below what the
 * reference knows count as that. */
static int compare_points(struct compare_file *f, const struct compare_view *view, int k)
{
    struct ml_comparison_row row;
    int n = 0;
    for (int i = 0, of = compare_walk(f, 0, -1, &row); of >= 0;
         of = compare_walk(f, ++i, of, &row)) {
        const double work = compare_field(&row, view->work);
        const double error = fmax(row.error, f->about.difference);
        if (of != k || isnan(row.error) || !(error > 0.0) || !(work > 0.0))
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
static double compare_between(double (*const points)[2], int n, double x)
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

static int compare_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Positions along a view: the work of all points, each once. */
static int compare_axis(struct compare_file *f, const struct compare_view *view)
{
    int n = 0, kept = 0;
    for (int k = 0; k < f->n; k++) {
        const int n_point = compare_points(f, view, k);
        for (int i = 0; i < n_point; i++)
            f->axis[n++] = f->points[i][0];
    }
    qsort(f->axis, (size_t)n, sizeof *f->axis, compare_ascending);
    for (int i = 0; i < n; i++)
        if (i == 0 || f->axis[i] > f->axis[kept - 1])
            f->axis[kept++] = f->axis[i];
    return kept;
}

/* Curves of all integrators over one axis, as viewers want it: between its own points a curve has
 * the values of straight lines in the logarithms. */
static void compare_put_curves(struct compare_file *f, const struct compare_view *view, hid_t group,
                               int n)
{
    const struct ml_h5_field axis = {.name = view->axis,
                                     .type = H5T_NATIVE_DOUBLE,
                                     .unit = view->unit,
                                     .doc = view->doc,
                                     .label = view->label,
                                     .is_scale = true};
    ml_result_vector(&f->result, group, axis, n, f->axis);
    for (int k = 0; k < f->n; k++) {
        const int n_point = compare_points(f, view, k);
        for (int i = 0; i < n; i++)
            f->curve[i] = compare_between(f->points, n_point, f->axis[i]);
        const struct ml_h5_field curve = {
            .name = f->names[k],
            .type = H5T_NATIVE_DOUBLE,
            .unit = "1",
            .label = k == 0 ? "error" : NULL, /* of the axis of all */
            .doc = "largest error of the end state; between the levels of the integrator on lines "
                   "of the logarithms",
            .scales = {view->axis}};
        ml_result_vector(&f->result, group, curve, n, f->curve);
    }
}

static void compare_put_view(struct compare_file *f, const struct compare_view *view, hid_t plots)
{
    struct ml_h5 *h5 = &f->result.h5;
    const int n = compare_axis(f, view);
    if (n == 0 || h5->status != ML_OK)
        return;
    hid_t group = ml_h5_group(h5, plots, view->name, "NXdata");
    ml_result_note_view(&f->result, view->name);
    ml_result_caption(&f->result, group, "error of the end state", "1");
    compare_put_curves(f, view, group, n);
    ml_h5_text_attribute(h5, group, "signal", f->names[0]);
    if (f->n > 1)
        ml_h5_texts_attribute(h5, group, "auxiliary_signals", f->n - 1, f->names + 1);
    ml_h5_texts_attribute(h5, group, "axes", 1, &view->axis);
    ml_h5_text_attribute(h5, group, "SILX_style",
                         "{\"signal_scale_type\": \"log\", \"axes_scale_type\": [\"log\"], "
                         "\"axes_scale_types\": [\"log\"]}");
    ml_h5_text_attribute(h5, group, "shows", "error");
}

static void compare_put_views(struct compare_file *f)
{
    struct ml_h5 *h5 = &f->result.h5;
    hid_t plots = ml_h5_group(h5, f->group, "plots", "NXcollection");
    for (size_t v = 0; v < sizeof views / sizeof *views; v++)
        compare_put_view(f, &views[v], plots);
    ml_result_index_views(&f->result, plots);
    ml_h5_text_attribute(h5, plots, "default", views[0].name);
    ml_h5_text_attribute(h5, f->group, "default", "plots/error");
}

/* What the errors are measured against. */
static void compare_put_reference(struct compare_file *f)
{
    struct ml_h5 *h5 = &f->result.h5;
    const struct ml_comparison_reference *about = &f->about;
    const int64_t runs[] = {about->runs, about->compared, about->undetermined, about->unfinished};
    const char *const pair[] = {about->integrator, about->check};
    const double tolerances[] = {about->tolerance, about->check_tolerance};
    ml_h5_texts_attribute(h5, f->group, "reference", 2, pair);
    ml_h5_numbers_attribute(h5, f->group, "reference_tolerance", H5T_NATIVE_DOUBLE, 2, tolerances);
    ml_h5_numbers_attribute(h5, f->group, "runs", H5T_NATIVE_INT64, 0, &runs[0]);
    ml_h5_numbers_attribute(h5, f->group, "compared", H5T_NATIVE_INT64, 0, &runs[1]);
    ml_h5_numbers_attribute(h5, f->group, "undetermined", H5T_NATIVE_INT64, 0, &runs[2]);
    ml_h5_numbers_attribute(h5, f->group, "unfinished", H5T_NATIVE_INT64, 0, &runs[3]);
    const struct ml_h5_field known = {.name = "reference_difference",
                                      .type = H5T_NATIVE_DOUBLE,
                                      .unit = "1",
                                      .doc = "no error is known closer than that"};
    hid_t id = ml_h5_field(h5, f->group, &known);
    ml_h5_write_range(h5, id, &known.extent, H5T_NATIVE_DOUBLE, 0, 1, &about->difference);
    ml_h5_close_dataset(h5, id);
}

/* All datasets but scales. */
static void compare_put_outputs(struct compare_file *f)
{
    const char **outputs = calloc(N_COLUMN + (size_t)f->n_quantity, sizeof *outputs);
    if (!outputs) {
        ml_h5_fail(&f->result.h5, ML_E_MEMORY, "out of memory");
        return;
    }
    for (int c = 0; c < N_COLUMN; c++)
        outputs[c] = columns[c].name;
    for (int q = 0; q < f->n_quantity; q++)
        outputs[N_COLUMN + q] = f->quantities[q];
    ml_h5_texts_attribute(&f->result.h5, f->group, "outputs", N_COLUMN + f->n_quantity, outputs);
    free(outputs);
}

static void compare_put_group(struct compare_file *f)
{
    struct ml_h5 *h5 = &f->result.h5;
    const struct ml_h5_field level = {.name = "level",
                                      .type = H5T_NATIVE_DOUBLE,
                                      .unit = "1",
                                      .doc = "of step or tolerance, from the least exact on",
                                      .is_scale = true};
    f->group = ml_h5_group(h5, f->result.entry, GROUP, "NXcollection");
    compare_put_outputs(f);
    compare_put_reference(f);
    ml_h5_text_scale(h5, f->group, "integrator", "integrators compared", f->n, f->names);
    for (int l = 0; l < f->about.levels; l++)
        f->values[l] = l;
    ml_result_vector(&f->result, f->group, level, f->about.levels, f->values);
    for (int c = 0; c < N_COLUMN; c++)
        compare_put_column(f, &columns[c]);
    compare_put_quantities(f);
    compare_put_views(f);
}

static void compare_put_provenance(struct compare_file *f)
{
    char ended[ML_TIME_LENGTH], host[ML_HOST_LENGTH];
    ml_provenance_time(ended);
    ml_provenance_host(host);
    const struct ml_provenance provenance = {.version = ML_VERSION,
                                             .compiler = ml_provenance_compiler(),
                                             .isa = f->about.isa,
                                             .host = host,
                                             .threads = 1,
                                             .start_time = f->began,
                                             .end_time = ended};
    ml_result_write_provenance(&f->result, &provenance);
}

static enum ml_status compare_make(void *context, const char *path, struct ml_error *err)
{
    struct compare_file *f = context;
    struct ml_result_file *result = &f->result;
    ml_result_file_begin(result, &f->layout, path, err);
    result->file = ml_h5_create(&result->h5);
    ml_offsets_seal(&result->h5, result->file, 0, &result->seal, &result->offsets);
    ml_result_begin_entry(result, PLOTS "/error");
    compare_put_group(f);
    compare_put_provenance(f);
    ml_h5_close(&result->h5, result->file);
    const enum ml_status status = ml_h5_end(&result->h5);
    ml_result_file_free(result);
    return status == ML_OK ? ml_seal_write(path, result->offsets.seal, 0, NULL, err) : status;
}

static const struct ml_result_mark compare_mark = {.group = "/study/" GROUP, .called = "compare"};

/* What is there already is replaced only if it is of the same kind. */
static enum ml_status compare_check_output(const char *path, struct ml_error *err)
{
    struct stat about;
    struct ml_h5 h5;
    if (ml_path_is_link(path))
        return ml_fail(err, ML_E_FILE, "%s: is a symbolic link, and would be replaced", path);
    if (stat(path, &about) != 0)
        return errno == ENOENT ? ML_OK : ml_fail(err, ML_E_FILE, "%s: %s", path, strerror(errno));
    ml_h5_begin(&h5, path, NULL);
    hid_t file = S_ISREG(about.st_mode) && ml_h5_is_hdf5(path) ? ml_h5_open(&h5) : -1;
    h5.status = ML_OK; /* what cannot be opened is no result either */
    h5.err = err;
    ml_result_h5_check_mark(&h5, file, &compare_mark, ML_E_INPUT);
    ml_h5_close(&h5, file);
    return ml_h5_end(&h5);
}

enum ml_status ml_comparison_write(const struct ml_comparison *comparison,
                                   const struct ml_study *study, const char *path,
                                   struct ml_error *err)
{
    struct compare_file f = {.comparison = comparison, .study = study};
    struct ml_numeric_env before;
    if (!ml_numeric_env_set(&before))
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    ml_provenance_time(f.began);
    ml_layout_init(&f.layout, study);
    enum ml_status status = compare_check_output(path, err);
    if (status == ML_OK)
        status = compare_file_init(&f) ? ml_atomic_file_make(path, compare_make, &f, err)
                                       : ml_fail(err, ML_E_MEMORY, "out of memory");
    compare_file_free(&f);
    ml_numeric_env_restore(&before);
    return status;
}
