/* Recording errors. */
#ifndef ML_BASE_FAIL_H
#define ML_BASE_FAIL_H

#include "manylink/status.h"

/* Appends one problem to *err (may be NULL) and returns `status`, so a caller can write
 *     return ml_fail(err, ML_E_INPUT, "step = %g: must be > 0", step);
 * A \n is added when the text has none at its end. */
enum ml_status ml_fail(struct ml_error *err, enum ml_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
