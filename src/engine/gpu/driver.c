/* Loads the driver's library and calls it: devices, modules, memory and queues of tasks. */
#include "engine/gpu/driver.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "manylink/fail.h"

struct ml_gpu_driver {
    int n_device;
#define ML_CUDA(name, parameters) int(*name) parameters;
#include "engine/gpu/driver.def"
#undef ML_CUDA
};

/* Names and places of the functions. */
static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define ML_CUDA(name, parameters) {#name, offsetof(struct ml_gpu_driver, name)},
#include "engine/gpu/driver.def"
#undef ML_CUDA
};

/* Numbers of cuda.h. */
enum {
    ERROR_OUT_OF_MEMORY = 2,
    ERROR_NO_DEVICE = 100,
    ERROR_INVALID_PTX = 218,
    ERROR_UNSUPPORTED_PTX_VERSION = 222,
    ERROR_SYSTEM_DRIVER_MISMATCH = 803,
    ATTRIBUTE_MAJOR = 75,
    ATTRIBUTE_MINOR = 76,
    JIT_ERROR_LOG = 5,
    JIT_ERROR_LOG_BYTES = 6,
    SCHEDULE_BLOCKING_SYNC = 4, /* a thread that waits leaves its processor to others */
    STREAM_NON_BLOCKING = 1,
};

/* Threads of a group on the device: registers allow about so many at once. */
enum { GROUP = 128 };

static const char *remedy(int code)
{
    switch (code) {
    case ERROR_OUT_OF_MEMORY:
        return ": `nvidia-smi` lists the processes that fill it";
    case ERROR_NO_DEVICE:
        return ": `nvidia-smi` lists the devices; a container has those that it was started with";
    case ERROR_INVALID_PTX:
    case ERROR_UNSUPPORTED_PTX_VERSION:
        return ": a newer driver may compile it";
    case ERROR_SYSTEM_DRIVER_MISMATCH:
        return ": the system has to be restarted after an update of the driver";
    default:
        return "";
    }
}

/* ML_OK of code 0, else "PLACE: cannot DO: REASON" in the driver's words, with a remedy where one
 * is known.
 *   doing  PLACE: cannot DO, as by printf */
__attribute__((format(printf, 4, 5))) static enum ml_status
driver_check(const struct ml_gpu_driver *d, int code, struct ml_error *err, const char *doing, ...)
{
    const char *name = NULL, *text = NULL;
    va_list args;
    if (code == 0)
        return ML_OK;
    (void)d->cuGetErrorName(code, &name);
    (void)d->cuGetErrorString(code, &text);
    va_start(args, doing);
    char *task = ml_vformat(doing, args);
    va_end(args);
    const enum ml_status status =
        ml_fail(err, code == ERROR_OUT_OF_MEMORY ? ML_E_MEMORY : ML_E_INPUT,
                "%s: %s (%s, code %d)%s", task ? task : "GPU", text ? text : "unknown error",
                name ? name : "no name", code, remedy(code));
    free(task);
    return status;
}

static enum ml_status find_functions(void *library, const char *name, struct ml_gpu_driver *out,
                                     struct ml_error *err)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function)
            return ml_fail(err, ML_E_INPUT, "%s has no function `%s`: a newer driver has it", name,
                           functions[i].name);
        memcpy((char *)out + functions[i].offset, &function, sizeof function);
    }
    return ML_OK;
}

/* dlerror of a missing library has its name twice. */
static enum ml_status fail_to_open(const char *name, struct ml_error *err)
{
    const char *why = dlerror();
    if (!why || strstr(why, "No such file"))
        return ml_fail(err, ML_E_INPUT, "%s, the library of the driver of GPUs, is not there",
                       name);
    return ml_fail(err, ML_E_INPUT, "cannot load the driver of the GPU: %s", why);
}

static enum ml_status driver_begin(const char *name, struct ml_gpu_driver *driver,
                                   struct ml_error *err)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fail_to_open(name, err);
    enum ml_status status = find_functions(library, name, driver, err);
    assert(status != ML_OK || (driver->cuInit && driver->cuDeviceGetCount));
    if (status == ML_OK)
        status = driver_check(driver, driver->cuInit(0), err, "%s: cannot begin", name);
    if (status == ML_OK)
        status = driver_check(driver, driver->cuDeviceGetCount(&driver->n_device), err,
                              "%s: cannot count devices", name);
    if (status == ML_OK && driver->n_device == 0)
        status = driver_check(driver, ERROR_NO_DEVICE, err, "%s: cannot find a device", name);
    return status;
}

enum ml_status ml_gpu_driver_open(struct ml_gpu_driver **out, struct ml_error *err)
{
    const char *given = getenv("MANYLINK_CUDA_LIBRARY");
    const char *name = given && *given ? given : "libcuda.so.1";
    *out = calloc(1, sizeof **out);
    if (!*out)
        return ML_E_MEMORY;
    const enum ml_status status = driver_begin(name, *out, err);
    if (status == ML_OK)
        return ML_OK;
    ml_gpu_driver_close(*out);
    *out = NULL;
    return status;
}

void ml_gpu_driver_close(struct ml_gpu_driver *driver) { free(driver); }

int ml_gpu_driver_devices(const struct ml_gpu_driver *driver) { return driver->n_device; }

static enum ml_status describe(const struct ml_gpu_driver *d, int k, int *handle,
                               struct ml_gpu_device *out, struct ml_error *err)
{
    *out = (struct ml_gpu_device){0};
    int code = d->cuDeviceGet(handle, k);
    if (code == 0)
        code = d->cuDeviceGetName(out->name, sizeof out->name, *handle);
    if (code == 0)
        code = d->cuDeviceTotalMem_v2(&out->bytes, *handle);
    if (code == 0)
        code = d->cuDeviceGetAttribute(&out->major, ATTRIBUTE_MAJOR, *handle);
    if (code == 0)
        code = d->cuDeviceGetAttribute(&out->minor, ATTRIBUTE_MINOR, *handle);
    return driver_check(d, code, err, "GPU %d: cannot read its properties", k);
}

enum ml_status ml_gpu_driver_describe(const struct ml_gpu_driver *driver, int k,
                                      struct ml_gpu_device *out, struct ml_error *err)
{
    int handle;
    return describe(driver, k, &handle, out, err);
}

/* Makes the driver compile the kernel's text: where it refuses, its first line about that is in the
 * message. */
static enum ml_status load_module(struct ml_gpu *gpu, const char *ptx, const char *entry,
                                  struct ml_error *err)
{
    enum { LOG = 4096 };
    const struct ml_gpu_driver *d = gpu->driver;
    char log[LOG] = "";
    int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(LOG - 1)};
    const int code = d->cuModuleLoadDataEx(&gpu->module, ptx, 2, options, values);
    const int line = (int)strcspn(log, "\n");
    enum ml_status status = driver_check(d, code, err, "%s: cannot compile the kernel%s%.*s",
                                         gpu->device.name, line > 0 ? ": " : "", line, log);
    if (status == ML_OK)
        status = driver_check(d, d->cuModuleGetFunction(&gpu->kernel, gpu->module, entry), err,
                              "%s: cannot find the kernel `%s`", gpu->device.name, entry);
    return status;
}

static enum ml_status device_begin(struct ml_gpu *gpu, const char *ptx, const char *entry,
                                   struct ml_error *err)
{
    const struct ml_gpu_driver *d = gpu->driver;
    int code = d->cuDevicePrimaryCtxSetFlags_v2(gpu->handle, SCHEDULE_BLOCKING_SYNC);
    if (code == 0)
        code = d->cuCtxGetCurrent(&gpu->before);
    if (code == 0)
        code = d->cuDevicePrimaryCtxRetain(&gpu->context, gpu->handle);
    if (code == 0)
        code = d->cuCtxSetCurrent(gpu->context);
    const enum ml_status status =
        driver_check(d, code, err, "%s: cannot open the device", gpu->device.name);
    return status == ML_OK ? load_module(gpu, ptx, entry, err) : status;
}

enum ml_status ml_gpu_open(const struct ml_gpu_driver *driver, int k, const char *ptx,
                           const char *entry, struct ml_gpu *out, struct ml_error *err)
{
    *out = (struct ml_gpu){.driver = driver};
    enum ml_status status = describe(driver, k, &out->handle, &out->device, err);
    if (status == ML_OK)
        status = device_begin(out, ptx, entry, err);
    if (status != ML_OK)
        ml_gpu_close(out);
    return status;
}

void ml_gpu_close(struct ml_gpu *gpu)
{
    const struct ml_gpu_driver *d = gpu->driver;
    if (gpu->context)
        (void)d->cuCtxSetCurrent(gpu->context);
    if (gpu->module)
        (void)d->cuModuleUnload(gpu->module);
    if (gpu->context) {
        (void)d->cuCtxSetCurrent(gpu->before);
        (void)d->cuDevicePrimaryCtxRelease_v2(gpu->handle);
    }
    *gpu = (struct ml_gpu){0};
}

enum ml_status ml_gpu_queue_open(const struct ml_gpu *gpu, size_t bytes, struct ml_gpu_queue *out,
                                 struct ml_error *err)
{
    const struct ml_gpu_driver *d = gpu->driver;
    const char *name = gpu->device.name;
    void *host = NULL;
    *out = (struct ml_gpu_queue){.gpu = gpu};
    enum ml_status status =
        driver_check(d, d->cuCtxSetCurrent(gpu->context), err, "%s: cannot serve a thread", name);
    if (status == ML_OK)
        status = driver_check(d, d->cuStreamCreate(&out->stream, STREAM_NON_BLOCKING), err,
                              "%s: cannot make a queue", name);
    if (status == ML_OK)
        status = driver_check(d, d->cuMemAlloc_v2(&out->device, bytes), err,
                              "%s: cannot take %.1f MB of its memory", name, (double)bytes / 1e6);
    if (status == ML_OK)
        status =
            driver_check(d, d->cuMemAllocHost_v2(&host, bytes), err,
                         "%s: cannot pin %.1f MB of the host's memory", name, (double)bytes / 1e6);
    out->host = host;
    if (status != ML_OK)
        ml_gpu_queue_close(out);
    return status;
}

void ml_gpu_queue_close(struct ml_gpu_queue *queue)
{
    if (!queue->gpu)
        return;
    const struct ml_gpu_driver *d = queue->gpu->driver;
    (void)d->cuCtxSetCurrent(queue->gpu->context);
    if (queue->stream) {
        (void)d->cuStreamSynchronize(queue->stream);
        (void)d->cuStreamDestroy_v2(queue->stream);
    }
    if (queue->device)
        (void)d->cuMemFree_v2(queue->device);
    if (queue->host)
        (void)d->cuMemFreeHost(queue->host);
    *queue = (struct ml_gpu_queue){0};
}

enum ml_status ml_gpu_send(const struct ml_gpu_queue *queue, size_t first, size_t n,
                           struct ml_error *err)
{
    const struct ml_gpu_driver *d = queue->gpu->driver;
    return driver_check(
        d, d->cuMemcpyHtoDAsync_v2(queue->device + first, queue->host + first, n, queue->stream),
        err, "%s: cannot copy to it", queue->gpu->device.name);
}

enum ml_status ml_gpu_fetch(const struct ml_gpu_queue *queue, size_t first, size_t n,
                            struct ml_error *err)
{
    const struct ml_gpu_driver *d = queue->gpu->driver;
    return driver_check(
        d, d->cuMemcpyDtoHAsync_v2(queue->host + first, queue->device + first, n, queue->stream),
        err, "%s: cannot copy from it", queue->gpu->device.name);
}

enum ml_status ml_gpu_launch(const struct ml_gpu_queue *queue, void *argument, int64_t n,
                             struct ml_error *err)
{
    const struct ml_gpu *gpu = queue->gpu;
    void *parameters[] = {argument};
    const int code =
        gpu->driver->cuLaunchKernel(gpu->kernel, (unsigned)((n + GROUP - 1) / GROUP), 1, 1, GROUP,
                                    1, 1, 0, queue->stream, parameters, NULL);
    return driver_check(gpu->driver, code, err, "%s: cannot begin the kernel", gpu->device.name);
}

enum ml_status ml_gpu_wait(const struct ml_gpu_queue *queue, struct ml_error *err)
{
    const struct ml_gpu_driver *d = queue->gpu->driver;
    return driver_check(d, d->cuStreamSynchronize(queue->stream), err, "%s: the kernel failed",
                        queue->gpu->device.name);
}
