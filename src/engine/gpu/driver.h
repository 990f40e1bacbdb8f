/* GPUs through the library of their driver, libcuda.so.1, which is opened by name: nothing of it is
 * needed to build, and machines without it compute as before. Functions that return enum ml_status
 * give the driver's own words in messages: ML_E_MEMORY where memory is missing, on the host or the
 * device, ML_E_INPUT for all else. */
#ifndef ML_ENGINE_GPU_DRIVER_H
#define ML_ENGINE_GPU_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/status.h"

/* The library, with its functions. */
struct ml_gpu_driver;

struct ml_gpu_device {
    char name[96];
    size_t bytes;     /* of its memory */
    int major, minor; /* compute capability */
};

/* Opens the library that MANYLINK_CUDA_LIBRARY names, else libcuda.so.1. Fails without a device.
 * The library stays loaded after ml_gpu_driver_close, as its own threads may run in it.
 * Thread-safe. */
enum ml_status ml_gpu_driver_open(struct ml_gpu_driver **out, struct ml_error *err);
void ml_gpu_driver_close(struct ml_gpu_driver *driver); /* NULL is allowed */

int ml_gpu_driver_devices(const struct ml_gpu_driver *driver);

/* Describes device k, 0 <= k < ml_gpu_driver_devices. */
enum ml_status ml_gpu_driver_describe(const struct ml_gpu_driver *driver, int k,
                                      struct ml_gpu_device *out, struct ml_error *err);

/* A device that is open, with one kernel on it. */
struct ml_gpu {
    const struct ml_gpu_driver *driver; /* borrowed */
    struct ml_gpu_device device;
    int handle;
    void *context, *module, *kernel;
    void *before; /* context that the opening thread had, of the program's own work on GPUs */
};

/* Opens device k and compiles a kernel for it.
 *   ptx    text of the kernel's module
 *   entry  name of the kernel in it */
enum ml_status ml_gpu_open(const struct ml_gpu_driver *driver, int k, const char *ptx,
                           const char *entry, struct ml_gpu *out, struct ml_error *err);
/* After the queues, by the opening thread, whose earlier context is set again; {0} is allowed.
 */
void ml_gpu_close(struct ml_gpu *gpu);

/* Tasks of one thread for a device, done in their order, and memory that both have: `host` for the
 * thread, and as many bytes at `device` for kernels. */
struct ml_gpu_queue {
    const struct ml_gpu *gpu; /* borrowed; NULL: closed */
    void *stream;
    unsigned char *host; /* pinned */
    uint64_t device;     /* address there */
};

/* The thread that opens a queue is the one that uses it. */
enum ml_status ml_gpu_queue_open(const struct ml_gpu *gpu, size_t bytes, struct ml_gpu_queue *out,
                                 struct ml_error *err);
void ml_gpu_queue_close(struct ml_gpu_queue *queue); /* from any thread; {0} is allowed */

/* Tasks, which are done later: copies bytes first .. first + n - 1 to the device, or back to the
 * host. */
enum ml_status ml_gpu_send(const struct ml_gpu_queue *queue, size_t first, size_t n,
                           struct ml_error *err);
enum ml_status ml_gpu_fetch(const struct ml_gpu_queue *queue, size_t first, size_t n,
                            struct ml_error *err);

/* A task too: runs the kernel in at least n threads.
 *   argument  its one parameter, copied at once */
enum ml_status ml_gpu_launch(const struct ml_gpu_queue *queue, void *argument, int64_t n,
                             struct ml_error *err);

/* Waits until all tasks are done; returns their failures at the latest. */
enum ml_status ml_gpu_wait(const struct ml_gpu_queue *queue, struct ml_error *err);

#endif
