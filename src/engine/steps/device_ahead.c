/* Integrates batches of a block on a GPU: loads them into the memory of device.c, takes their steps
 * there, and makes their tangent vectors orthonormal on the way. */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "engine/gpu/window.h"
#include "engine/steps/device.h"
#include "engine/team/batch_run.h"
#include "manylink/fail.h"

/* Steps of the first launch, and the most of one, or tries of steps. Launches take tenths of a
 * second, so that the stop flag is looked at between them and no display waits. */
enum { DEVICE_FIRST_STEPS = 1 << 12, DEVICE_MOST_STEPS = 1 << 20 };

bool ml_device_serves(const struct ml_ensemble *ensemble)
{
    const struct ml_ensemble *e = ensemble;
    if (e->time.is_adaptive &&
        (e->indicators.n_tangent > 0 || ml_looks_are_needed(e) || ml_jumps_are(e, true)))
        return false;
    return !ml_ensemble_is_watched(e) && e->time.least_steps == 0 && e->continuation.n_run == 0 &&
           e->feedback.n_break == 0 && e->saving.every == 0 &&
           ml_ensemble_observe_every(e) == INT64_MAX;
}

struct ml_device_group ml_device_group(const struct ml_ensemble *ensemble, size_t most_bytes)
{
    struct ml_arena arena = {0};
    struct ml_batch batch;
    ml_batch_layout(ensemble, &arena, &batch);
    if (!ml_arena_reserve(&arena))
        return (struct ml_device_group){0};
    ml_batch_layout(ensemble, &arena, &batch);
    const size_t bytes = ml_device_lay_out(ensemble, &batch, most_bytes);
    ml_arena_free(&arena);
    return (struct ml_device_group){batch.device.most, bytes};
}

/* Address on the device; NULL of a part without rows. */
static double *device_address(const struct ml_device_runs *d, enum ml_device_part part)
{
    return d->rows[part] > 0 ? (double *)(uintptr_t)(d->queue.device + d->begin[part]) : NULL;
}

static void device_begin_batch(const struct ml_ensemble *e, struct ml_batch *b, int64_t first,
                               struct ml_block *block)
{
    const int64_t left = block->first + block->n_run - first;
    ml_batch_begin(e, b, first, left < ML_LANES ? (int)left : ML_LANES, block);
}

/* Starts of n_batch batches from run `first` on. States of a batch with a jump are NaN, so that its
 * runs fail on the device and are left to the host. */
static void device_load(const struct ml_ensemble *e, struct ml_batch *b, int64_t first,
                        int64_t n_batch, struct ml_block *block)
{
    for (int64_t i = 0; i < n_batch; i++) {
        device_begin_batch(e, b, first + i * ML_LANES, block);
        const struct ml_jumps_lanes lanes = ml_batch_lanes(e, b);
        if (!e->time.is_adaptive &&
            ml_jumps_next_step(&lanes, b->step, 0, e->time.n_step, ML_ALL_LANES) < e->time.n_step)
            b->x[0] = (double)NAN;
        const struct ml_times end = ml_batch_times(e, b, (double)e->time.n_step);
        const struct ml_times start = ml_times(e->time.start);
        ml_device_write(b, i, e->time.is_adaptive ? end.lane : start.lane);
    }
}

/* The argument of all launches but for the steps. */
static struct ml_gpu_window device_window(const struct ml_ensemble *e, const struct ml_batch *b,
                                          int64_t n_batch)
{
    const struct ml_device_runs *d = &b->device;
    return (struct ml_gpu_window){
        .n_batch = n_batch,
        .clock = {.start = device_address(d, ML_DEVICE_START),
                  .step = device_address(d, ML_DEVICE_STEP),
                  .every = 1,
                  .rates = device_address(d, ML_DEVICE_RATES),
                  .rates_mask = e->indicators.rates_mask,
                  .is_plain = b->indicators.rates && e->model.system->dynamics.is_plain(&e->model),
                  .drift = device_address(d, ML_DEVICE_DRIFT),
                  .drift_every = e->indicators.observe_every},
        .control = e->chosen.control,
        .leg = {.end = device_address(d, ML_DEVICE_START),
                .step_control = device_address(d, ML_DEVICE_CONTROL)},
        .constants = device_address(d, ML_DEVICE_CONSTANTS),
        .x = device_address(d, ML_DEVICE_X),
        .faults = (unsigned char *)(uintptr_t)(d->queue.device + d->begin[ML_DEVICE_FAULTS]),
        .stops = {.every = e->indicators.n_tangent > 0 ? e->indicators.renormalise_every : 0,
                  .n_step = e->time.n_step,
                  .n_tangent = e->indicators.n_tangent,
                  .trace_every = b->tangents.trace ? (int)ml_trace_every(e) : 0,
                  .step = e->time.step,
                  .trace = device_address(d, ML_DEVICE_TRACE),
                  .rows = device_address(d, ML_DEVICE_STOPS)},
    };
}

/* Whether runs that choose their steps are not at their ends yet. */
static bool device_is_underway(const struct ml_device_runs *d, int64_t n_batch)
{
    const unsigned char *faults = d->queue.host + d->begin[ML_DEVICE_FAULTS];
    for (int64_t i = 0; i < n_batch * ML_LANES; i++)
        if (faults[i] == ML_GPU_UNDERWAY)
            return true;
    return false;
}

/* All steps of batches that are loaded; ML_STOPPED: they are dropped. */
static enum ml_status device_advance(const struct ml_ensemble *e, const struct ml_batch *b,
                                     int64_t n_batch, struct ml_error *err)
{
    const struct ml_device_runs *d = &b->device;
    const size_t from = d->begin[ML_DEVICE_X], faults = d->begin[ML_DEVICE_FAULTS];
    const size_t n = (size_t)n_batch * ML_LANES;
    struct ml_gpu_window window = device_window(e, b, n_batch);
    memset(d->queue.host + faults, 0, n);
    enum ml_status status = ml_gpu_send(&d->queue, 0, faults + n, err);
    int64_t most = DEVICE_FIRST_STEPS;
    for (bool goes_on = true; goes_on && status == ML_OK;) {
        const double began = omp_get_wtime();
        const int64_t left = e->time.n_step - window.clock.k0;
        if (ml_stop_level(b->stop) > 1)
            return ML_STOPPED;
        window.clock.n_step = left < most ? left : most;
        window.leg.most_tries = most;
        status = ml_gpu_launch(&d->queue, &window, n_batch * ML_LANES, err);
        if (status == ML_OK && e->time.is_adaptive)
            status = ml_gpu_fetch(&d->queue, faults, n, err);
        if (status == ML_OK)
            status = ml_gpu_wait(&d->queue, err);
        window.clock.k0 += window.clock.n_step;
        goes_on =
            e->time.is_adaptive ? device_is_underway(d, n_batch) : window.clock.k0 < e->time.n_step;
        if (omp_get_wtime() - began < 0.1 && most < DEVICE_MOST_STEPS)
            most *= 2;
    }
    if (status == ML_OK)
        status = ml_gpu_fetch(&d->queue, from, faults + n - from, err);
    const size_t stops = (size_t)(d->rows[ML_DEVICE_STOPS] * n_batch) * ML_LANES * sizeof(double);
    if (status == ML_OK && stops > 0)
        status = ml_gpu_fetch(&d->queue, d->begin[ML_DEVICE_STOPS], stops, err);
    return status == ML_OK ? ml_gpu_wait(&d->queue, err) : status;
}

/* The host's numbers of a batch that is begun, of steps that lanes choose. */
static enum ml_status device_try_host(const struct ml_ensemble *e, struct ml_batch *b)
{
    const struct ml_times end = ml_batch_times(e, b, (double)e->time.n_step);
    for (unsigned underway = ML_ALL_LANES; underway;) {
        if (ml_stop_level(b->stop) > 1)
            return ML_STOPPED;
        underway = ml_batch_try(e, b, end.lane, ml_most_tries(e), underway).underway;
    }
    return ML_OK;
}

/* The host's numbers of a batch that is begun, of given steps; whether R at the stops is that of
 * the device. */
static enum ml_status device_advance_host(const struct ml_ensemble *e, struct ml_batch *b,
                                          int64_t batch, bool *is_same)
{
    const bool has_stops = e->indicators.n_tangent > 0;
    const int64_t every = has_stops ? e->indicators.renormalise_every : e->time.n_step;
    const int64_t traced = b->tangents.trace ? ml_trace_every(e) : every;
    const size_t row = ML_LANES * sizeof(double);
    const size_t bytes = (size_t)ml_tri(e->indicators.n_tangent, 0) * row;
    int64_t next = 0;
    for (int64_t k = 0; k < e->time.n_step; k = next) {
        next = k + b->window.most < e->time.n_step ? k + b->window.most : e->time.n_step;
        next = next < (k / traced + 1) * traced ? next : (k / traced + 1) * traced;
        next = next < (k / every + 1) * every ? next : (k / every + 1) * every;
        if (ml_stop_level(b->stop) > 1)
            return ML_STOPPED;
        (void)ml_batch_advance_noting(e, b, 1.0, k, next - k, ML_ALL_LANES, &b->window);
        const bool is_end = next == e->time.n_step;
        const int64_t i = (next - 1) / every, begin = i * every, n_traced = (next - 1) % traced + 1;
        if (b->tangents.trace && (next % traced == 0 || is_end))
            ml_trace_add(e, b, (double)next, (double)n_traced);
        if (has_stops && (next % every == 0 || is_end)) {
            const void *r = ml_device_stop(e, b, batch, i), *sum = b->tangents.trace_sum;
            if (sum)
                *is_same &= memcmp((const char *)r + bytes, sum, row) == 0;
            ml_renormalise(e, b, (double)begin, (double)next);
            *is_same &= memcmp(r, b->tangents.r, bytes) == 0;
        }
    }
    return ML_OK;
}

/* Compares the first batch that has not failed with the host's numbers. */
static enum ml_status device_check(const struct ml_ensemble *e, struct ml_batch *b, int64_t first,
                                   int64_t n_batch, struct ml_block *block, struct ml_error *err)
{
    struct ml_gpu_use *use = b->device.use;
    bool is_same = true;
    int64_t i = 0;
    while (i < n_batch && ml_device_fails(&b->device, i))
        i++;
    if (i == n_batch)
        return ML_OK;
    device_begin_batch(e, b, first + i * ML_LANES, block);
    if ((e->time.is_adaptive ? device_try_host(e, b) : device_advance_host(e, b, i, &is_same)) !=
        ML_OK)
        return ML_STOPPED;
    if (!is_same || !ml_device_is_same(b, i))
        return ml_fail(err, ML_E_INPUT, "%s: its numbers differ from the host's",
                       use->gpu->device.name);
    use->is_checked = true;
    return ML_OK;
}

bool ml_device_ahead(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                     struct ml_block *block, int64_t i)
{
    struct ml_device_runs *d = &batch->device;
    struct ml_gpu_use *use = d->use;
    struct ml_error why = {0};
    enum ml_status status = ML_OK;
    const int64_t first = block->first + i * ML_LANES;
    int64_t n_batch = (block->n_run + ML_LANES - 1) / ML_LANES - i;
    if (first >= d->first && (first - d->first) / ML_LANES < d->n_batch)
        return true;
    d->n_batch = 0;
    if (!use || use->has_failed)
        return true;
    if (!d->has_begun)
        status = ml_device_open(ensemble, batch, &why);
    d->has_begun = true;
    if (status == ML_OK && !d->queue.gpu)
        return true;
    if (status == ML_OK) {
        n_batch = n_batch < d->most ? n_batch : d->most;
        device_load(ensemble, batch, first, n_batch, block);
        status = device_advance(ensemble, batch, n_batch, &why);
    }
    if (status == ML_OK && !use->is_checked)
        status = device_check(ensemble, batch, first, n_batch, block, &why);
    if (status == ML_STOPPED)
        return false;
    if (status == ML_OK) {
        d->first = first;
        d->n_batch = n_batch;
    } else if (!atomic_exchange(&use->has_failed, true)) {
        use->err = why;
    } else {
        ml_error_clear(&why);
    }
    return true;
}
