/* Systems from shared objects. */
#ifndef ML_CONFIG_PLUGIN_H
#define ML_CONFIG_PLUGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "model/system.h"
#include "yaml/pool.h"

/* A shared object with a system. Initialise with {0}. */
struct ml_plugin_file {
    void *handle;             /* NULL: not open */
    struct ml_plugin *plugin; /* a copy: members that its version lacks are 0 */
    uint64_t checksum;        /* XXH3 (64 bits) of the file */
};

/* Why a plugin cannot be used. */
struct ml_plugin_fault {
    char what[1000];
};

/* Writes the fault and returns false. */
bool ml_plugin_refuse(struct ml_plugin_fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Opens the file at `path`, which has a '/', and checks what it says. False, and nothing is open,
 * if it cannot be used: no code of a file that is cut off or has another checksum is run.
 *   checksum  of the only file that will do; NULL: any */
bool ml_plugin_open(const char *path, const uint64_t *checksum, struct ml_plugin_file *out,
                    struct ml_plugin_fault *fault);

void ml_plugin_close(struct ml_plugin_file *file);

/* Whether names, numbers and functions of a descriptor are what they must be. */
bool ml_plugin_is_sound(const struct ml_plugin *plugin, struct ml_plugin_fault *fault);

/* The system that it is, advanced by the kernels of `like`; NULL without memory. Borrows the
 * plugin's texts, belongs to `pool`. */
const struct ml_system *ml_plugin_system(struct ml_pool *pool, const struct ml_plugin *plugin,
                                         const struct ml_system *like);

#endif
