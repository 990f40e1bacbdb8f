/* Whether what is on disk belongs to the study at hand. */
#ifndef ML_STORE_IDENTITY_H
#define ML_STORE_IDENTITY_H

#include "manylink/status.h"

/* ML_OK if two resolved texts are equal, else ML_E_OTHER_STUDY naming the first line that differs.
 *   there  of what is at `path` */
enum ml_status ml_identity_compare(const char *path, const char *there, const char *here,
                                   struct ml_error *err);

#endif
