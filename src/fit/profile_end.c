/* Regula falsi for the ends of the intervals. */
#include <math.h>
#include <string.h>

#include "fit/coordinate.h"
#include "fit/profile_end.h"

double ml_profile_tau(const struct ml_fit_found *f, double cost)
{
    const double rise = 2.0 * (cost - ml_profile_best(f)->at.cost) / f->variance;
    return rise > 0.0 ? sqrt(rise) : 0.0;
}

enum ml_status ml_profile_fit_others(struct ml_fit_profile *p, int64_t n_point, const int *fixed,
                                     const double *points, struct ml_starts *starts,
                                     const struct ml_ensemble_options *how, struct ml_error *err)
{
    const double enough = 1e-6; /* of the variance */
    enum ml_status status = ml_starts_init_at(starts, p->found->starts, n_point, points, fixed,
                                              0.5 * enough * p->found->variance);
    if (status == ML_OK)
        status = ml_starts_descend(starts, how, err);
    p->n_evaluation += starts->n_evaluation;
    for (int64_t k = 0; status == ML_OK && k < n_point; k++)
        p->below = fmin(p->below,
                        2.0 * (starts->descents[k].at.cost - ml_profile_best(p->found)->at.cost) /
                            p->found->variance);
    return status;
}

void ml_profile_end_narrow(const struct ml_fit_profile *p, const struct ml_descent *d,
                           struct ml_profile_end *end)
{
    const double tau = ml_profile_tau(p->found, d->at.cost), z = d->z[end->parameter];
    const bool is_above = tau >= p->found->quantile;
    const bool is_nearer =
        is_above ? isnan(end->out) || end->sign * (z - end->out) < 0.0
                 : end->sign * (z - end->in) > 0.0 && !(end->sign * (z - end->out) >= 0.0);
    if (!is_nearer)
        return;
    memcpy(is_above ? end->z_out : end->z_in, d->z, (size_t)p->n * sizeof *d->z);
    *(is_above ? &end->out : &end->in) = z;
    *(is_above ? &end->tau_out : &end->tau_in) = tau;
}

struct ml_profile_end *ml_profile_ends_begin(struct ml_fit_profile *p)
{
    const struct ml_descent *best = ml_profile_best(p->found);
    const size_t n = (size_t)p->n;
    struct ml_profile_end *ends = ml_pool_take(&p->pool, ML_PROFILE_ENDS * n, sizeof *ends);
    double *rows = ml_pool_take(&p->pool, 3 * ML_PROFILE_ENDS * n * n, sizeof *rows);
    for (size_t e = 0; ends && rows && e < ML_PROFILE_ENDS * n; e++, rows += 3 * n) {
        ends[e] =
            (struct ml_profile_end){.parameter = (int)(e / ML_PROFILE_ENDS),
                                    .sign = e % ML_PROFILE_ENDS == ML_PROFILE_LOW ? -1.0 : 1.0,
                                    .in = best->z[e / ML_PROFILE_ENDS],
                                    .out = (double)NAN,
                                    .z_in = rows,
                                    .z_out = rows + n,
                                    .z_now = rows + 2 * n};
        memcpy(ends[e].z_in, best->z, n * sizeof *best->z);
    }
    return p->pool.is_short ? NULL : ends;
}

/* The next trial of an end: twice as far without a point above the limit, else where a straight
 * line through both meets the limit, or the middle once one side has stayed twice. */
static void propose_end(const struct ml_fit_profile *p, struct ml_profile_end *end)
{
    const double start = ml_profile_best(p->found)->z[end->parameter], limit = p->found->quantile;
    const double unit = p->unit[end->parameter], bound = end->sign < 0.0 ? 0.0 : 1.0;
    double z = start + 2.0 * (end->in - start);
    if (isnan(end->out)) {
        z = end->in == start ? start + end->sign * unit : z;
        z = end->sign * (z - bound) > 0.0 ? bound : z;
        for (int j = 0; j < p->n; j++)
            end->z_now[j] = end->z_in[j];
    } else {
        const bool is_straight = isfinite(end->tau_out) && end->n_kept < 2;
        const double part =
            is_straight ? (limit - end->tau_in) / (end->tau_out - end->tau_in) : 0.5;
        z = end->in + part * (end->out - end->in);
        for (int j = 0; j < p->n; j++)
            end->z_now[j] =
                is_straight ? end->z_in[j] + part * (end->z_out[j] - end->z_in[j]) : end->z_in[j];
    }
    end->z_now[end->parameter] = z;
}

/* Whether an end is known well enough; its value. */
static bool settle_end(struct ml_fit_profile *p, struct ml_profile_end *end)
{
    const double close = 1e-6;
    const double limit = p->found->quantile, bound = end->sign < 0.0 ? 0.0 : 1.0;
    double *to = (end->sign < 0.0 ? p->low : p->high) + end->parameter;
    const struct ml_fit_range *range = &p->found->starts->study->spec.fit.ranges[end->parameter];
    if (isnan(end->out)) {
        *to = (double)NAN;
        return end->in == bound;
    }
    const bool is_in_near = limit - end->tau_in <= close * limit;
    *to = ml_fit_number(range, is_in_near ? end->in : end->out);
    return is_in_near || end->tau_out - limit <= close * limit ||
           fabs(end->out - end->in) <= close * p->unit[end->parameter];
}

/* One round: a trial of every end that is not known yet. */
static enum ml_status try_ends(struct ml_fit_profile *p, struct ml_profile_end *ends, int *fixed,
                               double *points, const struct ml_ensemble_options *how,
                               struct ml_error *err)
{
    const int n = p->n;
    struct ml_starts starts = {0};
    int64_t n_point = 0;
    for (int e = 0; e < ML_PROFILE_ENDS * n; e++)
        if (!ends[e].is_done) {
            propose_end(p, &ends[e]);
            memcpy(points + n_point * n, ends[e].z_now, (size_t)n * sizeof *points);
            fixed[n_point++] = ends[e].parameter;
        }
    const enum ml_status status =
        ml_profile_fit_others(p, n_point, fixed, points, &starts, how, err);
    n_point = 0;
    for (int e = 0; status == ML_OK && e < ML_PROFILE_ENDS * n; e++)
        if (!ends[e].is_done) {
            const double in = ends[e].in;
            ml_profile_end_narrow(p, &starts.descents[n_point++], &ends[e]);
            ends[e].n_kept = in == ends[e].in ? ends[e].n_kept + 1 : 0;
        }
    ml_starts_free(&starts);
    return status;
}

enum ml_status ml_profile_ends_find(struct ml_fit_profile *p, struct ml_profile_end *ends,
                                    const struct ml_ensemble_options *how, struct ml_error *err)
{
    enum { MOST = 60 }; /* rounds; some four are usual */
    int *fixed = ml_pool_take(&p->pool, ML_PROFILE_ENDS * (size_t)p->n, sizeof *fixed);
    double *points =
        ml_pool_take(&p->pool, ML_PROFILE_ENDS * (size_t)p->n * (size_t)p->n, sizeof *points);
    enum ml_status status = ML_OK;
    bool is_done = false;
    if (p->pool.is_short)
        return ML_E_MEMORY;
    for (int round = 0; status == ML_OK && round < MOST && !is_done; round++) {
        is_done = true;
        for (int e = 0; e < ML_PROFILE_ENDS * p->n; e++) {
            ends[e].is_done = settle_end(p, &ends[e]);
            is_done &= ends[e].is_done;
        }
        if (!is_done)
            status = try_ends(p, ends, fixed, points, how, err);
    }
    return status;
}
