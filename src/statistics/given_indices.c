/* Indices of an output from any sample: the estimators of given_first.h, given_linear.h and pawn.h,
 * each of the complete runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numeric_env.h"
#include "statistics/given_first.h"
#include "statistics/given_linear.h"
#include "statistics/order.h"
#include "statistics/pawn.h"

enum {
    LEAST_RUNS = 8,
    PAWN_RUNS = 4096,
    WORTH = 256 /* runs from which several threads are worth their start */
};

/* Numbers that all inputs share. */
struct given {
    const struct ml_complete *complete;
    struct ml_resamples resamples;
    int64_t *of_output;        /* [n] order of the output */
    double *ascending;         /* [n] the output in this order */
    double *ranks;             /* [n] of the output */
    int64_t n_drawn;           /* runs of a resample of PAWN */
    struct ml_pawn_run *drawn; /* [resamples.n][n_drawn] the first n_differ of them; then [n] the
                                  sample */
    int32_t *n_differ;         /* [resamples.n] */
};

static void end(struct given *g)
{
    free(g->of_output);
    free(g->ascending);
    free(g->ranks);
    free(g->drawn);
    free(g->n_differ);
    ml_resamples_free(&g->resamples);
}

/* Draws n runs of all, in the order of their places: by n buckets, then within these.
 *   next   [n + 1] room
 *   place  [2 n] room; its second half is the order */
static void draw_places(uint64_t *state, int64_t all, int64_t n, int64_t *next, int32_t *place)
{
    const double share = (double)n / (double)all;
    int32_t *sorted = place + n;
    memset(next, 0, (size_t)(n + 1) * sizeof *next);
    for (int64_t k = 0; k < n; k++) {
        place[k] = (int32_t)(ml_resample_random(state) % (uint64_t)all);
        next[1 + (int64_t)(place[k] * share)]++;
    }
    for (int64_t b = 0; b < n; b++)
        next[b + 1] += next[b];
    for (int64_t k = 0; k < n; k++)
        sorted[next[(int64_t)(place[k] * share)]++] = place[k];
    for (int64_t k = 1; k < n; k++)
        for (int64_t i = k; i > 0 && sorted[i - 1] > sorted[i]; i--) {
            const int32_t less = sorted[i];
            sorted[i] = sorted[i - 1];
            sorted[i - 1] = less;
        }
}

/* Draws runs for PAWN; rooms as of draw_places. */
static void draw_runs(struct given *g, int64_t *next, int32_t *place)
{
    const int64_t n = g->n_drawn;
    uint64_t state = 2;
    for (int r = 0; r < g->resamples.n; r++) {
        struct ml_pawn_run *drawn = g->drawn + r * n;
        int32_t n_differ = 0;
        draw_places(&state, g->complete->n, n, next, place);
        for (int64_t k = n; k < 2 * n; k++) {
            if (k == n || place[k] != place[k - 1])
                drawn[n_differ++] = (struct ml_pawn_run){place[k], 0};
            drawn[n_differ - 1].times++;
        }
        g->n_differ[r] = n_differ;
    }
    for (int64_t j = 0; j < g->complete->n; j++)
        g->drawn[g->resamples.n * n + j] = (struct ml_pawn_run){(int32_t)j, 1};
}

static bool begin(struct given *g, const struct ml_complete *complete, int n_resample)
{
    const size_t n = (size_t)complete->n;
    const int64_t n_drawn = complete->n < PAWN_RUNS ? complete->n : PAWN_RUNS;
    *g = (struct given){.complete = complete,
                        .of_output = malloc(n * sizeof *g->of_output),
                        .ascending = malloc(n * sizeof *g->ascending),
                        .ranks = malloc(n * sizeof *g->ranks),
                        .n_drawn = n_drawn,
                        .drawn = malloc(((size_t)(n_drawn * n_resample) + n) * sizeof *g->drawn),
                        .n_differ = malloc((size_t)n_resample * sizeof *g->n_differ)};
    struct ml_order_key *keys = malloc(2 * n * sizeof *keys);
    int32_t *place = malloc(2 * (size_t)n_drawn * sizeof *place);
    int64_t *next = malloc((size_t)(n_drawn + 1) * sizeof *next);
    const bool has_room = g->of_output && g->ascending && g->ranks && g->drawn && g->n_differ &&
                          keys && place && next &&
                          ml_resamples_draw(&g->resamples, complete->n, n_resample);
    if (has_room) {
        ml_order_find(complete->y, complete->n, g->of_output, keys);
        ml_order_ranks(complete->y, g->of_output, complete->n, g->ranks);
        for (size_t j = 0; j < n; j++)
            g->ascending[j] = complete->y[g->of_output[j]];
        draw_runs(g, next, place);
    }
    free(keys);
    free(place);
    free(next);
    return has_room;
}

static bool find_first(const struct given *g, int input, const struct ml_along *along,
                       const struct ml_given_indices *out)
{
    struct ml_index *index = &out->first[input];
    if (out->estimator == ML_GIVEN_BINS)
        return ml_given_bins(g->complete, input, along, &g->resamples, out->is_even != 0, index);
    int32_t *order = malloc((size_t)g->complete->n * sizeof *order);
    bool is_done = order != NULL;
    if (is_done)
        ml_complete_order(g->complete, input, order);
    if (is_done && out->estimator == ML_GIVEN_RANK)
        is_done = ml_given_rank(g->complete, order, g->resamples.n, index);
    else if (is_done)
        is_done = ml_given_rbd_fast(g->complete, order, &g->resamples, out->is_even != 0, index);
    free(order);
    return is_done;
}

/* The median of PAWN. Resamples have at most PAWN_RUNS of the runs: the deviation of a median falls
 * with the root of their number (Bickel, Goetze, van Zwet, Stat. Sin. 7, 1, 1997). */
static bool find_pawn(const struct given *g, const struct ml_along *along, struct ml_index *out)
{
    const int64_t n = g->complete->n, n_drawn = g->n_drawn;
    int8_t *slices = malloc((size_t)n);
    double distances[ML_PAWN_SLICES];
    struct ml_spread spread = {0};
    if (!slices)
        return false;
    for (int64_t j = 0; j < n; j++)
        slices[j] = along[g->of_output[j]].slice;
    for (int r = 0; r < g->resamples.n; r++) {
        ml_pawn_distances(g->ascending, slices, g->drawn + r * n_drawn, g->n_differ[r], distances);
        ml_spread_add(&spread, ml_pawn_median(distances));
    }
    ml_pawn_distances(g->ascending, slices, g->drawn + g->resamples.n * n_drawn, n, distances);
    *out = (struct ml_index){ml_pawn_median(distances),
                             ml_spread_half(&spread) * sqrt((double)n_drawn / (double)n)};
    free(slices);
    return true;
}

static bool find_input(const struct given *g, int input, const struct ml_given_indices *out)
{
    struct ml_along *room = NULL;
    const struct ml_along *along = ml_complete_along(g->complete, input, &room);
    const bool is_done =
        along &&
        (!out->spearman ||
         ml_given_spearman(g->complete, g->ranks, along, &g->resamples, &out->spearman[input])) &&
        (!out->first || find_first(g, input, along, out)) &&
        (!out->pawn || find_pawn(g, along, &out->pawn[input]));
    free(room);
    return is_done;
}

/* Every input by itself, and the regression on all inputs: sums do not depend on the number of
 * threads. */
static bool find_all(const struct given *g, struct ml_given_indices *out)
{
    const int n_input = g->complete->inputs->n_input;
    bool is_done = true;
#pragma omp parallel for schedule(dynamic) reduction(&& : is_done) if (g->complete->n >= WORTH)
    for (int i = 0; i <= n_input; i++) {
        const fenv_t before = ml_float_env_set(); /* a thread may have its own */
        const bool is_input_done =
            i < n_input ? find_input(g, i, out)
                        : !out->regression || ml_given_regression(g->complete, &g->resamples,
                                                                  out->regression, &out->r_squared);
        is_done = is_input_done && is_done;
        ml_float_env_restore(&before);
    }
    return is_done;
}

static bool differs(const struct ml_complete *complete)
{
    int64_t p = 1;
    while (p < complete->n && complete->y[p] == complete->y[0])
        p++;
    return p < complete->n;
}

int ml_given_indices_find(const struct ml_given_inputs *inputs, const double *y, int n_resample,
                          struct ml_given_indices *out)
{
    struct ml_complete complete;
    struct given g = {0};
    bool has_room = ml_complete_find(&complete, inputs, y);
    out->n_complete = complete.n;
    const bool is_found = complete.n >= LEAST_RUNS && differs(&complete);
    if (has_room && is_found) {
        has_room = begin(&g, &complete, n_resample) && find_all(&g, out);
        end(&g);
    }
    ml_complete_free(&complete);
    return has_room ? is_found : ML_INDEX_NO_MEMORY;
}
