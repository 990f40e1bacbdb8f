/* Rows of batches in memory that a GPU and the host share. */
#ifndef ML_ENGINE_DEVICE_H
#define ML_ENGINE_DEVICE_H

#include "engine/team/batch.h"

/* Finds the rows of a batch in batch->device, and how many batches a queue of so many bytes has
 * room for, one at least and at most those of a block; returns bytes of each. */
size_t ml_device_lay_out(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                         size_t most_bytes);

/* Opens batch->device with room for the batches of a block, or for fewer of them where the device
 * or the host lacks memory. */
enum ml_status ml_device_open(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                              struct ml_error *err);

/* Copies a batch that is at its start into the rows of the i-th batch there.
 *   time  [ML_LANES] s, as of ML_DEVICE_START */
void ml_device_write(struct ml_batch *batch, int64_t i, const double *time);

/* Whether a lane of the i-th batch has failed on the device. */
bool ml_device_fails(const struct ml_device_runs *device, int64_t i);

/* Whether the i-th batch ends with the numbers of `batch`, bit for bit. */
bool ml_device_is_same(struct ml_batch *batch, int64_t i);

/* Whether the batch that begins with run `first` was integrated ahead. */
bool ml_device_has(const struct ml_device_runs *device, int64_t first);

/* R of a stop of the i-th batch, as of ml_gpu_stops, and the integral of the trace behind it. */
const double *ml_device_stop(const struct ml_ensemble *ensemble, const struct ml_batch *batch,
                             int64_t i, int64_t stop);

/* For the batch that begins with run `first`: takes R of stop i and the integral of the trace, if
 * there are stops, and at the end of the runs their state. */
void ml_device_take(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first,
                    int64_t i, bool is_end);

#endif
