/* Runs the first steps of some batches on two kernels and compares every bit: code that was
 * compiled while the program runs is trusted no further. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/open.h"
#include "engine/kernels/kernel_choice.h"
#include "engine/team/batch_run.h"
#include "manylink/fail.h"

/* Every second lane, for a moment: the others must stay as they are. */
enum { SOME_LANES = 0x55555555, FEW_STEPS = 4 };

/* An ensemble on one of the kernels. */
struct kernel_compare_side {
    struct ml_ensemble ensemble;
    struct ml_batch batch;
    const struct ml_kernel *kernel;
    struct ml_lane_faults faults;
    double *rate; /* as of ml_rates_fn */
};

struct kernel_compare_pair {
    struct kernel_compare_side general, other;
    size_t n_row;   /* of the state and its tangent vectors */
    unsigned sound; /* lanes without a fault so far */
};

static void place(struct kernel_compare_side *side, struct ml_arena *arena)
{
    const size_t n_row = (size_t)ml_rows_x(&side->ensemble.model);
    ml_batch_layout(&side->ensemble, arena, &side->batch);
    side->rate = ml_arena_take(arena, n_row * ML_LANES, sizeof *side->rate);
    side->batch.kernels.fastest = side->kernel;
}

static void load(struct kernel_compare_side *side, int64_t first, int n)
{
    ml_batch_load(&side->ensemble, &side->batch, first, n);
}

static void advance(struct kernel_compare_side *side, int64_t k, int64_t n, unsigned lanes)
{
    side->faults = ml_batch_advance(&side->ensemble, &side->batch, 1.0, k, n, lanes);
    side->faults.nonfinite &= lanes;
    side->faults.singular &= lanes;
    side->faults.too_short &= lanes;
    side->faults.too_many &= lanes;
}

/* Lanes in which some row differs; which operand's sign a NaN has is up to the compiler. */
static unsigned kernel_compare_rows(size_t n_row, const double *a, const double *b)
{
    unsigned differing = 0;
    for (size_t i = 0; i < n_row * ML_LANES; i++)
        if (memcmp((const void *)&a[i], (const void *)&b[i], sizeof *a) != 0 &&
            !(isnan(a[i]) && isnan(b[i])))
            differing |= 1u << i % ML_LANES;
    return differing;
}

/* Lanes in which both did not do the same; one that failed has done so for good. */
static unsigned kernel_compare_all(struct kernel_compare_pair *p)
{
    const struct ml_lane_faults *a = &p->general.faults, *b = &p->other.faults;
    const unsigned faults = (a->nonfinite ^ b->nonfinite) | (a->singular ^ b->singular) |
                            (a->too_short ^ b->too_short) | (a->too_many ^ b->too_many);
    const unsigned before = p->sound;
    p->sound &= ~(a->nonfinite | a->singular | a->too_short | a->too_many);
    return (faults & before) |
           (kernel_compare_rows(p->n_row, p->general.batch.x, p->other.batch.x) & p->sound);
}

static unsigned kernel_compare_steps(struct kernel_compare_pair *p, int64_t k, int64_t n,
                                     unsigned lanes)
{
    advance(&p->general, k, n, lanes);
    advance(&p->other, k, n, lanes);
    return kernel_compare_all(p);
}

/* Lanes in which the rates of the batches differ; 0 if the other kernel has no rates. */
static unsigned kernel_compare_rates(const struct kernel_compare_pair *p)
{
    const struct kernel_compare_side *sides[] = {&p->general, &p->other};
    if (!p->other.kernel->rates)
        return 0;
    for (int i = 0; i < 2; i++) {
        const struct ml_batch *batch = &sides[i]->batch;
        const struct ml_ensemble *e = &sides[i]->ensemble;
        /* low parts of compensated sums have no rates */
        memset(sides[i]->rate, 0, p->n_row * ML_LANES * sizeof *sides[i]->rate);
        sides[i]->kernel->rates(&e->model, ml_batch_times(e, batch, 0.0).lane, batch->constants,
                                batch->x, sides[i]->rate, batch->work);
    }
    return kernel_compare_rows(p->n_row, p->general.rate, p->other.rate) & p->sound;
}

/* Steps that take some milliseconds, in which local arrays on a stack are used again and again. */
static int64_t count_steps(const struct ml_ensemble *ensemble)
{
    const int64_t n = ensemble->model.n, n_column = ensemble->model.n_column;
    if (ensemble->time.is_adaptive) /* of a tick as many tries as one call takes */
        return 2;
    const int64_t least = 32, most = 256, work = 1 << 16;
    const int64_t n_step = work / ((n * n + 3) * (1 + n_column));
    return n_step < least ? least : n_step > most ? most : n_step;
}

/* Lanes in which a batch differs. */
static unsigned compare_batch(struct kernel_compare_pair *p, int64_t first, int n)
{
    const int64_t n_step = count_steps(&p->general.ensemble);
    load(&p->general, first, n);
    load(&p->other, first, n);
    p->sound = ML_ALL_LANES & ~p->general.batch.impossible;
    unsigned differing = kernel_compare_rates(p);
    /* The first step alone: a run that ends in the next ones is not compared. */
    differing |= kernel_compare_steps(p, 0, 1, ML_ALL_LANES);
    differing |= kernel_compare_steps(p, 1, n_step - 1, ML_ALL_LANES);
    return differing | kernel_compare_steps(p, n_step, FEW_STEPS, SOME_LANES & ML_ALL_LANES);
}

/* The first batch, that in the middle, and the last one. */
static int64_t find_differing(struct kernel_compare_pair *p)
{
    const int64_t n_run = p->general.ensemble.n_run, last = (n_run - 1) / ML_LANES;
    const int64_t batches[] = {0, last / 2, last};
    for (int i = 0; i < 3; i++) {
        const int64_t first = batches[i] * ML_LANES, left = n_run - first;
        const int n = left < ML_LANES ? (int)left : ML_LANES;
        if (i > 0 && batches[i] == batches[i - 1])
            continue;
        const unsigned differing = compare_batch(p, first, n);
        for (int lane = 0; lane < ML_LANES; lane++)
            if (differing >> lane & 1) /* those beyond the last run repeat it */
                return first + (lane < n ? lane : n - 1);
    }
    return -1;
}

/* The child's part: a crash or an endless loop is the end of the child alone. */
static _Noreturn void compare_as_child(struct kernel_compare_pair *p, int64_t *found)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM};
    const unsigned limit = 60; /* s: it takes some milliseconds */
    const struct rlimit none = {0, 0};
    sigset_t all;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_UNBLOCK, &all, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        (void)signal(signals[i], SIG_DFL);
    (void)setrlimit(RLIMIT_CORE, &none);
    ml_open_leave_files(ML_LEAVE_AT_ONCE);
    (void)alarm(limit);
    *found = find_differing(p);
    _exit(0);
}

/* Waits for the end of a child process, or ends it; false if it was stopped. */
static bool kernel_compare_wait(pid_t child, struct ml_stop stop)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    bool is_stopped = false;
    for (pid_t ended = 0; ended == 0 || (ended < 0 && errno == EINTR);) {
        if (!is_stopped && ml_stop_level(stop) > 0)
            is_stopped = kill(child, SIGKILL) == 0;
        ended = waitpid(child, NULL, is_stopped ? 0 : WNOHANG);
        if (ended == 0)
            (void)nanosleep(&moment, NULL);
    }
    return !is_stopped;
}

/* find_differing in a child process; ML_KERNEL_CRASHED if that does not come to an end, and
 * ML_KERNEL_UNTRIED without a child: no other process may run a new kernel. False if it was
 * stopped. */
static bool find_differing_safely(struct kernel_compare_pair *p, struct ml_stop stop, int64_t *run)
{
    int64_t *found =
        mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *run = ML_KERNEL_UNTRIED;
    if (found == MAP_FAILED)
        return true;
    *found = ML_KERNEL_CRASHED;
    const pid_t child = fork();
    if (child == 0)
        compare_as_child(p, found);
    const bool is_whole = child < 0 || kernel_compare_wait(child, stop);
    *run = child < 0 ? ML_KERNEL_UNTRIED : *found;
    (void)munmap(found, sizeof *found);
    return is_whole;
}

enum ml_status ml_kernel_compare(const struct ml_ensemble *ensemble, const struct ml_kernel *kernel,
                                 struct ml_stop stop, int64_t *run, struct ml_error *err)
{
    struct ml_arena arena = {0};
    struct kernel_compare_pair p = {.general = {.ensemble = *ensemble},
                                    .other = {.ensemble = *ensemble}};
    p.general.kernel = ml_ensemble_general(ensemble);
    p.other.kernel = kernel;
    p.n_row = (size_t)ml_rows_x(&ensemble->model);
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !ml_arena_reserve(&arena))
            return ml_fail(err, ML_E_MEMORY, "no memory to compare two kernels");
        place(&p.general, &arena);
        place(&p.other, &arena);
    }
    const bool is_whole = find_differing_safely(&p, stop, run);
    ml_arena_free(&arena);
    return is_whole ? ML_OK : ml_fail(err, ML_STOPPED, "stopped");
}
