/* Writes the datasets of a fit, with scales and views. */
#include "fit/fit_result.h"

#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "fit/coordinate.h"
#include "fit/fit_writing.h"
#include "fit/page.h"
#include "store/seal.h"

const struct ml_result_mark ml_fit_result_mark = {.group = "/study/" ML_FIT_GROUP,
                                                  .called = "a fit"};

static void begin_scales(struct ml_fit_writing *w)
{
    const struct ml_fit_found *f = w->found;
    struct ml_h5 *h5 = &w->result.h5;
    const size_t n = (size_t)f->n, n_column = (size_t)w->spec->n_column;
    const char **names = ml_pool_take(&w->pool, n, sizeof *names),
               **units = ml_pool_take(&w->pool, n, sizeof *units),
               **columns = ml_pool_take(&w->pool, n_column, sizeof *columns),
               **curves = ml_pool_take(&w->pool, 2 * n_column, sizeof *curves);
    if (!ml_h5_need(h5, names && units && columns && curves))
        return;
    for (size_t i = 0; i < n; i++) {
        names[i] = w->spec->ranges[i].name;
        units[i] = w->spec->ranges[i].unit;
    }
    for (size_t c = 0; c < n_column; c++) {
        columns[c] = w->spec->columns[c].name;
        curves[2 * c] = ml_pool_format(&w->pool, "%s.measured", columns[c]);
        curves[2 * c + 1] = ml_pool_format(&w->pool, "%s.model", columns[c]);
    }
    const struct ml_result_row parameters[] = {
        ML_ROW("parameter", H5T_C_S1, NULL, "fitted numbers", names, ML_FIT_PARAMETER),
        ML_ROW("with_parameter", H5T_C_S1, NULL, "the same", names, ML_FIT_WITH_PARAMETER),
    };
    const struct ml_measured_numbers *m = f->starts->measured;
    const struct ml_result_row numbers[] = {
        ML_ROW("column", H5T_C_S1, NULL, "measured numbers", columns, ML_FIT_COLUMN),
        ML_ROW("curve", H5T_C_S1, NULL, "measured numbers and those of the model", curves,
               ML_FIT_CURVE),
        ML_ROW("time", H5T_NATIVE_DOUBLE, "s", "time", m->time, ML_FIT_TIME),
    };
    ML_RESULT_WRITE_ROWS(&w->result, w->group, w->dims, parameters);
    ml_h5_texts_attribute(h5, w->group, "parameter_units", f->n, units);
    ML_RESULT_WRITE_ROWS(&w->result, w->group, w->dims, numbers);
}

static void write_estimates(struct ml_fit_writing *w)
{
    enum { P = ML_FIT_PARAMETER, WITH = ML_FIT_WITH_PARAMETER, COMBINATION = ML_FIT_COMBINATION };
    const struct ml_fit_found *f = w->found;
    const hid_t real = H5T_NATIVE_DOUBLE;
    const struct ml_result_row rows[] = {
        ML_ROW("estimate", real, NULL, "numbers with the least sum of squares", f->estimate, P),
        ML_ROW("standard_error", real, NULL, "of the estimates; NaN of a number at its bound",
               f->standard_error, P),
        ML_ROW("low", real, NULL, "lower end of the 95 % interval", f->low, P),
        ML_ROW("high", real, NULL, "upper end of the 95 % interval", f->high, P),
        ML_ROW("covariance", real, NULL, "of the estimates", f->covariance, P, WITH),
        ML_ROW("correlation", real, NULL, "of the estimates", f->correlation, P, WITH),
        ML_ROW("combination", H5T_NATIVE_INT64, "1",
               "combinations of numbers, the best determined first", NULL, COMBINATION),
        ML_ROW("singular_value", real, NULL,
               "of the derivatives of the residuals, in their standard deviations, by the numbers "
               "in parts of their ranges: 1 / uncertainty of the combination",
               f->singular, COMBINATION),
        ML_ROW("combination_vector", real, NULL, "the combinations, in parts of the ranges",
               f->directions, COMBINATION, P),
    };
    ML_RESULT_WRITE_ROWS(&w->result, w->group, w->dims, rows);
}

/* Where every start began and ended. */
static void write_starts(struct ml_fit_writing *w)
{
    enum { START = ML_FIT_START, P = ML_FIT_PARAMETER };
    const hid_t real = H5T_NATIVE_DOUBLE, whole = H5T_NATIVE_INT64;
    static const char *const ends[] = {"underway", "converged", "stalled", "cut_off", "failed"};
    const struct ml_fit_found *f = w->found;
    const struct ml_starts *s = f->starts;
    const size_t n_start = (size_t)s->n_start, n = (size_t)f->n;
    double *from = ml_pool_take(&w->pool, n_start * n, sizeof *from),
           *to = ml_pool_take(&w->pool, n_start * n, sizeof *to),
           *cost = ml_pool_take(&w->pool, n_start, sizeof *cost);
    int64_t *iterations = ml_pool_take(&w->pool, n_start, sizeof *iterations);
    int8_t *end = ml_pool_take(&w->pool, n_start, sizeof *end);
    if (!ml_h5_need(&w->result.h5, !w->pool.is_short))
        return;
    for (size_t i = 0; i < n_start; i++) {
        const struct ml_descent *d = &s->descents[i];
        for (size_t k = 0; k < n; k++) {
            from[i * n + k] = ml_fit_number(&w->spec->ranges[k], s->first[i * n + k]);
            to[i * n + k] = d->end == ML_DESCENT_FAILED
                                ? (double)NAN
                                : ml_fit_number(&w->spec->ranges[k], d->z[k]);
        }
        cost[i] = 2.0 * d->at.cost;
        iterations[i] = d->iterations;
        end[i] = (int8_t)d->end;
    }
    const struct ml_result_row rows[] = {
        ML_ROW("start", whole, "1", "starts: the runs of the study", NULL, START),
        ML_ROW("start_from", real, NULL, "numbers that a start began with", from, START, P),
        ML_ROW("start_to", real, NULL, "numbers that a start ended with", to, START, P),
        ML_ROW("start_squares", real, NULL,
               "sum of squared residuals, in their deviations if given", cost, START),
        ML_ROW("start_iterations", whole, NULL, "runs of a start", iterations, START),
        ML_ROW("start_minimum", whole, NULL,
               "minimum that a start met, 0 the best; -1: its run did not finish", f->minimum_of,
               START),
        ML_ROW("start_end", H5T_NATIVE_INT8, NULL,
               "how a start ended, an index of the attribute `ends` of this group", end, START),
    };
    ML_RESULT_WRITE_ROWS(&w->result, w->group, w->dims, rows);
    ml_h5_texts_attribute(&w->result.h5, w->group, "ends", ML_DESCENT_FAILED + 1, ends);
}

/* Measured numbers beside those of the model, and their differences. */
static void write_curves(struct ml_fit_writing *w)
{
    const struct ml_fit_found *f = w->found;
    const struct ml_measured_numbers *m = f->starts->measured;
    const size_t n_time = (size_t)m->n_time, n_column = (size_t)m->n_column;
    double *curves = ml_pool_take(&w->pool, 2 * n_column * n_time, sizeof *curves);
    const char **labels = ml_pool_take(&w->pool, 3 * n_column, sizeof *labels);
    if (!ml_h5_need(&w->result.h5, curves && labels))
        return;
    for (size_t c = 0; c < n_column; c++) {
        memcpy(curves + 2 * c * n_time, m->values[c], n_time * sizeof *curves);
        memcpy(curves + (2 * c + 1) * n_time, f->detail.model + c * n_time,
               n_time * sizeof *curves);
        labels[c] = w->spec->columns[c].name;
        labels[n_column + 2 * c] = ml_pool_format(&w->pool, "%s.measured", labels[c]);
        labels[n_column + 2 * c + 1] = ml_pool_format(&w->pool, "%s.model", labels[c]);
    }
    const char *unit = w->spec->columns[0].unit;
    for (size_t c = 1; c < n_column; c++)
        unit = unit && strcmp(unit, w->spec->columns[c].unit) == 0 ? unit : NULL;
    unit = unit ? unit : "1";
    const struct ml_result_row rows[] = {
        ML_ROW("comparison", H5T_NATIVE_DOUBLE, unit, "measured numbers and those of the model",
               curves, ML_FIT_CURVE, ML_FIT_TIME),
        ML_ROW("residual", H5T_NATIVE_DOUBLE, unit, "measured less model", f->residual,
               ML_FIT_COLUMN, ML_FIT_TIME),
    };
    ML_RESULT_WRITE_ROWS(&w->result, w->group, w->dims, rows);
    hid_t plots = ml_h5_group(&w->result.h5, w->group, "plots", "NXcollection");
    ml_fit_write_view(w, plots, &rows[0], labels + n_column);
    ml_fit_write_view(w, plots, &rows[1], labels);
    if (w->profile)
        ml_fit_write_profile(w, plots);
    ml_result_index_views(&w->result, plots);
    ml_h5_text_attribute(&w->result.h5, plots, "default", "comparison");
    ml_h5_text_attribute(&w->result.h5, w->group, "default", "plots/comparison");
}

static void write_texts(struct ml_fit_writing *w)
{
    const struct ml_fit_found *f = w->found;
    struct ml_h5 *h5 = &w->result.h5;
    char *worst = f->n_free > 0 ? ml_fit_combination(f, f->n_free - 1) : NULL;
    ml_h5_text(h5, w->group, "page", w->page);
    ml_h5_text_attribute(h5, w->group, "least_determined", worst);
    ml_h5_numbers_attribute(h5, w->group, "numbers", H5T_NATIVE_INT64, 0, &f->n_number);
    ml_h5_numbers_attribute(h5, w->group, "missing", H5T_NATIVE_INT64, 0,
                            &f->starts->measured->n_missing);
    ml_h5_numbers_attribute(h5, w->group, "degrees_of_freedom", H5T_NATIVE_INT64, 0, &f->dof);
    ml_h5_numbers_attribute(h5, w->group, "squares", H5T_NATIVE_DOUBLE, 0, &f->chi2);
    ml_h5_numbers_attribute(h5, w->group, "variance", H5T_NATIVE_DOUBLE, 0, &f->variance);
    ml_h5_numbers_attribute(h5, w->group, "log_likelihood", H5T_NATIVE_DOUBLE, 0, &f->likelihood);
    ml_h5_numbers_attribute(h5, w->group, "aic", H5T_NATIVE_DOUBLE, 0, &f->aic);
    ml_h5_numbers_attribute(h5, w->group, "bic", H5T_NATIVE_DOUBLE, 0, &f->bic);
    ml_h5_numbers_attribute(h5, w->group, "best_start", H5T_NATIVE_INT64, 0, &f->best);
    free(worst);
}

static void write_tests(struct ml_fit_writing *w)
{
    const struct ml_fit_found *f = w->found;
    const int64_t n = w->spec->n_column;
    double *numbers = ml_pool_take(&w->pool, 2 * (size_t)n, sizeof *numbers);
    if (!ml_h5_need(&w->result.h5, numbers))
        return;
    for (int64_t c = 0; c < n; c++) {
        numbers[c] = f->residuals[c].durbin;
        numbers[n + c] = f->residuals[c].rms;
    }
    const struct ml_result_row rows[] = {
        ML_ROW("durbin_watson", H5T_NATIVE_DOUBLE, NULL,
               "sum of squared differences of residuals that follow each other / sum of squares: 2 "
               "if they are independent",
               numbers, ML_FIT_COLUMN),
        ML_ROW("residual_rms", H5T_NATIVE_DOUBLE, NULL, "root of the mean squared residual",
               numbers + n, ML_FIT_COLUMN),
    };
    ML_RESULT_WRITE_ROWS(&w->result, w->group, w->dims, rows);
}

static enum ml_status make(void *context, const char *path, struct ml_error *err)
{
    struct ml_fit_writing *w = context;
    struct ml_result_file *result = &w->result;
    ml_result_file_begin(result, &w->layout, path, err);
    result->file = ml_h5_create(&result->h5);
    ml_offsets_seal(&result->h5, result->file, 0, &result->seal, &result->offsets);
    ml_result_begin_entry(result, ML_FIT_GROUP "/plots/comparison");
    w->group = ml_h5_group(&result->h5, result->entry, ML_FIT_GROUP, "NXcollection");
    write_texts(w);
    begin_scales(w);
    write_estimates(w);
    write_tests(w);
    write_curves(w);
    write_starts(w);
    ml_result_write_provenance(result, w->provenance);
    ml_h5_close(&result->h5, result->file);
    const enum ml_status status = ml_h5_end(&result->h5);
    const uint64_t seal = result->offsets.seal;
    ml_result_file_free(result);
    return status == ML_OK ? ml_seal_write(path, seal, 0, NULL, err) : status;
}

enum ml_status ml_fit_result_write(const struct ml_fit_found *found,
                                   const struct ml_fit_profile *profile, const char *page,
                                   const struct ml_provenance *provenance, const char *path,
                                   struct ml_error *err)
{
    struct ml_fit_writing w = {.found = found,
                               .profile = profile,
                               .spec = &found->starts->study->spec.fit,
                               .page = page,
                               .provenance = provenance};
    const struct ml_result_dim dims[ML_N_FIT_DIM] = {
        {""},
        [ML_FIT_PARAMETER] = {"parameter", found->n},
        [ML_FIT_WITH_PARAMETER] = {"with_parameter", found->n},
        [ML_FIT_COLUMN] = {"column", w.spec->n_column},
        [ML_FIT_CURVE] = {"curve", 2 * w.spec->n_column},
        [ML_FIT_TIME] = {"time", found->starts->measured->n_time},
        [ML_FIT_COMBINATION] = {"combination", found->n_free},
        [ML_FIT_START] = {"start", found->starts->n_start},
        [ML_FIT_OFFSET] = {"offset", ML_PROFILE_POINTS},
        [ML_FIT_PROFILE_CURVE] = {"profile_curve", profile ? profile->n + 2 : 0},
    };
    memcpy(w.dims, dims, sizeof dims);
    ml_layout_init(&w.layout, found->starts->study);
    const enum ml_status status = ml_atomic_file_make(path, make, &w, err);
    ml_pool_free(&w.pool);
    return status;
}
