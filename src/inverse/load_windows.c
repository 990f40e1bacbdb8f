/* Laws of forces with the pieces of their tables that a motion needs. */
#include "inverse/load_windows.h"

#include <string.h>

#include "model/forces/signal.h"

static int64_t n_batch_of(int64_t n_time) { return (n_time + ML_LANES - 1) / ML_LANES; }

/* The pieces of a table at the instants, where one piece may come repeatedly, cut into batches;
 * NULL without memory. */
static const struct ml_breakpoints *cut_table(const struct ml_breakpoints *table, int64_t n_time,
                                              const double *time, struct ml_pool *pool)
{
    double *begin = ml_pool_take(pool, (size_t)n_time, sizeof *begin);
    double(*cubic)[4] = ml_pool_take(pool, (size_t)n_time, sizeof *cubic);
    struct ml_breakpoints *windows =
        ml_pool_take(pool, (size_t)n_batch_of(n_time), sizeof *windows);
    if (!begin || !cubic || !windows)
        return NULL;
    for (int64_t k = 0; k < n_time; k++) {
        const int64_t piece = ml_breakpoints_piece(table, time[k]);
        begin[k] = table->time[piece];
        memcpy(cubic[k], table->cubic[piece], sizeof *cubic);
    }
    for (int64_t b = 0, first = 0; first < n_time; b++, first += ML_LANES) {
        windows[b] = *table;
        windows[b].n = 1 + (n_time - first < ML_LANES ? n_time - first : ML_LANES);
        windows[b].time = begin + first;
        windows[b].cubic = (const double(*)[4])(cubic + first);
        windows[b].value = NULL;
    }
    return windows;
}

/* Gives a law its signals in all batches.
 *   laws  that of batch b is [b n_law] */
static void cut_law(const struct ml_law *law, int n_law, int64_t n_time, const double *time,
                    struct ml_law *laws, struct ml_pool *pool)
{
    const int64_t n_batch = n_batch_of(n_time), n = law->n_signal;
    struct ml_signal *signals = ml_pool_take(pool, (size_t)(n_batch * n), sizeof *signals);
    if (!signals)
        return;
    for (int64_t b = 0; b < n_batch; b++) {
        memcpy(signals + b * n, law->signals, (size_t)n * sizeof *signals);
        laws[b * n_law].signals = signals + b * n;
    }
    for (int s = 0; s < n; s++) {
        if (law->signals[s].type != ML_TABLE_SIGNAL)
            continue;
        const struct ml_breakpoints *windows =
            cut_table(law->signals[s].breakpoints, n_time, time, pool);
        for (int64_t b = 0; windows && b < n_batch; b++)
            signals[b * n + s].breakpoints = &windows[b];
    }
}

const struct ml_law *ml_load_windows(const struct ml_instance *model, int64_t n_time,
                                     const double *time, struct ml_pool *pool)
{
    const int n_law = model->n_law;
    const int64_t n_batch = n_batch_of(n_time);
    struct ml_law *laws = ml_pool_take(pool, (size_t)(n_batch * n_law) + 1, sizeof *laws);
    for (int64_t b = 0; laws && b < n_batch; b++)
        memcpy(laws + b * n_law, model->laws, (size_t)n_law * sizeof *laws);
    for (int l = 0; laws && l < n_law; l++)
        if (!model->laws[l].formula && model->laws[l].n_signal > 0) /* curves are not over time */
            cut_law(&model->laws[l], n_law, n_time, time, laws + l, pool);
    return pool->is_short ? NULL : laws;
}
