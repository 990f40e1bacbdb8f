/* Calls of a GPU's driver, which the host plays (gpu/stand_in.c): each of them fails in turn. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "engine/gpu/driver.h"
#include "engine/gpu/stand_in.h"
#include "engine/gpu/window.h"
#include "manylink/version.h"

enum { N_BATCH = 40, N_NUMBER = N_BATCH * ML_LANES };

static stand_in_plan_fn *plan;
static stand_in_live_fn *live;
static stand_in_calls_fn *calls;
static int (*get_current)(void **context);
static int (*set_current)(void *context);
static char ptx[4096];

static bool load_stand_in(void)
{
    const char *path = getenv("CUDA_STAND_IN");
    void *library = dlopen(path, RTLD_NOW);
    if (!library)
        return false;
    *(void **)&plan = dlsym(library, "stand_in_plan");
    *(void **)&live = dlsym(library, "stand_in_live");
    *(void **)&calls = dlsym(library, "stand_in_calls");
    *(void **)&get_current = dlsym(library, "cuCtxGetCurrent");
    *(void **)&set_current = dlsym(library, "cuCtxSetCurrent");
    (void)setenv("MANYLINK_CUDA_LIBRARY", path, 1);
    (void)snprintf(ptx, sizeof ptx, "// %s\n.version 7.0\n", path);
    return true;
}

/* Doubles numbers on the device. */
static enum ml_status double_numbers(const struct ml_gpu *gpu, struct ml_error *err)
{
    const size_t bytes = N_NUMBER * sizeof(double);
    struct ml_gpu_queue queue;
    enum ml_status status = ml_gpu_queue_open(gpu, bytes, &queue, err);
    if (status != ML_OK)
        return status;
    double *numbers = (double *)(void *)queue.host;
    struct ml_gpu_window window = {.n_batch = N_BATCH, .x = (double *)(uintptr_t)queue.device};
    for (int i = 0; i < N_NUMBER; i++)
        numbers[i] = i;
    status = ml_gpu_send(&queue, 0, bytes, err);
    if (status == ML_OK)
        status = ml_gpu_launch(&queue, &window, N_NUMBER, err);
    if (status == ML_OK)
        status = ml_gpu_fetch(&queue, bytes / 2, bytes / 2, err);
    CHECK(numbers[N_NUMBER - 1] == N_NUMBER - 1); /* later */
    if (status == ML_OK)
        status = ml_gpu_wait(&queue, err);
    for (int i = 0; i < N_NUMBER && status == ML_OK; i++)
        CHECK(numbers[i] == (i < N_NUMBER / 2 ? i : 2 * i));
    ml_gpu_queue_close(&queue);
    CHECK(!queue.gpu && !queue.host);
    return status;
}

struct thread {
    const struct ml_gpu *gpu;
    enum ml_status status;
};

static void *double_beside(void *context)
{
    struct thread *thread = context;
    thread->status = double_numbers(thread->gpu, NULL);
    return NULL;
}

/* All that is done with a device, of which everything is given back. */
static enum ml_status use_device(struct ml_error *err)
{
    struct ml_gpu_driver *driver;
    struct ml_gpu_device device;
    struct ml_gpu gpu;
    enum ml_status status = ml_gpu_driver_open(&driver, err);
    if (status != ML_OK)
        return status;
    CHECK(ml_gpu_driver_devices(driver) == 1);
    status = ml_gpu_driver_describe(driver, 0, &device, err);
    if (status == ML_OK) {
        CHECK(strcmp(device.name, "stand-in") == 0 && device.bytes == 80000000000);
        CHECK(device.major == 9 && device.minor == 0);
        status = ml_gpu_open(driver, 0, ptx, "stand_in_double", &gpu, err);
    }
    if (status == ML_OK) {
        status = double_numbers(&gpu, err);
        ml_gpu_close(&gpu);
    }
    ml_gpu_driver_close(driver);
    return status;
}

static void a_device_computes(void)
{
    struct ml_error err = {0};
    CHECK_CASE("nothing fails");
    plan(NULL);
    CHECK(use_device(&err) == ML_OK && !err.text && live() == 0);
    CHECK(calls("cuLaunchKernel") == 1 && calls("cuMemAlloc_v2") == 1);
    char *text = ml_gpu_text();
    CHECK(text && strcmp(text, "stand-in (80 GB, compute capability 9.0)") == 0);
    free(text);
}

/* The context of a program with its own work on GPUs is current again afterwards. */
static void a_context_is_kept(void)
{
    int own;
    void *after = NULL;
    CHECK_CASE("context");
    plan(NULL);
    CHECK(set_current(&own) == 0 && use_device(NULL) == ML_OK);
    CHECK(get_current(&after) == 0 && after == &own && set_current(NULL) == 0);
}

static void threads_share_a_device(void)
{
    struct ml_gpu_driver *driver;
    struct ml_gpu gpu;
    struct thread threads[3];
    pthread_t ids[3];
    CHECK_CASE("threads");
    plan("delay 5");
    CHECK(ml_gpu_driver_open(&driver, NULL) == ML_OK);
    CHECK(ml_gpu_open(driver, 0, ptx, "stand_in_double", &gpu, NULL) == ML_OK);
    for (int i = 0; i < 3; i++) {
        threads[i].gpu = &gpu;
        CHECK(pthread_create(&ids[i], NULL, double_beside, &threads[i]) == 0);
    }
    for (int i = 0; i < 3; i++)
        CHECK(pthread_join(ids[i], NULL) == 0 && threads[i].status == ML_OK);
    ml_gpu_close(&gpu);
    ml_gpu_driver_close(driver);
    CHECK(live() == 0);
}

/* Calls that fail, the code, and the message; NULL: freeing calls, whose failure nobody can mend.
 */
static const struct {
    const char *function, *failure;
} failures[] = {
    {"cuInit", ": cannot begin: "},
    {"cuDeviceGetCount", ": cannot count devices: "},
    {"cuDeviceGet", "GPU 0: cannot read its properties: "},
    {"cuDeviceGetName", "GPU 0: cannot read its properties: "},
    {"cuDeviceTotalMem_v2", "GPU 0: cannot read its properties: "},
    {"cuDeviceGetAttribute", "GPU 0: cannot read its properties: "},
    {"cuDevicePrimaryCtxSetFlags_v2", "stand-in: cannot open the device: "},
    {"cuDevicePrimaryCtxRetain", "stand-in: cannot open the device: "},
    {"cuCtxGetCurrent", "stand-in: cannot open the device: "},
    {"cuCtxSetCurrent", "stand-in: cannot "},
    {"cuModuleLoadDataEx", "stand-in: cannot compile the kernel: "},
    {"cuModuleGetFunction", "stand-in: cannot find the kernel `stand_in_double`: "},
    {"cuStreamCreate", "stand-in: cannot make a queue: "},
    {"cuMemAlloc_v2", "stand-in: cannot take 0.0 MB of its memory: "},
    {"cuMemAllocHost_v2", "stand-in: cannot pin 0.0 MB of the host's memory: "},
    {"cuMemcpyHtoDAsync_v2", "stand-in: cannot copy to it: "},
    {"cuMemcpyDtoHAsync_v2", "stand-in: cannot copy from it: "},
    {"cuLaunchKernel", "stand-in: cannot begin the kernel: "},
    {"cuStreamSynchronize", "stand-in: the kernel failed: "},
    {"cuDevicePrimaryCtxRelease_v2", NULL},
    {"cuModuleUnload", NULL},
    {"cuStreamDestroy_v2", NULL},
    {"cuMemFree_v2", NULL},
    {"cuMemFreeHost", NULL},
};

static void check_failure(const char *function, const char *failure, int n, const char *code)
{
    struct ml_error err = {0};
    char text[128];
    (void)snprintf(text, sizeof text, "%s %d %s", function, n, code);
    CHECK_CASE("%s", text);
    plan(text);
    const enum ml_status status = use_device(&err);
    const bool is_memory = strcmp(code, "2") == 0;
    CHECK(status == (!failure ? ML_OK : is_memory ? ML_E_MEMORY : ML_E_INPUT));
    CHECK(!failure || (err.text && strstr(err.text, failure)));
    CHECK(!failure ||
          strstr(err.text,
                 is_memory
                     ? ": out of memory (CUDA_ERROR_OUT_OF_MEMORY, code 2): `nvidia-smi` "
                     : ": unspecified launch failure (CUDA_ERROR_LAUNCH_FAILED, code 719)\n"));
    CHECK(live() == 0);
    ml_error_clear(&err);
}

/* The message names the call, everything is given back. */
static void every_call_may_fail(void)
{
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        const char *function = failures[i].function, *failure = failures[i].failure;
        plan(NULL);
        (void)use_device(NULL);
        int n = calls(function);
        CHECK_CASE("%s", function);
        CHECK(n > 0);
        if (!failure || strcmp(function, "cuCtxSetCurrent") == 0)
            n = n < 2 ? n : 2; /* the first two are not of the end */
        if (strcmp(function, "cuStreamSynchronize") == 0)
            n = 1;
        for (int k = 1; k <= n; k++) {
            check_failure(function, failure, k, "719");
            check_failure(function, failure, k, "719 lost");
            check_failure(function, failure, k, "2");
        }
    }
}

static void check_refused(const char *library, const char *text)
{
    struct ml_error err = {0};
    struct ml_gpu_driver *driver;
    CHECK_CASE("%s", library);
    (void)setenv("MANYLINK_CUDA_LIBRARY", library, 1);
    CHECK(ml_gpu_driver_open(&driver, &err) == ML_E_INPUT && !driver);
    CHECK(err.text && strcmp(err.text, text) == 0);
    ml_error_clear(&err);
    char *version = ml_gpu_text();
    CHECK(version && strncmp(version, "none: ", 6) == 0 &&
          strncmp(version + 6, text, strlen(text) - 1) == 0);
    free(version);
}

static void a_text_that_the_driver_refuses_is_told(void)
{
    struct ml_error err = {0};
    const char *failure =
        "stand-in: cannot compile the kernel: ptxas fatal: line 1: no shared object: a PTX JIT "
        "compilation failed (CUDA_ERROR_INVALID_PTX, code 218): a newer driver may compile it\n";
    CHECK_CASE("PTX");
    plan(NULL);
    ptx[0] = '.';
    CHECK(use_device(&err) == ML_E_INPUT && live() == 0);
    CHECK(err.text && strcmp(err.text, failure) == 0);
    ml_error_clear(&err);
}

int main(void)
{
    if (!load_stand_in())
        return 77;
    a_device_computes();
    a_context_is_kept();
    threads_share_a_device();
    every_call_may_fail();
    a_text_that_the_driver_refuses_is_told();
    check_refused("libnone.so.1",
                  "libnone.so.1, the library of the driver of GPUs, is not there\n");
    check_refused("libm.so.6", "libm.so.6 has no function `cuInit`: a newer driver has it\n");
    return check_done();
}
