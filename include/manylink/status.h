/* Status codes and the error record: the only error vocabulary of the library.
 *
 * Three kinds of failure, three channels:
 *   bad input, files, memory  -> enum ml_status returned, text in ml_error
 *   a run that goes wrong     -> its outcome, stored with the results; the others carry on
 *   a bug in the caller       -> assert() */
#ifndef MANYLINK_STATUS_H
#define MANYLINK_STATUS_H

#include "manylink/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* code, value (never changes), text */
#define ML_STATUS_LIST(X)                                          \
    X(ML_OK, 0, "ok")                                              \
    X(ML_E_MEMORY, 1, "out of memory")                             \
    X(ML_E_INPUT, 2, "bad input")                                  \
    X(ML_E_FILE, 3, "file cannot be read or written")              \
    X(ML_E_OTHER_STUDY, 4, "result file belongs to another study") \
    X(ML_STOPPED, 5, "stopped before the end, can be resumed")     \
    X(ML_E_BUSY, 6, "another process makes the same result")

#define X(code, value, text) code = (value),
enum ml_status { ML_STATUS_LIST(X) };
#undef X

/* Message and place of a failure. Initialise with {0}; filled only when a call returns other than
 * ML_OK, and not always with ML_E_MEMORY, which ml_status_text describes. */
struct ml_error {
    enum ml_status status; /* of the first problem */
    int count;             /* problems found: a study file is read to its end */
    char *text;            /* one or more lines, each ending in \n; NULL if count is 0 */
};

/* Static text for a code; never NULL. */
ML_API const char *ml_status_text(enum ml_status status);

/* Frees the text and makes *error {0} again; NULL is allowed. */
ML_API void ml_error_clear(struct ml_error *error);

#ifdef __cplusplus
}
#endif

#endif
