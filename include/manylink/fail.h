/* Recording errors, in the library and in programs that extend it. */
#ifndef MANYLINK_FAIL_H
#define MANYLINK_FAIL_H

#include "manylink/api.h"
#include "manylink/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define ML_PRINTF __attribute__((format(printf, 3, 4)))
#else
#define ML_PRINTF
#endif

/* Appends one problem to *error (may be NULL) and returns `status`, so that a caller can write
 *     return ml_fail(error, ML_E_INPUT, "step = %g: must be > 0", step);
 * A line end is added where the text has none, control characters are escaped as by ml_text_escape.
 * The first problem sets the error's status. Thread-safe for different errors. */
ML_API enum ml_status ml_fail(struct ml_error *error, enum ml_status status, const char *format,
                              ...) ML_PRINTF;

#undef ML_PRINTF

#ifdef __cplusplus
}
#endif

#endif
