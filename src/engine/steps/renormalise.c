/* Reorthonormalises the tangent vectors of a batch, and adds up their growth: of given steps at
 * fixed intervals, of steps that lanes choose every few tries of each lane, so that vectors do not
 * come apart however far apart ticks are. */
#include <math.h>
#include <string.h>

#include "engine/events/event_watch.h"
#include "engine/steps/switches.h"
#include "engine/team/batch_run.h"

int64_t ml_trace_every(const struct ml_ensemble *ensemble)
{
    int64_t every = ensemble->method->is_map ? 1 : 5; /* cheap beside five steps */
    while (ensemble->indicators.renormalise_every % every != 0)
        every--;
    return every;
}

/* ln |det DF|: how much a map changes volumes, from the images of unit vectors. */
static void find_volume(const struct ml_ensemble *ensemble, struct ml_batch *batch, double *trace)
{
    const int n_x = ml_n_x(&ensemble->model);
    ensemble->kernels->orthonormalise(
        n_x, n_x, 0.0, batch->tangents.unit_rate + (size_t)n_x * ML_LANES, batch->tangents.r);
    for (int c = 0; c < n_x; c++) {
        ensemble->kernels->log(1, batch->tangents.r + (size_t)ml_tri(c, c) * ML_LANES,
                               batch->tangents.log_r);
        for (int lane = 0; lane < ML_LANES; lane++)
            trace[lane] += batch->tangents.log_r[lane];
    }
}

/* Trace of the Jacobian at times t and states x: how fast the flow changes volumes, from the rates
 * of unit vectors; of a map its change in an iteration. Leaves the rates of the states in front of
 * batch->tangents.unit_rate. */
static void find_trace(const struct ml_ensemble *ensemble, struct ml_batch *batch, const double *t,
                       const double *x, double *trace)
{
    const int n_x = ml_n_x(&ensemble->model);
    const struct ml_kernel *kernel =
        batch->kernels.fastest->rates ? batch->kernels.fastest : batch->kernels.general;
    struct ml_instance model = ensemble->model;
    model.n_column = n_x;
    model.n_sens = 0;
    memcpy(batch->tangents.unit_x, x, (size_t)n_x * ML_LANES * sizeof *x);
    kernel->rates(&model, t, batch->constants, batch->tangents.unit_x, batch->tangents.unit_rate,
                  batch->work);
    for (int lane = 0; lane < ML_LANES; lane++)
        trace[lane] = 0.0;
    if (ensemble->method->is_map) {
        find_volume(ensemble, batch, trace);
        return;
    }
    for (int c = 0; c < n_x; c++)
        for (int lane = 0; lane < ML_LANES; lane++)
            trace[lane] += batch->tangents.unit_rate[((1 + c) * n_x + c) * ML_LANES + lane];
}

void ml_trace_add(const struct ml_ensemble *ensemble, struct ml_batch *batch, double k,
                  double n_step)
{
    const bool is_map = ensemble->method->is_map; /* of the iteration that is over */
    const double span = ensemble->time.step * n_step, half = is_map ? span : 0.5 * span;
    double before[ML_LANES];
    memcpy(before, batch->tangents.trace, sizeof before);
    find_trace(ensemble, batch, ml_batch_times(ensemble, batch, k).lane, batch->x,
               batch->tangents.trace);
    for (int lane = 0; lane < ML_LANES; lane++)
        batch->tangents.trace_sum[lane] +=
            half * (is_map ? before[lane] : before[lane] + batch->tangents.trace[lane]);
}

static void renormalise_report(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                               const struct ml_renormalisation *by)
{
    for (int i = 0; ml_ensemble_indicator(ensemble, i); i++) {
        const struct ml_indicator *indicator = ml_ensemble_indicator(ensemble, i);
        if (batch->indicators.active[i] && indicator->renormalised)
            indicator->renormalised(&batch->indicators.use[i], by, batch->indicators.keep[i]);
    }
}

/* A row of struct ml_batch.tangents.own. */
static double *own_row(const struct ml_batch *batch, int row)
{
    return batch->tangents.own + (size_t)row * ML_LANES;
}

/* The state's rates at the beginning (0) or end (1) of a step. */
static double *own_rates(const struct ml_ensemble *ensemble, const struct ml_batch *batch, int end)
{
    return own_row(batch, ML_N_OWN + end * ml_n_x(&ensemble->model));
}

int64_t ml_renormalise_tries(const struct ml_batch *batch)
{
    const int64_t few = 4;
    return batch->tangents.trace || batch->tangents.growth_x ? 1 : few;
}

/* Trace and rates of the state at the end of a step, at times t. */
static void trace_end(const struct ml_ensemble *ensemble, struct ml_batch *batch, const double *t,
                      const double *x)
{
    double *rates = own_rates(ensemble, batch, 1);
    find_trace(ensemble, batch, t, x, own_row(batch, ML_OWN_TRACE_END));
    memcpy(rates, batch->tangents.unit_rate,
           (size_t)ml_n_x(&ensemble->model) * ML_LANES * sizeof *rates);
}

/* The end of a step becomes the beginning of the next. */
static void trace_go_on(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    double *rates = own_rates(ensemble, batch, 0);
    memcpy(rates, own_rates(ensemble, batch, 1),
           (size_t)ml_n_x(&ensemble->model) * ML_LANES * sizeof *rates);
    memcpy(batch->tangents.trace, own_row(batch, ML_OWN_TRACE_END),
           ML_LANES * sizeof *batch->tangents.trace);
}

void ml_trace_step(const struct ml_ensemble *ensemble, struct ml_batch *batch, const double *before,
                   const double *now)
{
    const int n = ml_n_x(&ensemble->model) * ML_LANES;
    const double *from = own_rates(ensemble, batch, 0), *to = own_rates(ensemble, batch, 1);
    double *middle = batch->tangents.unit_x, *traced = own_row(batch, ML_OWN_TRACED);
    struct ml_times t;
    trace_end(ensemble, batch, now, batch->x);
    for (int lane = 0; lane < ML_LANES; lane++)
        t.lane[lane] = 0.5 * (before[lane] + now[lane]);
    for (int i = 0; i < n; i++) {
        const double h = now[i % ML_LANES] - before[i % ML_LANES];
        middle[i] = fma(0.125 * h, from[i] - to[i], 0.5 * (batch->x_before[i] + batch->x[i]));
    }
    find_trace(ensemble, batch, t.lane, middle, traced);
    for (int lane = 0; lane < ML_LANES; lane++)
        traced[lane] = (now[lane] - before[lane]) / 6.0 *
                       fma(4.0, traced[lane],
                           batch->tangents.trace[lane] + own_row(batch, ML_OWN_TRACE_END)[lane]);
}

void ml_trace_take_step(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                        const double *now)
{
    for (int lane = 0; lane < ML_LANES; lane++)
        batch->tangents.trace_sum[lane] += own_row(batch, ML_OWN_TRACED)[lane];
    /* events set the state that the step has ended at, switches the Jacobian */
    if (ml_reset_is_needed(ensemble) || ensemble->model.system->switches.n > 0)
        trace_end(ensemble, batch, now, batch->x);
    trace_go_on(ensemble, batch);
}

/* The rate at which the first vector grows, of length 1. */
static void find_rate(const struct ml_ensemble *ensemble, struct ml_batch *batch, const double *t)
{
    const size_t n_x = (size_t)ml_n_x(&ensemble->model);
    const struct ml_kernel *kernel =
        batch->kernels.fastest->rates ? batch->kernels.fastest : batch->kernels.general;
    double *rate = own_row(batch, ML_OWN_RATE);
    struct ml_instance model = ensemble->model;
    model.n_column = 1;
    model.n_sens = 0;
    memcpy(batch->tangents.growth_x, batch->x, 2 * n_x * ML_LANES * sizeof *batch->x);
    kernel->rates(&model, t, batch->constants, batch->tangents.growth_x,
                  batch->tangents.growth_rate, batch->work);
    for (int lane = 0; lane < ML_LANES; lane++)
        rate[lane] = 0.0;
    for (size_t i = n_x * ML_LANES; i < 2 * n_x * ML_LANES; i++)
        rate[i % ML_LANES] =
            fma(batch->tangents.growth_x[i], batch->tangents.growth_rate[i], rate[i % ML_LANES]);
}

/* Logarithms of R's diagonal. */
static void renormalise_logs(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    for (int c = 0; c < ensemble->indicators.n_tangent; c++)
        ensemble->kernels->log(1, batch->tangents.r + (size_t)ml_tri(c, c) * ML_LANES,
                               batch->tangents.log_r + (size_t)c * ML_LANES);
}

/* Makes the vectors orthonormal, with R in batch->tangents.r. Neighbours that slide meet on a
 * level, and those that an event sets may meet in one state: a vector that has nothing left but
 * rounding is 0 from there on, and its exponent -INFINITY. */
static void renormalise_vectors(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    const int n_x = ml_n_x(&ensemble->model), n_tangent = ensemble->indicators.n_tangent;
    const bool may_meet = ml_switches_can_slide(ensemble) || ml_reset_is_needed(ensemble);
    const double least = may_meet ? 0x1p-44 : 0.0;
    ensemble->kernels->orthonormalise(n_x, n_tangent, least, batch->x + (size_t)n_x * ML_LANES,
                                      batch->tangents.r);
    renormalise_logs(ensemble, batch);
}

/* R of lanes in which nothing has changed. */
static void renormalise_rest(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                             unsigned lanes)
{
    const int n_tangent = ensemble->indicators.n_tangent;
    for (int lane = 0; lane < ML_LANES; lane++)
        for (int c = 0; c < n_tangent && lanes >> lane & 1; c++) {
            for (int p = 0; p <= c; p++)
                batch->tangents.r[ml_tri(c, p) * ML_LANES + lane] = p == c ? 1.0 : 0.0;
            batch->tangents.log_r[c * ML_LANES + lane] = 0.0;
        }
}

/* Makes vectors orthonormal in the lanes `stepped` alone; the vectors of others keep their bits. */
static void renormalise_lanes(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                              unsigned stepped)
{
    const int n_x = ml_n_x(&ensemble->model), n = n_x * ensemble->indicators.n_tangent * ML_LANES;
    double *vectors = batch->x + (size_t)n_x * ML_LANES;
    const unsigned rest = ML_ALL_LANES & ~stepped;
    if (rest)
        memcpy(batch->work, vectors, (size_t)n * sizeof *vectors);
    renormalise_vectors(ensemble, batch);
    for (int i = 0; rest && i < n; i++)
        if (rest >> i % ML_LANES & 1)
            vectors[i] = batch->work[i];
    renormalise_rest(ensemble, batch, rest);
}

/* Passes the change of vectors to the indicators; time and span NULL: those of each lane. */
static void renormalise_report_at(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                                  struct ml_renormalisation by, const struct ml_times *time,
                                  const struct ml_times *span)
{
    by.time = time ? time->lane : own_row(batch, ML_OWN_SINCE);
    by.span = span ? span->lane : own_row(batch, ML_OWN_SPAN);
    by.r = batch->tangents.r;
    by.log_r = batch->tangents.log_r;
    by.rate = batch->tangents.growth_x ? own_row(batch, ML_OWN_RATE) : NULL;
    by.trace = by.is_end ? batch->tangents.trace_sum : NULL;
    renormalise_report(ensemble, batch, &by);
    if (batch->tangents.trace && by.is_end)
        memset(batch->tangents.trace_sum, 0, ML_LANES * sizeof *batch->tangents.trace_sum);
}

void ml_renormalise_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    const int n_x = ml_n_x(&ensemble->model);
    const struct ml_times start = ml_times(ensemble->time.start), none = ml_times(0.0);
    if (batch->tangents.trace) {
        ml_unit_vectors(n_x, n_x, batch->tangents.unit_x);
        find_trace(ensemble, batch, start.lane, batch->x, batch->tangents.trace);
        memset(batch->tangents.trace_sum, 0, ML_LANES * sizeof *batch->tangents.trace_sum);
    }
    if (batch->tangents.own)
        memset(batch->tangents.own, 0, ML_N_OWN * ML_LANES * sizeof *batch->tangents.own);
    if (batch->tangents.own && batch->tangents.trace)
        memcpy(own_rates(ensemble, batch, 0), batch->tangents.unit_rate,
               (size_t)n_x * ML_LANES * sizeof *batch->tangents.unit_rate);
    renormalise_vectors(ensemble, batch);
    if (batch->tangents.growth_x)
        find_rate(ensemble, batch, start.lane);
    renormalise_report_at(ensemble, batch, (struct ml_renormalisation){.is_start = true}, &none,
                          &none);
}

void ml_renormalise_chosen(const struct ml_ensemble *ensemble, struct ml_batch *batch, double begin,
                           const double *now, unsigned stepped)
{
    double *since = own_row(batch, ML_OWN_SINCE), *span = own_row(batch, ML_OWN_SPAN);
    renormalise_lanes(ensemble, batch, stepped);
    for (int lane = 0; lane < ML_LANES; lane++) {
        const bool has_stepped = stepped >> lane & 1;
        const double time = has_stepped ? now[lane] - ensemble->time.start : since[lane];
        span[lane] = time - since[lane];
        since[lane] = time;
    }
    if (batch->tangents.growth_x)
        find_rate(ensemble, batch, now);
    renormalise_report_at(ensemble, batch, (struct ml_renormalisation){.begin = begin}, NULL, NULL);
    memset(span, 0, ML_LANES * sizeof *span);
}

void ml_renormalise(const struct ml_ensemble *ensemble, struct ml_batch *batch, double begin,
                    double k)
{
    const struct ml_renormalisation by = {.begin = begin, .step = k, .is_end = true};
    const struct ml_times time = ml_times(k * ensemble->time.step),
                          span = ml_times((k - begin) * ensemble->time.step);
    if (batch->tangents.own) {
        renormalise_rest(ensemble, batch, ML_ALL_LANES);
        renormalise_report_at(ensemble, batch, by, NULL, NULL);
        return;
    }
    if (batch->window.device_run >= 0) /* where vectors have been made orthonormal */
        renormalise_logs(ensemble, batch);
    else
        renormalise_vectors(ensemble, batch);
    renormalise_report_at(ensemble, batch, by, &time, &span);
}

unsigned ml_renormalise_done(const struct ml_ensemble *ensemble, const struct ml_batch *batch)
{
    unsigned done = ML_ALL_LANES;
    bool is_asked = false;
    for (int i = 0; ml_ensemble_indicator(ensemble, i); i++) {
        const struct ml_indicator *indicator = ml_ensemble_indicator(ensemble, i);
        if (!batch->indicators.active[i] || !indicator->is_done ||
            !(indicator->extend(&batch->indicators.use[i]) > ensemble->time.start))
            continue;
        done &= indicator->is_done(&batch->indicators.use[i], batch->indicators.keep[i]);
        is_asked = true;
    }
    return is_asked ? done : 0;
}
