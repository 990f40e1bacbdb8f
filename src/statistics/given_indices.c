/* Indices of an output from any sample: the estimators of given_first.h, given_linear.h and pawn.h,
 * each of the complete runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/given_first.h"
#include "statistics/given_linear.h"
#include "statistics/order.h"
#include "statistics/pawn.h"

enum { LEAST_RUNS = 8, PAWN_RUNS = 4096 };

struct given {
    const struct ml_complete *complete;
    struct ml_resamples resamples;
    int64_t *order;            /* [n] of an input */
    int64_t *of_output;        /* [n] order of the output */
    double *ascending;         /* [n] values of an input in its order */
    double *values;            /* [n] of an input, or of the output in its order */
    double *ranks;             /* [n] of the output */
    double *input_ranks;       /* [n] */
    int8_t *slices;            /* [n_input][n] in the order of the output */
    int8_t *slice_of;          /* [n] of the ranks of an input, then of a resample */
    int8_t *by_place;          /* [n] */
    int64_t *drawn;            /* [PAWN_RUNS] */
    uint16_t *count;           /* [n] */
    struct ml_order_key *keys; /* [2 n] */
    struct ml_spread *spread;  /* [n_input] */
};

static bool begin(struct given *g, const struct ml_complete *complete, int n_resample)
{
    const size_t n = (size_t)complete->n;
    *g =
        (struct given){.complete = complete,
                       .order = malloc(n * sizeof *g->order),
                       .of_output = malloc(n * sizeof *g->of_output),
                       .ascending = malloc(n * sizeof *g->ascending),
                       .values = malloc(n * sizeof *g->values),
                       .ranks = malloc(n * sizeof *g->ranks),
                       .input_ranks = malloc(n * sizeof *g->input_ranks),
                       .slices = malloc(n * (size_t)complete->inputs->n_input + 1),
                       .slice_of = malloc(n),
                       .by_place = malloc(n),
                       .drawn = malloc(PAWN_RUNS * sizeof *g->drawn),
                       .count = malloc(n * sizeof *g->count),
                       .keys = malloc(2 * n * sizeof *g->keys),
                       .spread = malloc((size_t)complete->inputs->n_input * sizeof *g->spread + 1)};
    return g->order && g->of_output && g->ascending && g->values && g->ranks && g->input_ranks &&
           g->slices && g->slice_of && g->by_place && g->drawn && g->count && g->keys &&
           g->spread && ml_resamples_draw(&g->resamples, complete->n, n_resample);
}

static void end(struct given *g)
{
    void *const all[] = {g->order,       g->of_output, g->ascending, g->values,   g->ranks,
                         g->input_ranks, g->slices,    g->slice_of,  g->by_place, g->drawn,
                         g->count,       g->keys,      g->spread};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    ml_resamples_free(&g->resamples);
}

static bool find_first(struct given *g, int input, struct ml_given_indices *out)
{
    struct ml_index *index = &out->first[input];
    switch (out->estimator) {
    case ML_GIVEN_BINS:
        return ml_given_bins(g->complete, g->order, g->ascending, &g->resamples, out->is_even != 0,
                             index);
    case ML_GIVEN_RANK:
        return ml_given_rank(g->complete, g->order, g->resamples.n, index);
    case ML_GIVEN_RBD_FAST:
        return ml_given_rbd_fast(g->complete, g->order, &g->resamples, index);
    }
    return false;
}

/* Slices of an input, in the order of the output. */
static void find_slices(struct given *g, int input)
{
    const int64_t n = g->complete->n;
    ml_pawn_slices(g->ascending, n, g->slice_of);
    for (int64_t j = 0; j < n; j++)
        g->by_place[g->order[j]] = g->slice_of[j];
    for (int64_t j = 0; j < n; j++)
        g->slices[input * n + j] = g->by_place[g->of_output[j]];
}

static bool find_input(struct given *g, int input, struct ml_given_indices *out)
{
    ml_complete_order(g->complete, input, g->order, g->ascending);
    if (out->pawn)
        find_slices(g, input);
    for (int64_t p = 0; p < g->complete->n; p++)
        g->values[p] = ml_complete_input(g->complete, input, p);
    ml_order_ranks(g->values, g->order, g->complete->n, g->input_ranks);
    return (!out->spearman || ml_given_spearman(g->complete, g->ranks, g->input_ranks,
                                                &g->resamples, &out->spearman[input])) &&
           (!out->first || find_first(g, input, out));
}

/* Draws runs for PAWN, ascending in the output. */
static void draw_runs(struct given *g, int64_t n_drawn, uint64_t *state)
{
    const int64_t n = g->complete->n;
    int64_t k = 0;
    memset(g->count, 0, (size_t)n * sizeof *g->count);
    for (int64_t i = 0; i < n_drawn; i++)
        g->count[ml_resample_random(state) % (uint64_t)n]++;
    for (int64_t j = 0; j < n; j++)
        for (int c = 0; c < g->count[j]; c++)
            g->drawn[k++] = j;
}

/* Slices of the drawn runs, and their outputs in g->input_ranks. */
static void take_drawn(struct given *g, int input, int64_t n_drawn)
{
    const int8_t *slices = g->slices + input * g->complete->n;
    for (int64_t k = 0; k < n_drawn; k++) {
        g->slice_of[k] = slices[g->drawn[k]];
        g->input_ranks[k] = g->values[g->drawn[k]];
    }
}

/* Medians of PAWN. Resamples have at most PAWN_RUNS of the runs: the deviation of a median falls
 * with the root of their number (Bickel, Goetze, van Zwet, Stat. Sin. 7, 1, 1997). */
static void find_pawn(struct given *g, struct ml_index *out)
{
    const int64_t n = g->complete->n, n_drawn = n < PAWN_RUNS ? n : PAWN_RUNS;
    const int n_input = g->complete->inputs->n_input, n_resample = g->resamples.n;
    double distances[ML_PAWN_SLICES];
    uint64_t state = 2;
    for (int64_t j = 0; j < n; j++)
        g->values[j] = g->complete->y[g->of_output[j]];
    memset(g->spread, 0, (size_t)n_input * sizeof *g->spread);
    for (int r = 0; r < n_resample; r++) {
        draw_runs(g, n_drawn, &state);
        for (int i = 0; i < n_input; i++) {
            take_drawn(g, i, n_drawn);
            ml_pawn_distances(g->input_ranks, g->slice_of, n_drawn, distances);
            ml_spread_add(&g->spread[i], ml_pawn_median(distances));
        }
    }
    for (int i = 0; i < n_input; i++) {
        ml_pawn_distances(g->values, g->slices + i * n, n, distances);
        out[i] =
            (struct ml_index){ml_pawn_median(distances),
                              ml_spread_half(&g->spread[i]) * sqrt((double)n_drawn / (double)n)};
    }
}

static bool find_all(struct given *g, struct ml_given_indices *out)
{
    const struct ml_complete *complete = g->complete;
    bool is_done = true;
    ml_order_find(complete->y, complete->n, g->of_output, g->keys);
    ml_order_ranks(complete->y, g->of_output, complete->n, g->ranks);
    for (int i = 0; is_done && i < complete->inputs->n_input; i++)
        is_done = find_input(g, i, out);
    if (is_done && out->pawn)
        find_pawn(g, out->pawn);
    return is_done && (!out->regression || ml_given_regression(complete, &g->resamples,
                                                               out->regression, &out->r_squared));
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
    bool is_done = ml_complete_find(&complete, inputs, y);
    out->n_complete = complete.n;
    if (is_done && complete.n >= LEAST_RUNS && differs(&complete)) {
        is_done = begin(&g, &complete, n_resample) && find_all(&g, out);
        end(&g);
    } else {
        is_done = false;
    }
    ml_complete_free(&complete);
    return is_done;
}
