/* Some runs of a result, or items of inverse dynamics, computed again and compared with it. */
#ifndef ML_RUN_RECOMPUTE_H
#define ML_RUN_RECOMPUTE_H

#include "inverse/inverse_task.h"
#include "store/source.h"

/* A recomputation of runs in ascending order, each once; of a study with continuation, of whole
 * ones. */
struct ml_recompute {
    struct ml_source *source;           /* where they are, of one study or shard */
    const struct ml_inverse_task *task; /* of inverse dynamics; NULL: runs are integrated */
    const int64_t *runs;                /* [n_run] */
    int64_t n_run;
    int64_t n_missing, n_differing; /* out */
    struct ml_error *err;           /* says which differ, the first of them */
};

/* Returns ML_OK also if some differ. */
enum ml_status ml_recompute(struct ml_recompute *r, int n_thread, struct ml_stop stop,
                            struct ml_error *err);

#endif
