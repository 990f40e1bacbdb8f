/* Runs an ensemble in parallel, block by block. */
#ifndef ML_ENGINE_ENSEMBLE_RUN_H
#define ML_ENGINE_ENSEMBLE_RUN_H

#include "engine/sink.h"

struct ml_progress {
    int64_t n_run, runs_done; /* runs of this call, and those finished so far */
    int64_t member_steps;     /* steps done, all runs, this call only */
    double seconds;           /* since the start */
    int n_thread;             /* that there are */
};

struct ml_ensemble_options {
    int n_thread;        /* 0: as OpenMP decides */
    uint64_t shuffle;    /* not 0: take the blocks (fewer than 2^31) in an order drawn from this
                            seed, for tests */
    struct ml_stop stop; /* level 1: take no more blocks, 2: drop those in flight too, but for the
                            one being put */
    double deadline;     /* as of omp_get_wtime, s: take no more blocks from then on; 0: none */
    double last_moment;  /* the same: drop the blocks in flight; 0: never */
    void (*progress)(void *context, const struct ml_progress *progress); /* now and then and at the
                                                                            end, one thread at a
                                                                            time; may be NULL */
    void *progress_context;
};

/* Runs every block that the sink does not have. ML_STOPPED if it was asked to stop before the end;
 * the first error of the sink otherwise ends it too. */
enum ml_status ml_ensemble_run(const struct ml_ensemble *ensemble,
                               const struct ml_ensemble_options *options,
                               const struct ml_sink *sink, struct ml_error *err);

#endif
