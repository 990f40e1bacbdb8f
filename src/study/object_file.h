/* A shared object as a file, before it is loaded. */
#ifndef ML_STUDY_OBJECT_FILE_H
#define ML_STUDY_OBJECT_FILE_H

#include "study/plugin.h"

/* Whether all of the file is there: the system ends a process that touches what is not. False after
 * writing the fault.
 *   checksum  out: XXH3 (64 bits) of the file */
bool ml_object_file_check(const char *path, uint64_t *checksum, struct ml_plugin_fault *fault);

#endif
