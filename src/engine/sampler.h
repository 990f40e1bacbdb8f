/* Trajectories of the runs of one batch: samples are gathered in a tile that stays in the cache and
 * moved on by whole cache lines, a sample of every run being a line of its own otherwise. */
#ifndef ML_ENGINE_SAMPLER_H
#define ML_ENGINE_SAMPLER_H

#include "engine/batch.h"

struct ml_sampler {
    const struct ml_ensemble *ensemble;
    struct ml_batch *batch;
    struct ml_block *block;
    unsigned saved;       /* lanes whose trajectory is kept */
    int64_t at[ML_LANES]; /* their index among the saved runs of the block */
    int64_t n_sample;     /* of a trajectory */
    int64_t taken, moved; /* samples so far, the moved ones first */
};

/* Begins with runs first .. first + n - 1. */
void ml_sampler_begin(struct ml_sampler *sampler, const struct ml_ensemble *ensemble,
                      struct ml_batch *batch, struct ml_block *block, int64_t first, int n);

/* Takes a sample of all lanes as they are; `alive` are those whose run goes on. */
void ml_sampler_take(struct ml_sampler *sampler, unsigned alive);

/* Ends runs that failed after the last sample: what would follow is NaN.
 *   alive  lanes whose run went on until now, `failed` among them */
void ml_sampler_fail(struct ml_sampler *sampler, unsigned alive, unsigned failed);

#endif
