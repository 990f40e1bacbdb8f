#include "engine/growth.h"

#include <math.h>

#include "base/fail.h"
#include "engine/batch.h"
#include "linalg/lapacke.h"

/* Every so many-th run takes the place of the next one. */
static void spread_values(const void *context, int64_t run, double *values)
{
    const struct ml_ensemble *all = context;
    int64_t stride = all->n_run / ML_LANES;
    all->values(all->context, run * (stride > 0 ? stride : 1), values);
}

/* The runs looked at, with as many vectors as show what there is to know. */
static struct ml_ensemble few_runs(const struct ml_ensemble *all)
{
    const int most_vectors = 8;
    struct ml_ensemble few = *all;
    few.values = spread_values;
    few.context = all;
    few.n_run = all->n_run < ML_LANES ? all->n_run : ML_LANES;
    few.n_vector = all->n_vector < most_vectors ? all->n_vector : most_vectors;
    few.shape.n_column = few.n_vector;
    few.shape.n_parameter = 0;
    few.saving.every = 0;
    few.saving.records = 0;
    few.settings = NULL;
    few.n_differentiated = 0;
    return few;
}

/* Steps worth looking at: some milliseconds. */
static int64_t steps_to_take(const struct ml_ensemble *few)
{
    const int64_t most = 1000, least = 16, work = 1 << 18;
    int64_t n = work / ml_rows_x(few->system, &few->shape);
    n = n < least ? least : n > most ? most : n;
    return n < few->n_step ? n : few->n_step;
}

/* Adds a step to the sums of ln R_ii, [n_vector] rows; false for lanes that failed. */
static unsigned add_step(const struct ml_ensemble *few, struct ml_batch *batch, int64_t k,
                         double *sum, struct ml_growth *growth)
{
    const int n_x = few->system->n_x(&few->shape);
    struct ml_lane_faults faults = batch->advance(&few->shape, few->start, few->step, k, 1,
                                                  batch->constants, batch->x, batch->work);
    const unsigned good = ~(faults.nonfinite | faults.singular);
    few->kernels->orthonormalise(n_x, few->n_vector, batch->x + (size_t)n_x * ML_LANES, batch->r);
    for (int c = 0; c < few->n_vector; c++) {
        double *log_r = batch->log_r + (size_t)c * ML_LANES;
        few->kernels->log(1, batch->r + (size_t)ml_tri(c, c) * ML_LANES, log_r);
        for (int lane = 0; lane < ML_LANES; lane++) {
            sum[c * ML_LANES + lane] += log_r[lane];
            if (good >> lane & 1 && fabs(log_r[lane]) / few->step > growth->peak)
                growth->peak = fabs(log_r[lane]) / few->step;
        }
    }
    return good;
}

static void measure(const struct ml_ensemble *few, struct ml_batch *batch, double *sum,
                    struct ml_growth *growth)
{
    const int64_t n_step = steps_to_take(few);
    const double *last = sum + (size_t)(few->n_vector - 1) * ML_LANES;
    unsigned good = ML_ALL_LANES;
    ml_batch_load(few, batch, 0, (int)few->n_run);
    for (int64_t k = 0; k < n_step && good; k++)
        good &= add_step(few, batch, k, sum, growth);
    for (int lane = 0; lane < ML_LANES; lane++) {
        double apart = few->n_vector > 1 ? sum[lane] - last[lane] : 0.0;
        double rate = fmax(sum[lane], apart) / ((double)n_step * few->step);
        if (good >> lane & 1 && rate > growth->spread)
            growth->spread = rate;
    }
}

enum ml_status ml_ensemble_growth(const struct ml_ensemble *ensemble, struct ml_growth *out,
                                  struct ml_error *err)
{
    struct ml_ensemble few = few_runs(ensemble);
    struct ml_arena arena = {0};
    struct ml_batch batch;
    double *sum = NULL;
    *out = (struct ml_growth){0};
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !ml_arena_reserve(&arena))
            return ml_fail(err, ML_E_MEMORY, "no memory to look at tangent vectors");
        ml_batch_layout(&few, &arena, &batch);
        sum = ml_arena_take(&arena, (size_t)few.n_vector * ML_LANES, sizeof *sum);
    }
    for (int i = 0; i < few.n_vector * ML_LANES; i++)
        sum[i] = 0.0;
    ml_lapacke_single_thread();
    measure(&few, &batch, sum, out);
    ml_arena_free(&arena);
    return ML_OK;
}
