/* The compiler of kernels that are made for a study. */
#ifndef ML_ENGINE_KERNEL_COMPILER_H
#define ML_ENGINE_KERNEL_COMPILER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stop.h"
#include "manylink/status.h"

/* s of processor time that compiling one kernel may take, and s, on a busy machine. */
#define ML_KERNEL_LIMIT 60.0
#define ML_KERNEL_WAIT 300.0

enum { ML_KERNEL_MOST_WORDS = 16, ML_KERNEL_DESCRIPTION = 256 };

/* Name in the place of an instruction set, of kernels that a GPU runs: text of PTX, made by a clang
 * that has the target. */
#define ML_KERNEL_GPU "nvptx"

struct ml_kernel_compiler {
    enum ml_status status; /* ML_OK: the compiler is there and prints its version */
    struct ml_error error; /* why not */
    char *command; /* MANYLINK_CC, or that of the build; for a GPU MANYLINK_GPU_CC, or a clang;
                      owned */
    char *words[ML_KERNEL_MOST_WORDS + 1]; /* its words, NULL at the end; owned */
    bool is_for_gpu;
    const char *const *own_flags;            /* of its kind; NULL at the end */
    uint64_t version;                        /* not 0: hash of the text of --version, and of the
                                                programs and libraries that the command means */
    char description[ML_KERNEL_DESCRIPTION]; /* command, and first line of that */
};

/* The unit to compile. */
struct ml_kernel_task {
    const char *unit;      /* text of the translation unit, which includes embedded sources */
    bool has_loops;        /* it has scalar loops over lanes, for the compiler to vectorise */
    const char *isa;       /* name in simd/isas.def, or ML_KERNEL_GPU */
    const char *isa_flags; /* with blanks between */
    const char *folder;    /* for temporary files, empty; it goes should this process be killed */
    double limit;          /* s */
    struct ml_stop stop;   /* any level */
    bool is_beside;        /* this process computes meanwhile */
};

/* Says which compiler there is. `words` are there even if it fails, because the compiler is not
 * there or does not tell its version. Does nothing if that is known: *compiler is {0} before the
 * first call. To be freed in any case.
 *   isa  as of ml_kernel_task */
enum ml_status ml_kernel_compiler_find(struct ml_kernel_compiler *compiler, const char *isa,
                                       double limit, struct ml_stop stop);
void ml_kernel_compiler_free(struct ml_kernel_compiler *compiler);

/* Flags that a kernel is compiled with whatever the instruction set, then those that only gcc and
 * only clang get: one text, for the key of the cache. */
const char *ml_kernel_compiler_flags(void);

/* Makes the shared object FOLDER/ML_KERNEL_OBJECT, a file with all that its headers say it has; for
 * a GPU a text that has the entry ml_gpu_window and calls nothing outside. */
enum ml_status ml_kernel_compile(const struct ml_kernel_compiler *compiler,
                                 const struct ml_kernel_task *task, struct ml_error *err);

#define ML_KERNEL_OBJECT "kernel.so"

struct ml_kernel_source {
    const char *path;         /* as in #include "..." */
    const char *const *lines; /* NULL at the end */
};

/* Ends with a path of NULL. */
extern const struct ml_kernel_source ml_kernel_sources[];

#endif
