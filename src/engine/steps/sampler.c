/* Gathers samples of a batch in a tile and writes them to the block in whole cache lines. */
#include <math.h>

#include "engine/team/batch_run.h"

void ml_sampler_begin(struct ml_sampler *sampler, const struct ml_ensemble *ensemble,
                      struct ml_batch *batch, struct ml_block *block, int64_t first, int n)
{
    const struct ml_saving *saving = &ensemble->saving;
    *sampler = (struct ml_sampler){.ensemble = ensemble,
                                   .batch = batch,
                                   .block = block,
                                   .n_sample = ml_ensemble_samples(ensemble)};
    if (batch->n_done > 0 && saving->every > 0)
        sampler->taken = sampler->moved = batch->n_done / saving->every + 1;
    for (int lane = 0; lane < n; lane++) {
        const int64_t run = first + lane * batch->line.stride;
        sampler->saved |= (unsigned)ml_saving_keeps(saving, run) << lane;
        sampler->at[lane] = ml_saving_index(saving, run) - ml_saving_index(saving, block->first);
    }
}

/* Records that are kept. */
static int sampler_records(const struct ml_sampler *sampler)
{
    return ml_saving_records(&sampler->ensemble->saving);
}

/* Rows of the k-th of them. */
static int kept_rows(const struct ml_sampler *sampler, int k)
{
    return ml_record_rows(sampler->ensemble, sampler->ensemble->saving.records[k]);
}

/* A row of a lane's trajectory, [n_sample]. */
static double *sampler_row_of(const struct ml_sampler *sampler, int k, int n_row, int lane, int row)
{
    return sampler->block->records[k] + (sampler->at[lane] * n_row + row) * sampler->n_sample;
}

/* Samples first .. end - 1 of one row of a lane, from a column of the tile. */
static void move_row(const double *from, size_t stride, int64_t first, int64_t end, double *to)
{
    if (end - first == ML_TILE) /* the whole tile, nearly always */
        for (size_t i = 0; i < ML_TILE; i++)
            to[first + (int64_t)i] = from[i * stride];
    else
        for (int64_t i = first; i < end; i++)
            to[i] = from[(size_t)(i % ML_TILE) * stride];
}

/* Moves the samples of the tile to the trajectories of some lanes. */
static void sampler_move(struct ml_sampler *sampler, unsigned lanes)
{
    for (int k = 0; k < sampler_records(sampler); k++) {
        const int n_row = kept_rows(sampler, k);
        for (int lane = 0; lane < ML_LANES; lane++)
            for (int r = 0; r < n_row && lanes >> lane & 1; r++)
                move_row(sampler->batch->records.tile[k] + r * ML_LANES + lane,
                         (size_t)n_row * ML_LANES, sampler->moved, sampler->taken,
                         sampler_row_of(sampler, k, n_row, lane, r));
    }
    sampler->moved = sampler->taken;
}

/* Asks for the memory that the tile will go to, a part of the lanes at each sample: it is far away,
 * and there is time until then. */
static void prefetch(const struct ml_sampler *sampler, int64_t slot)
{
    const int64_t full = sampler->taken - slot + ML_TILE, end = sampler->n_sample;
    for (int k = 0; k < sampler_records(sampler); k++) {
        const int n_row = kept_rows(sampler, k);
        for (int lane = (int)slot; lane < ML_LANES; lane += ML_TILE)
            for (int r = 0; r < n_row && sampler->saved >> lane & 1; r++)
                __builtin_prefetch(
                    sampler_row_of(sampler, k, n_row, lane, r) + (full < end ? full : end) - 1, 1);
    }
}

/* Where the sample that is being taken goes, of the k-th kept record. */
static double *sampler_slot(const struct ml_sampler *sampler, int k)
{
    const int64_t slot = sampler->taken % ML_TILE;
    return sampler->batch->records.tile[k] + slot * kept_rows(sampler, k) * ML_LANES;
}

/* Derivatives among the kept records, once the records are there. */
static void take_derivs(const struct ml_sampler *sampler, int k, const double *t)
{
    const struct ml_ensemble *e = sampler->ensemble;
    const int of = ml_record_of_derivs(e, e->saving.records[k]);
    if (of >= 0)
        ml_derivs_of_record(e, sampler->batch, t, of, sampler_slot(sampler, k));
    else
        ml_derivs_of_state(e, sampler->batch, 0, e->model.system->tables.n_state,
                           sampler_slot(sampler, k));
}

void ml_sampler_take(struct ml_sampler *sampler, unsigned alive)
{
    const struct ml_ensemble *e = sampler->ensemble;
    struct ml_batch *b = sampler->batch;
    const int64_t slot = sampler->taken % ML_TILE;
    const int n_own = e->model.system->tables.n_record;
    const struct ml_times t = ml_batch_times(e, b, (double)(sampler->taken * e->saving.every));
    for (int k = 0; k < sampler_records(sampler); k++)
        if (e->saving.records[k] < n_own)
            b->records.slot[e->saving.records[k]] = sampler_slot(sampler, k);
    e->model.system->dynamics.record(&e->model, t.lane, b->constants, b->x, b->work,
                                     b->records.slot);
    for (int k = 0; k < sampler_records(sampler); k++)
        if (e->saving.records[k] >= n_own)
            take_derivs(sampler, k, t.lane);
    prefetch(sampler, slot);
    sampler->taken++;
    if (slot == ML_TILE - 1 || sampler->taken == sampler->n_sample)
        sampler_move(sampler, sampler->saved & alive);
}

void ml_sampler_fail(struct ml_sampler *sampler, unsigned alive, unsigned failed)
{
    sampler_move(sampler, sampler->saved & alive);
    for (int k = 0; k < sampler_records(sampler); k++) {
        const int n_row = kept_rows(sampler, k);
        for (int lane = 0; lane < ML_LANES; lane++)
            for (int r = 0; r < n_row && sampler->saved & failed & 1u << lane; r++)
                for (int64_t i = sampler->taken; i < sampler->n_sample; i++)
                    sampler_row_of(sampler, k, n_row, lane, r)[i] = (double)NAN;
    }
}
