/* Runs that are integrated on from an earlier end, of which the block has the results: the state is
 * the outputs of end_state, and outputs over the whole time are joined from those up to the earlier
 * end and those of the start and the steps behind it (enum ml_join). */
#include <math.h>
#include <string.h>

#include "engine/team/batch_run.h"

/* Copies the outputs of an indicator from the block to rows of the batch.
 *   row   of the run in lane 0
 *   rows  out: [rows of all outputs][ML_LANES] */
static void prolong_restore(const struct ml_ensemble *e, const struct ml_batch *b,
                            const struct ml_block *block, int64_t row, int n, const char *name,
                            double *rows)
{
    struct ml_output output;
    int i = 0;
    while (strcmp(ml_ensemble_indicator(e, i)->name, name) != 0)
        i++;
    for (int k = 0; ml_ensemble_indicator(e, i)->output(&b->indicators.use[i], k, &output); k++) {
        const int o = b->outputs.first[i] + k, n_row = b->outputs.rows[o];
        for (int r = 0; r < n_row; r++)
            for (int lane = 0; lane < ML_LANES; lane++)
                rows[r * ML_LANES + lane] =
                    block->summary[o][(row + (lane < n ? lane : n - 1)) * n_row + r];
        rows += n_row * ML_LANES;
    }
}

void ml_prolong_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                      const struct ml_block *block, int64_t row, int n)
{
    batch->window.first = batch->window.end = batch->n_done;
    prolong_restore(ensemble, batch, block, row, n, "end_state", batch->x);
    if (batch->residual) /* a sum over the steps, continued step by step */
        prolong_restore(ensemble, batch, block, row, n, ML_SWEEP_RESIDUAL, batch->residual);
}

double ml_prolong_join(enum ml_join join, double before, double after)
{
    const bool is_kept = isnan(before) || (join == ML_JOIN_LARGEST && after <= before) ||
                         (join == ML_JOIN_SMALLEST && after >= before);
    return join != ML_JOIN_LATER && is_kept ? before : after;
}
