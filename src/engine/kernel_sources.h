/* The sources that a kernel is made of, as they were when the library was built: scripts/embed
 * writes their table. */
#ifndef ML_ENGINE_KERNEL_SOURCES_H
#define ML_ENGINE_KERNEL_SOURCES_H

struct ml_kernel_source {
    const char *path;         /* as in #include "..." */
    const char *const *lines; /* NULL at the end */
};

/* Ends with a path of NULL. */
extern const struct ml_kernel_source ml_kernel_sources[];

#endif
