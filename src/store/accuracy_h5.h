/* The group /study/accuracy of a result. */
#ifndef ML_STORE_ACCURACY_H5_H
#define ML_STORE_ACCURACY_H5_H

#include "store/accuracy.h"
#include "store/h5.h"

/* Attribute of the group: what the numbers are compared with. */
#define ML_ACCURACY_ATTRIBUTE "compared_with"
#define ML_ACCURACY_STEP "half the step"
#define ML_ACCURACY_TOLERANCE "a tenth of the tolerance"

/* Name of the group of values below it. */
const char *ml_accuracy_group(enum ml_accuracy_values which);

/* Reads it: no run if the result has none. Free in any case. */
void ml_accuracy_read(struct ml_h5 *h5, hid_t file, struct ml_accuracy *out);

/* The same of a file that is known to be a result. */
enum ml_status ml_accuracy_read_file(const char *path, struct ml_accuracy *out,
                                     struct ml_error *err);

#endif
