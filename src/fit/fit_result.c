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
    if (!names || !units || !columns || !curves) {
        ml_h5_fail(h5, ML_E_MEMORY, "out of memory");
        return;
    }
    for (size_t i = 0; i < n; i++) {
        names[i] = w->spec->ranges[i].name;
        units[i] = w->spec->ranges[i].unit;
    }
    for (size_t c = 0; c < n_column; c++) {
        columns[c] = w->spec->columns[c].name;
        curves[2 * c] = ml_pool_format(&w->pool, "%s.measured", columns[c]);
        curves[2 * c + 1] = ml_pool_format(&w->pool, "%s.model", columns[c]);
    }
    ml_h5_text_scale(h5, w->group, "parameter", "fitted numbers", f->n, names);
    ml_h5_text_scale(h5, w->group, "with_parameter", "the same", f->n, names);
    ml_h5_texts_attribute(h5, w->group, "parameter_units", f->n, units);
    ml_h5_text_scale(h5, w->group, "column", "measured numbers", w->spec->n_column, columns);
    ml_h5_text_scale(h5, w->group, "curve", "measured numbers and those of the model",
                     2 * w->spec->n_column, curves);
    ml_result_times(&w->result, w->group, f->starts->measured->n_time, f->starts->measured->time);
}

static void put_estimates(struct ml_fit_writing *w)
{
    const struct ml_fit_found *f = w->found;
    ml_fit_put_parameters(w, "estimate", "numbers with the least sum of squares", 1, f->estimate);
    ml_fit_put_parameters(w, "standard_error", "of the estimates; NaN of a number at its bound", 1,
                          f->standard_error);
    ml_fit_put_parameters(w, "low", "lower end of the 95 % interval", 1, f->low);
    ml_fit_put_parameters(w, "high", "upper end of the 95 % interval", 1, f->high);
    ml_fit_put_parameters(w, "covariance", "of the estimates", 2, f->covariance);
    ml_fit_put_parameters(w, "correlation", "of the estimates", 2, f->correlation);
    ml_fit_put_index(w, "combination", "combinations of numbers, the best determined first",
                     f->n_free);
    const int64_t size[] = {f->n_free, f->n};
    const struct ml_h5_field singular = {
        .name = "singular_value",
        .type = H5T_NATIVE_DOUBLE,
        .doc = "of the derivatives of the residuals, in their standard deviations, by the numbers "
               "in parts of their ranges: 1 / uncertainty of the combination",
        .scales = {"combination"}};
    const struct ml_h5_field vectors = {.name = "combination_vector",
                                        .type = H5T_NATIVE_DOUBLE,
                                        .doc = "the combinations, in parts of the ranges",
                                        .scales = {"combination", "parameter"}};
    (void)ml_fit_put(w, singular, 1, size, f->singular);
    (void)ml_fit_put(w, vectors, 2, size, f->directions);
}

/* Where every start began and ended. */
static void put_starts(struct ml_fit_writing *w)
{
    static const char *const ends[] = {"underway", "converged", "stalled", "cut_off", "failed"};
    const struct ml_fit_found *f = w->found;
    const struct ml_starts *s = f->starts;
    const size_t n_start = (size_t)s->n_start, n = (size_t)f->n;
    const int64_t size[] = {s->n_start, f->n};
    double *from = ml_pool_take(&w->pool, n_start * n, sizeof *from),
           *to = ml_pool_take(&w->pool, n_start * n, sizeof *to),
           *cost = ml_pool_take(&w->pool, n_start, sizeof *cost);
    int64_t *iterations = ml_pool_take(&w->pool, n_start, sizeof *iterations);
    int8_t *end = ml_pool_take(&w->pool, n_start, sizeof *end);
    if (w->pool.is_short) {
        ml_h5_fail(&w->result.h5, ML_E_MEMORY, "out of memory");
        return;
    }
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
    ml_fit_put_index(w, "start", "starts: the runs of the study", s->n_start);
    struct ml_h5_field field = {.name = "start_from",
                                .type = H5T_NATIVE_DOUBLE,
                                .doc = "numbers that a start began with",
                                .scales = {"start", "parameter"}};
    (void)ml_fit_put(w, field, 2, size, from);
    field.name = "start_to";
    field.doc = "numbers that a start ended with";
    (void)ml_fit_put(w, field, 2, size, to);
    field = (struct ml_h5_field){.name = "start_squares",
                                 .type = H5T_NATIVE_DOUBLE,
                                 .doc = "sum of squared residuals, in their deviations if given",
                                 .scales = {"start"}};
    (void)ml_fit_put(w, field, 1, size, cost);
    field.type = H5T_NATIVE_INT64;
    field.name = "start_iterations";
    field.doc = "runs of a start";
    (void)ml_fit_put(w, field, 1, size, iterations);
    field.name = "start_minimum";
    field.doc = "minimum that a start met, 0 the best; -1: its run did not finish";
    (void)ml_fit_put(w, field, 1, size, f->minimum_of);
    field.type = H5T_NATIVE_INT8;
    field.name = "start_end";
    field.doc = "how a start ended, an index of the attribute `ends` of this group";
    (void)ml_fit_put(w, field, 1, size, end);
    ml_h5_texts_attribute(&w->result.h5, w->group, "ends", ML_DESCENT_FAILED + 1, ends);
}

/* Measured numbers beside those of the model, and their differences. */
static void put_curves(struct ml_fit_writing *w)
{
    const struct ml_fit_found *f = w->found;
    const struct ml_measured_numbers *m = f->starts->measured;
    const size_t n_time = (size_t)m->n_time, n_column = (size_t)m->n_column;
    double *curves = ml_pool_take(&w->pool, 2 * n_column * n_time, sizeof *curves);
    const char **labels = ml_pool_take(&w->pool, 3 * n_column, sizeof *labels);
    if (!curves || !labels) {
        ml_h5_fail(&w->result.h5, ML_E_MEMORY, "out of memory");
        return;
    }
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
    const int64_t size[] = {2 * m->n_column, m->n_time}, half[] = {m->n_column, m->n_time};
    struct ml_h5_field field = {.name = "comparison",
                                .type = H5T_NATIVE_DOUBLE,
                                .unit = unit ? unit : "1",
                                .doc = "measured numbers and those of the model",
                                .scales = {"curve", "time"}};
    const struct ml_h5_field comparison = ml_fit_put(w, field, 2, size, curves);
    field.name = "residual";
    field.doc = "measured less model";
    field.scales[0] = "column";
    const struct ml_h5_field residual = ml_fit_put(w, field, 2, half, f->residual);
    hid_t plots = ml_h5_group(&w->result.h5, w->group, "plots", "NXcollection");
    ml_fit_put_view(w, plots, &comparison, labels + n_column);
    ml_fit_put_view(w, plots, &residual, labels);
    if (w->profile)
        ml_fit_put_profile(w, plots);
    ml_result_index_views(&w->result, plots);
    ml_h5_text_attribute(&w->result.h5, plots, "default", "comparison");
    ml_h5_text_attribute(&w->result.h5, w->group, "default", "plots/comparison");
}

static void put_texts(struct ml_fit_writing *w)
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
    ml_h5_numbers_attribute(h5, w->group, "best_start", H5T_NATIVE_INT64, 0, &f->best);
    free(worst);
}

static void put_tests(struct ml_fit_writing *w)
{
    const struct ml_fit_found *f = w->found;
    const int64_t n = w->spec->n_column;
    double *numbers = ml_pool_take(&w->pool, 2 * (size_t)n, sizeof *numbers);
    if (!numbers) {
        ml_h5_fail(&w->result.h5, ML_E_MEMORY, "out of memory");
        return;
    }
    for (int64_t c = 0; c < n; c++) {
        numbers[c] = f->residuals[c].durbin;
        numbers[n + c] = f->residuals[c].rms;
    }
    struct ml_h5_field field = {.name = "durbin_watson",
                                .type = H5T_NATIVE_DOUBLE,
                                .doc = "sum of squared differences of residuals that follow each "
                                       "other / sum of squares: 2 if they are independent",
                                .scales = {"column"}};
    (void)ml_fit_put(w, field, 1, &n, numbers);
    field.name = "residual_rms";
    field.doc = "root of the mean squared residual";
    (void)ml_fit_put(w, field, 1, &n, numbers + n);
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
    put_texts(w);
    begin_scales(w);
    put_estimates(w);
    put_tests(w);
    put_curves(w);
    put_starts(w);
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
    ml_layout_init(&w.layout, found->starts->study);
    const enum ml_status status = ml_atomic_file_make(path, make, &w, err);
    ml_pool_free(&w.pool);
    return status;
}
