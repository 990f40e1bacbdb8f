#include "inverse/motion.h"

#include <string.h>

#include "base/fail.h"
#include "inverse/csv.h"
#include "inverse/planned.h"
#include "inverse/recorded.h"
#include "inverse/spline.h"

const char *ml_motion_name(enum ml_motion_row row)
{
    static const char *const names[ML_N_MOTION] = {"angle", "rate", "acceleration"};
    return names[row];
}

const char *ml_motion_unit(enum ml_motion_row row)
{
    static const char *const units[ML_N_MOTION] = {"rad", "rad/s", "rad/s^2"};
    return units[row];
}

bool ml_motions_are_whole(const struct ml_motions *motions)
{
    return motions->is_given[ML_MOTION_RATE] && motions->is_given[ML_MOTION_ACCELERATION];
}

/* Splines need samples. */
static enum ml_status check_samples(const struct ml_motions *m, struct ml_error *err)
{
    if (ml_motions_are_whole(m) || m->n_time >= ML_SPLINE_LEAST)
        return ML_OK;
    return ml_fail(err, ML_E_INPUT,
                   "%s: %lld samples are too few: the spline that stands in for rates or "
                   "accelerations that are not given needs %d at least",
                   m->source, (long long)m->n_time, (int)ML_SPLINE_LEAST);
}

enum ml_status ml_motions_open(const struct ml_study *study, const char *path, int64_t run,
                               struct ml_motions *out, struct ml_error *err)
{
    enum ml_status status;
    *out = (struct ml_motions){.source = path, .n = study->ensemble.shape.n};
    if (!path)
        status = ml_planned_open(study, out, err);
    else if (ml_recorded_is(path))
        status = ml_recorded_open(study, path, run, out, err);
    else if (run >= 0)
        status = ml_fail(err, ML_E_INPUT, "%s: --run chooses from a result file, and this is none",
                         path);
    else
        status = ml_csv_open(study, path, out, err);
    return status == ML_OK ? check_samples(out, err) : status;
}

void ml_motions_close(struct ml_motions *motions)
{
    ml_recorded_close(motions->recorded);
    ml_pool_free(&motions->pool);
    *motions = (struct ml_motions){0};
}

enum ml_status ml_motions_read(const struct ml_motions *motions, int64_t i,
                               double *const rows[ML_N_MOTION], struct ml_error *err)
{
    size_t size = (size_t)motions->n * (size_t)motions->n_time * sizeof(double);
    if (motions->recorded)
        return ml_recorded_read(motions, i, rows, err);
    for (int q = 0; q < ML_N_MOTION; q++)
        if (motions->values[q])
            memcpy(rows[q], motions->values[q], size);
    return ML_OK;
}

enum ml_status ml_motion_complete(const struct ml_motions *motions, double *const rows[ML_N_MOTION],
                                  struct ml_error *err)
{
    const bool has_rate = motions->is_given[ML_MOTION_RATE];
    const bool has_acceleration = motions->is_given[ML_MOTION_ACCELERATION];
    double *rate = has_rate ? NULL : rows[ML_MOTION_RATE];
    double *acceleration = has_acceleration ? NULL : rows[ML_MOTION_ACCELERATION];
    if (ml_motions_are_whole(motions))
        return ML_OK;
    if (has_rate)
        return ml_spline_derivatives(motions->n_time, motions->time, motions->n,
                                     rows[ML_MOTION_RATE], acceleration, NULL, err);
    return ml_spline_derivatives(motions->n_time, motions->time, motions->n, rows[ML_MOTION_ANGLE],
                                 rate, acceleration, err);
}
