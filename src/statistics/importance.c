/* Importance sampling about the design point u* (Schueller and Stix, Structural Safety 4, 293,
 * 1987): the mean of w over draws u = u* + z that fail, with w = exp(-|u*|^2/2 - u* . z), the ratio
 * of the densities of scores about 0 and about u*. */
#include <math.h>

#include "manylink/fail.h"
#include "statistics/design_point.h"
#include "yaml/pool.h"

enum { AT_ONCE = 1 << 14, /* draws of a batch */ LEAST_FAILED = 10 };

struct importance {
    const struct ml_limit_state *limit;
    const struct ml_design_point *point;
    double *u, *g, *weights; /* [AT_ONCE][limit->n], [AT_ONCE] */
    double sum, square;      /* of the weights of draws that fail, and of their squares */
    int64_t n_failed;
    struct ml_pool pool;
};

/* Runs draws first to first + n - 1. */
static enum ml_status importance_run(struct importance *s, int64_t first, int64_t n,
                                     struct ml_error *err)
{
    const int n_u = s->limit->n;
    for (int64_t i = 0; i < n; i++) {
        double exponent = 0.0;
        for (int j = 0; j < n_u; j++) {
            const double own = s->point->u[j], z = ml_normal_draw(s->limit->seed, first + i, j);
            s->u[i * n_u + j] = own + z;
            exponent -= own * (0.5 * own + z);
        }
        s->weights[i] = exp(exponent);
    }
    const enum ml_status status = s->limit->find(s->limit->context, n, s->u, s->g, err);
    for (int64_t i = 0; status == ML_OK && i < n; i++) {
        if (s->g[i] > 0.0)
            continue;
        s->n_failed++;
        s->sum += s->weights[i];
        s->square += s->weights[i] * s->weights[i];
    }
    return status;
}

enum ml_status ml_importance_find(const struct ml_limit_state *limit,
                                  const struct ml_design_point *point, int64_t n_draw,
                                  struct ml_chance *chance, struct ml_error *err)
{
    struct importance s = {.limit = limit, .point = point};
    const double n = (double)n_draw;
    s.u = ml_pool_take(&s.pool, AT_ONCE, (size_t)limit->n * sizeof *s.u);
    s.g = ml_pool_take(&s.pool, AT_ONCE, sizeof *s.g);
    s.weights = ml_pool_take(&s.pool, AT_ONCE, sizeof *s.weights);
    enum ml_status status = s.pool.is_short
                                ? ml_fail(err, ML_E_MEMORY, "no memory for %d points", (int)AT_ONCE)
                                : ML_OK;
    for (int64_t first = 0; status == ML_OK && first < n_draw; first += AT_ONCE)
        status =
            importance_run(&s, first, n_draw - first < AT_ONCE ? n_draw - first : AT_ONCE, err);
    ml_pool_free(&s.pool);
    const double mean = s.sum / n;
    *chance =
        (struct ml_chance){.value = mean,
                           .variation = sqrt(fmax(s.square / n - mean * mean, 0.0) / n) / mean,
                           .doubt = s.n_failed < LEAST_FAILED ? ML_DOUBT_FEW : ML_DOUBT_NONE};
    ml_chance_bound(chance);
    return status;
}
