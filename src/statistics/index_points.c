/* The points of a sample, with the inputs as the estimators of the design need them. */
#include <stdbool.h>
#include <stdlib.h>

#include "manylink/indices.h"

int64_t ml_index_rows(const struct ml_index_points *points)
{
    switch (points->design) {
    case ML_INDEX_SALTELLI:
        return 2 + (int64_t)(points->has_second ? 2 : 1) * points->n_input;
    case ML_INDEX_MORRIS:
        return 1 + (int64_t)points->n_input;
    case ML_INDEX_FAST:
        return points->n_input;
    case ML_INDEX_OAT:
        return points->n_run;
    default:
        return 1;
    }
}

int ml_index_points_begin(struct ml_index_points *points, ml_index_read_fn *read, void *context)
{
    struct ml_index_points *p = points;
    const bool is_morris = p->design == ML_INDEX_MORRIS;
    const bool is_given = p->design == ML_INDEX_POINTS || p->design == ML_INDEX_CHAOS ||
                          p->design == ML_INDEX_SHAPLEY;
    p->n_row = ml_index_rows(p);
    p->n = p->n_run / p->n_row;
    p->x = NULL;
    p->given = NULL;
    if (p->design == ML_INDEX_SALTELLI || p->design == ML_INDEX_FAST)
        return 1;
    p->x = malloc((size_t)p->n_run * (size_t)p->n_input * sizeof *p->x + 1);
    double *column = is_morris ? malloc((size_t)p->n_run * sizeof *column + 1) : NULL;
    bool is_done = p->x && (column || !is_morris);
    for (int i = 0; is_done && i < p->n_input; i++) {
        is_done = read(context, i, p->n_run, is_morris ? column : p->x + i * p->n_run) != 0;
        for (int64_t r = 0; is_done && is_morris && r < p->n_run; r++)
            p->x[r * p->n_input + i] = column[r];
    }
    free(column);
    if (is_done && is_given)
        p->given = ml_given_inputs_make(p->x, p->n_run, p->n_input);
    return is_done && (p->given || !is_given);
}

void ml_index_points_free(struct ml_index_points *points)
{
    ml_given_inputs_free(points->given);
    free(points->x);
}
