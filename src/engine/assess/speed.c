/* Measures the speed of an ensemble: the time that batches from all over it take on one thread. */
#include "engine/assess/speed.h"

#include "base/clock.h"
#include "engine/team/batch.h"
#include "engine/team/batch_run.h"

enum {
    LEAST_BATCHES = 4,  /* from all over the study, that are looked at */
    MOST_BATCHES = 256, /* more tell no more */
    MOST_ROUNDS = 5     /* of all of them, of which the shortest counts */
};

/* Time and steps of batches: measured to their end, or extrapolated from their way so far. */
struct speed_sum {
    double seconds, steps, all; /* processor time; steps taken, and those of whole runs */
    bool is_open;               /* an event may end runs that were not looked at to their end */
};

struct speed_probe {
    const struct ml_ensemble *all;
    struct ml_ensemble e; /* the part that is computed: n_step steps of a run */
    struct ml_arena arena;
    struct ml_batch batch;
    struct ml_block block;
    struct ml_stop stop;
    double began, limit; /* s: of all that is measured */
    double until;        /* s, as of ml_thread_clock: of the batch under way, whose lanes choose
                            their steps */
    int64_t n_asked;     /* times that the batch under way has asked whether to go on */
    bool is_late;
    bool is_refilled; /* in the study lanes take the next run when theirs has ended */
};

static bool speed_is_stopped(const struct speed_probe *p) { return ml_stop_level(p->stop) > 0; }

/* Asked at every observation, the clock would cost more than the steps: it is asked at first, when
 * the way from one question to the next may turn out to be long, and then seldom. The way to the
 * end of given steps is short as it is. */
static int speed_stop_level(void *context)
{
    const int drop = 2, seldom = 64;
    struct speed_probe *p = context;
    const int64_t n = p->n_asked++;
    if (p->e.time.is_adaptive && (n % seldom == 0 || (n & (n - 1)) == 0))
        p->is_late = ml_thread_clock() > p->until;
    return p->is_late || speed_is_stopped(p) ? drop : 0;
}

static double speed_left(const struct speed_probe *p)
{
    return p->limit - (ml_thread_clock() - p->began);
}

static int64_t speed_batches(const struct ml_ensemble *all)
{
    return (all->n_run + ML_LANES - 1) / ML_LANES;
}

/* Lanes of a batch that have a run; where runs go on from each other there is a line in a lane. */
static int speed_lanes(const struct ml_ensemble *all, int64_t first)
{
    const int64_t line = all->continuation.n_run, left = all->n_run - first;
    const int64_t lines = line > 0 ? all->block_runs / line : ML_LANES;
    const int64_t n = lines < left ? lines : left;
    return n < ML_LANES ? (int)n : ML_LANES;
}

static int64_t speed_divisor(int64_t a, int64_t b) { return b ? speed_divisor(b, a % b) : a; }

/* Batches from one that is looked at to the next, all of them in turn: about the golden section of
 * the way through all, so that, few or many, they are from all over the ensemble. */
static int64_t speed_stride(int64_t n_batch)
{
    const double section = 0x1.3c6ef372fe95p-1; /* (sqrt(5) - 1) / 2 */
    int64_t stride = (int64_t)(section * (double)n_batch) + 1;
    while (speed_divisor(n_batch, stride) > 1)
        stride++;
    return stride;
}

/* Adds a batch of given steps that took `took` s: steps behind those looked at cost as much each.
 */
static void speed_add_given(const struct speed_probe *p, int n, double took, struct speed_sum *sum)
{
    const int64_t whole = p->all->time.n_step;
    int64_t most = 1, steps = 0, alive = 0;
    for (int i = 0; i < n; i++) {
        most = p->block.steps[i] > most ? p->block.steps[i] : most;
        steps += p->block.steps[i];
        alive += p->block.outcome[i] == ML_FINISHED && p->block.steps[i] == p->e.time.n_step;
    }
    const double left = alive > 0 ? (double)(whole - p->e.time.n_step) : 0.0;
    sum->seconds += took * (1.0 + left / (double)most);
    sum->steps += (double)steps + left * (double)alive;
    sum->all += (double)n * (double)whole;
    sum->is_open |= left > 0.0 && (p->all->n_event > 0 || p->all->time.least_steps > 0);
}

/* Adds a batch whose lanes choose their steps: they are as far as their times say, and take no more
 * tries than they may. Where lanes take the next run when theirs has ended, each costs its part. */
static void speed_add_chosen(const struct speed_probe *p, int n, double took, bool is_cut,
                             struct speed_sum *sum)
{
    const double *control = p->batch.step_control;
    double most = 0.0, tries = 0.0, largest = 0.0;
    for (int i = 0; i < n; i++) {
        const double span = (double)p->all->time.n_step * p->batch.step[i];
        const double time = control[ML_STEP_CONTROL_TIME * ML_LANES + i] - p->all->time.start;
        const double own = control[ML_STEP_CONTROL_ACCEPTED * ML_LANES + i] +
                           control[ML_STEP_CONTROL_REJECTED * ML_LANES + i];
        const double part = is_cut ? fmin(fmax(time / span, 0.0), 1.0)
                                   : fmin((p->block.end_time[i] - p->all->time.start) / span, 1.0);
        const double whole =
            is_cut ? fmin(own / fmax(part, 1e-300), p->all->chosen.control.most_steps) : own;
        sum->steps += is_cut ? (double)p->all->time.n_step : part * (double)p->all->time.n_step;
        sum->all += (double)p->all->time.n_step;
        largest = fmax(largest, own);
        most = fmax(most, whole);
        tries += whole;
    }
    const double lanes = p->is_refilled ? tries / ML_LANES : most;
    sum->seconds += took * lanes / fmax(largest, 1.0);
    sum->is_open |= is_cut && p->all->n_event > 0;
}

/* Computes a batch, for so many seconds at most. */
static void speed_batch(struct speed_probe *p, int64_t first, double most, struct speed_sum *sum)
{
    const int n = speed_lanes(p->all, first);
    p->block.first = first;
    p->block.n_run = n;
    const double began = ml_thread_clock();
    p->until = began + most;
    p->n_asked = 0;
    p->is_late = false;
    const bool is_cut = ml_batch_run(&p->e, &p->batch, first, n, &p->block) < 0;
    const double took = ml_thread_clock() - began;
    if (speed_is_stopped(p))
        return;
    if (p->e.time.is_adaptive)
        speed_add_chosen(p, n, took, is_cut, sum);
    else if (!is_cut)
        speed_add_given(p, n, took, sum);
}

/* The first batch, over more and more steps until that takes a part of the limit. */
static void speed_pilot(struct speed_probe *p, struct speed_sum *sum)
{
    const double much = p->limit / (4 * LEAST_BATCHES);
    double took = 0.0;
    for (int64_t n = 1; took < much && !speed_is_stopped(p); n *= 4) {
        const bool is_whole = p->e.time.is_adaptive || n >= p->all->time.n_step;
        const double began = ml_thread_clock();
        p->e.time.n_step = is_whole ? p->all->time.n_step : n;
        *sum = (struct speed_sum){0};
        speed_batch(p, 0, p->e.time.is_adaptive ? p->limit / LEAST_BATCHES : (double)INFINITY, sum);
        took = ml_thread_clock() - began;
        if (is_whole)
            return;
    }
}

/* As many given steps as let some batches be looked at in the time that is left, when the first one
 * takes so long as a whole. */
static void speed_choose_steps(struct speed_probe *p, double whole)
{
    const double share = fmax(speed_left(p), 0.0) / LEAST_BATCHES / whole;
    const double steps = fmin(share, 1.0) * (double)p->all->time.n_step;
    if (!p->e.time.is_adaptive && steps > (double)p->e.time.n_step)
        p->e.time.n_step = share < 1.0 ? (int64_t)steps : p->all->time.n_step;
}

/* Batches from all over, until the time is over; true if it was not. */
static bool speed_round(struct speed_probe *p, struct speed_sum *sum)
{
    const int64_t n = speed_batches(p->all), stride = speed_stride(n);
    for (int64_t i = 0, batch = 0; i < n && i < MOST_BATCHES; i++, batch = (batch + stride) % n) {
        if (speed_left(p) < 0.0 || speed_is_stopped(p))
            return false;
        speed_batch(p, batch * ML_LANES, p->limit / LEAST_BATCHES, sum);
    }
    return true;
}

static struct ml_speed speed_measure(struct speed_probe *p)
{
    struct speed_sum best = {0};
    bool is_whole = true;
    p->began = ml_thread_clock();
    speed_pilot(p, &best);
    speed_choose_steps(p, best.seconds);
    for (int k = 0; k < MOST_ROUNDS && is_whole; k++) {
        struct speed_sum sum = {0};
        is_whole = speed_round(p, &sum);
        if (sum.all > 0.0 && (k == 0 || (is_whole && sum.seconds < best.seconds)))
            best = sum;
    }
    return (struct ml_speed){.rate = best.seconds > 0.0 ? best.all / best.seconds : 0.0,
                             .taken = best.all > 0.0 ? best.steps / best.all : 0.0,
                             .is_at_most = best.is_open};
}

static bool speed_refills(const struct ml_ensemble *all)
{
    struct ml_arena none = {0};
    struct ml_refill refill;
    ml_refill_layout(all, &none, ml_ensemble_observe_every(all), &refill);
    return refill.n_batch > 0;
}

static struct ml_ensemble speed_ensemble(const struct ml_ensemble *all)
{
    struct ml_ensemble e = *all;
    e.block_runs = ML_LANES;
    e.saving.every = 0;
    e.continuation = (struct ml_continuation){0};
    return e;
}

struct ml_speed ml_ensemble_speed(const struct ml_ensemble *ensemble, double seconds,
                                  struct ml_stop stop)
{
    struct speed_probe p = {.all = ensemble,
                            .e = speed_ensemble(ensemble),
                            .stop = stop,
                            .limit = seconds,
                            .is_refilled = speed_refills(ensemble)};
    struct ml_speed out = {0};
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !ml_arena_reserve(&p.arena))
            return out;
        ml_batch_layout(&p.e, &p.arena, &p.batch);
        ml_block_layout(&p.e, &p.arena, &p.block);
    }
    p.batch.stop = (struct ml_stop){speed_stop_level, &p};
    out = speed_measure(&p);
    ml_arena_free(&p.arena);
    return out;
}
