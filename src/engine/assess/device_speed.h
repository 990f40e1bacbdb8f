/* How fast a GPU would compute an ensemble. */
#ifndef ML_ENGINE_DEVICE_SPEED_H
#define ML_ENGINE_DEVICE_SPEED_H

#include "engine/gpu/use.h"
#include "engine/team/ensemble.h"

/* Times of runs that a device computed at once, s. */
struct ml_device_speed {
    int64_t n_run, n_step; /* the runs, and the most steps of each: fewer than a run has if `step`
                              and `host_step` are extrapolated */
    double start;     /* their starts, first step and ends, most of it by one thread of the host */
    double step;      /* each further step, on the device */
    double host_step; /* each further step, by the thread that takes the device's numbers */
};

/* Lets a device compute runs from all over the ensemble, with more and more steps until these take
 * as long as is asked for.
 *   gpu          with the kernel ml_gpu_window of the ensemble, which ml_device_serves
 *   n_run        at once, at most
 *   queue_bytes  on the host and on the device, at most
 *   seconds      of a clock
 * ML_E_MEMORY; ML_E_INPUT if the device fails or has other numbers than the host. */
enum ml_status ml_ensemble_device_speed(const struct ml_ensemble *ensemble,
                                        const struct ml_gpu *gpu, int64_t n_run, size_t queue_bytes,
                                        double seconds, struct ml_device_speed *out,
                                        struct ml_error *err);

#endif
