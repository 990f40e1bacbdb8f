/* Writes the datasets of a fit, with scales and views. */
#include "fit/fit_result.h"

#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "fit/coordinate.h"
#include "fit/fit_writing.h"
#include "fit/page.h"

const struct ml_result_mark ml_fit_result_mark = {.group = "/study/" ML_FIT_GROUP,
                                                  .called = "a fit"};

static void begin_scales(struct ml_fit_writing *w)
{
    const struct ml_fit_found *f = w->found;
    struct ml_h5 *h5 = &w->result.h5;
    const size_t n = (size_t)f->n, n_column = (size_t)w->spec->n_column;
    const char **names = ml_pool_take(&w->pool, n, sizeof *names),
               **units = ml_pool_take(&w->pool, n, sizeof *units),
               **keys = ml_pool_take(&w->pool, n, sizeof *keys),
               **scales = ml_pool_take(&w->pool, n, sizeof *scales),
               **columns = ml_pool_take(&w->pool, n_column, sizeof *columns),
               **curves = ml_pool_take(&w->pool, 2 * n_column, sizeof *curves);
    if (!ml_h5_need(h5, names && units && keys && scales && columns && curves))
        return;
    for (size_t i = 0; i < n; i++) {
        names[i] = w->spec->ranges[i].name;
        units[i] = w->spec->ranges[i].unit;
        keys[i] = w->spec->ranges[i].keys;
        scales[i] = w->spec->ranges[i].is_log ? "log" : "linear";
    }
    for (size_t c = 0; c < n_column; c++) {
        columns[c] = w->spec->columns[c].name;
        curves[2 * c] = ml_pool_format(&w->pool, "%s.measured", columns[c]);
        curves[2 * c + 1] = ml_pool_format(&w->pool, "%s.model", columns[c]);
    }
    ml_result_write_dataset(&w->group, ML_DATA_FIT_PARAMETER, NULL, names);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_WITH_PARAMETER, NULL, names);
    ml_h5_texts_attribute(h5, w->group.id, "parameter_units", f->n, units);
    ml_h5_texts_attribute(h5, w->group.id, "parameter_keys", f->n, keys);
    ml_h5_texts_attribute(h5, w->group.id, "parameter_scales", f->n, scales);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_COLUMN, NULL, columns);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_CURVE, NULL, curves);
    ml_result_write_dataset(&w->group, ML_DATA_TIME, NULL, f->starts->measured->time);
}

/* Means and deviations of the priors, NaN of numbers without. */
static void write_priors(struct ml_fit_writing *w)
{
    const size_t n = (size_t)w->found->n;
    double *mean = ml_pool_take(&w->pool, n, sizeof *mean),
           *sd = ml_pool_take(&w->pool, n, sizeof *sd);
    if (!ml_h5_need(&w->result.h5, mean && sd))
        return;
    for (size_t i = 0; i < n; i++) {
        const struct ml_fit_range *range = &w->spec->ranges[i];
        mean[i] = ml_fit_has_prior(range) ? range->prior.mean : (double)NAN;
        sd[i] = ml_fit_has_prior(range) ? ml_distribution_deviation(&range->prior) : (double)NAN;
    }
    ml_result_write_dataset(&w->group, ML_DATA_FIT_PRIOR_MEAN, NULL, mean);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_PRIOR_SD, NULL, sd);
}

static void write_estimates(struct ml_fit_writing *w)
{
    const struct ml_fit_found *f = w->found;
    ml_result_write_dataset(&w->group, ML_DATA_FIT_ESTIMATE, NULL, f->estimate);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_STANDARD_ERROR, NULL, f->standard_error);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_LOW, NULL, f->low);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_HIGH, NULL, f->high);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_COVARIANCE, NULL, f->covariance);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_CORRELATION, NULL, f->correlation);
    if (f->n_prior > 0)
        write_priors(w);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_COMBINATION, NULL, NULL);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_SINGULAR_VALUE, NULL, f->singular);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_COMBINATION_VECTOR, NULL, f->directions);
}

/* Where every start began and ended. */
static void write_starts(struct ml_fit_writing *w)
{
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
    ml_result_write_dataset(&w->group, ML_DATA_FIT_START, NULL, NULL);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_START_FROM, NULL, from);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_START_TO, NULL, to);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_START_SQUARES, NULL, cost);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_START_ITERATIONS, NULL, iterations);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_START_MINIMUM, NULL, f->minimum_of);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_START_END, NULL, end);
    ml_h5_texts_attribute(&w->result.h5, w->group.id, "ends", ML_DESCENT_FAILED + 1, ends);
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
    const struct ml_result_item comparison = {.name = ml_dataset_name(ML_DATA_FIT_COMPARISON),
                                              .unit = unit},
                                residual = {.name = ml_dataset_name(ML_DATA_FIT_RESIDUAL),
                                            .unit = unit};
    ml_result_write_dataset(&w->group, ML_DATA_FIT_COMPARISON, &comparison, curves);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_RESIDUAL, &residual, f->residual);
    hid_t plots = ml_h5_group(&w->result.h5, w->group.id, "plots", "NXcollection");
    ml_fit_write_view(w, plots, ML_DATA_FIT_COMPARISON, &comparison, labels + n_column);
    ml_fit_write_view(w, plots, ML_DATA_FIT_RESIDUAL, &residual, labels);
    if (w->profile)
        ml_fit_write_profile(w, plots);
    ml_result_index_views(&w->result, plots);
    ml_h5_text_attribute(&w->result.h5, plots, "default", "comparison");
    ml_h5_text_attribute(&w->result.h5, w->group.id, "default", "plots/comparison");
}

static void write_texts(struct ml_fit_writing *w)
{
    const struct ml_fit_found *f = w->found;
    struct ml_h5 *h5 = &w->result.h5;
    char *worst = f->n_free > 0 ? ml_fit_combination(f, f->n_free - 1) : NULL;
    ml_h5_text(h5, w->group.id, "page", w->page);
    ml_h5_text_attribute(h5, w->group.id, "least_determined", worst);
    ml_h5_numbers_attribute(h5, w->group.id, "numbers", H5T_NATIVE_INT64, 0, &f->n_number);
    ml_h5_numbers_attribute(h5, w->group.id, "missing", H5T_NATIVE_INT64, 0,
                            &f->starts->measured->n_missing);
    ml_h5_numbers_attribute(h5, w->group.id, "degrees_of_freedom", H5T_NATIVE_INT64, 0, &f->dof);
    ml_h5_numbers_attribute(h5, w->group.id, "squares", H5T_NATIVE_DOUBLE, 0, &f->chi2);
    ml_h5_numbers_attribute(h5, w->group.id, "variance", H5T_NATIVE_DOUBLE, 0, &f->variance);
    ml_h5_numbers_attribute(h5, w->group.id, "log_likelihood", H5T_NATIVE_DOUBLE, 0,
                            &f->likelihood);
    ml_h5_numbers_attribute(h5, w->group.id, "aic", H5T_NATIVE_DOUBLE, 0, &f->aic);
    ml_h5_numbers_attribute(h5, w->group.id, "bic", H5T_NATIVE_DOUBLE, 0, &f->bic);
    ml_h5_numbers_attribute(h5, w->group.id, "best_start", H5T_NATIVE_INT64, 0, &f->best);
    if (f->met.n_segment > 0) {
        ml_h5_numbers_attribute(h5, w->group.id, "segments", H5T_NATIVE_INT, 0, &f->met.n_segment);
        ml_h5_numbers_attribute(h5, w->group.id, "largest_gap", H5T_NATIVE_DOUBLE, 0, &f->met.gap);
        ml_h5_numbers_attribute(h5, w->group.id, "followed_until", H5T_NATIVE_DOUBLE, 0,
                                &f->met.until);
    }
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
    ml_result_write_dataset(&w->group, ML_DATA_FIT_DURBIN_WATSON, NULL, numbers);
    ml_result_write_dataset(&w->group, ML_DATA_FIT_RESIDUAL_RMS, NULL, numbers + n);
}

static enum ml_status make(void *context, const char *path, struct ml_error *err)
{
    struct ml_fit_writing *w = context;
    struct ml_result_file *result = &w->result;
    ml_result_create(result, &w->layout, path, ML_FIT_GROUP "/plots/comparison", err);
    w->group.result = result;
    w->group.id = ml_result_begin_group(result, result->entry, ML_DATA_FIT_ESTIMATE);
    write_texts(w);
    begin_scales(w);
    write_estimates(w);
    write_tests(w);
    write_curves(w);
    write_starts(w);
    if (w->posterior)
        ml_fit_write_posterior(w);
    return ml_result_finish(result, w->provenance, path, err);
}

enum ml_status ml_fit_result_write(const struct ml_fit_found *found,
                                   const struct ml_fit_profile *profile,
                                   const struct ml_fit_posterior *posterior, const char *page,
                                   const struct ml_provenance *provenance, const char *path,
                                   struct ml_error *err)
{
    struct ml_fit_writing w = {.found = found,
                               .profile = profile,
                               .posterior = posterior,
                               .spec = &found->starts->study->spec.fit,
                               .page = page,
                               .provenance = provenance};
    const struct ml_result_dim dims[] = {
        {ML_DATA_FIT_PARAMETER, found->n},
        {ML_DATA_FIT_WITH_PARAMETER, found->n},
        {ML_DATA_FIT_COLUMN, w.spec->n_column},
        {ML_DATA_FIT_CURVE, 2 * w.spec->n_column},
        {ML_DATA_TIME, found->starts->measured->n_time},
        {ML_DATA_FIT_COMBINATION, found->n_free},
        {ML_DATA_FIT_START, found->starts->n_start},
        {ML_DATA_FIT_OFFSET, ML_PROFILE_POINTS},
        {ML_DATA_FIT_PROFILE_CURVE, profile ? profile->n + 2 : 0},
        {ML_DATA_FIT_WALKER, posterior ? posterior->spec->walkers : 0},
        {ML_DATA_FIT_STEP, posterior ? posterior->spec->steps : 0},
        {ML_DATA_NONE},
    };
    w.group.dims = dims;
    ml_layout_init(&w.layout, found->starts->study);
    const enum ml_status status = ml_atomic_file_make(path, make, &w, err);
    ml_pool_free(&w.pool);
    return status;
}
