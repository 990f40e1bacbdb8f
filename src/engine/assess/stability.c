/* Finds out by eigenvalues of its Jacobian whether a study's step is too large for its stiff
 * parts: an unstable run can look like a good one. */
#include "engine/assess/stability.h"

#include <string.h>

#include "engine/team/batch_run.h"
#include "linalg/eigenvalues.h"
#include "manylink/fail.h"

enum {
    MOST_ROWS = 32,
    MOST_ROWS_BACK = 256,
    MOST_SAMPLES = 16,
    MOST_STIFFEST = 128,
    FINER = 4,
    MOST_PASSES = 6,
    MOST_TRIES = 16
};

/* Runs that are chosen out of all. */
struct chosen {
    const struct ml_ensemble *all;
    const int64_t *runs;
};

struct search {
    const struct ml_ensemble *all;
    const int64_t *runs;
    int n;                              /* runs: lanes that count */
    int n_x;                            /* rows of the state */
    struct ml_ensemble bare, tangent;   /* the runs without and with a unit vector of each row */
    struct ml_batch on_way, here;       /* of these: advancing, and at the state looked at */
    double *rate;                       /* [n_x (1 + n_x)] as of ml_rates_fn */
    double *scratch;                    /* [n_value] */
    struct ml_law *laws;                /* [n_law] all but one */
    double complex *matrix, *spectrum;  /* [n_x][n_x], [n_x] */
    double stability[ML_MAX_STAGE + 1]; /* as of ml_method_stability */
    double kinetic[ML_LANES];           /* J, largest so far */
    struct ml_times now;                /* s, of the state looked at */
    double share;                       /* of a run's step that the steps on the way are */
    unsigned watched;                   /* lanes that are looked at */
    bool finds_stiffest;                /* engaged forces are judged in lanes that are unstable
                                           without them too */
    struct ml_instability *out;
};

static void chosen_values(const void *context, int64_t run, double *values)
{
    const struct chosen *chosen = context;
    chosen->all->numbers.values(chosen->all->numbers.context, chosen->runs[run], values);
}

/* |R(z)| */
static double growth(const struct search *s, double complex z)
{
    return ml_method_growth(s->all->method, s->stability, z);
}

/* The member of a pair +-lambda by which steps are judged: a splitting method's map is of both, and
 * grows as the one that does. */
static double complex judged(const struct search *s, double complex lambda)
{
    return s->all->method->splitting && creal(lambda) < 0.0 ? -lambda : lambda;
}

/* Whether `eigenvalue` is a part of a motion of so many seconds that steps of h let grow though it
 * should not. */
static bool grows(const struct search *s, double complex eigenvalue, double span, double h)
{
    const double neutral = 1e-6, much = 0.2;
    const double complex lambda = judged(s, eigenvalue);
    const double excess = log(growth(s, h * lambda)) - fmax(h * creal(lambda), 0.0);
    const double n_step = span / h;
    if (creal(lambda) > neutral * cabs(lambda))
        return excess > much;
    return n_step * excess > log(2.0);
}

/* The largest step that lambda is stable with, at most the run's. */
static double largest_step(const struct search *s, double complex lambda, double own)
{
    enum { HALVINGS = 50 };
    const double span = (double)s->all->time.n_step * own;
    double low = 0.0, high = own;
    if (!grows(s, lambda, span, high))
        return high;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        *(grows(s, lambda, span, middle) ? &high : &low) = middle;
    }
    return low;
}

/* The finding in the matrix of a lane; is_there is false if it is stable or has no numbers. */
static struct ml_instability judge(struct search *s, int lane)
{
    const double own = s->on_way.step[lane];
    struct ml_instability found = {
        .run = s->runs[lane], .time = s->now.lane[lane], .force = -1, .step = own, .largest = own};
    for (int i = 0; i < s->n_x; i++)
        for (int c = 0; c < s->n_x; c++)
            s->matrix[i * s->n_x + c] = s->rate[((1 + c) * s->n_x + i) * ML_LANES + lane];
    if (!ml_eigenvalues(s->n_x, s->matrix, s->spectrum))
        return found;
    for (int i = 0; i < s->n_x; i++) {
        const double complex lambda = s->spectrum[i];
        const double step = largest_step(s, lambda, own);
        if (!(step < found.largest))
            continue;
        found.is_there = true;
        found.largest = step;
        found.product = own * cabs(lambda);
        found.limit = step * cabs(lambda);
    }
    return found;
}

/* The rates' derivatives at the state on the way, with `here.constants` as they are. */
static void stability_differentiate(struct search *s, const struct ml_instance *model)
{
    memcpy(s->here.x, s->on_way.x, (size_t)s->n_x * ML_LANES * sizeof(double));
    ml_unit_vectors(s->n_x, s->n_x, s->here.x);
    s->here.kernels.general->rates(model, s->now.lane, s->here.constants, s->here.x, s->rate,
                                   s->here.work);
}

static void copy_constants(struct search *s)
{
    const int n = ml_rows_constants(&s->bare.model);
    memcpy(s->here.constants, s->on_way.constants, (size_t)n * ML_LANES * sizeof(double));
}

/* The law of force f, or NULL. */
static const struct ml_law *law_of(const struct search *s, int f)
{
    int i = 0;
    if (!ml_force_use_has_law(&s->all->forces[f]))
        return NULL;
    for (int k = 0; k < f; k++)
        i += ml_force_use_has_law(&s->all->forces[k]);
    return &s->all->model.laws[i];
}

/* Differentiates without force f; its own numbers then stay as they are. */
static void differentiate_without(struct search *s, int f)
{
    const struct ml_force_use *use = &s->all->forces[f];
    const struct ml_law *law = law_of(s, f);
    struct ml_instance model = s->tangent.model;
    copy_constants(s);
    if (law) {
        model.n_law = 0;
        for (int k = 0; k < s->all->model.n_law; k++)
            if (&s->all->model.laws[k] != law)
                s->laws[model.n_law++] = s->all->model.laws[k];
        model.laws = s->laws;
    } else if (use->type->prepare) {
        for (int at = 0; at < use->n_number * ML_LANES; at++)
            s->scratch[at] = -s->on_way.values[use->slot * ML_LANES + at];
        use->type->prepare(s->scratch, use->joint,
                           s->all->model.system->forces.joint_terms(&model, s->here.constants));
    }
    stability_differentiate(s, &model);
    for (int c = 0; law && c < s->n_x; c++)
        memset(s->rate + ((1 + c) * s->n_x + law->state) * ML_LANES, 0,
               (size_t)use->type->n_state * ML_LANES * sizeof(double));
}

/* The force without which all is stable, or the step may be the largest, if that is much; else -1.
 */
static int find_force(struct search *s, int lane, const struct ml_instability *found)
{
    double most = 1.25 * found->largest;
    int force = -1;
    for (int f = 0; f < s->all->n_force; f++) {
        differentiate_without(s, f);
        const struct ml_instability without = judge(s, lane);
        if (!without.is_there)
            return f;
        if (without.largest >= most) {
            most = without.largest;
            force = f;
        }
    }
    return force;
}

/* Judges the lanes watched; those with something to say, in bits.
 *   engaged  force that was made to act, or -1 */
static unsigned judge_lanes(struct search *s, int engaged)
{
    struct ml_instability worst = {0};
    unsigned bad = 0;
    int worst_lane = 0;
    for (int lane = 0; lane < s->n; lane++) {
        if (!(s->watched >> lane & 1))
            continue;
        const struct ml_instability found = judge(s, lane);
        bad |= (unsigned)found.is_there << lane;
        if (found.is_there && (!worst.is_there || found.largest < worst.largest)) {
            worst = found;
            worst_lane = lane;
        }
    }
    if (!bad || (s->out->is_there && worst.largest >= s->out->largest))
        return bad;
    worst.is_engaged = engaged >= 0;
    worst.force = engaged >= 0 ? engaged : find_force(s, worst_lane, &worst);
    *s->out = worst;
    return bad;
}

/* Makes force f act in all lanes, as stiff as it can be. */
static void set_worst_case(struct search *s, int f)
{
    const struct ml_system *system = s->all->model.system;
    const struct ml_force_use *use = &s->all->forces[f];
    const double *angle = s->on_way.x + (size_t)use->joint * ML_LANES;
    double *numbers = s->here.constants + (size_t)law_of(s, f)->constant * ML_LANES;
    const bool has_joint = use->segment > 0;
    const int end = ml_record(system, "end_position"); /* of chains, which alone have such forces */
    s->on_way.records.rows[end] = s->rate;             /* free until the next derivatives: [n][2] */
    system->dynamics.record(&s->bare.model, ml_times(s->all->time.start).lane, s->on_way.constants,
                            s->on_way.x, s->on_way.work, s->on_way.records.rows);
    s->on_way.records.rows[end] = NULL;
    const double *tip = s->rate + (size_t)(2 * use->segment * ML_LANES);
    for (int lane = 0; lane < ML_LANES; lane++) {
        const struct ml_touch touch = {
            .angle = angle[lane] - (use->joint > 0 ? angle[lane - ML_LANES] : 0.0),
            .joint = {has_joint ? tip[lane - 2 * ML_LANES] : 0.0,
                      has_joint ? tip[lane - ML_LANES] : 0.0},
            .tip = {tip[lane], tip[lane + ML_LANES]},
            .energy = s->kinetic[lane],
        };
        use->type->worst_case(&touch, ML_LANES, numbers + lane);
    }
}

/* Leaves lanes alone that steps on the way are too long for: their further states are not the
 * motion. */
static void stability_leave(struct search *s, unsigned bad)
{
    if (bad && s->out->largest < 2.0 * s->share * s->out->step)
        s->watched &= ~bad;
}

/* Looks at the state on the way, after k steps. */
static void stability_measure_state(struct search *s, int64_t k)
{
    const struct ml_system *system = s->all->model.system;
    const unsigned watched = s->watched;
    unsigned bad;
    s->now = ml_batch_times(&s->bare, &s->on_way, (double)k * s->share);
    if (system->energy.measure)
        system->energy.measure(&s->bare.model, s->on_way.constants, s->on_way.x, s->on_way.work,
                               s->on_way.energy.kinetic, s->on_way.energy.potential, NULL);
    for (int lane = 0; lane < ML_LANES && system->energy.measure; lane++)
        s->kinetic[lane] = fmax(s->kinetic[lane], s->on_way.energy.kinetic[lane]);
    copy_constants(s);
    stability_differentiate(s, &s->tangent.model);
    bad = judge_lanes(s, -1);
    for (int f = 0; f < s->all->n_force; f++) {
        if (!s->all->forces[f].type->worst_case || !law_of(s, f))
            continue;
        copy_constants(s);
        set_worst_case(s, f);
        stability_differentiate(s, &s->tangent.model);
        if (!s->finds_stiffest)
            s->watched &= ~bad; /* it is worse than the one it may meet */
        bad |= judge_lanes(s, f);
    }
    s->watched = watched;
    stability_leave(s, bad);
}

/* Advances by n steps; lanes that fail are not watched any more. */
static void stability_advance(struct search *s, int64_t k, int64_t n)
{
    const struct ml_lane_faults faults =
        ml_batch_advance(&s->bare, &s->on_way, s->share, k, n, ML_ALL_LANES);
    s->watched &= ~(faults.nonfinite | faults.singular);
}

/* From the start on, over as many steps and with as many looks as take some milliseconds; whether
 * these steps are the whole way. */
static bool follow(struct search *s)
{
    const int most_samples = s->finds_stiffest ? MOST_STIFFEST : MOST_SAMPLES;
    const double whole = (double)s->all->time.n_step / s->share;
    const int64_t work = 1 << 18, cube = (int64_t)s->n_x * s->n_x * s->n_x * ML_LANES;
    const int64_t most = s->all->model.own ? 256 : 4096; /* others' code may take its time */
    const double parts = ml_feedback_parts(&s->bare, &s->on_way.feedback, s->on_way.step, s->share);
    int64_t n_step = work / (s->n_x * (4 + s->n_x)), n_sample = work / cube;
    n_step = n_step < most ? n_step : most;
    n_step = (int64_t)fmin(fmax((double)n_step / parts, 1.0), whole);
    n_sample = n_sample < 2 ? 2 : n_sample > most_samples ? most_samples : n_sample;
    for (int64_t i = 0, k = 0; i < n_sample && s->watched; i++) {
        const int64_t next = i * n_step / (n_sample - 1);
        if (next > k)
            stability_advance(s, k, next - k);
        k = next;
        stability_measure_state(s, k);
    }
    return (double)n_step > whole - 1.0;
}

static void stability_begin(struct search *s)
{
    ml_batch_load(&s->bare, &s->on_way, 0, s->n);
    s->watched = ((1u << s->n) - 1) & ~s->on_way.impossible;
    memset(s->kinetic, 0, sizeof s->kinetic);
}

/* Follows the motion by a quarter of the study's steps, so that what a large step spoils is not
 * taken for it, and again by a quarter of the largest stable one that was found: so that one is
 * told that is stable along the whole way, not where a first state asks for it. */
static void stability_search(struct search *s)
{
    s->share = 1.0 / FINER;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        stability_begin(s);
        follow(s);
        const double share = s->out->largest / (FINER * s->out->step);
        if (!s->out->is_there || share > 0.9 * s->share)
            return;
        s->share = share;
    }
}

/* The stiffest state on the way, by steps that are stable along the way: findings of a pass by
 * longer steps are of states that no motion has, and are forgotten, but for those at the start. */
static void stability_find_stiffest(struct search *s)
{
    const double much_finer = 1.0 / 64.0;
    struct ml_instability best = {0}, *found = s->out;
    s->share = 1.0 / FINER;
    for (int pass = 0; pass < MOST_TRIES; pass++) {
        *found = (struct ml_instability){0};
        stability_begin(s);
        const unsigned all = s->watched;
        const bool is_whole = follow(s);
        const double stable = found->is_there ? found->largest / (FINER * found->step) : 1.0;
        const bool is_at_start = found->is_there && found->time == s->all->time.start;
        const bool is_sound = s->watched == all;
        if ((is_sound || is_at_start) && found->is_there &&
            (!best.is_there || found->largest < best.largest))
            best = *found;
        if (is_sound && (is_whole || stable < 1.5 * s->share))
            break;
        if (is_sound)
            s->share = stable;
        else if (is_at_start)
            s->share = fmin(stable, 0.5 * s->share);
        else
            s->share = fmin(fmax(stable, much_finer * s->share), 0.5 * s->share);
    }
    *found = best;
}

/* Steps that the only run takes before it fails, of at most so many; 0: it does not. */
static int64_t steps_before_failure(struct search *s, int64_t most)
{
    int64_t k = 0;
    for (int64_t few = 64; few > 0; few = few > 1 ? 1 : 0) {
        stability_begin(s);
        stability_advance(s, 0, k);
        for (int64_t n = few; s->watched && k < most; k += s->watched ? n : 0) {
            n = most - k < few ? most - k : few;
            stability_advance(s, k, n);
        }
        if (s->watched)
            return 0;
    }
    return k;
}

/* As many steps as take a second or two. */
static int64_t steps_in_moments(const struct search *s)
{
    const double work = 4e8; /* operations */
    const double once = s->all->method->n_stage * s->n_x * (s->n_x + 8.0);
    return (int64_t)fmin(work / once, (double)s->all->time.n_step);
}

/* Whether the numbers of the state are those of a motion: stiffness of a state that has grown
 * without bounds is not the cause of the end. */
static bool is_usual(const struct search *s)
{
    const double most = 1e6;
    bool is = true;
    for (int i = 0; i < s->n_x; i++)
        is &= fabs(s->on_way.x[i * ML_LANES]) < most;
    return is;
}

/* Looks at states of the only run at half of the way to its failure, at three quarters, ... The
 * first state with a finding counts. */
static void stability_look_back(struct search *s)
{
    int64_t back = 1, at = 0;
    s->share = 1.0;
    const int64_t end = steps_before_failure(s, steps_in_moments(s));
    stability_begin(s);
    while (2 * back < end)
        back *= 2;
    for (; end > 0 && s->watched && !s->out->is_there; back /= 2) {
        stability_advance(s, at, end - back - at);
        at = end - back;
        if (s->watched && is_usual(s))
            stability_measure_state(s, at);
        if (back == 0)
            return;
    }
}

static void stability_place(struct search *s, struct ml_arena *arena)
{
    const size_t n_x = (size_t)s->n_x;
    ml_batch_layout(&s->bare, arena, &s->on_way);
    ml_batch_layout(&s->tangent, arena, &s->here);
    s->rate = ml_arena_take(arena, (n_x + 2) * (n_x + 1) * ML_LANES, sizeof *s->rate);
    s->scratch = ml_arena_take(arena, (size_t)s->all->numbers.n * ML_LANES, sizeof *s->scratch);
    s->laws = ml_arena_take(arena, (size_t)s->all->model.n_law + 1, sizeof *s->laws);
    s->matrix = ml_arena_take(arena, n_x * n_x, sizeof *s->matrix);
    s->spectrum = ml_arena_take(arena, n_x, sizeof *s->spectrum);
}

/* The ensemble of the chosen runs, that nothing is measured of. */
static struct ml_ensemble plain(const struct chosen *chosen, int n)
{
    struct ml_ensemble e = ml_ensemble_bare(chosen->all);
    e.numbers.values = chosen_values;
    e.numbers.context = chosen;
    e.n_run = n;
    return e;
}

/* Looks at the state at the start alone. */
static void stability_look_once(struct search *s)
{
    s->share = 1.0;
    stability_begin(s);
    stability_measure_state(s, 0);
}

static enum ml_status stability_find(const struct ml_ensemble *ensemble, int n, const int64_t *runs,
                                     void (*look)(struct search *), struct ml_instability *out,
                                     struct ml_error *err)
{
    const struct chosen chosen = {ensemble, runs};
    struct ml_arena arena = {0};
    struct search s = {.all = ensemble,
                       .runs = runs,
                       .n = n,
                       .finds_stiffest = look == stability_find_stiffest,
                       .out = out};
    *out = (struct ml_instability){0};
    s.bare = s.tangent = plain(&chosen, n);
    if (ensemble->time.is_adaptive || /* too large a step is rejected */
        ensemble->method->is_map)
        return ML_OK;
    ml_method_stability(ensemble->method, s.stability);
    s.n_x = s.tangent.model.n_column = ml_n_x(&s.bare.model);
    if (s.n_x > (look == stability_look_back ? MOST_ROWS_BACK : MOST_ROWS))
        return ML_OK;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !ml_arena_reserve(&arena))
            return ml_fail(err, ML_E_MEMORY, "no memory to look at the step");
        stability_place(&s, &arena);
    }
    look(&s);
    ml_arena_free(&arena);
    return ML_OK;
}

enum ml_status ml_ensemble_instability(const struct ml_ensemble *ensemble, int n,
                                       const int64_t *runs, struct ml_instability *out,
                                       struct ml_error *err)
{
    return stability_find(ensemble, n, runs, stability_search, out, err);
}

enum ml_status ml_ensemble_instability_before(const struct ml_ensemble *ensemble, int64_t run,
                                              struct ml_instability *out, struct ml_error *err)
{
    return stability_find(ensemble, 1, &run, stability_look_back, out, err);
}

/* Looks at runs as if one step were as long as the runs. */
static enum ml_status stability_of_one_step(const struct ml_ensemble *ensemble, int n,
                                            const int64_t *runs, void (*look)(struct search *),
                                            struct ml_instability *out, struct ml_error *err)
{
    struct ml_ensemble whole = *ensemble;
    whole.time.is_adaptive = false;
    whole.time.step = (double)ensemble->time.n_step * ensemble->time.step;
    whole.time.n_step = 1;
    whole.made = NULL; /* one for steps by tolerance takes none that are given */
    *out = (struct ml_instability){0};
    if (ensemble->method->implicit || ensemble->time.clock != ML_CLOCK_COMMON)
        return ML_OK;
    return stability_find(&whole, n, runs, look, out, err);
}

enum ml_status ml_ensemble_stiffest(const struct ml_ensemble *ensemble, int n, const int64_t *runs,
                                    struct ml_instability *out, struct ml_error *err)
{
    return stability_of_one_step(ensemble, n, runs, stability_find_stiffest, out, err);
}

enum ml_status ml_ensemble_stiffness(const struct ml_ensemble *ensemble, int64_t run,
                                     struct ml_instability *out, struct ml_error *err)
{
    return stability_of_one_step(ensemble, 1, &run, stability_look_once, out, err);
}
