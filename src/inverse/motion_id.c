/* Hashes the given data of motions. */
#include "inverse/inverse_task.h"

#include <stdio.h>
#include <xxhash.h>

#include "inverse/motion_h5.h"

static void hash_numbers(XXH3_state_t *state, const void *numbers, int64_t n, size_t size)
{
    (void)XXH3_128bits_update(state, numbers, (size_t)n * size);
}

/* Runs and the checksums of their trajectories. */
static void hash_h5(XXH3_state_t *state, const struct ml_motions *m)
{
    hash_numbers(state, m->run, m->n_motion, sizeof *m->run);
    hash_numbers(state, ml_motion_h5_segments(m), m->n, sizeof(int));
    for (int q = 0; q < ML_N_MOTION; q++)
        if (m->is_given[q])
            hash_numbers(state, ml_motion_h5_checksums(m, (enum ml_motion_row)q), m->n_motion,
                         sizeof(uint64_t));
}

static void hash_motions(XXH3_state_t *state, const struct ml_motions *m)
{
    (void)XXH3_128bits_reset(state);
    hash_numbers(state, m->whole, m->n_whole, sizeof *m->whole);
    if (m->n_whole > m->n_time)
        hash_numbers(state, (const int64_t[]){m->first, m->n_time}, 2, sizeof(int64_t));
    hash_numbers(state, m->is_given, ml_motions_have_base(m) ? ML_N_MOTION : ML_MOTION_BASE,
                 sizeof *m->is_given);
    if (m->h5)
        hash_h5(state, m);
    for (int q = 0; q < ML_N_MOTION; q++)
        if (m->values[q])
            hash_numbers(state, m->values[q],
                         ml_motion_curves(m->n, (enum ml_motion_row)q) * m->n_whole,
                         sizeof(double));
}

enum ml_status ml_motion_id(const struct ml_motions *motions, char id[ML_MOTION_ID_LENGTH])
{
    (void)snprintf(id, ML_MOTION_ID_LENGTH, "study");
    if (motions->is_of_study)
        return ML_OK;
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return ML_E_MEMORY;
    hash_motions(state, motions);
    const XXH128_hash_t sum = XXH3_128bits_digest(state);
    (void)XXH3_freeState(state);
    (void)snprintf(id, ML_MOTION_ID_LENGTH, "%016llx%016llx", (unsigned long long)sum.high64,
                   (unsigned long long)sum.low64);
    return ML_OK;
}
