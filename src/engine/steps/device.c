/* Rows of batches in memory that a GPU and the host share. */
#include "engine/steps/device.h"

#include <string.h>

#include "engine/gpu/window.h"

enum { BATCH_BYTES = ML_LANES * sizeof(double) }; /* of a row */

static double *device_rows(const struct ml_device_runs *d, enum ml_device_part part, int64_t batch)
{
    unsigned char *begin = d->queue.host + d->begin[part];
    return (double *)(void *)begin + batch * d->rows[part] * ML_LANES;
}

/* Orthonormalisations of a run behind its start. */
static int64_t device_stops(const struct ml_ensemble *e)
{
    const int64_t every = e->indicators.renormalise_every;
    return e->indicators.n_tangent > 0 ? (e->time.n_step + every - 1) / every : 0;
}

/* Rows of each. */
static int device_stop_rows(const struct ml_ensemble *e, const struct ml_batch *b)
{
    return ml_gpu_stop_rows(e->indicators.n_tangent, b->tangents.trace != NULL);
}

/* Places the parts for d->most batches; bytes of all. */
static size_t device_place(struct ml_device_runs *d)
{
    size_t bytes = 0;
    for (int part = 0; part < ML_N_DEVICE_PART; part++) {
        d->begin[part] = bytes;
        bytes += (size_t)d->most *
                 (part == ML_DEVICE_FAULTS ? ML_LANES : (size_t)d->rows[part] * BATCH_BYTES);
    }
    return bytes;
}

/* Parts that a batch has in rows of its own; NULL: none. */
static double *device_batch_rows(struct ml_batch *b, enum ml_device_part part)
{
    double *const rows[ML_N_DEVICE_PART] = {
        [ML_DEVICE_STEP] = b->step,
        [ML_DEVICE_CONSTANTS] = b->constants,
        [ML_DEVICE_X] = b->x,
        [ML_DEVICE_RATES] = b->indicators.rates,
        [ML_DEVICE_DRIFT] = b->indicators.drift,
        [ML_DEVICE_TRACE] = b->tangents.trace, /* with trace_sum behind it */
        [ML_DEVICE_CONTROL] = b->step_control,
    };
    return rows[part];
}

size_t ml_device_lay_out(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                         size_t most_bytes)
{
    const struct ml_ensemble *e = ensemble;
    const struct ml_batch *b = batch;
    struct ml_device_runs *d = &batch->device;
    const int64_t n_batch = (e->block_runs + ML_LANES - 1) / ML_LANES;
    size_t of_batch = ML_LANES;
    d->rows[ML_DEVICE_START] = d->rows[ML_DEVICE_STEP] = 1;
    d->rows[ML_DEVICE_CONSTANTS] = ml_rows_constants(&e->model);
    d->rows[ML_DEVICE_X] = ml_rows_x(&e->model);
    d->rows[ML_DEVICE_RATES] = b->indicators.rates ? e->model.n : 0;
    d->rows[ML_DEVICE_DRIFT] = b->indicators.drift ? 2 : 0;
    d->rows[ML_DEVICE_TRACE] = b->tangents.trace ? 2 : 0;
    d->rows[ML_DEVICE_CONTROL] = b->step_control ? ML_N_STEP_CONTROL : 0;
    d->rows[ML_DEVICE_STOPS] = device_stops(e) * device_stop_rows(e, b);
    for (int part = 0; part < ML_N_DEVICE_PART; part++)
        of_batch += (size_t)d->rows[part] * BATCH_BYTES;
    d->most = most_bytes > of_batch ? (int64_t)(most_bytes / of_batch) : 1;
    d->most = d->most < n_batch ? d->most : n_batch;
    return of_batch;
}

enum ml_status ml_device_open(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                              struct ml_error *err)
{
    struct ml_device_runs *d = &batch->device;
    (void)ml_device_lay_out(ensemble, batch, d->use->queue_bytes);
    enum ml_status status = ml_gpu_queue_open(d->use->gpu, device_place(d), &d->queue, err);
    while (status == ML_E_MEMORY && d->most > 1) {
        ml_error_clear(err);
        d->most /= 2;
        status = ml_gpu_queue_open(d->use->gpu, device_place(d), &d->queue, err);
    }
    return status;
}

void ml_device_write(struct ml_batch *batch, int64_t i, const double *time)
{
    struct ml_device_runs *d = &batch->device;
    memcpy(device_rows(d, ML_DEVICE_START, i), time, BATCH_BYTES);
    for (int part = ML_DEVICE_STEP; part < ML_DEVICE_FAULTS; part++)
        if (d->rows[part] > 0)
            memcpy(device_rows(d, part, i), device_batch_rows(batch, part),
                   (size_t)d->rows[part] * BATCH_BYTES);
}

bool ml_device_fails(const struct ml_device_runs *device, int64_t i)
{
    const unsigned char *faults =
        device->queue.host + device->begin[ML_DEVICE_FAULTS] + i * ML_LANES;
    unsigned char any = 0;
    for (int lane = 0; lane < ML_LANES; lane++)
        any |= faults[lane];
    return any != 0;
}

bool ml_device_is_same(struct ml_batch *batch, int64_t i)
{
    const struct ml_device_runs *d = &batch->device;
    bool is_same = true;
    for (int part = ML_DEVICE_X; part < ML_DEVICE_FAULTS; part++)
        is_same &=
            d->rows[part] == 0 || memcmp(device_rows(d, part, i), device_batch_rows(batch, part),
                                         (size_t)d->rows[part] * BATCH_BYTES) == 0;
    return is_same;
}

bool ml_device_has(const struct ml_device_runs *device, int64_t first)
{
    const int64_t i = (first - device->first) / ML_LANES;
    return first >= device->first && i < device->n_batch && !ml_device_fails(device, i);
}

const double *ml_device_stop(const struct ml_ensemble *ensemble, const struct ml_batch *batch,
                             int64_t i, int64_t stop)
{
    return device_rows(&batch->device, ML_DEVICE_STOPS, i) +
           stop * device_stop_rows(ensemble, batch) * ML_LANES;
}

void ml_device_take(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first,
                    int64_t i, bool is_end)
{
    const struct ml_device_runs *d = &batch->device;
    const int64_t own = (first - d->first) / ML_LANES;
    const size_t n_r = (size_t)ml_tri(ensemble->indicators.n_tangent, 0);
    for (int part = ML_DEVICE_X; part < ML_DEVICE_FAULTS && is_end; part++)
        if (d->rows[part] > 0)
            memcpy(device_batch_rows(batch, part), device_rows(d, part, own),
                   (size_t)d->rows[part] * BATCH_BYTES);
    if (n_r == 0)
        return;
    const double *stop = ml_device_stop(ensemble, batch, own, i);
    memcpy(batch->tangents.r, stop, n_r * BATCH_BYTES);
    if (batch->tangents.trace)
        memcpy(batch->tangents.trace_sum, stop + n_r * ML_LANES, BATCH_BYTES);
}
