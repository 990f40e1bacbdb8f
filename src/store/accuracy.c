/* The numbers of runs that were computed again: memory, and those of several shards joined. */
#include "store/accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ml_accuracy_describe(struct ml_accuracy *accuracy, const struct ml_ensemble *ensemble)
{
    struct ml_results results;
    ml_results_describe(ensemble, &results);
    *accuracy =
        (struct ml_accuracy){.is_adaptive = ensemble->is_adaptive, .n_output = results.n_output};
    for (int o = 0; o < results.n_output; o++) {
        const struct ml_output *output = &results.outputs[o];
        struct ml_accuracy_output *own = &accuracy->outputs[o];
        (void)snprintf(own->name, sizeof own->name, "%s", output->name);
        (void)snprintf(own->unit, sizeof own->unit, "%s", output->unit);
        accuracy->first[o + 1] = accuracy->first[o] + ml_output_rows(output, ensemble->shape.n);
    }
}

bool ml_accuracy_is_of(const struct ml_accuracy *accuracy, const struct ml_ensemble *ensemble)
{
    struct ml_accuracy own;
    ml_accuracy_describe(&own, ensemble);
    bool is = own.n_output == accuracy->n_output && own.is_adaptive == accuracy->is_adaptive;
    for (int o = 0; is && o < own.n_output; o++)
        is = strcmp(own.outputs[o].name, accuracy->outputs[o].name) == 0 &&
             ml_accuracy_rows(&own, o) == ml_accuracy_rows(accuracy, o);
    return is;
}

bool ml_accuracy_take(struct ml_accuracy *accuracy, int n)
{
    const size_t runs = (size_t)n, rows = (size_t)accuracy->first[accuracy->n_output];
    const size_t numbers = runs * (1 + ML_N_ACCURACY * rows);
    accuracy->n = n;
    accuracy->size = numbers * sizeof(double) + runs * (2 + 1 + ML_N_ACCURACY);
    accuracy->bytes = calloc(accuracy->size + 1, 1);
    if (!accuracy->bytes)
        return false;
    accuracy->runs = accuracy->bytes;
    double *values = (double *)accuracy->bytes + runs;
    int8_t *marks = (int8_t *)((double *)accuracy->bytes + numbers);
    for (int k = 0; k < ML_N_ACCURACY; k++, values += runs * rows, marks += n) {
        accuracy->values[k] = values;
        accuracy->is_done[k] = marks;
    }
    accuracy->outcomes[0] = marks;
    accuracy->outcomes[1] = marks + n;
    accuracy->is_finest = marks + 2 * (size_t)n;
    for (size_t i = 0; i < ML_N_ACCURACY * runs * rows; i++)
        accuracy->values[0][i] = (double)NAN;
    return true;
}

void ml_accuracy_free(struct ml_accuracy *accuracy)
{
    free(accuracy->bytes);
    accuracy->bytes = NULL;
    accuracy->n = 0;
}

int ml_accuracy_rows(const struct ml_accuracy *accuracy, int output)
{
    return accuracy->first[output + 1] - accuracy->first[output];
}

double *ml_accuracy_row(const struct ml_accuracy *accuracy, enum ml_accuracy_values which,
                        int output, int i)
{
    return accuracy->values[which] + (size_t)accuracy->first[output] * (size_t)accuracy->n +
           (size_t)i * (size_t)ml_accuracy_rows(accuracy, output);
}

static void accuracy_copy_run(struct ml_accuracy *to, int i, const struct ml_accuracy *from, int j)
{
    to->runs[i] = from->runs[j];
    to->is_finest[i] = from->is_finest[j];
    for (int k = 0; k < 2; k++)
        to->outcomes[k][i] = from->outcomes[k][j];
    for (int k = 0; k < ML_N_ACCURACY; k++) {
        const enum ml_accuracy_values which = (enum ml_accuracy_values)k;
        to->is_done[k][i] = from->is_done[k][j];
        for (int o = 0; o < to->n_output; o++)
            memcpy(ml_accuracy_row(to, which, o, i), ml_accuracy_row(from, which, o, j),
                   (size_t)ml_accuracy_rows(to, o) * sizeof(double));
    }
}

/* Runs that either has: both are in ascending order. */
static int accuracy_union(const struct ml_accuracy *a, const struct ml_accuracy *b)
{
    int n = 0;
    for (int i = 0, j = 0; i < a->n || j < b->n; n++) {
        const bool has_a = i < a->n, has_b = j < b->n;
        const int64_t x = has_a ? a->runs[i] : INT64_MAX, y = has_b ? b->runs[j] : INT64_MAX;
        i += x <= y;
        j += y <= x;
    }
    return n;
}

bool ml_accuracy_join(struct ml_accuracy *accuracy, const struct ml_accuracy *other)
{
    struct ml_accuracy joined = *accuracy;
    if (!ml_accuracy_take(&joined, accuracy_union(accuracy, other)))
        return false;
    for (int n = 0, i = 0, j = 0; n < joined.n; n++) {
        const int64_t x = i < accuracy->n ? accuracy->runs[i] : INT64_MAX;
        const int64_t y = j < other->n ? other->runs[j] : INT64_MAX;
        if (x <= y)
            accuracy_copy_run(&joined, n, accuracy, i);
        else
            accuracy_copy_run(&joined, n, other, j);
        i += x <= y;
        j += y <= x;
    }
    ml_accuracy_free(accuracy);
    *accuracy = joined;
    return true;
}
