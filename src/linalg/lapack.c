/* Finds LAPACK's functions when the process runs, once. */
#include "linalg/lapack.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Where LAPACKE may be: a library of its own, or part of OpenBLAS. */
static const char *const libraries[] = {"liblapacke.so.3", "liblapacke.so", "libopenblas.so.0",
                                        "libopenblas.so"};

/* What a linker would have written at the start. Never closed: threads may be in it at the end. */
static pthread_once_t lapack_once = PTHREAD_ONCE_INIT;
static struct ml_lapack lapack_found;

/* ISO C has no conversion between pointers to objects and to functions; POSIX has this. */
static bool lapack_find(void *handle, const char *name, void *function)
{
    *(void **)function = dlsym(handle, name);
    return *(void **)function != NULL;
}

static void lapack_load(void)
{
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !lapack_found.potrs; i++) {
        struct ml_lapack found;
        void *handle = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
        if (!handle)
            continue;
        if (lapack_find(handle, "LAPACKE_dpotrf_work", &found.potrf) &&
            lapack_find(handle, "LAPACKE_dpotrs_work", &found.potrs)) {
            lapack_found = found;
        } else {
            (void)dlclose(handle);
        }
    }
}

const struct ml_lapack *ml_lapack(void)
{
    (void)pthread_once(&lapack_once, lapack_load);
    return lapack_found.potrs ? &lapack_found : NULL;
}
