/* Making the kernel of a study ahead of its runs. */
#ifndef MANYLINK_COMPILE_H
#define MANYLINK_COMPILE_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/status.h"
#include "manylink/study.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A field that is 0 or NULL has its default. */
struct ml_compile_options {
    size_t size;                /* sizeof(struct ml_compile_options) */
    int n_thread;               /* that will run the study; 0: as OpenMP decides */
    int no_native;              /* no code but manylink's own: refused */
    int (*stop)(void *context); /* NULL, or as of ml_run: any level but 0 ends the compiler */
    void *context;              /* of it */
    int for_gpu;                /* the kernel is one for NVIDIA's GPUs, as text of PTX */
};

struct ml_compile_report {
    size_t size;      /* sizeof(struct ml_compile_report) */
    int is_needed;    /* 0: the study runs without one as fast, or none can be made for it */
    char reason[256]; /* why it is not; "" */
    char path[4096];  /* of the kernel; "" if none is needed */
    int was_there;    /* it was made before */
    double seconds;   /* that the compiler took */
};

/* Makes the kernel that runs of the study take where that pays, by $MANYLINK_CC or the compiler
 * that the library was built with, and keeps it where ml_run finds it: in $MANYLINK_CACHE, else
 * $XDG_CACHE_HOME/manylink, else ~/.cache/manylink. Thread-safe. That of a GPU is made by
 * $MANYLINK_GPU_CC or a clang; a NUL byte ends its text.
 * Returns ML_E_FILE when it cannot be made, ML_E_INPUT when that is refused or none can be made for
 * a GPU, ML_STOPPED. */
ML_API enum ml_status ml_study_compile(const struct ml_study *study,
                                       const struct ml_compile_options *options,
                                       struct ml_compile_report *report, struct ml_error *err);

/* The part of a kernel made for the study that is not source of this library: the study's formulas
 * as C, functions on vectors of lanes in which there are registers and numbers only; or the source
 * that a plugin's `source` names. NULL: it has neither. Belongs to the study. Thread-safe. */
ML_API const char *ml_study_code(const struct ml_study *study);

#ifdef __cplusplus
}
#endif

#endif
