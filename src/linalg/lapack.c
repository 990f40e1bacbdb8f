/* Finds LAPACK's functions when the process runs, once. */
#include "linalg/lapack.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static const char openblas[] = "libopenblas.so.0";

/* Where LAPACKE may be: a library of its own, or part of OpenBLAS. */
static const char *const libraries[] = {"liblapacke.so.3", "liblapacke.so", openblas,
                                        "libopenblas.so"};

/* What a linker would have written at the start. Never closed: threads may be in it at the end. */
static pthread_once_t lapack_once = PTHREAD_ONCE_INIT;
static struct ml_lapack lapack_found;

static bool is_loaded(const char *library)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle)
        (void)dlclose(handle);
    return handle != NULL;
}

/* ISO C has no conversion between pointers to objects and to functions; POSIX has this. */
static bool find(void *handle, const char *name, void *function)
{
    *(void **)function = dlsym(handle, name);
    return *(void **)function != NULL;
}

static void keep_to_one_thread(void *handle)
{
    void (*set_threads)(int n) = NULL;
    if (find(handle, "openblas_set_num_threads", &set_threads))
        set_threads(1);
}

static void load(void)
{
    const bool is_of_others = is_loaded(openblas);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !lapack_found.potrs; i++) {
        struct ml_lapack found;
        void *handle = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
        if (!handle)
            continue;
        if (find(handle, "LAPACKE_dpotrf_work", &found.potrf) &&
            find(handle, "LAPACKE_dpotrs_work", &found.potrs)) {
            lapack_found = found;
            if (!is_of_others)
                keep_to_one_thread(handle);
        } else {
            (void)dlclose(handle);
        }
    }
}

const struct ml_lapack *ml_lapack(void)
{
    (void)pthread_once(&lapack_once, load);
    return lapack_found.potrs ? &lapack_found : NULL;
}
