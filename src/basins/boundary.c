/* Uncertainty exponent and basin entropy of a grid of labels. */
#include "basins/boundary.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Members from one cell of an axis to the next. */
static int64_t boundary_stride(const struct ml_basin_grid *grid, int axis)
{
    int64_t stride = 1;
    for (int k = axis + 1; k < grid->rank; k++)
        stride *= grid->size[k];
    return stride;
}

static int64_t boundary_cells(const struct ml_basin_grid *grid)
{
    int64_t n = 1;
    for (int k = 0; k < grid->rank; k++)
        n *= grid->size[k];
    return n;
}

double ml_basins_uncertain(const struct ml_basin_grid *grid, int64_t distance)
{
    const int64_t n = boundary_cells(grid);
    int64_t n_cell = 0, n_uncertain = 0;
    for (int k = 0; k < grid->rank; k++) {
        const int64_t stride = boundary_stride(grid, k);
        for (int64_t i = 0; i < n; i++) {
            const int64_t at = i / stride % grid->size[k];
            if (at < distance || at + distance >= grid->size[k])
                continue;
            const int before = grid->label[i - distance * stride];
            const int after = grid->label[i + distance * stride];
            n_cell++;
            n_uncertain += before != grid->label[i] || after != grid->label[i];
        }
    }
    return n_cell > 0 ? (double)n_uncertain / (double)n_cell : (double)NAN;
}

/* The slope of y over x, and its standard error. */
static double boundary_slope(int n, const double *x, const double *y, double *error)
{
    double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0, rest = 0.0;
    for (int i = 0; i < n; i++) {
        mean_x += x[i] / n;
        mean_y += y[i] / n;
    }
    for (int i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    const double slope = xy / xx;
    for (int i = 0; i < n; i++)
        rest += pow(y[i] - mean_y - slope * (x[i] - mean_x), 2.0);
    *error = n > 2 ? sqrt(rest / (n - 2) / xx) : (double)NAN;
    return slope;
}

double ml_basins_exponent(const struct ml_basin_grid *grid, double *error)
{
    double x[ML_BASINS_DISTANCES], y[ML_BASINS_DISTANCES];
    int64_t longest = 0;
    int n = 0;
    for (int k = 0; k < grid->rank; k++)
        longest = grid->size[k] > longest ? grid->size[k] : longest;
    for (int d = 0; d < ML_BASINS_DISTANCES && 4 * ((int64_t)1 << d) <= longest; d++) {
        const double part = ml_basins_uncertain(grid, (int64_t)1 << d);
        if (!(part > 0.0))
            continue;
        x[n] = log(ldexp(1.0, d));
        y[n++] = log(part);
    }
    *error = (double)NAN;
    return n >= 2 ? boundary_slope(n, x, y, error) : (double)NAN;
}

/* The box that a cell is in; false if it is in none that is whole. Numbers of the cell along the
 * axes become those of the box. */
static bool boundary_box_of(const struct ml_basin_grid *grid, int64_t cell, int64_t *box)
{
    int64_t number = 0;
    for (int k = 0; k < grid->rank; k++) {
        const int64_t at = cell / boundary_stride(grid, k) % grid->size[k];
        const int64_t n_box = grid->size[k] > 1 ? grid->size[k] / ML_BASINS_BOX : 1;
        const int64_t own = grid->size[k] > 1 ? at / ML_BASINS_BOX : 0;
        if (own >= n_box)
            return false;
        number = number * n_box + own;
    }
    *box = number;
    return true;
}

static int64_t boundary_boxes(const struct ml_basin_grid *grid)
{
    int64_t n = 1;
    for (int k = 0; k < grid->rank; k++)
        n *= grid->size[k] > 1 ? grid->size[k] / ML_BASINS_BOX : 1;
    return n;
}

/* Entropy of one box. */
static double boundary_entropy_of(int n_label, const int *count)
{
    double total = 0.0, sum = 0.0;
    for (int l = 0; l < n_label; l++)
        total += count[l];
    for (int l = 0; l < n_label; l++)
        if (count[l] > 0)
            sum -= count[l] / total * log(count[l] / total);
    return sum;
}

double ml_basins_entropy(const struct ml_basin_grid *grid, double *boundary)
{
    const int64_t n = boundary_cells(grid), n_box = boundary_boxes(grid);
    double sum = 0.0;
    int64_t n_mixed = 0, box;
    *boundary = (double)NAN;
    int *count = n_box > 0 ? calloc((size_t)n_box * (size_t)grid->n_label, sizeof *count) : NULL;
    if (!count)
        return (double)NAN;
    for (int64_t i = 0; i < n; i++)
        if (boundary_box_of(grid, i, &box))
            count[box * grid->n_label + grid->label[i]]++;
    for (int64_t b = 0; b < n_box; b++) {
        const double own = boundary_entropy_of(grid->n_label, count + b * grid->n_label);
        sum += own;
        n_mixed += own > 0.0;
    }
    free(count);
    if (n_mixed > 0)
        *boundary = sum / (double)n_mixed;
    return sum / (double)n_box;
}
