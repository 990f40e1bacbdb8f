/* The end of making a result. */
#ifndef ML_RUN_FINISH_H
#define ML_RUN_FINISH_H

#include "store/store.h"

/* Makes the final file, which says who made it.
 *   study  path of the study file
 *   began  as of ml_provenance_time */
enum ml_status ml_finish(struct ml_store *store, const char *study, const char *isa, int n_thread,
                         const char *began, struct ml_error *err);

#endif
