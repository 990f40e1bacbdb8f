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

int64_t ml_basins_uncertain(const struct ml_basin_grid *grid, int64_t distance, int64_t margin,
                            double *part)
{
    const int64_t n = boundary_cells(grid);
    int64_t n_cell = 0, n_uncertain = 0;
    for (int k = 0; k < grid->rank; k++) {
        const int64_t stride = boundary_stride(grid, k);
        for (int64_t i = 0; i < n; i++) {
            const int64_t at = i / stride % grid->size[k];
            if (at < margin || at + margin >= grid->size[k])
                continue;
            const int before = grid->label[i - distance * stride];
            const int after = grid->label[i + distance * stride];
            n_cell++;
            n_uncertain += before != grid->label[i] || after != grid->label[i];
        }
    }
    *part = n_cell > 0 ? (double)n_uncertain / (double)n_cell : (double)NAN;
    return n_uncertain;
}

/* The power with which the uncertain part of the same cells grows to twice the distance. */
static double boundary_slope(const struct ml_basin_grid *grid, int64_t distance)
{
    double near, far;
    (void)ml_basins_uncertain(grid, distance, 2 * distance, &near);
    (void)ml_basins_uncertain(grid, 2 * distance, 2 * distance, &far);
    return far > 0.0 && near > 0.0 ? log2(far / near) : (double)NAN;
}

void ml_basins_exponent(const struct ml_basin_grid *grid, struct ml_basin_scaling *out)
{
    int64_t longest = 0, n_near = 0;
    *out = (struct ml_basin_scaling){.exponent = (double)NAN, .error = (double)NAN};
    for (int k = 0; k < grid->rank; k++)
        longest = grid->size[k] > longest ? grid->size[k] : longest;
    for (int d = 0; d < ML_BASINS_DISTANCES && 4 * ((int64_t)1 << d) <= longest; d++) {
        out->distance[d] = ldexp(1.0, d);
        const int64_t distance = (int64_t)1 << d;
        const int64_t n_found = ml_basins_uncertain(grid, distance, distance, &out->uncertain[d]);
        n_near = d == 0 ? n_found : n_near;
        if (!(out->uncertain[d] > 0.0))
            return;
        out->slope[d] = (double)NAN;
        if (d > 0)
            out->slope[d - 1] = boundary_slope(grid, distance / 2);
        out->n = d + 1;
    }
    if (out->n < 2)
        return;
    out->exponent = out->slope[0];
    if (out->n > 2)
        out->error =
            2.0 * fabs(out->slope[1] - out->slope[0]) + 1.0 / (log(2.0) * sqrt((double)n_near));
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
