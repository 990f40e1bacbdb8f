/* Measures the speed of an ensemble: steps per second of one batch on one thread. */
#include "engine/speed.h"

#include <omp.h>

#include "engine/batch.h"
#include "engine/batch_layout.h"
#include "engine/batch_run.h"

/* Whole runs that are tried, of which the fastest counts: one can be shorter than what another
 * process gets of the processor in between, and look a hundred times as slow as it is. */
enum { N_WHOLE = 5 };

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
    double rate = 0.0, spent = 0.0;
    int n_whole = 0;
    while (spent < seconds / 2.0 && n_whole < N_WHOLE) {
        const bool is_whole = probe.n_step >= ensemble->n_step;
        if (is_whole)
            probe.n_step = ensemble->n_step;
        const double began = omp_get_wtime();
        int64_t steps = ml_batch_run(&probe, &batch, 0, n, &block);
        if (probe.is_adaptive)
            steps = n * probe.n_step;
        const double took = omp_get_wtime() - began;
        const double now = took > 0.0 ? (double)steps / took : 0.0;
        rate = n_whole > 0 && rate > now ? rate : now;
        spent += took;
        n_whole += is_whole;
        probe.n_step *= 4;
    }
    ml_arena_free(&arena);
    return rate;
}
