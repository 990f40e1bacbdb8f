/* Removing a result and its work folder, for --restart. */
#ifndef ML_STORE_RESULT_REMOVE_H
#define ML_STORE_RESULT_REMOVE_H

#include "manylink/status.h"

/* Removes a result file and its parts, of whatever study; both may be missing. A file that is no
 * result of this program is left alone and an error. */
enum ml_status ml_result_remove(const char *path, const char *parts, struct ml_error *err);

#endif
