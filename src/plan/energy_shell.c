/* Points on an energy shell, uniform in Liouville's measure dq dp of the states with that energy.
 *
 * For H = p' M(q)^-1 p/2 + V(q) the integral of delta(E - H) over the momenta is proportional to
 * (E - V)^(n/2 - 1) det(M)^(1/2), the density of the coordinates (Pearson, Halicioglu, Tiller,
 * Phys. Rev. A 32, 1985); momenta with that kinetic energy are p = sqrt(2 (E - V)) L u, M = L L', u
 * uniform on the unit sphere, and rates q' = sqrt(2 (E - V)) L'^-1 u. Coordinates are drawn
 * uniformly in their ranges and rejected by the density over its maximum. All random numbers of a
 * run follow from the seed and the run. */
#include <math.h>
#include <string.h>

#include "base/cholesky.h"
#include "design/sample.h"
#include "design/spacing.h"
#include "engine/team/batch_run.h"
#include "plan/plan_study.h"

enum {
    SHELL_SEARCH = 4096, /* points among which the search for the maximum begins */
    SHELL_CHUNK = 1024,  /* runs that are drawn together */
    SHELL_STEPS = 40,    /* halvings of the step of the search */
    SHELL_RAISES = 8     /* of the maximum, before the density counts as unbounded */
};

static const double shell_least = 1e-3;  /* part of the draws that is kept */
static const double shell_margin = 1.04; /* on the maximum of the squared density */

/* A point of the coordinates. */
struct shell_point {
    double q[ML_SHELL_MOST];
    double left;    /* J, E - V */
    double density; /* squared: (E - V)^(n - 2) det M; 0 outside of the shell */
    double factor[ML_SHELL_MOST * ML_SHELL_MOST]; /* [n][n] L */
};

struct shell {
    const struct ml_axis *axis; /* its first n keys have the ranges of the coordinates */
    int n, n_pair;
    double energy;                       /* J */
    struct ml_ensemble ensemble;         /* whose run k starts in state k */
    double *values;                      /* [n_value] of all runs, but for the state */
    double (*states)[2 * ML_SHELL_MOST]; /* [ML_LANES] coordinates by their keys, then rates */
    struct ml_arena arena;
    struct ml_batch batch;
    double most;   /* of the squared density */
    double lowest; /* J, potential energy among the points of the search */
};

static void shell_values(const void *context, int64_t run, double *values)
{
    const struct shell *s = context;
    memcpy(values, s->values, (size_t)s->ensemble.numbers.n * sizeof *values);
    for (int i = 0; i < 2 * s->n; i++)
        values[s->axis->swept[i].slot] = s->states[run][i];
}

static void shell_layout(struct shell *s)
{
    ml_batch_layout(&s->ensemble, &s->arena, &s->batch);
    s->values = ml_arena_take(&s->arena, (size_t)s->ensemble.numbers.n, sizeof *s->values);
    s->states = ml_arena_take(&s->arena, ML_LANES, sizeof *s->states);
}

static bool shell_begin(struct shell *s, const struct ml_study *study)
{
    const struct ml_ensemble *e = &study->ensemble;
    s->axis = ml_study_spec_sample(&study->spec);
    s->n = s->axis->n_swept / 2;
    s->n_pair = s->n * (s->n + 1) / 2;
    s->energy = study->spec.runs.sample->energy_shell;
    s->lowest = (double)INFINITY;
    s->ensemble = ml_ensemble_bare(e);
    s->ensemble.n_run = ML_LANES;
    s->ensemble.numbers.values = shell_values;
    s->ensemble.numbers.context = s;
    shell_layout(s);
    if (!ml_arena_reserve(&s->arena))
        return false;
    shell_layout(s);
    e->numbers.values(e->numbers.context, 0, s->values);
    ml_slots_clear_start(e->model.system, s->values);
    return true;
}

/* Energies of the first n_lane states, in the batch. */
static void shell_evaluate(struct shell *s, int n_lane)
{
    struct ml_batch *b = &s->batch;
    ml_batch_load(&s->ensemble, b, 0, n_lane);
    s->ensemble.model.system->energy.measure(&s->ensemble.model, b->constants, b->x, b->work,
                                             b->energy.kinetic, b->energy.potential, NULL);
}

/* From M and E - V, which `point` has, to L and the density; false where M is not positive
 * definite.
 */
static bool shell_weigh(const struct shell *s, struct shell_point *point)
{
    double density = 1.0;
    point->density = 0.0;
    if (!(point->left > 0.0))
        return true;
    if (!ml_cholesky_factorise(s->n, s->n, 0.0, point->factor))
        return false;
    for (int i = 0; i < s->n; i++)
        density *= point->factor[i * s->n + i] * point->factor[i * s->n + i];
    for (int i = 2; i < s->n; i++)
        density *= point->left;
    point->density = density;
    return true;
}

/* Pair k of the rows and columns of a lower triangle. */
static void shell_pair(int k, int *row, int *column)
{
    *row = 0;
    while (k > *row)
        k -= ++*row;
    *column = k;
}

/* From the energies of the first n_lane states, the pairs `first` and later of all points. */
static void shell_keep(const struct shell *s, int first, int n_lane, struct shell_point *points)
{
    for (int lane = 0, i, j; lane < n_lane; lane++) {
        struct shell_point *point = &points[(first + lane) / s->n_pair];
        shell_pair((first + lane) % s->n_pair, &i, &j);
        point->factor[i * s->n + j] = s->batch.energy.kinetic[lane];
        point->left = s->energy - s->batch.energy.potential[lane];
    }
}

/* The rest of points whose q is there, M by polarisation of the kinetic energy: M_ij = T(e_i + e_j)
 * - T(e_i) - T(e_j). False where a mass matrix is not positive definite. */
static bool shell_find(struct shell *s, int n_point, struct shell_point *points)
{
    const int n = s->n, n_state = n_point * s->n_pair;
    bool is_definite = true;
    for (int first = 0; first < n_state; first += ML_LANES) {
        const int n_lane = n_state - first < ML_LANES ? n_state - first : ML_LANES;
        for (int lane = 0, i, j; lane < n_lane; lane++) {
            shell_pair((first + lane) % s->n_pair, &i, &j);
            memset(s->states[lane], 0, sizeof s->states[lane]);
            memcpy(s->states[lane], points[(first + lane) / s->n_pair].q,
                   (size_t)n * sizeof(double));
            s->states[lane][n + i] = s->states[lane][n + j] = 1.0;
        }
        shell_evaluate(s, n_lane);
        shell_keep(s, first, n_lane, points);
    }
    for (int k = 0; k < n_point; k++) {
        double *m = points[k].factor;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                m[i * n + j] -= m[i * n + i] + m[j * n + j];
        for (int i = 0; i < n; i++)
            m[i * n + i] *= 2.0;
        is_definite &= shell_weigh(s, &points[k]);
    }
    return is_definite;
}

/* Coordinate i at a part u of its range. */
static double shell_between(const struct shell *s, int i, double u)
{
    const struct ml_distribution *d = &s->axis->swept[i].distribution;
    return ml_between(d->from, d->to, u, false);
}

/* Random number `use` of an attempt of a run, uniform in [0, 1): coordinates, acceptance,
 * direction.
 */
static double shell_random(const struct shell *s, int64_t run, int attempt, int use)
{
    return ml_sample(ML_RANDOM, s->axis->sample->seed, 0, run, attempt * (2 * s->n + 1) + use);
}

/* The largest squared density near a point by a search along the coordinates, with steps that begin
 * with an eighth of the ranges. */
static bool shell_climb(struct shell *s, const double *u, struct shell_point *points)
{
    double at[ML_SHELL_MOST], step = 0.125;
    memcpy(at, u, sizeof at);
    for (int halving = 0; halving < SHELL_STEPS;) {
        int best = -1;
        for (int k = 0; k < 2 * s->n; k++)
            for (int i = 0; i < s->n; i++) {
                const double moved = i == k / 2 ? at[i] + (k % 2 ? step : -step) : at[i];
                points[k].q[i] = shell_between(s, i, fmin(fmax(moved, 0.0), 1.0));
            }
        if (!shell_find(s, 2 * s->n, points))
            return false;
        for (int k = 0; k < 2 * s->n; k++)
            if (points[k].density > s->most) {
                s->most = points[k].density;
                best = k;
            }
        if (best >= 0)
            at[best / 2] = fmin(fmax(at[best / 2] + (best % 2 ? step : -step), 0.0), 1.0);
        else
            step *= 0.5;
        halving += best < 0;
    }
    return true;
}

/* The maximum of the squared density in the ranges, and the mean of the density over its maximum,
 * about. */
static bool shell_search(struct shell *s, struct shell_point *points, double *mean)
{
    double sum = 0.0, best[ML_SHELL_MOST] = {0.0};
    for (int64_t first = 0; first < SHELL_SEARCH; first += SHELL_CHUNK) {
        for (int k = 0; k < SHELL_CHUNK; k++)
            for (int i = 0; i < s->n; i++)
                points[k].q[i] = shell_between(s, i, ml_sample(ML_HALTON, 0, 0, first + k, i));
        if (!shell_find(s, SHELL_CHUNK, points))
            return false;
        for (int k = 0; k < SHELL_CHUNK; k++) {
            sum += sqrt(points[k].density);
            s->lowest = fmin(s->lowest, s->energy - points[k].left);
            if (!(points[k].density > s->most))
                continue;
            s->most = points[k].density;
            for (int i = 0; i < s->n; i++)
                best[i] = ml_sample(ML_HALTON, 0, 0, first + k, i);
        }
    }
    if (!(s->most > 0.0))
        return true;
    const bool is_definite = shell_climb(s, best, points);
    s->most *= shell_margin;
    *mean = sum / SHELL_SEARCH / sqrt(s->most);
    return is_definite;
}

/* Gives a run the coordinates of a point, and rates in a direction that is uniform in momenta. */
static void shell_write(const struct shell *s, int64_t run, int attempt,
                        const struct shell_point *point)
{
    const int n = s->n;
    double rate[ML_SHELL_MOST], sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double u = shell_random(s, run, attempt, n + 1 + i);
        rate[i] = (double)ml_normal_quantile(ml_probability_of(u));
        sum += rate[i] * rate[i];
    }
    const double scale = sqrt(2.0 * point->left / sum);
    for (int i = n - 1; i >= 0; i--) { /* L' q' = scale u */
        rate[i] *= scale;
        for (int k = i + 1; k < n; k++)
            rate[i] -= point->factor[k * n + i] * rate[k];
        rate[i] /= point->factor[i * n + i];
    }
    for (int i = 0; i < n; i++) {
        s->axis->swept[i].values[run] = point->q[i];
        s->axis->swept[n + i].values[run] = rate[i];
    }
}

/* Draws runs first .. first + n_run - 1, each by attempts of its own; false where a density is
 * above the maximum, which becomes that density. */
static bool shell_fill(struct shell *s, int64_t first, int n_run, struct shell_point *points)
{
    int pending[SHELL_CHUNK], n_pending = n_run;
    for (int k = 0; k < n_run; k++)
        pending[k] = k;
    for (int attempt = 0; n_pending > 0; attempt++) {
        const int n = n_pending;
        for (int k = 0; k < n; k++)
            for (int i = 0; i < s->n; i++)
                points[k].q[i] =
                    shell_between(s, i, shell_random(s, first + pending[k], attempt, i));
        (void)shell_find(s, n, points);
        n_pending = 0;
        for (int k = 0; k < n; k++) {
            const int64_t run = first + pending[k];
            const double u = shell_random(s, run, attempt, s->n);
            if (points[k].density > s->most) {
                s->most = points[k].density;
                return false;
            }
            if (u * u * s->most < points[k].density)
                shell_write(s, run, attempt, &points[k]);
            else
                pending[n_pending++] = pending[k];
        }
    }
    return true;
}

/* Whether the first runs have the energy, which those of a kinetic energy with parts that are
 * linear in the rates have not. */
static bool shell_is_right(struct shell *s)
{
    const int n_lane = s->axis->count < ML_LANES ? (int)s->axis->count : ML_LANES;
    bool is_right = true;
    for (int lane = 0; lane < n_lane; lane++)
        for (int i = 0; i < 2 * s->n; i++)
            s->states[lane][i] = s->axis->swept[i].values[lane];
    shell_evaluate(s, n_lane);
    for (int lane = 0; lane < n_lane; lane++) {
        const double kinetic = s->batch.energy.kinetic[lane],
                     potential = s->batch.energy.potential[lane];
        is_right &= fabs(kinetic + potential - s->energy) <=
                    1e-9 * (fabs(kinetic) + fabs(potential) + fabs(s->energy));
    }
    return is_right;
}

/* Draws all runs; the reason where that is not possible. */
static const char *shell_fill_all(struct shell *s, struct ml_pool *pool, struct shell_point *points)
{
    double mean = 0.0;
    if (!shell_search(s, points, &mean))
        return "the mass matrix is not positive definite everywhere in the ranges";
    if (!(s->most > 0.0))
        return ml_pool_format(
            pool,
            "of %d points in the ranges the lowest potential energy is %.6g; give a "
            "larger energy, or narrower ranges around a minimum",
            (int)SHELL_SEARCH, s->lowest);
    if (!(mean > shell_least))
        return "fewer than 1 of 1000 points in the ranges would be kept; give narrower ranges";
    for (int raise = 0; raise < SHELL_RAISES; raise++) {
        int64_t run = 0;
        for (int n; run < s->axis->count; run += n) {
            const int64_t left = s->axis->count - run;
            n = left < SHELL_CHUNK ? (int)left : SHELL_CHUNK;
            if (!shell_fill(s, run, n, points))
                break;
        }
        if (run >= s->axis->count)
            return shell_is_right(s) ? NULL
                                     : "the kinetic energy is not a quadratic form of the rates";
        s->most *= shell_margin;
    }
    return "the density has no bound in the ranges";
}

/* The ends of the numbers of each key. */
static void shell_find_ends(struct ml_axis *axis)
{
    for (int i = 0; i < axis->n_swept; i++) {
        struct ml_swept *swept = &axis->swept[i];
        swept->low = swept->high = swept->values[0];
        for (int64_t k = 1; k < axis->count; k++) {
            swept->low = fmin(swept->low, swept->values[k]);
            swept->high = fmax(swept->high, swept->values[k]);
        }
    }
}

void ml_plan_energy_shell(struct ml_reader *r, struct ml_study *study)
{
    struct ml_axis *axis = ml_study_spec_sample(&study->spec);
    if (!axis || isnan(axis->sample->energy_shell))
        return;
    const struct ml_location location =
        ml_read_location(ml_node_find(r->root, "sample"), "energy_shell");
    if (!ml_keeps_energy(study)) {
        ml_problem(
            &r->problems, location,
            "cannot draw from an energy shell: the total energy changes, by a force without a "
            "constant potential or by the system itself; leave such forces out, or give ranges "
            "of the rates too, without `energy_shell`");
        return;
    }
    struct shell s = {0};
    struct shell_point *points = ml_pool_take(r->pool, SHELL_CHUNK, sizeof *points);
    if (points && !shell_begin(&s, study))
        r->pool->is_short = 1;
    else if (points) {
        const char *reason = shell_fill_all(&s, r->pool, points);
        if (reason)
            ml_problem(&r->problems, location, "cannot draw from an energy shell of %.10g: %s",
                       s.energy, reason);
        else
            shell_find_ends(axis);
    }
    ml_arena_free(&s.arena);
}
