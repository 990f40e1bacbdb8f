/* Reading a finished result back. */
#ifndef ML_STORE_FINISHED_H
#define ML_STORE_FINISHED_H

#include "store/h5.h"
#include "store/store.h"

/* Opens a result file; fails with plain words if it is none, or of another format version. */
hid_t ml_finished_open(struct ml_h5 *h5);

/* ML_OK if the file at `path` is the result of this study, with its outcomes counted. */
enum ml_status ml_finished_check(const char *path, const struct ml_study *study,
                                 struct ml_tally *tally, struct ml_error *err);

void ml_finished_tally(struct ml_h5 *h5, hid_t file, struct ml_tally *tally);

#endif
