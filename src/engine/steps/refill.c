/* Integrates runs of several batches ahead, in lanes that take the next run when theirs has ended.
 */

#include <math.h>
#include <omp.h>
#include <string.h>

#include "engine/team/batch_run.h"

enum {
    REFILL_LEAST_BATCHES = 4,
    REFILL_MOST_BATCHES = 64,
    REFILL_MOST_BYTES = 4 << 20, /* of states at stops, per thread: about the size of caches */
};

/* The run of each lane, while runs are integrated ahead. */
struct refill_lanes {
    const struct ml_ensemble *ensemble;
    struct ml_batch *batch; /* where runs are loaded, a batch at a time */
    struct ml_refill *refill;
    int64_t loaded, next; /* runs whose start is in the batch: up to `loaded`; the next to begin */
    unsigned active;
    int64_t run[ML_LANES];  /* that each lane is at, from refill->first on */
    int64_t stop[ML_LANES]; /* its next stop, */
    int64_t tick[ML_LANES]; /* the number of that tick, */
    struct ml_times end;    /* and its time */
    double step[ML_LANES];  /* s, from tick to tick */
};

/* The tick after tick k at which runs are looked at. */
static int64_t refill_stop_after(const struct ml_ensemble *e, int64_t every, int64_t k)
{
    int64_t next = (k / every + 1) * every;
    if (e->saving.every > 0 && (k / e->saving.every + 1) * e->saving.every < next)
        next = (k / e->saving.every + 1) * e->saving.every;
    return next < e->time.n_step ? next : e->time.n_step;
}

/* Number of stops; more than `most` count as most + 1. */
static int64_t refill_stops(const struct ml_ensemble *e, int64_t every, int64_t most)
{
    int64_t n = 0;
    for (int64_t k = 0; k < e->time.n_step && n <= most; k = refill_stop_after(e, every, k))
        n++;
    return n;
}

static size_t refill_state_size(const struct ml_ensemble *e)
{
    return (size_t)ml_rows_x(&e->model) * ML_LANES;
}

void ml_refill_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena, int64_t every,
                      struct ml_refill *refill)
{
    const size_t size = refill_state_size(ensemble);
    const int64_t most = REFILL_MOST_BYTES / (int64_t)(size * sizeof(double));
    const int64_t blocks = ensemble->block_runs / ML_LANES;
    *refill = (struct ml_refill){.every = every};
    if (!ensemble->time.is_adaptive || ml_ensemble_is_watched(ensemble) ||
        ensemble->indicators.n_tangent > 0 || ensemble->continuation.n_run > 0 ||
        ensemble->feedback.n_break > 0 || ml_looks_are_needed(ensemble))
        return;
    refill->n_stop = refill_stops(ensemble, every, most);
    if (refill->n_stop == 0)
        return;
    int64_t n_batch = most / refill->n_stop;
    n_batch = n_batch < REFILL_MOST_BATCHES ? n_batch : REFILL_MOST_BATCHES;
    n_batch = n_batch < blocks ? n_batch : blocks;
    if (n_batch < REFILL_LEAST_BATCHES)
        return;
    const size_t n = (size_t)n_batch;
    refill->n_batch = n_batch;
    refill->n_next = REFILL_LEAST_BATCHES;
    refill->constants = ml_rows_take(arena, ml_rows_constants(&ensemble->model));
    refill->x = ml_arena_take(arena, size, sizeof(double));
    refill->step_control = ml_rows_take(arena, ML_N_STEP_CONTROL);
    refill->states = ml_arena_take(arena, n * (size_t)refill->n_stop * size, sizeof(double));
    refill->step_controls = ml_arena_take(arena, n * ML_N_STEP_CONTROL * ML_LANES, sizeof(double));
    refill->failed_at = ml_arena_take(arena, n * ML_LANES, sizeof *refill->failed_at);
    refill->faults = ml_arena_take(arena, n, sizeof *refill->faults);
}

/* The lanes that show a run in its batch: the last run's are all that are left over. */
static int refill_lanes_end(const struct ml_refill *refill, int64_t run)
{
    return run == refill->n_run - 1 ? ML_LANES : (int)(run % ML_LANES) + 1;
}

static void refill_aim(struct refill_lanes *l, int lane, int64_t stop, int64_t from_tick)
{
    l->stop[lane] = stop;
    l->tick[lane] = refill_stop_after(l->ensemble, l->refill->every, from_tick);
    l->end.lane[lane] = fma((double)l->tick[lane], l->step[lane], l->ensemble->time.start);
}

/* Gives a lane the next run, if there is one. */
static void refill_begin(struct refill_lanes *l, int lane)
{
    const struct ml_ensemble *e = l->ensemble;
    struct ml_refill *refill = l->refill;
    l->active &= ~(1u << lane);
    if (l->next == refill->n_run)
        return;
    if (l->next == l->loaded) {
        const int64_t left = refill->n_run - l->loaded;
        const int n = left < ML_LANES ? (int)left : ML_LANES;
        ml_batch_load(e, l->batch, refill->first + l->loaded, n);
        ml_start_refuse(e, l->batch);
        l->loaded += n;
    }
    const int from = (int)(l->next % ML_LANES);
    ml_lane_copy(ml_rows_constants(&e->model), l->batch->constants, from, refill->constants, lane);
    ml_lane_copy(ml_rows_x(&e->model), l->batch->x, from, refill->x, lane);
    ml_lane_copy(ML_N_STEP_CONTROL, l->batch->step_control, from, refill->step_control, lane);
    l->step[lane] = l->batch->step[from];
    l->run[lane] = l->next++;
    refill_aim(l, lane, 0, 0);
    l->active |= 1u << lane;
}

/* Where the state of a batch at a stop is kept. */
static double *refill_state(const struct ml_ensemble *e, const struct ml_refill *refill,
                            int64_t batch, int64_t stop)
{
    return refill->states + (size_t)(batch * refill->n_stop + stop) * refill_state_size(e);
}

/* Ends the run of a lane, which is at its last stop or has failed on the way to `failed_at`. */
static void refill_end(struct refill_lanes *l, int lane, int64_t failed_at)
{
    struct ml_refill *refill = l->refill;
    const int64_t run = l->run[lane], batch = run / ML_LANES;
    for (int to = (int)(run % ML_LANES); to < refill_lanes_end(refill, run); to++) {
        ml_lane_copy(ML_N_STEP_CONTROL, refill->step_control, lane,
                     refill->step_controls + batch * ML_N_STEP_CONTROL * ML_LANES, to);
        refill->failed_at[batch * ML_LANES + to] = failed_at;
    }
    refill_begin(l, lane);
}

static void refill_arrive(struct refill_lanes *l, int lane)
{
    const struct ml_ensemble *e = l->ensemble;
    const int64_t run = l->run[lane];
    double *state = refill_state(e, l->refill, run / ML_LANES, l->stop[lane]);
    for (int to = (int)(run % ML_LANES); to < refill_lanes_end(l->refill, run); to++)
        ml_lane_copy(ml_rows_x(&e->model), l->refill->x, lane, state, to);
    if (l->tick[lane] < e->time.n_step)
        refill_aim(l, lane, l->stop[lane] + 1, l->tick[lane]);
    else
        refill_end(l, lane, -1);
}

/* Notes of which kind the fault of a lane is. */
static void refill_note(struct refill_lanes *l, int lane, struct ml_lane_faults faults)
{
    const int64_t run = l->run[lane];
    struct ml_lane_faults *noted = &l->refill->faults[run / ML_LANES];
    for (int to = (int)(run % ML_LANES); to < refill_lanes_end(l->refill, run); to++) {
        noted->nonfinite |= (faults.nonfinite >> lane & 1) << to;
        noted->singular |= (faults.singular >> lane & 1) << to;
        noted->too_short |= (faults.too_short >> lane & 1) << to;
        noted->too_many |= (faults.too_many >> lane & 1) << to;
    }
}

/* Gives a lane that has failed and has no run to go on with numbers that cannot fail. */
static void refill_freeze(struct refill_lanes *l, int lane)
{
    const struct ml_ensemble *e = l->ensemble;
    if (l->active == 0 || l->active >> lane & 1)
        return;
    const int donor = __builtin_ctz(l->active);
    ml_lane_copy(ml_rows_constants(&e->model), l->refill->constants, donor, l->refill->constants,
                 lane);
    ml_lane_copy(ml_rows_x(&e->model), l->refill->x, donor, l->refill->x, lane);
}

/* The outcome of the lanes that were active. */
static void refill_sort(struct refill_lanes *l, struct ml_lane_faults faults)
{
    const unsigned failed = faults.nonfinite | faults.singular | faults.too_short | faults.too_many;
    const unsigned active = l->active;
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (!(active >> lane & 1) || (faults.underway & ~failed) >> lane & 1)
            continue;
        if (failed >> lane & 1) {
            refill_note(l, lane, faults);
            refill_end(l, lane, l->stop[lane]);
        } else
            refill_arrive(l, lane);
    }
    ML_EACH_LANE(lane, failed)
        refill_freeze(l, lane);
}

/* Goes on until some lane is at its stop. */
static struct ml_lane_faults refill_advance(struct refill_lanes *l)
{
    const struct ml_ensemble *e = l->ensemble;
    const struct ml_leg leg = {l->end.lane, ml_most_tries(e), l->active, true,
                               l->refill->step_control};
    const struct ml_jumps_lanes lanes = {
        e, l->batch->kernels.fastest, l->refill->constants, l->refill->x, l->batch->work, NULL};
    return ml_jumps_try(&lanes, &leg);
}

/* The next runs are as many as take about half a second, so that progress can be told. */
static void refill_adjust_batches(struct ml_refill *refill, double seconds)
{
    if (seconds < 0.25)
        refill->n_next =
            4 * refill->n_next < refill->n_batch ? 4 * refill->n_next : refill->n_batch;
    if (seconds > 1.0 && refill->n_next > REFILL_LEAST_BATCHES)
        refill->n_next /= 2;
}

bool ml_refill_ahead(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first,
                     int64_t n_run)
{
    struct ml_refill *refill = &batch->refill;
    const int64_t most = refill->n_next * ML_LANES;
    if (most == 0 || ml_refill_has(refill, first))
        return true;
    const double began = omp_get_wtime();
    struct refill_lanes lanes = {.ensemble = ensemble, .batch = batch, .refill = refill};
    refill->first = first;
    refill->n_run = n_run < most ? n_run : most;
    memset(refill->faults, 0, (size_t)refill->n_batch * sizeof *refill->faults);
    for (int lane = 0; lane < ML_LANES; lane++)
        refill_begin(&lanes, lane);
    for (int lane = 0; lane < ML_LANES; lane++)
        refill_freeze(&lanes, lane);
    while (lanes.active) {
        if (ml_stop_level(batch->stop) > 1)
            return false;
        ml_batch_take_kernel(ensemble, batch);
        refill_sort(&lanes, refill_advance(&lanes));
    }
    refill_adjust_batches(refill, omp_get_wtime() - began);
    return true;
}

void ml_refill_forget(struct ml_refill *refill) { refill->n_run = 0; }

bool ml_refill_has(const struct ml_refill *refill, int64_t first)
{
    return first >= refill->first && first < refill->first + refill->n_run;
}

void ml_refill_take_step_control(struct ml_batch *batch, int64_t first)
{
    const struct ml_refill *refill = &batch->refill;
    const int64_t i = (first - refill->first) / ML_LANES;
    memcpy(batch->step_control, refill->step_controls + i * ML_N_STEP_CONTROL * ML_LANES,
           ML_N_STEP_CONTROL * ML_LANES * sizeof *batch->step_control);
}

struct ml_lane_faults ml_refill_take_stop(const struct ml_ensemble *ensemble,
                                          struct ml_batch *batch, int64_t first, int64_t i)
{
    const struct ml_refill *refill = &batch->refill;
    const int64_t at = (first - refill->first) / ML_LANES;
    struct ml_lane_faults faults = refill->faults[at];
    unsigned failed = 0;
    for (int lane = 0; lane < ML_LANES; lane++)
        failed |= (unsigned)(refill->failed_at[at * ML_LANES + lane] == i) << lane;
    memcpy(batch->x, refill_state(ensemble, refill, at, i),
           refill_state_size(ensemble) * sizeof *batch->x);
    faults.nonfinite &= failed;
    faults.singular &= failed;
    faults.too_short &= failed;
    faults.too_many &= failed;
    return faults;
}
