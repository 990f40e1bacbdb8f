/* Sorts the inputs once for all outputs: estimators then pass through runs in their order, and read
 * where a run lies along an input. */
#include "statistics/given_inputs.h"

#include <math.h>
#include <stdlib.h>

#include "statistics/moments.h"
#include "statistics/order.h"
#include "statistics/pawn.h"

enum { MOST_BINS = 64, LEAST_IN_TAIL = 16 };

static bool is_finite_run(const double *x, int64_t n, int n_input, int64_t run)
{
    bool is_finite = true;
    for (int i = 0; i < n_input; i++)
        is_finite &= isfinite(x[i * n + run]) != 0;
    return is_finite;
}

/* An even number of bins of as many runs each, of which the first and the last are halved again and
 * again towards the ends: means of heavy tails change most there. */
struct binning {
    int64_t n;
    int n_equal, n_halved; /* bins of equal size; times that those at the ends are halved */
};

static struct binning find_binning(int64_t n)
{
    struct binning b = {n, 2 * (int)fmax(1.0, fmin(0.25 * sqrt((double)n), 0.5 * MOST_BINS)), 0};
    for (int64_t left = n / b.n_equal; left >= 2 * LEAST_IN_TAIL; left /= 2)
        b.n_halved++;
    return b;
}

int ml_given_bins_of(int64_t n)
{
    const struct binning b = find_binning(n);
    return b.n_equal + 2 * b.n_halved;
}

/* The bin of the run that is number `at` along the input. */
static int find_bin(const struct binning *b, int64_t at)
{
    const int64_t size = b->n / b->n_equal, from_end = b->n - 1 - at;
    const int64_t nearest = at < from_end ? at : from_end;
    int halved = 0;
    while (halved < b->n_halved && nearest < size >> (halved + 1))
        halved++;
    const int last = b->n_equal + 2 * b->n_halved - 1;
    if (nearest < size)
        return nearest == at ? b->n_halved - halved : last - b->n_halved + halved;
    return b->n_halved + (int)(at * b->n_equal / b->n);
}

/* Where runs lie along an input.
 *   order      [n] places in ascending order of the input
 *   ascending  [n] values of the input in this order
 *   slices     [n] room
 *   out        [n] of each place */
static void find_along(int64_t n, const int32_t *order, const double *ascending, int8_t *slices,
                       struct ml_along *out)
{
    const struct binning binning = find_binning(n);
    ml_pawn_slices(ascending, n, slices);
    for (int64_t first = 0, end; first < n; first = end) {
        end = first + 1;
        while (end < n && ascending[end] == ascending[first])
            end++;
        const struct ml_along along = {(uint32_t)(first + 1 + end),
                                       (uint8_t)find_bin(&binning, first), slices[first]};
        for (int64_t j = first; j < end; j++)
            out[order[j]] = along;
    }
}

/* Room for an input while its runs are sorted. */
struct sorting {
    double *values, *ascending; /* [n] */
    int64_t *order;             /* [n] */
    int8_t *slices;             /* [n] */
    struct ml_order_key *keys;  /* [2 n] */
};

static void sort_inputs(struct ml_given_inputs *out, const struct sorting *room)
{
    const int64_t n = out->n_finite;
    for (int i = 0; i < out->n_input; i++) {
        int32_t *order = out->order + i * n;
        for (int64_t k = 0; k < n; k++)
            room->values[k] = out->x[i * out->n + out->finite[k]];
        ml_order_find(room->values, n, room->order, room->keys);
        for (int64_t j = 0; j < n; j++) {
            order[j] = (int32_t)room->order[j];
            room->ascending[j] = room->values[order[j]];
        }
        find_along(n, order, room->ascending, room->slices, out->along + i * n);
    }
}

/* Sorts the runs of which all inputs are finite; false without memory. */
static bool sort_runs(struct ml_given_inputs *out)
{
    for (int64_t r = 0; r < out->n; r++)
        if (is_finite_run(out->x, out->n, out->n_input, r))
            out->finite[out->n_finite++] = (int32_t)r;
    const size_t n = (size_t)out->n_finite + 1, n_all = n * (size_t)out->n_input + 1;
    const struct sorting room = {malloc(n * sizeof *room.values),
                                 malloc(n * sizeof *room.ascending), malloc(n * sizeof *room.order),
                                 malloc(n), malloc(2 * n * sizeof *room.keys)};
    out->order = malloc(n_all * sizeof *out->order);
    out->along = malloc(n_all * sizeof *out->along);
    const bool has_room = room.values && room.ascending && room.order && room.slices && room.keys &&
                          out->order && out->along;
    if (has_room)
        sort_inputs(out, &room);
    free(room.values);
    free(room.ascending);
    free(room.order);
    free(room.slices);
    free(room.keys);
    return has_room;
}

struct ml_given_inputs *ml_given_inputs_make(const double *x, int64_t n, int n_input)
{
    struct ml_given_inputs *out = n < INT32_MAX ? calloc(1, sizeof *out) : NULL;
    if (!out)
        return NULL;
    *out = (struct ml_given_inputs){
        .n_input = n_input, .n = n, .x = x, .finite = malloc((size_t)n * sizeof *out->finite + 1)};
    if (!out->finite || !sort_runs(out)) {
        ml_given_inputs_free(out);
        return NULL;
    }
    return out;
}

void ml_given_inputs_free(struct ml_given_inputs *inputs)
{
    if (inputs) {
        free(inputs->finite);
        free(inputs->order);
        free(inputs->along);
    }
    free(inputs);
}

bool ml_complete_find(struct ml_complete *out, const struct ml_given_inputs *inputs,
                      const double *y)
{
    const int64_t n_finite = inputs->n_input > 0 ? inputs->n_finite : 0;
    const size_t n = (size_t)n_finite + 1;
    double mean = 0.0, min = (double)INFINITY, max = -(double)INFINITY;
    *out = (struct ml_complete){.inputs = inputs,
                                .y = malloc(n * sizeof *out->y),
                                .run = malloc(n * sizeof *out->run),
                                .place = malloc(n * sizeof *out->place)};
    if (!out->y || !out->run || !out->place)
        return false;
    for (int64_t k = 0; k < n_finite; k++) {
        const int32_t r = inputs->finite[k];
        const bool is_complete = isfinite(y[r]);
        out->place[k] = is_complete ? (int32_t)out->n : -1;
        if (!is_complete)
            continue;
        out->run[out->n] = r;
        out->y[out->n++] = y[r];
        min = fmin(min, y[r]);
        max = fmax(max, y[r]);
    }
    const double scale = ml_safe_scale(min, max);
    for (int64_t p = 0; p < out->n; p++) {
        out->y[p] *= scale;
        mean += (out->y[p] - mean) / (double)(p + 1);
    }
    for (int64_t p = 0; p < out->n; p++)
        out->y[p] -= mean;
    return true;
}

void ml_complete_free(struct ml_complete *complete)
{
    free(complete->y);
    free(complete->run);
    free(complete->place);
}

void ml_complete_order(const struct ml_complete *complete, int input, int32_t *order)
{
    const struct ml_given_inputs *inputs = complete->inputs;
    const int32_t *all = inputs->order + input * inputs->n_finite;
    int64_t n = 0;
    for (int64_t k = 0; k < inputs->n_finite; k++)
        if (complete->place[all[k]] >= 0)
            order[n++] = complete->place[all[k]];
}

const struct ml_along *ml_complete_along(const struct ml_complete *complete, int input,
                                         struct ml_along **room)
{
    const struct ml_given_inputs *inputs = complete->inputs;
    const size_t n = (size_t)complete->n + 1;
    *room = NULL;
    if (complete->n == inputs->n_finite)
        return inputs->along + input * inputs->n_finite;
    int32_t *order = calloc(n, sizeof *order);
    double *ascending = calloc(n, sizeof *ascending);
    int8_t *slices = calloc(n, 1);
    struct ml_along *along = malloc(n * sizeof *along);
    if (order && ascending && slices && along) {
        ml_complete_order(complete, input, order);
        for (int64_t j = 0; j < complete->n; j++)
            ascending[j] = ml_complete_input(complete, input, order[j]);
        find_along(complete->n, order, ascending, slices, along);
        *room = along;
    } else {
        free(along);
    }
    free(order);
    free(ascending);
    free(slices);
    return *room;
}

double ml_complete_input(const struct ml_complete *complete, int input, int64_t place)
{
    return complete->inputs->x[input * complete->inputs->n + complete->run[place]];
}
