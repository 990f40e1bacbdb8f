/* Measures the speed of an ensemble on a GPU: the time of one launch that fills the device. */
#include "engine/assess/device_speed.h"

#include <omp.h>

#include "engine/steps/device.h"
#include "engine/team/batch_run.h"
#include "manylink/fail.h"

struct device_probe {
    const struct ml_ensemble *all;
    struct ml_ensemble e; /* the part that is computed */
    struct ml_arena arena;
    struct ml_batch batch;
    struct ml_block block;
    struct ml_gpu_use use;
};

/* s of the first n_step steps of all runs of the probe. */
struct device_times {
    double ahead, ends; /* until the device is done; of the host, which takes its numbers */
};

/* Runs of the probe are from all over the ensemble. */
static void device_probe_values(const void *context, int64_t run, double *values)
{
    const struct device_probe *p = context;
    p->all->numbers.values(p->all->numbers.context, run * (p->all->n_run / p->e.n_run), values);
}

static enum ml_status device_probe_begin(struct device_probe *p)
{
    p->e.numbers.values = device_probe_values;
    p->e.numbers.context = p;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !ml_arena_reserve(&p->arena))
            return ML_E_MEMORY;
        ml_batch_layout(&p->e, &p->arena, &p->batch);
        ml_block_layout(&p->e, &p->arena, &p->block);
    }
    p->batch.device.use = &p->use;
    p->batch.device.has_begun = true;
    p->block.n_run = p->e.n_run;
    return ML_OK;
}

/* A queue has room for the stops of so many steps. */
static enum ml_status device_probe_take(struct device_probe *p, int64_t n_step,
                                        struct device_times *out, struct ml_error *err)
{
    struct ml_device_runs *d = &p->batch.device;
    p->e.time.n_step = n_step;
    ml_gpu_queue_close(&d->queue);
    d->n_batch = 0;
    *out = (struct device_times){0};
    enum ml_status status = ml_device_open(&p->e, &p->batch, err);
    for (int64_t i = 0; i < p->e.n_run && status == ML_OK; i += ML_LANES) {
        const int64_t left = p->e.n_run - i;
        const double began = omp_get_wtime();
        (void)ml_device_ahead(&p->e, &p->batch, &p->block, i / ML_LANES);
        const double ahead = omp_get_wtime();
        if (p->use.has_failed)
            return ml_fail(err, ML_E_INPUT, "%s",
                           p->use.err.text ? p->use.err.text : ml_status_text(ML_E_MEMORY));
        (void)ml_batch_run(&p->e, &p->batch, i, left < ML_LANES ? (int)left : ML_LANES, &p->block);
        out->ahead += ahead - began;
        out->ends += omp_get_wtime() - ahead;
    }
    return status;
}

/* As many steps as take so long, if each takes as long as is known so far. */
static int64_t device_probe_more(const struct device_probe *p, double seconds,
                                 const struct ml_device_speed *known)
{
    const double least = 2.0 * (double)known->n_step, most = 16.0 * (double)known->n_step;
    const double whole = (double)p->all->time.n_step;
    const double wanted = known->step > 0.0   ? seconds / known->step
                          : known->n_step > 1 ? most
                                              : least;
    return (int64_t)fmin(fmin(fmax(wanted, least), most), whole);
}

/* The first launch is not timed: the driver loads the kernel then, and numbers are compared. */
static enum ml_status device_probe_measure(struct device_probe *p, double seconds,
                                           struct ml_device_speed *out, struct ml_error *err)
{
    struct device_times first, times;
    enum ml_status status = device_probe_take(p, 1, &first, err);
    if (status == ML_OK)
        status = device_probe_take(p, 1, &first, err);
    *out = (struct ml_device_speed){p->e.n_run, 1, first.ahead + first.ends, 0.0, 0.0};
    for (double took = 0.0;
         status == ML_OK && took < seconds && out->n_step < p->all->time.n_step;) {
        out->n_step = device_probe_more(p, seconds, out);
        status = device_probe_take(p, out->n_step, &times, err);
        took = fmax(times.ahead - first.ahead, 0.0);
        out->step = took / (double)(out->n_step - 1);
        out->host_step = fmax(times.ends - first.ends, 0.0) / (double)(out->n_step - 1);
    }
    return status;
}

enum ml_status ml_ensemble_device_speed(const struct ml_ensemble *ensemble,
                                        const struct ml_gpu *gpu, int64_t n_run, size_t queue_bytes,
                                        double seconds, struct ml_device_speed *out,
                                        struct ml_error *err)
{
    struct device_probe p = {.all = ensemble,
                             .e = *ensemble,
                             .use = {.gpu = gpu, .n_thread = 1, .queue_bytes = queue_bytes}};
    p.e.n_run = p.e.block_runs = n_run < ensemble->n_run ? n_run : ensemble->n_run;
    enum ml_status status = device_probe_begin(&p);
    if (status == ML_OK)
        status = device_probe_measure(&p, seconds, out, err);
    ml_gpu_queue_close(&p.batch.device.queue);
    ml_arena_free(&p.arena);
    ml_error_clear(&p.use.err);
    return status;
}
