/* The native code that may be loaded for a study: only code that the user named. */
#ifndef ML_CONFIG_NATIVE_H
#define ML_CONFIG_NATIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "yaml/pool.h"

/* {0}: code that the study's text names, as the user named the study. */
struct ml_native {
    bool is_refused;   /* none at all */
    bool is_of_result; /* the text comes from a result: only code that the user named as well */
    const char *file;  /* the user named this file, in place of that of the text; NULL */
    const char *study_file; /* the user named a study with this `system.file`; NULL */
    uint64_t checksum;      /* is_of_result: of the file that the result was made with */
};

/* The code that may be loaded for the study of a result.
 *   resolved  text of its study
 *   study     a study file that the user names; NULL
 *   file      a shared object that the user names; NULL
 *   pool      owns the texts */
struct ml_native ml_native_of_result(const char *resolved, const char *study, const char *file,
                                     struct ml_pool *pool);

/* The path of the file to load, of two for the `file` of a study's text; NULL if it may not be
 * loaded: then *why says why.
 *   file  of the text
 *   path  the same, from where the command runs */
const char *ml_native_choose(const struct ml_native *native, const char *file, const char *path,
                             const char **why);

/* Format of a plugin's name and checksum in /study/resolved, for printf. */
#define ML_NATIVE_CHECKSUM "\n  # %s: XXH3 (64 bits) of the file %016llx\n"

#endif
