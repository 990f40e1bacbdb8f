/* Kernels made while the program runs: the text of a translation unit becomes a loaded shared
 * object, or PTX for a GPU, through a cache. */
#ifndef ML_ENGINE_KERNEL_MADE_H
#define ML_ENGINE_KERNEL_MADE_H

#include <stdbool.h>

#include "base/stop.h"
#include "engine/kernels/kernel_compiler.h"
#include "manylink/status.h"

/* The line of a unit that includes the embedded source, which exports ml_kernel_made. */
#define ML_KERNEL_UNIT "#include \"engine/kernels/kernel.kern.c\"\n"

struct ml_kernel_request {
    const char *unit;    /* C: lines `#define ...`, then ML_KERNEL_UNIT, then code; it may include
                            the files that ML_KERNEL_UNIT includes, and no others with quotes */
    bool has_loops;      /* as of ml_kernel_task */
    const char *isa;     /* name in simd/isas.def, or ML_KERNEL_GPU */
    const char *symbol;  /* that the object has; NULL: ml_kernel_made */
    struct ml_stop stop; /* any level: no kernel is made */
    double limit;        /* s for the compiler; 0: ML_KERNEL_WAIT */
    bool is_beside; /* nobody waits: this process computes meanwhile, and `limit` is not seen */
    struct ml_kernel_compiler
        *compiler;         /* found once for all requests that share it, {0} before the
                              first, to be freed by the caller; NULL: found for each */
    const char *otherwise; /* what is done without, at the end of messages, as in "; the general
                              kernel runs"; NULL: nothing is said */
};

/* A kernel that is loaded. */
struct ml_made_kernel {
    void *handle; /* of dlopen; NULL: none, or a text for a GPU: a file in which a NUL ends it */
    const void *symbol; /* its address; NULL: of a text */
    bool is_cached;     /* it was there already, or another process has just made it */
    double seconds;     /* all that it took */
    char *path;         /* of its entry in the cache; owned */
    char compiler[ML_KERNEL_DESCRIPTION]; /* command and version; "" if it was cached and the
                                             compiler is not there */
};

/* Loads the kernel of a unit, which is compiled first if the cache has none. On failure *out is {0}
 * but for the seconds, and the message one line, "no kernel is made for this study: ...":
 *   ML_STOPPED   `stop` asked for it
 *   ML_E_INPUT   there is no such instruction set
 *   ML_E_MEMORY
 *   ML_E_FILE    anything else: no compiler, no cache folder, ...
 * Threads and processes may call it at once: one compiles, the others wait for it. */
enum ml_status ml_kernel_make(const struct ml_kernel_request *request, struct ml_made_kernel *out,
                              struct ml_error *err);

/* Unloads it: nothing of it may be used any more. {0} is allowed. */
void ml_made_kernel_close(struct ml_made_kernel *kernel);

/* Frees a kernel that turned out to be wrong, and removes it from the cache. */
void ml_made_kernel_discard(struct ml_made_kernel *kernel);

/* Whether the cache has a kernel of this unit; nothing is compiled, made or loaded. */
bool ml_kernel_cached(const struct ml_kernel_request *request);

#endif
