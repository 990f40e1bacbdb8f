/* Sorts the inputs once for all outputs. */
#include "statistics/given_inputs.h"

#include <math.h>
#include <stdlib.h>

#include "statistics/moments.h"
#include "statistics/order.h"

static bool is_finite_run(const double *x, int64_t n, int n_input, int64_t run)
{
    bool is_finite = true;
    for (int i = 0; i < n_input; i++)
        is_finite &= isfinite(x[i * n + run]) != 0;
    return is_finite;
}

/* Orders of the inputs over the runs of which all are finite.
 *   run, values, keys  [n], [n], [2 n] room */
static void sort_inputs(struct ml_given_inputs *out, int64_t *run, double *values,
                        struct ml_order_key *keys)
{
    for (int64_t r = 0; r < out->n; r++)
        if (is_finite_run(out->x, out->n, out->n_input, r))
            run[out->n_finite++] = r;
    for (int i = 0; i < out->n_input; i++) {
        int64_t *order = out->order + i * out->n_finite;
        double *ascending = out->ascending + i * out->n_finite;
        for (int64_t k = 0; k < out->n_finite; k++)
            values[k] = out->x[i * out->n + run[k]];
        ml_order_find(values, out->n_finite, order, keys);
        for (int64_t k = 0; k < out->n_finite; k++) {
            ascending[k] = values[order[k]];
            order[k] = run[order[k]];
        }
    }
}

struct ml_given_inputs *ml_given_inputs_make(const double *x, int64_t n, int n_input)
{
    const size_t size = (size_t)n;
    struct ml_given_inputs *out = malloc(sizeof *out);
    int64_t *order = malloc((size * (size_t)n_input + 1) * sizeof *order);
    double *ascending = malloc((size * (size_t)n_input + 1) * sizeof *ascending);
    int64_t *run = malloc((size + 1) * sizeof *run);
    double *values = malloc((size + 1) * sizeof *values);
    struct ml_order_key *keys = malloc((2 * size + 1) * sizeof *keys);
    const bool has_room = out && order && ascending && run && values && keys;
    if (has_room) {
        *out = (struct ml_given_inputs){n_input, n, x, order, ascending, 0};
        sort_inputs(out, run, values, keys);
    } else {
        free(order);
        free(ascending);
        free(out);
    }
    free(run);
    free(values);
    free(keys);
    return has_room ? out : NULL;
}

void ml_given_inputs_free(struct ml_given_inputs *inputs)
{
    if (inputs) {
        free(inputs->order);
        free(inputs->ascending);
    }
    free(inputs);
}

bool ml_complete_find(struct ml_complete *out, const struct ml_given_inputs *inputs,
                      const double *y)
{
    const size_t n = (size_t)inputs->n + 1;
    double mean = 0.0, min = (double)INFINITY, max = -(double)INFINITY;
    *out = (struct ml_complete){.inputs = inputs,
                                .y = malloc(n * sizeof *out->y),
                                .run = malloc(n * sizeof *out->run),
                                .place = malloc(n * sizeof *out->place)};
    if (!out->y || !out->run || !out->place)
        return false;
    for (int64_t r = 0; r < inputs->n; r++)
        out->place[r] = -1;
    for (int64_t k = 0; inputs->n_input > 0 && k < inputs->n_finite; k++)
        out->place[inputs->order[k]] = 0;
    for (int64_t r = 0; r < inputs->n; r++) {
        const bool is_complete = out->place[r] == 0 && isfinite(y[r]);
        out->place[r] = is_complete ? out->n : -1;
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

void ml_complete_order(const struct ml_complete *complete, int input, int64_t *order,
                       double *ascending)
{
    const struct ml_given_inputs *inputs = complete->inputs;
    const int64_t *all = inputs->order + input * inputs->n_finite;
    const double *values = inputs->ascending + input * inputs->n_finite;
    int64_t n = 0;
    for (int64_t k = 0; k < inputs->n_finite; k++)
        if (complete->place[all[k]] >= 0) {
            ascending[n] = values[k];
            order[n++] = complete->place[all[k]];
        }
}

double ml_complete_input(const struct ml_complete *complete, int input, int64_t place)
{
    return complete->inputs->x[input * complete->inputs->n + complete->run[place]];
}
