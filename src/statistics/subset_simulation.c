/* Subset simulation (Au and Beck, Probabilistic Engineering Mechanics 16, 263, 2001). The level b
 * of a set of points is the g below which a tenth of the points lies; from these points Markov
 * chains make the points of the next set, all with g <= b, up to b <= 0. The product of the parts
 * is the probability.
 *
 * A chain draws u' = rho u + s xi with rho^2 + s^2 = 1, which keeps the normal distribution, and
 * moves to u' where g(u') <= b. All chains move together; s follows the share of moves, towards
 * 0.44 (Papaioannou, Betz, Zwirglmaier, Straub, Probabilistic Engineering Mechanics 41, 89, 2015,
 * section 3.4). */
#include "statistics/subset_simulation.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "manylink/fail.h"
#include "statistics/order.h"
#include "statistics/proportion.h"
#include "yaml/pool.h"

struct subset {
    const struct ml_limit_state *limit;
    int64_t n_chain, n; /* chains of a level; its points, n_chain ML_SUBSET_CHAIN */
    double *u, *g;      /* [n][limit->n], [n]: point k of chain c at k n_chain + c */
    double *seeds;      /* [n_chain][1 + limit->n] g and scores of the first points of chains */
    double *spread;     /* [limit->n] deviation of the seeds in each score */
    int64_t *order;     /* [n] by g */
    struct ml_order_key *work;
    double scale;     /* s over `spread` */
    int64_t n_draw;   /* so far */
    double above;     /* probability of the level before */
    double square;    /* squared coefficient of variation of that, */
    double variation; /* and the coefficient of its last part */
    struct ml_pool pool;
};

static bool take_memory(struct subset *s)
{
    const size_t n = (size_t)s->n, n_u = (size_t)s->limit->n;
    s->u = ml_pool_take(&s->pool, n, n_u * sizeof *s->u);
    s->g = ml_pool_take(&s->pool, n, sizeof *s->g);
    s->seeds = ml_pool_take(&s->pool, (size_t)s->n_chain, (n_u + 1) * sizeof *s->seeds);
    s->spread = ml_pool_take(&s->pool, n_u, sizeof *s->spread);
    s->order = ml_pool_take(&s->pool, n, sizeof *s->order);
    s->work = ml_pool_take(&s->pool, 2 * n, sizeof *s->work);
    return !s->pool.is_short;
}

static enum ml_status draw_first(struct subset *s, struct ml_error *err)
{
    const int n_u = s->limit->n;
    for (int64_t i = 0; i < s->n; i++)
        for (int j = 0; j < n_u; j++)
            s->u[i * n_u + j] = ml_normal_draw(s->limit->seed, i, j);
    s->n_draw = s->n;
    return s->limit->find(s->limit->context, s->n, s->u, s->g, err);
}

/* Points with g <= b. */
static int64_t count_below(const struct subset *s, double b)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->n; i++)
        count += s->g[i] <= b;
    return count;
}

/* 1 + gamma of Au and Beck, equations 29 and 30: the variance of the part p of chains with g <= b
 * over that of independent points. */
static double chain_factor(const struct subset *s, double b, double p)
{
    double gamma = 0.0;
    for (int lag = 1; lag < ML_SUBSET_CHAIN; lag++) {
        const int64_t apart = lag * s->n_chain;
        int64_t both = 0;
        for (int64_t i = 0; i + apart < s->n; i++)
            both += s->g[i] <= b && s->g[i + apart] <= b;
        const double covariance = (double)both / (double)(s->n - apart) - p * p;
        gamma += 2.0 * (1.0 - (double)lag / ML_SUBSET_CHAIN) * covariance / (p * (1.0 - p));
    }
    return fmax(1.0 + gamma, 0.0);
}

/* Multiplies the probability by the part of the points with g <= b. The chains of a level begin
 * where those before passed: Au and Beck bound the variance of the product by correlations 0 and 1
 * of the parts. Of neighbouring parts it is taken as 1/3, which was measured in the test
 * statistics.failure. */
static void take_part(struct subset *s, double b, bool is_first)
{
    const double correlation = 1.0 / 3.0, p = (double)count_below(s, b) / (double)s->n;
    const double factor = is_first || !(p > 0.0 && p < 1.0) ? 1.0 : chain_factor(s, b, p);
    const double variation = p > 0.0 ? sqrt((1.0 - p) / (p * (double)s->n) * factor) : 0.0;
    s->square += variation * (variation + 2.0 * correlation * s->variation);
    s->variation = variation;
    s->above *= p;
}

/* The g of the next level, below which a tenth of the points is, or more where points have the same
 * g. */
static double next_level(struct subset *s)
{
    ml_order_find(s->g, s->n, s->order, s->work);
    const double last = s->g[s->order[s->n_chain - 1]], next = s->g[s->order[s->n_chain]];
    return last < next && isfinite(last + next) ? 0.5 * (last + next) : last;
}

/* Takes the points of least g as first points of the chains. */
static void take_seeds(struct subset *s)
{
    const int n_u = s->limit->n;
    const size_t row = (size_t)n_u * sizeof *s->u;
    for (int64_t c = 0; c < s->n_chain; c++) {
        double *seed = s->seeds + c * (n_u + 1);
        seed[0] = s->g[s->order[c]];
        memcpy(seed + 1, s->u + s->order[c] * n_u, row);
    }
    for (int64_t c = 0; c < s->n_chain; c++) {
        s->g[c] = s->seeds[c * (n_u + 1)];
        memcpy(s->u + c * n_u, s->seeds + c * (n_u + 1) + 1, row);
    }
    for (int j = 0; j < n_u; j++) {
        double mean = 0.0, square = 0.0;
        for (int64_t c = 0; c < s->n_chain; c++)
            mean += s->u[c * n_u + j] / (double)s->n_chain;
        for (int64_t c = 0; c < s->n_chain; c++)
            square += (s->u[c * n_u + j] - mean) * (s->u[c * n_u + j] - mean);
        s->spread[j] = sqrt(square / (double)(s->n_chain - 1));
    }
}

/* Draws point k of every chain from point k - 1. */
static enum ml_status move_chains(struct subset *s, int k, double b, struct ml_error *err)
{
    const double target = 0.44;
    const int n_u = s->limit->n;
    const int64_t first = k * s->n_chain;
    double *u = s->u + first * n_u, *g = s->g + first;
    const double *u_before = u - s->n_chain * n_u, *g_before = g - s->n_chain;
    for (int64_t c = 0; c < s->n_chain; c++)
        for (int j = 0; j < n_u; j++) {
            const double sigma = fmin(s->scale * s->spread[j], 1.0);
            u[c * n_u + j] = sqrt(1.0 - sigma * sigma) * u_before[c * n_u + j] +
                             sigma * ml_normal_draw(s->limit->seed, s->n_draw + c, j);
        }
    s->n_draw += s->n_chain;
    const enum ml_status status = s->limit->find(s->limit->context, s->n_chain, u, g, err);
    int64_t n_moved = 0;
    for (int64_t c = 0; status == ML_OK && c < s->n_chain; c++) {
        if (g[c] <= b) {
            n_moved++;
            continue;
        }
        g[c] = g_before[c];
        memcpy(u + c * n_u, u_before + c * n_u, (size_t)n_u * sizeof *u);
    }
    s->scale *= exp(((double)n_moved / (double)s->n_chain - target) / sqrt(k));
    return status;
}

/* Takes the part of the points of the last level that fail. The interval of a single level is that
 * of a share of independent points; without a failure the share is below Wilson's upper end.
 *   is_level  a tenth of the points fail */
static void finish(struct subset *s, bool is_level, struct ml_chance *chance)
{
    const struct ml_proportion share = ml_proportion_find(count_below(s, 0.0), s->n);
    struct ml_chance before = {.value = s->above, .variation = sqrt(s->square)};
    take_part(s, 0.0, chance->n_level == 1);
    chance->value = s->above;
    chance->variation = sqrt(s->square);
    ml_chance_bound(chance);
    if (chance->n_level == 1) {
        chance->low = share.low;
        chance->high = share.high;
    } else if (share.value == 0.0) {
        ml_chance_bound(&before);
        chance->high = before.high * share.high;
    }
    if (share.value == 0.0) {
        chance->variation = (double)NAN;
        chance->doubt = ML_DOUBT_NEVER;
    } else if (s->above == 1.0) {
        chance->doubt = ML_DOUBT_ALWAYS;
    } else if (!is_level) {
        chance->doubt = ML_DOUBT_SHARE;
    }
}

static enum ml_status descend(struct subset *s, struct ml_chance *chance, struct ml_error *err)
{
    enum ml_status status = draw_first(s, err);
    for (chance->n_level = 1; status == ML_OK; chance->n_level++) {
        const double b = next_level(s);
        if (b <= 0.0 || count_below(s, b) == s->n || chance->n_level == ML_SUBSET_LEVELS) {
            finish(s, b <= 0.0, chance);
            break;
        }
        take_part(s, b, chance->n_level == 1);
        take_seeds(s);
        for (int k = 1; status == ML_OK && k < ML_SUBSET_CHAIN; k++)
            status = move_chains(s, k, b, err);
    }
    return status;
}

enum ml_status ml_subset_find(const struct ml_limit_state *limit, int64_t n,
                              struct ml_chance *chance, struct ml_error *err)
{
    struct subset s = {.limit = limit,
                       .n_chain = n / ML_SUBSET_CHAIN,
                       .n = n / ML_SUBSET_CHAIN * ML_SUBSET_CHAIN,
                       .scale = 0.6, /* of Papaioannou et al. */
                       .above = 1.0};
    *chance = (struct ml_chance){.value = (double)NAN};
    const enum ml_status status =
        take_memory(&s) ? descend(&s, chance, err)
                        : ml_fail(err, ML_E_MEMORY, "no memory for %lld points", (long long)n);
    ml_pool_free(&s.pool);
    return status;
}
