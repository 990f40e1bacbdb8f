/* Copies each lane's matrix out of the batch for LAPACK's Cholesky factorisation and solution. */
#include "linalg/lapacke.h"

#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simd/layout.h"

enum { COLUMN_MAJOR = 102 }; /* LAPACK_COL_MAJOR */

void ml_lapacke_load(void) { (void)ml_lapack(); }

static void lapacke_gather(int n, int width, const double *a, int lane, double *matrix)
{
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            matrix[j * n + i] = a[ml_tri(i, j) * width + lane];
}

/* Each thread in LAPACK takes a buffer of OpenBLAS; where the address space is limited one buffer
 * has to do for all. */
static pthread_mutex_t lapack_lock = PTHREAD_MUTEX_INITIALIZER;

static void lapacke_enter(const struct ml_lapack *lapack)
{
    if (lapack->is_confined)
        (void)pthread_mutex_lock(&lapack_lock);
}

static void lapacke_leave(const struct ml_lapack *lapack)
{
    if (lapack->is_confined)
        (void)pthread_mutex_unlock(&lapack_lock);
}

/* `info` of dpotrf; for a NaN pivot, which OpenBLAS accepts, the order of that pivot. */
static int lapacke_factorise(const struct ml_lapack *lapack, int n, double *matrix)
{
    lapacke_enter(lapack);
    int info = lapack->potrf(COLUMN_MAJOR, 'L', n, matrix, n);
    lapacke_leave(lapack);
    for (int i = 0; i < n && info == 0; i++)
        if (!(matrix[i * n + i] > 0.0))
            info = i + 1;
    return info;
}

void ml_lapacke_potrf(int n, int width, double *a, int *info, double *work)
{
    const struct ml_lapack *lapack = ml_lapack();
    assert(lapack); /* a study that asks for it is refused where it cannot be loaded */
    for (int lane = 0; lane < width; lane++) {
        lapacke_gather(n, width, a, lane, work);
        info[lane] = lapacke_factorise(lapack, n, work);
        for (int j = 0; j < n; j++)
            for (int i = j; i < n; i++)
                a[ml_tri(i, j) * width + lane] = work[j * n + i];
    }
}

void ml_lapacke_potrs(int n, int n_rhs, int width, const double *a, double *b, double *work)
{
    const struct ml_lapack *lapack = ml_lapack();
    double *rhs = work + (long)n * n;
    assert(lapack);
    for (int lane = 0; lane < width; lane++) {
        lapacke_gather(n, width, a, lane, work);
        for (int r = 0; r < n_rhs * n; r++)
            rhs[r] = b[r * width + lane];
        lapacke_enter(lapack);
        (void)lapack->potrs(COLUMN_MAJOR, 'L', n, n_rhs, work, n, rhs, n);
        lapacke_leave(lapack);
        for (int r = 0; r < n_rhs * n; r++)
            b[r * width + lane] = rhs[r];
    }
}

/* Where LAPACKE may be: a library of its own, or part of OpenBLAS. */
static const char *const libraries[] = {"liblapacke.so.3", "liblapacke.so", "libopenblas.so.0",
                                        "libopenblas.so"};

/* Addresses that a linker would have set at the start. The library is never closed: threads may run
 * in it at exit. */
static pthread_once_t lapack_once = PTHREAD_ONCE_INIT;
static struct ml_lapack lapack_found;

/* ISO C has no conversion between pointers to objects and to functions; POSIX has this. */
static bool lapack_find(void *handle, const char *name, void *function)
{
    *(void **)function = dlsym(handle, name);
    return *(void **)function != NULL;
}

/* Whether the address space of this process is limited (`ulimit -v`, batch systems). */
static bool lapack_is_confined(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

static void lapack_load(void)
{
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !lapack_found.potrs; i++) {
        struct ml_lapack found = {.is_confined = lapack_is_confined()};
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

/* The part of the child: a factorisation, in 1 s of processor time. */
static _Noreturn void lapack_try(const struct ml_lapack *lapack)
{
    const struct rlimit second = {1, 2};
    double one = 1.0;
    (void)signal(SIGXCPU, SIG_DFL);
    (void)signal(SIGALRM, SIG_DFL);
    (void)setrlimit(RLIMIT_CPU, &second);
    (void)alarm(60);
    _exit(lapack->potrf(COLUMN_MAJOR, 'L', 1, &one, 1));
}

bool ml_lapacke_has_room(void)
{
    const struct ml_lapack *lapack = ml_lapack();
    int status = 0;
    if (!lapack || !lapack->is_confined)
        return lapack != NULL;
    const pid_t child = fork();
    if (child == 0)
        lapack_try(lapack);
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}
