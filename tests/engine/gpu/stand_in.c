/* The library of a GPU's driver, played by the host: loaded through MANYLINK_CUDA_LIBRARY by tests.
 * The memory of its devices, as many as STAND_IN_DEVICES in the environment says, else one, is the
 * host's; copies from the device are done when their stream is waited for, as late as on a device;
 * a module is the shared object that the first line of its text names, `// PATH`. Calls fail as
 * stand_in.h says. With STAND_IN_REPORT in the environment it writes to that file, when it is
 * unloaded, how many objects are left, how many kernels ran and the bytes of the host that were
 * pinned, one after the other. */
#include "stand_in.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/gpu/window.h"

#define SHOWN __attribute__((visibility("default")))
#define ML_CUDA(name, parameters) SHOWN int name parameters;
#include "engine/gpu/driver.def"
#undef ML_CUDA

SHOWN stand_in_plan_fn stand_in_plan;
SHOWN stand_in_live_fn stand_in_live;
SHOWN stand_in_calls_fn stand_in_calls;
SHOWN ml_gpu_window_fn stand_in_double;

static const char *const names[] = {
#define ML_CUDA(name, parameters) #name,
#include "engine/gpu/driver.def"
#undef ML_CUDA
};

enum { N_FUNCTION = sizeof names / sizeof *names, MOST_COPIES = 16, NO_FUNCTION = -1 };
enum { DEVICE = 7, MOST_DEVICES = 4 }; /* the handle of device 0 */
enum {
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    INVALID_CONTEXT = 201,
    INVALID_PTX = 218,
    NOT_FOUND = 500
};

static struct {
    pthread_mutex_t lock;
    int calls[N_FUNCTION], live, launches;
    size_t pinned;                  /* bytes */
    int function, nth, code, delay; /* ms */
    bool stays_lost, is_lost, is_wrong;
    const void *lost; /* context of the device that is lost; NULL: all are */
    int n_device;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .function = NO_FUNCTION, .n_device = 1};

static char contexts[MOST_DEVICES]; /* a context is the address of its device's element */

static _Thread_local void *current; /* context */

static int find(const char *name)
{
    for (int i = 0; i < N_FUNCTION; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return NO_FUNCTION;
}

void stand_in_plan(const char *plan)
{
    char function[64] = "", lost[8] = "";
    pthread_mutex_lock(&state.lock);
    memset(state.calls, 0, sizeof state.calls);
    state.is_lost = false;
    state.delay = state.nth = 0;
    if (plan && sscanf(plan, "delay %d", &state.delay) != 1)
        (void)sscanf(plan, "%63s %d %d %7s", function, &state.nth, &state.code, lost);
    state.function = find(function);
    state.stays_lost = strcmp(lost, "lost") == 0;
    state.is_wrong = strcmp(function, "wrong") == 0;
    pthread_mutex_unlock(&state.lock);
}

int stand_in_live(void)
{
    pthread_mutex_lock(&state.lock);
    const int live = state.live;
    pthread_mutex_unlock(&state.lock);
    return live;
}

int stand_in_calls(const char *function)
{
    pthread_mutex_lock(&state.lock);
    const int calls = state.calls[find(function)];
    pthread_mutex_unlock(&state.lock);
    return calls;
}

__attribute__((constructor)) static void begin(void)
{
    const char *devices = getenv("STAND_IN_DEVICES");
    stand_in_plan(getenv("STAND_IN"));
    if (devices)
        state.n_device = atoi(devices) < MOST_DEVICES ? atoi(devices) : MOST_DEVICES;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("STAND_IN_REPORT");
    FILE *to = path ? fopen(path, "w") : NULL;
    if (!to)
        return;
    fprintf(to, "live %d, kernels %d, pinned %zu\n", state.live, state.launches, state.pinned);
    (void)fclose(to);
}

/* Counts a call and returns its code, 0 if the call may be done. Objects are freed whatever the
 * code, as those of a lost device go with its context.
 *   made     objects that it makes; < 0: frees
 *   context  of the device that it is for; NULL: none */
static int enter_for(const void *context, const char *function, int made)
{
    const int i = find(function);
    int code = 0;
    pthread_mutex_lock(&state.lock);
    state.calls[i]++;
    if (i == state.function && state.calls[i] == state.nth) {
        code = state.code;
        state.is_lost = state.stays_lost;
        state.lost = context;
    } else if (state.is_lost && (!state.lost || state.lost == context)) {
        code = state.code;
    }
    if (code == 0 || made < 0)
        state.live += made;
    pthread_mutex_unlock(&state.lock);
    return code;
}

static int enter(const char *function, int made) { return enter_for(NULL, function, made); }

static bool is_device(int device) { return device >= DEVICE && device < DEVICE + state.n_device; }

/* The same of calls for the context of this thread. */
static int enter_current(const char *function, int made)
{
    const int code = enter_for(current, function, current || made < 0 ? made : 0);
    return code == 0 && !current ? INVALID_CONTEXT : code;
}

struct stream {
    int n;
    struct {
        void *to;
        uint64_t from;
        size_t bytes;
    } copies[MOST_COPIES];
};

int cuInit(unsigned flags) { return flags ? INVALID_VALUE : enter(__func__, 0); }

int cuGetErrorName(int code, const char **name)
{
    *name = code == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
            : code == INVALID_PTX ? "CUDA_ERROR_INVALID_PTX"
                                  : "CUDA_ERROR_LAUNCH_FAILED";
    return 0;
}

int cuGetErrorString(int code, const char **text)
{
    *text = code == OUT_OF_MEMORY ? "out of memory"
            : code == INVALID_PTX ? "a PTX JIT compilation failed"
                                  : "unspecified launch failure";
    return 0;
}

int cuDeviceGetCount(int *count)
{
    *count = state.n_device;
    return enter(__func__, 0);
}

int cuDeviceGet(int *device, int k)
{
    *device = DEVICE + k;
    return is_device(*device) ? enter(__func__, 0) : INVALID_VALUE;
}

int cuDeviceGetName(char *name, int size, int device)
{
    (void)snprintf(name, (size_t)size, "stand-in");
    return is_device(device) ? enter(__func__, 0) : INVALID_VALUE;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    *bytes = 80000000000;
    return is_device(device) ? enter(__func__, 0) : INVALID_VALUE;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    *value = attribute == 75 ? 9 : 0;
    return is_device(device) ? enter(__func__, 0) : INVALID_VALUE;
}

int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags)
{
    return is_device(device) && flags == 4 ? enter(__func__, 0) : INVALID_VALUE;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    const int code = is_device(device) ? enter(__func__, 1) : INVALID_VALUE;
    if (code == 0)
        *context = &contexts[device - DEVICE];
    return code;
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    return is_device(device) ? enter(__func__, -1) : INVALID_VALUE;
}

int cuCtxGetCurrent(void **context)
{
    *context = current;
    return enter(__func__, 0);
}

int cuCtxSetCurrent(void *context)
{
    const int code = enter_for(context, __func__, 0);
    if (code == 0)
        current = context;
    return code;
}

int cuModuleLoadDataEx(void **module, const void *text, unsigned n_option, int *options,
                       void **values)
{
    char path[4096] = "";
    int code = enter_current(__func__, 1);
    if (code != 0)
        return code;
    (void)sscanf(text, "// %4095[^\n]", path);
    *module = *path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (*module)
        return 0;
    for (unsigned i = 0; i + 1 < n_option; i += 2)
        if (options[i] == 5 && options[i + 1] == 6)
            (void)snprintf(values[i], (size_t)(uintptr_t)values[i + 1],
                           "ptxas fatal: line 1: no shared object\nptxas fatal: aborted");
    pthread_mutex_lock(&state.lock);
    state.live--;
    pthread_mutex_unlock(&state.lock);
    return INVALID_PTX;
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
    const int code = enter_current(__func__, 0);
    *function = code == 0 ? dlsym(module, name) : NULL;
    return code != 0 ? code : *function ? 0 : NOT_FOUND;
}

int cuModuleUnload(void *module)
{
    (void)dlclose(module);
    return enter_current(__func__, -1);
}

int cuStreamCreate(void **stream, unsigned flags)
{
    const int code = flags == 1 ? enter_current(__func__, 1) : INVALID_VALUE;
    if (code == 0)
        *stream = calloc(1, sizeof(struct stream));
    return code;
}

int cuStreamSynchronize(void *stream)
{
    struct stream *s = stream;
    const struct timespec pause = {state.delay / 1000, state.delay % 1000 * 1000000};
    const int code = enter_current(__func__, 0);
    (void)nanosleep(&pause, NULL);
    for (int i = 0; code == 0 && i < s->n; i++)
        memcpy(s->copies[i].to, (void *)(uintptr_t)s->copies[i].from, s->copies[i].bytes);
    s->n = 0;
    return code;
}

int cuStreamDestroy_v2(void *stream)
{
    free(stream);
    return enter_current(__func__, -1);
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
    const int code = enter_current(__func__, 1);
    if (code == 0)
        *address = (uint64_t)(uintptr_t)malloc(bytes);
    return code;
}

int cuMemFree_v2(uint64_t address)
{
    free((void *)(uintptr_t)address);
    return enter_current(__func__, -1);
}

int cuMemAllocHost_v2(void **memory, size_t bytes)
{
    const int code = enter_current(__func__, 1);
    if (code == 0)
        *memory = malloc(bytes);
    pthread_mutex_lock(&state.lock);
    state.pinned += code == 0 ? bytes : 0;
    pthread_mutex_unlock(&state.lock);
    return code;
}

int cuMemFreeHost(void *memory)
{
    free(memory);
    return enter_current(__func__, -1);
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream)
{
    const int code = stream ? enter_current(__func__, 0) : INVALID_VALUE;
    if (code == 0)
        memcpy((void *)(uintptr_t)to, from, bytes);
    return code;
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream)
{
    struct stream *s = stream;
    const int code = s && s->n < MOST_COPIES ? enter_current(__func__, 0) : INVALID_VALUE;
    if (code == 0) {
        s->copies[s->n].to = to;
        s->copies[s->n].from = from;
        s->copies[s->n++].bytes = bytes;
    }
    return code;
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   void *stream, void **parameters, void **extra)
{
    const struct ml_gpu_window *window = parameters[0];
    ml_gpu_window_fn *kernel;
    const int64_t n = (int64_t)grid_x * block_x;
    if (!stream || grid_y * grid_z * block_y * block_z != 1 || shared_bytes || extra ||
        n < window->n_batch * ML_LANES)
        return INVALID_VALUE;
    const int code = enter_current(__func__, 0);
    if (code != 0)
        return code;
    pthread_mutex_lock(&state.lock);
    state.launches++;
    pthread_mutex_unlock(&state.lock);
    memcpy(&kernel, &function, sizeof kernel);
    kernel(*window);
    if (state.is_wrong)
        window->x[ML_LANES - 1] = nextafter(window->x[ML_LANES - 1], 0.0);
    return 0;
}

/* A kernel for tests of the driver alone: doubles a row of each batch. */
void stand_in_double(struct ml_gpu_window window)
{
    for (int64_t i = 0; i < window.n_batch * ML_LANES; i++)
        window.x[i] *= 2.0;
}
