/* Moves of the walkers. */
#include "fit/posterior.h"

#include <math.h>
#include <string.h>

#include "design/philox.h"
#include "fit/coordinate.h"
#include "fit/runs.h"
#include "manylink/fail.h"

/* Uses of random numbers, apart from those of samples with the same seed. */
enum use { USE_STRETCH = 1 << 16, USE_PARTNER, USE_ACCEPT, USE_BEGIN };

/* A number in (0, 1) as a function of step, walker and use. */
static struct ml_probability draw(const struct ml_fit_posterior *p, int64_t step, int64_t walker,
                                  int use)
{
    const uint64_t seed = (uint64_t)p->spec->seed;
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    const uint32_t counter[4] = {(uint32_t)step, (uint32_t)((uint64_t)step >> 32), (uint32_t)walker,
                                 (uint32_t)use};
    const struct ml_philox bits = ml_philox(counter, key);
    const uint64_t u = ((uint64_t)bits.word[1] << 32 | bits.word[0]) >> 11;
    return ml_probability_of((double)u * 0x1p-53);
}

static double density_of(const struct ml_fit_posterior *p, int64_t walker)
{
    const double cost = p->walkers.found[walker].cost;
    if (!isfinite(cost))
        return -(double)INFINITY;
    return p->walkers.study->spec.fit.has_deviations
               ? -cost
               : -0.5 * (double)p->found->n_number * (double)logl((long double)cost);
}

/* Folds a coordinate that is beyond a bound back. */
static double fold(double z)
{
    const double within = fabs(fmod(z, 2.0));
    return within > 1.0 ? 2.0 - within : within;
}

/* A point by the linear model: normal with the covariance of the fit, where the data determine the
 * numbers; of a number at its bound half of a normal one.
 *   z  [n] out */
static void place(const struct ml_fit_posterior *p, int64_t walker, double *z)
{
    const double most = 0.25; /* of a range */
    const struct ml_fit_found *f = p->found;
    const struct ml_descent *best = &f->starts->descents[f->best];
    memcpy(z, best->z, (size_t)p->n * sizeof *z);
    for (int k = 0; k < f->n_free; k++) {
        const double step = fmin(ml_fit_spread(f, k), most) *
                            (double)ml_normal_quantile(draw(p, k, walker, USE_BEGIN));
        for (int i = 0; i < p->n; i++)
            z[i] += step * f->directions[k * p->n + i];
    }
    for (int i = 0; i < p->n; i++) {
        const double error = sqrt(f->variance / best->at.hessian[i * p->n + i]);
        if (f->is_held[i])
            z[i] += (error < most ? error : most) *
                    (double)ml_normal_quantile(draw(p, p->n + i, walker, USE_BEGIN));
        z[i] = fold(z[i]);
    }
}

static enum ml_status take_posterior(struct ml_fit_posterior *p)
{
    const size_t n = (size_t)p->n, n_walker = (size_t)p->spec->walkers,
                 n_row = n_walker * (size_t)p->spec->steps;
    p->z = ml_pool_take(&p->pool, n_walker * n, sizeof *p->z);
    p->density = ml_pool_take(&p->pool, n_walker, sizeof *p->density);
    p->stretch = ml_pool_take(&p->pool, n_walker, sizeof *p->stretch);
    p->chain = ml_pool_take(&p->pool, n_row * n, sizeof *p->chain);
    p->densities = ml_pool_take(&p->pool, n_row, sizeof *p->densities);
    p->of = ml_pool_take(&p->pool, n, sizeof *p->of);
    p->covariance = ml_pool_take(&p->pool, n * n, sizeof *p->covariance);
    return p->pool.is_short ? ML_E_MEMORY : ML_OK;
}

enum ml_status ml_fit_posterior_begin(const struct ml_fit_found *found, struct ml_fit_posterior *p,
                                      struct ml_error *err)
{
    const struct ml_study_spec *spec = &found->starts->study->spec;
    *p = (struct ml_fit_posterior){.found = found, .spec = &spec->fit.posterior, .n = found->n};
    if (ml_fit_is_rounding(found))
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot draw from the posterior: the residuals are rounding errors; "
                       "leave `posterior` out, or give the noise of the data by `sd`",
                       spec->name);
    enum ml_status status = take_posterior(p);
    for (int64_t w = 0; status == ML_OK && w < p->spec->walkers; w++)
        place(p, w, p->z + w * p->n);
    if (status == ML_OK)
        status = ml_starts_init_at(&p->walkers, found->starts, p->spec->walkers, p->z, NULL, 0.0);
    p->walkers.n_direction = 0;
    if (status == ML_OK && !p->walkers.torques && !ml_fit_runs_prepare(&p->walkers))
        status = ML_E_MEMORY;
    return status;
}

/* Finds the densities where the walkers begin; those whose runs do not finish begin nearer to the
 * best point. */
static enum ml_status begin_walkers(struct ml_fit_posterior *p,
                                    const struct ml_ensemble_options *how, struct ml_error *err)
{
    enum { MOST_HALVINGS = 12 };
    struct ml_starts *s = &p->walkers;
    const double *best = p->found->starts->descents[p->found->best].z;
    for (int round = 0; s->n_underway > 0 && round < MOST_HALVINGS; round++) {
        const enum ml_status status = ml_starts_evaluate(s, how, err);
        int64_t n = 0;
        if (status != ML_OK)
            return status;
        for (int64_t i = 0; i < s->n_underway; i++) {
            const int64_t w = s->underway[i];
            double *trial = s->descents[w].trial, *z = p->z + w * p->n;
            p->density[w] = density_of(p, w);
            memcpy(z, trial, (size_t)p->n * sizeof *z);
            if (isfinite(p->density[w]))
                continue;
            for (int k = 0; k < p->n; k++)
                trial[k] = 0.5 * (trial[k] + best[k]);
            s->underway[n++] = w;
        }
        s->n_underway = n;
    }
    return s->n_underway == 0
               ? ML_OK
               : ml_fail(err, ML_E_INPUT,
                         "%s: cannot draw from the posterior: runs near the best point do not "
                         "finish; leave `posterior` out, or take a smaller step",
                         s->study->spec.name);
}

/* The trials of one half of the walkers that are within the bounds. */
static void propose_moves(struct ml_fit_posterior *p, int64_t step, int64_t half)
{
    struct ml_starts *s = &p->walkers;
    const int64_t n_half = p->spec->walkers / 2, other = half == 0 ? n_half : 0;
    s->n_underway = 0;
    for (int64_t w = half * n_half; w < (half + 1) * n_half; w++) {
        const double root = 1.0 + (double)draw(p, step, w, USE_STRETCH).below;
        const double stretch = 0.5 * root * root, *x = p->z + w * p->n;
        const int64_t partner =
            other + (int64_t)((double)draw(p, step, w, USE_PARTNER).below * (double)n_half);
        const double *y = p->z + (partner < other + n_half ? partner : other) * p->n;
        bool is_within = true;
        for (int k = 0; k < p->n; k++) {
            const double z = y[k] + stretch * (x[k] - y[k]);
            is_within &= z >= 0.0 && z <= 1.0;
            s->descents[w].trial[k] = z;
        }
        p->stretch[w] = (double)logl((long double)stretch);
        if (is_within)
            s->underway[s->n_underway++] = w;
    }
}

/* Moves the walkers whose trials are accepted. */
static void accept_moves(struct ml_fit_posterior *p, int64_t step)
{
    const struct ml_starts *s = &p->walkers;
    for (int64_t i = 0; i < s->n_underway; i++) {
        const int64_t w = s->underway[i];
        const double found = density_of(p, w),
                     gain = found - p->density[w] + (p->n - 1) * p->stretch[w];
        if (!(logl(draw(p, step, w, USE_ACCEPT).below) < (long double)gain))
            continue;
        memcpy(p->z + w * p->n, s->descents[w].trial, (size_t)p->n * sizeof *p->z);
        p->density[w] = found;
        p->n_accepted += step >= p->spec->burn_in;
    }
}

/* Keeps where the walkers are after a step. */
static void keep_step(struct ml_fit_posterior *p, int64_t step)
{
    const struct ml_fit_range *ranges = p->walkers.study->spec.fit.ranges;
    for (int64_t w = 0; w < p->spec->walkers; w++) {
        const int64_t at = w * p->spec->steps + step;
        p->densities[at] = p->density[w];
        for (int k = 0; k < p->n; k++)
            p->chain[at * p->n + k] = ml_fit_number(&ranges[k], p->z[w * p->n + k]);
    }
    p->n_trial += p->spec->walkers;
}

/* Moments of the chains, and how far these have mixed. */
static enum ml_status summarise(struct ml_fit_posterior *p)
{
    const int64_t n_row = p->spec->walkers * p->spec->steps;
    double *numbers = ml_pool_take(&p->pool, (size_t)n_row, sizeof *numbers);
    if (!numbers)
        return ML_E_MEMORY;
    for (int i = 0; i < p->n; i++) {
        for (int64_t k = 0; k < n_row; k++)
            numbers[k] = p->chain[k * p->n + i];
        p->of[i] = ml_chain_look(p->spec->walkers, p->spec->steps, numbers);
    }
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int64_t k = 0; k < n_row; k++)
                sum += (p->chain[k * p->n + i] - p->of[i].mean) *
                       (p->chain[k * p->n + j] - p->of[j].mean);
            p->covariance[i * p->n + j] = p->covariance[j * p->n + i] = sum / (double)(n_row - 1);
        }
    return ML_OK;
}

/* Options for the runs of half of the walkers: a single thread where these take less than about a
 * millisecond, in which threads cost more than they save. */
static struct ml_ensemble_options options_of_half(const struct ml_fit_posterior *p,
                                                  const struct ml_ensemble_options *how)
{
    const double least = 1e4; /* steps of runs */
    const struct ml_starts *s = &p->walkers;
    const int64_t n_time = s->torques ? s->torques->motions.n_time * p->n : s->measured->n_step;
    struct ml_ensemble_options options = *how;
    if (0.5 * (double)p->spec->walkers * s->n_experiment * (double)n_time < least)
        options.n_thread = 1;
    return options;
}

enum ml_status ml_fit_posterior_draw(struct ml_fit_posterior *p,
                                     const struct ml_ensemble_options *how, struct ml_error *err)
{
    const struct ml_ensemble_options of_half = options_of_half(p, how);
    enum ml_status status = begin_walkers(p, how, err);
    for (int64_t step = 0; status == ML_OK && step < p->spec->burn_in + p->spec->steps; step++) {
        for (int64_t half = 0; status == ML_OK && half < 2; half++) {
            propose_moves(p, step, half);
            if (p->walkers.n_underway > 0)
                status = ml_starts_evaluate(&p->walkers, &of_half, err);
            if (status == ML_OK)
                accept_moves(p, step);
        }
        if (status == ML_OK && step >= p->spec->burn_in)
            keep_step(p, step - p->spec->burn_in);
    }
    return status == ML_OK ? summarise(p) : status;
}

void ml_fit_posterior_free(struct ml_fit_posterior *p)
{
    ml_starts_free(&p->walkers);
    ml_pool_free(&p->pool);
}

double ml_fit_posterior_time(const struct ml_fit_posterior *p)
{
    double most = 0.0;
    for (int i = 0; i < p->n; i++)
        most = fmax(most, p->of[i].time);
    return most;
}

double ml_fit_posterior_r_hat(const struct ml_fit_posterior *p)
{
    double most = 0.0;
    for (int i = 0; i < p->n; i++)
        most = fmax(most, p->of[i].r_hat);
    return most;
}
