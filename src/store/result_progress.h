/* How far a result is, from what is on disk: without the study, and while others write. */
#ifndef ML_STORE_RESULT_PROGRESS_H
#define ML_STORE_RESULT_PROGRESS_H

#include "store/lock.h"
#include "store/shard.h"

enum ml_result_progress_state {
    ML_NOT_BEGUN,
    ML_UNDERWAY, /* there are parts, or a folder for them */
    ML_COMPLETE, /* there is a result file, though runs may be missing in it */
};

struct ml_result_progress {
    enum ml_result_progress_state state;
    struct ml_shard shard;
    int64_t block_runs, n_run;    /* of the whole study; 0: not known */
    int64_t runs_missing;         /* of a result file that was merged without all shards */
    int64_t n_block, blocks_done; /* that fall to the shard */
    unsigned char *is_done;       /* [blocks of the study] 1: there; NULL: sizes are not known */
    struct ml_lock_owner owner;   /* of the folder of parts */
    double age;                   /* s since the last block; < 0: there is none */
};

/* Looks at the result file at `path` and its parts. Free in any case. */
enum ml_status ml_result_progress_read(struct ml_result_progress *progress, const char *path,
                                       struct ml_error *err);
void ml_result_progress_free(struct ml_result_progress *progress);

#endif
