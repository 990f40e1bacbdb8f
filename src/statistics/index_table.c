/* Finds the table of indices of a number by the functions of the design. */
#include <math.h>
#include <stdlib.h>

#include "manylink/indices.h"

static int find_sobol(const struct ml_index_points *p, double *y, struct ml_index_table *out)
{
    struct ml_sobol_indices found = {.size = sizeof found,
                                     .estimator =
                                         p->estimator == ML_ESTIMATOR_JANSEN  ? ML_FIRST_JANSEN
                                         : p->estimator == ML_ESTIMATOR_JANON ? ML_FIRST_JANON
                                                                              : ML_FIRST_SALTELLI,
                                     .first = out->kinds[0],
                                     .total = out->kinds[1],
                                     .second = out->second};
    const int is_found = ml_sobol_indices_find(y, p->n, p->n_input, ML_INDEX_RESAMPLES, &found);
    out->n_complete = found.n_complete;
    return is_found;
}

static int find_given(const struct ml_index_points *p, const double *y, struct ml_index_table *out)
{
    struct ml_given_indices found = {.size = sizeof found,
                                     .estimator = p->estimator == ML_ESTIMATOR_RANK ? ML_GIVEN_RANK
                                                  : p->estimator == ML_ESTIMATOR_RBD_FAST
                                                      ? ML_GIVEN_RBD_FAST
                                                      : ML_GIVEN_BINS,
                                     .is_even = p->is_even,
                                     .first = out->kinds[0],
                                     .pawn = out->kinds[1],
                                     .regression = out->kinds[2],
                                     .spearman = out->kinds[3]};
    const int is_found = ml_given_indices_find(p->given, y, ML_INDEX_RESAMPLES, &found);
    out->n_complete = found.n_complete;
    out->whole = found.r_squared;
    return is_found;
}

static int find_effects(const struct ml_index_points *p, const double *y,
                        struct ml_index_table *out)
{
    const double levels = (double)p->levels, step = 0.5 * levels / (levels - 1.0);
    struct ml_morris_indices found = {.size = sizeof found,
                                      .mu_star = out->kinds[0],
                                      .mu = out->kinds[1],
                                      .sigma = out->kinds[2]};
    const int is_found =
        ml_morris_indices_find(p->x, y, p->n, p->n_input, step, ML_INDEX_RESAMPLES, &found);
    out->n_complete = found.n_complete;
    return is_found;
}

static int find_fast(const struct ml_index_points *p, const double *y, struct ml_index_table *out)
{
    struct ml_fast_indices found = {
        .size = sizeof found, .first = out->kinds[0], .total = out->kinds[1]};
    const int is_found = ml_fast_indices_find(y, p->n, p->n_input, ML_INDEX_RESAMPLES, &found);
    out->n_complete = found.n_complete;
    out->n = p->n_input;
    return is_found;
}

/* Effects that have no interval. */
static int find_alone(const struct ml_index_points *p, const double *y, struct ml_index_table *out)
{
    const int64_t n_point = (p->n_run - 1) / p->n_input;
    struct ml_oat_effect *effects = malloc((size_t)p->n_input * sizeof *effects + 1);
    out->n = p->n_run;
    out->n_complete = effects ? ml_oat_effects_find(p->x, y, n_point, p->n_input, effects) : 0;
    const int is_found = effects ? out->n_complete > 1 : ML_INDEX_NO_MEMORY;
    out->whole = (struct ml_index){y[0], (double)NAN};
    for (int i = 0; is_found > 0 && i < p->n_input; i++) {
        const double numbers[ML_INDEX_KINDS] = {effects[i].at_lowest, effects[i].at_highest,
                                                effects[i].swing, effects[i].elasticity};
        for (int k = 0; k < ML_INDEX_KINDS; k++)
            out->kinds[k][i] = (struct ml_index){numbers[k], (double)NAN};
    }
    free(effects);
    return is_found;
}

static int find_chaos(const struct ml_index_points *p, const double *y, struct ml_index_table *out)
{
    out->chaos = (struct ml_chaos_indices){.size = sizeof out->chaos,
                                           .is_even = p->is_even,
                                           .first = out->kinds[0],
                                           .total = out->kinds[1]};
    const int is_found = ml_chaos_indices_find(p->given, y, ML_INDEX_RESAMPLES, &out->chaos);
    out->n_complete = out->chaos.n_complete;
    out->n_used = out->chaos.n_used;
    return is_found;
}

static int find_shapley(const struct ml_index_points *p, const double *y,
                        struct ml_index_table *out)
{
    struct ml_shapley_effects found = {.size = sizeof found,
                                       .effects = out->kinds[0],
                                       .first = out->kinds[1],
                                       .total = out->kinds[2]};
    const int is_found = ml_shapley_effects_find(p->given, y, ML_INDEX_RESAMPLES, &found);
    out->n_complete = found.n_complete;
    out->n_used = found.n_used;
    out->whole = found.unexplained;
    return is_found;
}

int ml_index_table_find(const struct ml_index_points *points, double *y, struct ml_index *room,
                        struct ml_index_table *out)
{
    const struct ml_index_table_kinds *of = ml_index_table_kinds(points->design);
    const int n_input = points->n_input;
    *out = (struct ml_index_table){.size = out->size, .n = points->n};
    for (int k = 0; k < ML_INDEX_KINDS; k++)
        out->kinds[k] = of->kinds[k].word ? room + (ptrdiff_t)k * n_input : NULL;
    out->second = points->has_second ? room + (ptrdiff_t)ML_INDEX_KINDS * n_input : NULL;
    int is_found;
    switch (points->design) {
    case ML_INDEX_SALTELLI:
        is_found = find_sobol(points, y, out);
        break;
    case ML_INDEX_MORRIS:
        is_found = find_effects(points, y, out);
        break;
    case ML_INDEX_FAST:
        is_found = find_fast(points, y, out);
        break;
    case ML_INDEX_OAT:
        is_found = find_alone(points, y, out);
        break;
    case ML_INDEX_CHAOS:
        is_found = find_chaos(points, y, out);
        break;
    case ML_INDEX_SHAPLEY:
        is_found = find_shapley(points, y, out);
        break;
    default:
        is_found = find_given(points, y, out);
        break;
    }
    out->is_found = is_found > 0;
    return is_found;
}
