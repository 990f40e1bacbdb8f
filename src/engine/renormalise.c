/* Reorthonormalises the tangent vectors of a batch at fixed intervals, and adds up their growth. */
#include <string.h>

#include "engine/batch_run.h"

int64_t ml_trace_every(const struct ml_ensemble *ensemble)
{
    int64_t every = ml_ensemble_method(ensemble)->is_map ? 1 : 5; /* cheap beside five steps */
    while (ensemble->renormalise_every % every != 0)
        every--;
    return every;
}

/* ln |det DF|: how much a map changes volumes, from the images of unit vectors. */
static void find_volume(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    const int n_x = ml_n_x(&ensemble->model);
    ensemble->kernels->orthonormalise(n_x, n_x, batch->unit_rate + (size_t)n_x * ML_LANES,
                                      batch->r);
    for (int c = 0; c < n_x; c++) {
        ensemble->kernels->log(1, batch->r + (size_t)ml_tri(c, c) * ML_LANES, batch->log_r);
        for (int lane = 0; lane < ML_LANES; lane++)
            batch->trace[lane] += batch->log_r[lane];
    }
}

/* Trace of the Jacobian: how fast the flow changes volumes, from the rates of unit vectors; of a
 * map its change in an iteration. */
static void find_trace(const struct ml_ensemble *ensemble, struct ml_batch *batch, double k)
{
    const int n_x = ml_n_x(&ensemble->model);
    const struct ml_kernel *kernel = batch->kernel->rates ? batch->kernel : batch->general;
    struct ml_instance model = ensemble->model;
    model.n_column = n_x;
    model.n_sens = 0;
    memcpy(batch->unit_x, batch->x, (size_t)n_x * ML_LANES * sizeof *batch->x);
    kernel->rates(&model, ml_batch_times(ensemble, batch, k).lane, batch->constants, batch->unit_x,
                  batch->unit_rate, batch->work);
    for (int lane = 0; lane < ML_LANES; lane++)
        batch->trace[lane] = 0.0;
    if (ml_ensemble_method(ensemble)->is_map) {
        find_volume(ensemble, batch);
        return;
    }
    for (int c = 0; c < n_x; c++)
        for (int lane = 0; lane < ML_LANES; lane++)
            batch->trace[lane] += batch->unit_rate[((1 + c) * n_x + c) * ML_LANES + lane];
}

void ml_trace_add(const struct ml_ensemble *ensemble, struct ml_batch *batch, double k,
                  double n_step)
{
    const bool is_map = ml_ensemble_method(ensemble)->is_map; /* of the iteration that is over */
    const double span = ensemble->step * n_step, half = is_map ? span : 0.5 * span;
    double before[ML_LANES];
    memcpy(before, batch->trace, sizeof before);
    find_trace(ensemble, batch, k);
    for (int lane = 0; lane < ML_LANES; lane++)
        batch->trace_sum[lane] +=
            half * (is_map ? before[lane] : before[lane] + batch->trace[lane]);
}

static void renormalise_tell(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                             const struct ml_renormalisation *by)
{
    for (int i = 0; ml_ensemble_indicator(ensemble, i); i++) {
        const struct ml_indicator *indicator = ml_ensemble_indicator(ensemble, i);
        if (batch->active[i] && indicator->renormalised)
            indicator->renormalised(&batch->use[i], by, batch->keep[i]);
    }
}

void ml_renormalise_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    const int n_x = ml_n_x(&ensemble->model);
    if (batch->trace) {
        ml_unit_vectors(n_x, n_x, batch->unit_x);
        find_trace(ensemble, batch, 0.0);
    }
    ml_renormalise(ensemble, batch, 0.0, 0.0);
}

void ml_renormalise(const struct ml_ensemble *ensemble, struct ml_batch *batch, double k,
                    double n_step)
{
    const int n_x = ml_n_x(&ensemble->model), n_tangent = ensemble->n_tangent;
    ensemble->kernels->orthonormalise(n_x, n_tangent, batch->x + (size_t)n_x * ML_LANES, batch->r);
    for (int c = 0; c < n_tangent; c++)
        ensemble->kernels->log(1, batch->r + (size_t)ml_tri(c, c) * ML_LANES,
                               batch->log_r + (size_t)c * ML_LANES);
    const struct ml_renormalisation by = {
        .step = k,
        .n_step = n_step,
        .r = batch->r,
        .log_r = batch->log_r,
        .trace = batch->trace_sum,
    };
    renormalise_tell(ensemble, batch, &by);
    if (batch->trace)
        memset(batch->trace_sum, 0, ML_LANES * sizeof *batch->trace_sum);
}

unsigned ml_renormalise_done(const struct ml_ensemble *ensemble, const struct ml_batch *batch)
{
    unsigned done = ML_ALL_LANES;
    bool is_asked = false;
    for (int i = 0; ml_ensemble_indicator(ensemble, i); i++) {
        const struct ml_indicator *indicator = ml_ensemble_indicator(ensemble, i);
        if (!batch->active[i] || !indicator->is_done ||
            !(indicator->extend(&batch->use[i]) > ensemble->start))
            continue;
        done &= indicator->is_done(&batch->use[i], batch->keep[i]);
        is_asked = true;
    }
    return is_asked ? done : 0;
}
