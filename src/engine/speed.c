/* Measures the speed of an ensemble: steps per second of one batch on one thread. */
#include "engine/speed.h"

#include <omp.h>

#include "engine/batch.h"
#include "engine/batch_layout.h"
#include "engine/batch_run.h"

double ml_ensemble_speed(const struct ml_ensemble *ensemble, double seconds)
{
    struct ml_ensemble probe = *ensemble;
    struct ml_arena arena = {0};
    struct ml_batch batch;
    struct ml_block block;
    int n = ensemble->n_run < ML_LANES ? (int)ensemble->n_run : ML_LANES;
    probe.block_runs = ML_LANES;
    probe.saving.every = 0;
    probe.saving.records = 0;
    probe.n_step = 1;
    ml_batch_layout(&probe, &arena, &batch);
    ml_block_layout(&probe, &arena, &block);
    if (!ml_arena_reserve(&arena))
        return 0.0;
    ml_batch_layout(&probe, &arena, &batch);
    ml_block_layout(&probe, &arena, &block);
    double rate = 0.0, took = 0.0;
    for (bool is_last = false; !is_last; probe.n_step *= 4) {
        is_last = probe.n_step >= ensemble->n_step;
        if (is_last)
            probe.n_step = ensemble->n_step;
        double began = omp_get_wtime();
        int64_t steps = ml_batch_run(&probe, &batch, 0, n, &block);
        if (probe.is_adaptive)
            steps = n * probe.n_step;
        took = omp_get_wtime() - began;
        rate = took > 0.0 ? (double)steps / took : 0.0;
        is_last |= took > seconds / 2.0;
    }
    ml_arena_free(&arena);
    return rate;
}
