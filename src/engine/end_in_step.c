/* Saves and restores the states of a batch and what its indicators keep. */
#include "engine/end_in_step.h"

#include <string.h>

/* Rows that indicator i keeps. */
static int end_in_step_kept(const struct ml_ensemble *e, const struct ml_batch *b, int i)
{
    const struct ml_indicator_use use = ml_ensemble_use(e, i);
    return b->active >> i & 1 ? ml_ensemble_indicator(e, i)->keep_rows(&use) : 0;
}

int ml_end_in_step_rows(const struct ml_ensemble *ensemble, const struct ml_batch *batch)
{
    int n_row = ml_rows_x(ensemble->system, &ensemble->dims) + 2;
    for (int i = 0; ml_ensemble_indicator(ensemble, i); i++)
        n_row += end_in_step_kept(ensemble, batch, i);
    return n_row;
}

/* Copies n rows between a place of the batch, which may be missing, and `saved`. */
static double *end_in_step_copy(double *place, double *saved, int n, bool is_back)
{
    const size_t size = (size_t)n * ML_LANES;
    if (place)
        memcpy(is_back ? place : saved, is_back ? saved : place, size * sizeof *place);
    return saved + size;
}

static void end_in_step_copy_all(const struct ml_ensemble *e, struct ml_batch *b, bool is_back)
{
    double *at = end_in_step_copy(b->x, b->saved, ml_rows_x(e->system, &e->dims), is_back);
    at = end_in_step_copy(b->trace, at, 1, is_back);
    at = end_in_step_copy(b->trace_sum, at, 1, is_back);
    for (int i = 0; ml_ensemble_indicator(e, i); i++)
        at = end_in_step_copy(b->keep[i], at, end_in_step_kept(e, b, i), is_back);
}

void ml_end_in_step_save(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    end_in_step_copy_all(ensemble, batch, false);
}

void ml_end_in_step_restore(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    end_in_step_copy_all(ensemble, batch, true);
}
