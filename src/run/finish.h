/* The end of making a result. */
#ifndef ML_RUN_FINISH_H
#define ML_RUN_FINISH_H

#include "store/store.h"

/* Makes the final file, which says who made it.
 *   study   path of the study file
 *   kernel  that computed it; NULL: none did
 *   began   as of ml_provenance_time */
enum ml_status ml_finish(struct ml_store *store, const char *study, const char *isa,
                         const char *kernel, int n_thread, const char *began, struct ml_error *err);

#endif
