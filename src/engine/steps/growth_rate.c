/* Estimates the growth rate of tangent vectors from short integrations of a few runs. */
#include <math.h>

#include "engine/assess/stability.h"
#include "engine/team/batch_run.h"
#include "manylink/fail.h"

/* Run i is the one at the fractional part of i times the golden ratio of the way through all of
 * them: evenly spread along the first axis of a grid, and over those within it too. */
static void spread_values(const void *context, int64_t run, double *values)
{
    const double golden_ratio = 0x1.9e3779b97f4a8p+0;
    const struct ml_ensemble *all = context;
    const double way = (double)run * golden_ratio;
    all->numbers.values(all->numbers.context, (int64_t)((way - floor(way)) * (double)all->n_run),
                        values);
}

/* The runs looked at, with as many vectors as matter. */
static struct ml_ensemble few_runs(const struct ml_ensemble *all)
{
    const int most_vectors = 8;
    struct ml_ensemble few = ml_ensemble_bare(all);
    few.numbers.values = spread_values;
    few.numbers.context = all;
    few.n_run = all->n_run < ML_LANES ? all->n_run : ML_LANES;
    few.indicators.n_tangent =
        all->indicators.n_tangent < most_vectors ? all->indicators.n_tangent : most_vectors;
    few.model.n_column = few.indicators.n_tangent;
    return few;
}

/* Steps worth looking at: some milliseconds. */
static int64_t steps_to_take(const struct ml_ensemble *few)
{
    const int64_t most = 1000, least = 16, work = 1 << 18;
    int64_t n = work / ml_rows_x(&few->model);
    n = n < least ? least : n > most ? most : n;
    return n < few->time.n_step ? n : few->time.n_step;
}

/* Sums of ln R_ii, [n_tangent] rows: since the start, without their signs, and since each lane was
 * last seen to have grown much, which was after so many steps. */
struct growth_sums {
    double *all, *swing, *since;
    int64_t mark[ML_LANES];
};

/* How much the vectors of a lane have grown, or shrunk, or come apart. */
static double grown(const double *sum, int n_tangent, int lane)
{
    double most = sum[lane] - sum[(n_tangent - 1) * ML_LANES + lane];
    for (int c = 0; c < n_tangent; c++)
        most = fmax(most, fabs(sum[c * ML_LANES + lane]));
    return most;
}

/* Starts a new sum where much growth has come together in the steps up to k. */
static void mark_growth(int n_tangent, int64_t k, unsigned good, struct growth_sums *sums,
                        struct ml_growth_rate *growth)
{
    const double much = 0x1.ba18a998fffap+3; /* ln 1e6 */
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (!(good >> lane & 1) || grown(sums->since, n_tangent, lane) < much)
            continue;
        if (k - sums->mark[lane] < growth->quiet_steps)
            growth->quiet_steps = k - sums->mark[lane];
        sums->mark[lane] = k;
        for (int c = 0; c < n_tangent; c++)
            sums->since[c * ML_LANES + lane] = 0.0;
    }
}

/* Adds step k; the lanes that did not fail. */
static unsigned growth_add_step(const struct ml_ensemble *few, struct ml_batch *batch, int64_t k,
                                struct growth_sums *sums)
{
    const int n_x = ml_n_x(&few->model);
    struct ml_lane_faults faults = ml_batch_advance(few, batch, 1.0, k, 1, ML_ALL_LANES);
    few->kernels->orthonormalise(n_x, few->indicators.n_tangent, 0.0,
                                 batch->x + (size_t)n_x * ML_LANES, batch->tangents.r);
    for (int c = 0; c < few->indicators.n_tangent; c++) {
        double *log_r = batch->tangents.log_r + (size_t)c * ML_LANES;
        few->kernels->log(1, batch->tangents.r + (size_t)ml_tri(c, c) * ML_LANES, log_r);
        for (int lane = 0; lane < ML_LANES; lane++) {
            sums->all[c * ML_LANES + lane] += log_r[lane];
            sums->swing[c * ML_LANES + lane] += fabs(log_r[lane]);
            sums->since[c * ML_LANES + lane] += log_r[lane];
        }
    }
    return ~(faults.nonfinite | faults.singular | faults.too_short | faults.too_many);
}

/* Mean rates of a lane. */
static void add_rates(const struct ml_ensemble *few, const struct growth_sums *sums, double seconds,
                      int lane, struct ml_growth_rate *growth)
{
    const int last = (few->indicators.n_tangent - 1) * ML_LANES;
    double apart = few->indicators.n_tangent > 1 ? sums->all[lane] - sums->all[last + lane] : 0.0;
    growth->spread = fmax(growth->spread, fmax(sums->all[lane], apart) / seconds);
    for (int c = 0; c < few->indicators.n_tangent; c++)
        growth->swing = fmax(growth->swing, sums->swing[c * ML_LANES + lane] / seconds);
}

static void growth_measure(const struct ml_ensemble *few, struct ml_batch *batch,
                           struct growth_sums *sums, struct ml_growth_rate *growth)
{
    const int64_t n_step = steps_to_take(few);
    unsigned good = ML_ALL_LANES;
    growth->quiet_steps = n_step;
    ml_batch_load(few, batch, 0, (int)few->n_run);
    for (int64_t k = 0; k < n_step && good; k++) {
        good &= growth_add_step(few, batch, k, sums);
        mark_growth(few->indicators.n_tangent, k + 1, good, sums, growth);
    }
    for (int lane = 0; lane < ML_LANES; lane++)
        if (good >> lane & 1)
            add_rates(few, sums, (double)n_step * few->time.step, lane, growth);
}

enum ml_status ml_ensemble_growth_rate(const struct ml_ensemble *ensemble,
                                       struct ml_growth_rate *out, struct ml_error *err)
{
    struct ml_ensemble few = few_runs(ensemble);
    struct ml_arena arena = {0};
    struct ml_batch batch;
    struct growth_sums sums = {0};
    *out = (struct ml_growth_rate){0};
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !ml_arena_reserve(&arena))
            return ml_fail(err, ML_E_MEMORY, "no memory to look at tangent vectors");
        ml_batch_layout(&few, &arena, &batch);
        sums.all =
            ml_arena_take(&arena, (size_t)few.indicators.n_tangent * ML_LANES, sizeof *sums.all);
        sums.swing =
            ml_arena_take(&arena, (size_t)few.indicators.n_tangent * ML_LANES, sizeof *sums.swing);
        sums.since =
            ml_arena_take(&arena, (size_t)few.indicators.n_tangent * ML_LANES, sizeof *sums.since);
    }
    for (int i = 0; i < few.indicators.n_tangent * ML_LANES; i++)
        sums.all[i] = sums.swing[i] = sums.since[i] = 0.0;
    growth_measure(&few, &batch, &sums, out);
    ml_arena_free(&arena);
    return ML_OK;
}
