/* Beginning anew. */
#ifndef ML_STORE_DISCARD_H
#define ML_STORE_DISCARD_H

#include "manylink/status.h"

/* Removes a result file and its parts, of whatever study; both may be missing. A file that is no
 * result of this program is left alone and an error. */
enum ml_status ml_discard(const char *path, const char *parts, struct ml_error *err);

#endif
