/* Motions from wherever they are given, smoothed and with all their derivatives. */
#include "inverse/open_motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns/butterworth.h"
#include "columns/table.h"
#include "config/formulas/hold.h"
#include "config/schema/slots.h"
#include "inverse/motion_h5.h"
#include "inverse/spline.h"
#include "manylink/fail.h"

/* Splines need samples. */
static enum ml_status check_samples(const struct ml_motions *m, struct ml_error *err)
{
    const bool is_smoothed = m->smoothing && m->smoothing->is_validated;
    if ((ml_motions_are_whole(m) && !is_smoothed) || m->n_whole >= ML_SPLINE_LEAST)
        return ML_OK;
    return ml_fail(err, ML_E_INPUT,
                   "%s: %lld samples are too few: the spline for missing rates or accelerations "
                   "needs %d at least",
                   m->source, (long long)m->n_whole, (int)ML_SPLINE_LEAST);
}

static bool is_even(const struct ml_motions *m, int64_t k)
{
    const double uneven = 0.05, interval = ml_motions_interval(m); /* of the interval */
    return fabs(m->whole[k] - m->whole[k - 1] - interval) <= uneven * interval;
}

/* The sample behind the longest interval, or behind the first that is uneven where that is even; 0:
 * all are even. */
static int64_t find_uneven(const struct ml_motions *m)
{
    int64_t first = 0, longest = 1;
    for (int64_t k = 1; k < m->n_whole; k++) {
        first = first == 0 && !is_even(m, k) ? k : first;
        if (m->whole[k] - m->whole[k - 1] > m->whole[longest] - m->whole[longest - 1])
            longest = k;
    }
    return first > 0 && !is_even(m, longest) ? longest : first;
}

/* A filter needs samples, equally far apart. It takes them as even, and so do then the splines:
 * uneven times would put the unevenness back. */
static enum ml_status check_filter(const struct ml_motions *m, struct ml_error *err)
{
    const struct ml_smoothing *filter = m->smoothing;
    if (!filter || filter->order == 0)
        return ML_OK;
    const int64_t least = ml_butterworth_least(filter->order);
    if (m->n_whole < least)
        return ml_fail(err, ML_E_INPUT,
                       "%s: %lld samples are too few: a filter of order %d needs %lld at least",
                       m->source, (long long)m->n_whole, filter->order, (long long)least);
    const double interval = ml_motions_interval(m);
    const int64_t k = find_uneven(m);
    if (k > 0)
        return ml_fail(
            err, ML_E_INPUT,
            "%s: a filter needs equal intervals between samples, but the samples at %g and %g "
            "s differ from the mean interval of %g s%s; resample, or smooth with "
            "`inverse: {spline: {smoothing: gcv}}`",
            m->source, m->whole[k - 1], m->whole[k], interval,
            m->whole[k] - m->whole[k - 1] > 1.5 * interval ? ": lost frames?" : "");
    if (!m->h5)
        ml_times_even(m->n_whole, m->whole, 0.25 * interval);
    return ML_OK;
}

/* Whether a study says how a table has its motion. */
static bool has_table_keys(const struct ml_measured *how)
{
    return how->has_columns || how->has_markers || how->base.n > 0 ||
           how->unit != ML_UNIT_OF_FILE || how->sign || how->offset || how->rate > 0.0 ||
           how->is_cut || how->gaps > 0.0 || how->is_unwrapped;
}

enum ml_status ml_motions_open(const struct ml_study *study, const char *path, int64_t run,
                               struct ml_motions *out, struct ml_error *err)
{
    enum ml_status status;
    *out = (struct ml_motions){.source = path,
                               .is_of_study = !path,
                               .study = study,
                               .n = study->ensemble.model.n,
                               .outputs = &study->spec.inverse.outputs};
    if (!path)
        status = ml_motion_spec_open(study, out, err);
    else if (ml_motion_h5_is(path) && has_table_keys(&study->spec.inverse.motion.measured))
        status = ml_fail(err, ML_E_INPUT,
                         "%s: is a result, with the angles of its study; leave out the keys of "
                         "`motion` besides `file`, which are for tables",
                         path);
    else if (ml_motion_h5_is(path))
        status = ml_motion_h5_open(study, path, run, out, err);
    else if (run >= 0)
        status =
            ml_fail(err, ML_E_INPUT,
                    "%s: --run chooses from a result file, but this file is not a result", path);
    else
        status = ml_motion_table_open(study, path, out, err);
    if (path &&
        (study->spec.inverse.smoothing.order > 0 || study->spec.inverse.smoothing.is_validated))
        out->smoothing = &study->spec.inverse.smoothing;
    if (out->smoothing)
        out->is_by_parameters =
            ml_study_is_swept(&study->spec, &study->spec.inverse.smoothing.cutoff);
    if (!out->whole) {
        out->whole = out->time;
        out->n_whole = out->n_time;
    }
    if (status == ML_OK)
        status = check_samples(out, err);
    return status == ML_OK ? check_filter(out, err) : status;
}

void ml_motions_close(struct ml_motions *motions)
{
    ml_motion_h5_close(motions->h5);
    ml_pool_free(&motions->pool);
    *motions = (struct ml_motions){0};
}

double ml_motions_cutoff(const struct ml_motions *motions, const struct ml_segment_params *segments)
{
    const struct ml_study_spec *spec = &motions->study->spec;
    const bool has_filter = motions->smoothing && motions->smoothing->order > 0;
    return has_filter
               ? *ml_study_of_run(spec, &spec->inverse.smoothing.cutoff, segments->run_values)
               : 0.0;
}

enum ml_status ml_motions_check(const struct ml_motions *motions,
                                const struct ml_segment_params *segments, int64_t run,
                                struct ml_error *err)
{
    const double cutoff = ml_motions_cutoff(motions, segments);
    const double interval = ml_motions_interval(motions);
    if (motions->is_of_study)
        return ml_motion_spec_check(motions, segments, run, err);
    if (!(cutoff > 0.0) || cutoff * interval < 0.5)
        return ML_OK;
    const struct ml_location place = motions->smoothing->location;
    char where[40] = "";
    if (motions->is_by_parameters)
        (void)snprintf(where, sizeof where, " in run %lld", (long long)run);
    return ml_fail(err, ML_E_INPUT,
                   "%s:%d:%d: cutoff is %g%s but must be less than %g Hz, half of the sampling "
                   "rate of %s%s",
                   motions->study->spec.name, place.line, place.column, cutoff, where,
                   0.5 / interval, motions->source,
                   interval < ML_SLOW_TABLE ? ""
                                            : "; are its times in ms? they are in s; if so, name "
                                              "their column `time [ms]`");
}

enum ml_status ml_motions_read(const struct ml_motions *motions, int64_t i,
                               const struct ml_segment_params *segments,
                               double *const rows[ML_N_MOTION], struct ml_error *err)
{
    const size_t size = (size_t)motions->n_time * sizeof(double);
    if (motions->is_of_study) {
        ml_motion_spec_read(motions, segments, rows);
        return ML_OK;
    }
    if (motions->h5)
        return ml_motion_h5_read(motions, i, rows, err);
    for (enum ml_motion_row q = 0; q < ML_N_MOTION; q++)
        for (int c = 0; motions->values[q] && c < ml_motion_curves(motions->n, q); c++)
            memcpy(rows[q] + c * motions->n_time,
                   motions->values[q] + c * motions->n_whole + motions->first, size);
    return ML_OK;
}

/* Filters all that is given. */
static enum ml_status filter(const struct ml_motions *m, double cutoff,
                             const struct ml_motion_rows *rows, struct ml_error *err)
{
    const int order = m->smoothing->order;
    const double interval = ml_motions_interval(m);
    double *work = malloc((size_t)(m->n_time + 2 * ml_butterworth_least(order)) * sizeof *work);
    if (!work)
        return ml_fail(err, ML_E_MEMORY, "no memory for a filter");
    for (int q = 0; q < ML_N_MOTION; q++)
        for (int i = 0; m->is_given[q] && i < ml_motion_curves(m->n, (enum ml_motion_row)q); i++)
            ml_butterworth(order, cutoff * interval, m->n_time, rows->row[q] + i * m->n_time, work);
    free(work);
    return ML_OK;
}

/* Curves with their derivatives: angles, or the base. */
struct curves {
    int n;
    double *cutoff;              /* as of struct ml_motion_rows */
    double *value, *given_rate;  /* given_rate NULL: it is not given */
    double *given_acceleration;  /* the same */
    double *rate, *acceleration; /* where those go that are not given; NULL: they are */
};

static struct curves curves_from(const struct ml_motions *m, const struct ml_motion_rows *rows,
                                 enum ml_motion_row first)
{
    double *const *row = rows->row + first;
    const bool *is_given = m->is_given + first;
    const bool has_rate = is_given[ML_MOTION_RATE], has_last = is_given[ML_MOTION_ACCELERATION];
    return (struct curves){
        .n = ml_motion_curves(m->n, first),
        .cutoff = first == ML_MOTION_ANGLE ? rows->cutoff : NULL,
        .value = row[ML_MOTION_ANGLE],
        .given_rate = has_rate ? row[ML_MOTION_RATE] : NULL,
        .given_acceleration = has_last ? row[ML_MOTION_ACCELERATION] : NULL,
        .rate = has_rate ? NULL : row[ML_MOTION_RATE],
        .acceleration = has_last ? NULL : row[ML_MOTION_ACCELERATION],
    };
}

/* Derivatives that are not given, of splines that smooth all that is. */
static enum ml_status smooth(const struct ml_motions *m, const struct curves *c,
                             struct ml_error *err)
{
    const struct ml_smoothed all[] = {
        {c->n, c->value, c->rate, c->rate ? c->acceleration : NULL, c->cutoff},
        {c->n, c->given_rate, c->acceleration, NULL, NULL},
        {c->n, c->given_acceleration, NULL, NULL, NULL},
    };
    enum ml_status status = ML_OK;
    for (int i = 0; i < 3 && status == ML_OK; i++)
        if (all[i].y)
            status = ml_smooth(m->n_time, m->time, &all[i], err);
    if (status != ML_E_INPUT)
        return status;
    const struct ml_error reason = *err;
    return ml_fail(err, status, "%s: %s", m->source, reason.text);
}

/* Derivatives that are not given, of splines through all that is. */
static enum ml_status interpolate(const struct ml_motions *m, const struct curves *c,
                                  struct ml_error *err)
{
    if (c->given_rate && c->given_acceleration)
        return ML_OK;
    if (c->given_rate)
        return ml_spline_derivatives(m->n_time, m->time, c->n, c->given_rate, c->acceleration, NULL,
                                     err);
    return ml_spline_derivatives(m->n_time, m->time, c->n, c->value, c->rate, c->acceleration, err);
}

/* Derivatives that are not given, of angles or the base. */
static enum ml_status differentiate(const struct ml_motions *m, const struct ml_motion_rows *rows,
                                    enum ml_motion_row first, struct ml_error *err)
{
    const struct curves c = curves_from(m, rows, first);
    return m->smoothing && m->smoothing->is_validated ? smooth(m, &c, err)
                                                      : interpolate(m, &c, err);
}

static void fill_residual(const struct ml_motions *m, const struct ml_motion_rows *rows)
{
    for (int i = 0; i < m->n; i++) {
        double sum = 0.0;
        for (int64_t k = i * m->n_time; k < (i + 1) * m->n_time; k++) {
            const double taken = rows->raw[k] - rows->row[ML_MOTION_ANGLE][k];
            sum = fma(taken, taken, sum);
        }
        rows->residual[i] = sqrt(sum / (double)m->n_time);
    }
}

static enum ml_status complete(const struct ml_motions *motions, double cutoff,
                               const struct ml_motion_rows *rows, struct ml_error *err)
{
    const struct ml_smoothing *smoothing = motions->smoothing;
    const size_t size = (size_t)motions->n * (size_t)motions->n_time * sizeof(double);
    enum ml_status status = ML_OK;
    if (rows->raw)
        memcpy(rows->raw, rows->row[ML_MOTION_ANGLE], size);
    if (smoothing && smoothing->order > 0)
        status = filter(motions, cutoff, rows, err);
    if (status == ML_OK)
        status = differentiate(motions, rows, ML_MOTION_ANGLE, err);
    if (status == ML_OK && ml_motions_have_base(motions))
        status = differentiate(motions, rows, ML_MOTION_BASE, err);
    return status;
}

/* Copies the samples that count of n curves, of all that were smoothed. */
static void take_part(const struct ml_motions *m, int n, const double *whole, double *part)
{
    for (int i = 0; i < n; i++)
        memcpy(part + i * m->n_time, whole + i * m->n_whole + m->first,
               (size_t)m->n_time * sizeof *part);
}

/* Completes all samples of the only motion, of which a part counts. */
static enum ml_status complete_whole(const struct ml_motions *m, double cutoff,
                                     const struct ml_motion_rows *rows, struct ml_error *err)
{
    struct ml_motion_rows whole = {.cutoff = rows->cutoff};
    struct ml_motions all = *m;
    struct ml_pool pool = {0};
    all.n_time = m->n_whole;
    all.time = m->whole;
    all.first = 0;
    for (enum ml_motion_row q = 0; q < ML_N_MOTION; q++) {
        const size_t n = (size_t)ml_motion_curves(m->n, q) * (size_t)m->n_whole;
        whole.row[q] = rows->row[q] ? ml_pool_take(&pool, n, sizeof(double)) : NULL;
    }
    enum ml_status status =
        pool.is_short ? ML_E_MEMORY : ml_motions_read(&all, 0, NULL, whole.row, err);
    if (status == ML_OK)
        status = complete(&all, cutoff, &whole, err);
    for (enum ml_motion_row q = 0; q < ML_N_MOTION && status == ML_OK; q++)
        if (rows->row[q])
            take_part(m, ml_motion_curves(m->n, q), whole.row[q], rows->row[q]);
    if (rows->raw)
        take_part(m, m->n, m->values[ML_MOTION_ANGLE], rows->raw);
    ml_pool_free(&pool);
    return status;
}

enum ml_status ml_motion_complete(const struct ml_motions *motions, double cutoff,
                                  const struct ml_motion_rows *rows, struct ml_error *err)
{
    const enum ml_status status = motions->n_whole > motions->n_time
                                      ? complete_whole(motions, cutoff, rows, err)
                                      : complete(motions, cutoff, rows, err);
    if (status == ML_OK && rows->raw)
        fill_residual(motions, rows);
    return status;
}
