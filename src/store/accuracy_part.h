/* Runs that are being computed again, kept in the work folder. */
#ifndef ML_STORE_ACCURACY_PART_H
#define ML_STORE_ACCURACY_PART_H

#include "manylink/status.h"
#include "store/accuracy.h"

#define ML_ACCURACY_PART_NAME "accuracy"

/* Replaces the file at `path`.
 *   study  its identity */
enum ml_status ml_accuracy_part_write(const char *path, uint64_t study,
                                      const struct ml_accuracy *accuracy, struct ml_error *err);

/* Takes what was computed of the same runs from the file at `path`, if it is there and whole. */
void ml_accuracy_part_read(const char *path, uint64_t study, struct ml_accuracy *accuracy);

#endif
