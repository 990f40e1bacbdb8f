/* Rules of the stored indices, and a bound of their time. */
#include "plan/indexed.h"

#include <math.h>

enum {
    WIDEST = 16, /* numbers of a run: as of `manylink sensitivity` without names */
    LEAST = 1024 /* points that are taken of more */
};

static const double most_ns = 5e9, most_bytes = 5e8; /* of time and memory */

static const enum ml_index_design index_designs[ML_N_DESIGN] = {
    [ML_DESIGN_POINTS] = ML_INDEX_POINTS, [ML_DESIGN_SALTELLI] = ML_INDEX_SALTELLI,
    [ML_DESIGN_MORRIS] = ML_INDEX_MORRIS, [ML_DESIGN_OAT] = ML_INDEX_OAT,
    [ML_DESIGN_FAST] = ML_INDEX_FAST,
};

int64_t ml_indexed_rows(const struct ml_layout *layout, int i)
{
    const int64_t rows = ml_layout_output_rows(layout, i);
    return rows <= WIDEST && ml_described_output(layout, i) ? rows : 0;
}

/* Time of the indices of a number, ns, about: of the runs, and of the bootstrap. Measured. */
static double number_ns(const struct ml_index_points *p)
{
    const double k = p->n_input, n_run = (double)p->n_run, n = n_run / (double)ml_index_rows(p);
    const double groups = fmin(n, 1024.0);
    switch (p->design) {
    case ML_INDEX_SALTELLI:
        return 70.0 * n_run + 200.0 * groups * k * (p->has_second ? k : 1.0);
    case ML_INDEX_MORRIS:
        return 110.0 * n_run + 200.0 * groups * k;
    case ML_INDEX_FAST:
        return 280.0 * n_run;
    case ML_INDEX_OAT:
        return 50.0 * n_run;
    default:
        return (90.0 * n + 3500.0 * fmin(n, 4096.0)) * k;
    }
}

/* Bytes of the inputs, of one number, and of the groups of the bootstrap. */
static double indexed_bytes(const struct ml_index_points *p)
{
    const bool is_given = p->design == ML_INDEX_POINTS, is_sobol = p->design == ML_INDEX_SALTELLI;
    const double of_input = is_given ? 25.0 : is_sobol || p->design == ML_INDEX_FAST ? 0.0 : 8.0;
    const double n = (double)p->n_run / (double)ml_index_rows(p);
    return (double)p->n_run * (of_input * p->n_input + (is_given ? 132.0 : 16.0)) +
           fmin(n, 1024.0) * 8.0 * 500.0;
}

static bool is_cheap(const struct ml_indexed *indexed)
{
    const double numbers = (double)indexed->n_number * (double)indexed->n_cell;
    return number_ns(&indexed->points) * numbers <= most_ns &&
           indexed_bytes(&indexed->points) <= most_bytes;
}

bool ml_indexed_find(struct ml_indexed *indexed, const struct ml_layout *layout)
{
    const struct ml_axis *axis = ml_study_spec_sample(&layout->study->spec);
    struct ml_index_points *points = &indexed->points;
    *indexed = (struct ml_indexed){.points = {.size = sizeof *points}};
    if (!axis || layout->shard.count > 1)
        return false;
    const struct ml_sample_points *sample = axis->sample;
    points->design = index_designs[sample->design];
    points->estimator = ml_index_table_kinds(points->design)->first;
    points->n_input = ml_sample_groups(sample);
    points->has_second = sample->has_second;
    points->is_even = ml_sample_is_even(sample);
    points->levels = (int)sample->levels;
    points->n_run = axis->count;
    indexed->n_cell = layout->n_run / axis->count;
    for (int i = 0; i < layout->results.n_output; i++)
        indexed->n_number += (int)ml_indexed_rows(layout, i);
    if (indexed->n_number == 0 || points->n_input == 0)
        return false;
    const bool has_parts =
        !sample->file && points->design != ML_INDEX_FAST && points->design != ML_INDEX_OAT;
    const int64_t n_row = ml_index_rows(points);
    while (has_parts && !is_cheap(indexed) && points->n_run / n_row / 2 >= LEAST)
        points->n_run = points->n_run / n_row / 2 * n_row;
    indexed->bytes = indexed_bytes(points);
    return is_cheap(indexed);
}
