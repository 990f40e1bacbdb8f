/* Grids whose basins are known: a straight boundary, none, a random one, and boxes counted by hand.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "basins/boundary.h"
#include "check.h"

enum { SIDE = 200 };

static int label[SIDE * SIDE];

static struct ml_basin_grid square(int n_label)
{
    return (struct ml_basin_grid){2, {SIDE, SIDE}, label, n_label};
}

/* A line across both axes: what is uncertain grows with the distance. */
static void a_smooth_boundary_has_exponent_one(void)
{
    double error;
    const struct ml_basin_grid grid = square(2);
    for (int i = 0; i < SIDE * SIDE; i++)
        label[i] = i / SIDE + i % SIDE < SIDE + 7;
    CHECK_ERROR(fabs(ml_basins_exponent(&grid, &error) - 1.0), 0.06);
    CHECK(error < 0.06);
}

/* 64-bit linear congruential generator, its upper bits. */
static int chance(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int)(*state >> 63);
}

/* Of chance the ends are uncertain at any distance, by 1 - 1/4; entropy is near ln 2. */
static void a_random_grid_has_exponent_zero(void)
{
    uint64_t state = 1;
    double error, boundary;
    const struct ml_basin_grid grid = square(2);
    for (int i = 0; i < SIDE * SIDE; i++)
        label[i] = chance(&state);
    CHECK_ERROR(fabs(ml_basins_uncertain(&grid, 3) - 0.75), 0.01);
    CHECK_ERROR(fabs(ml_basins_exponent(&grid, &error)), 0.01);
    /* the mean of the entropy of 25 throws is about ln 2 - 1 / 50 */
    CHECK_ERROR(fabs(ml_basins_entropy(&grid, &boundary) - (log(2.0) - 0.02)), 0.003);
    CHECK(boundary == ml_basins_entropy(&grid, &error));
}

static void one_basin_has_no_boundary(void)
{
    double error, boundary;
    const struct ml_basin_grid grid = square(1);
    for (int i = 0; i < SIDE * SIDE; i++)
        label[i] = 0;
    CHECK(ml_basins_uncertain(&grid, 1) == 0.0);
    CHECK(isnan(ml_basins_exponent(&grid, &error)));
    CHECK(ml_basins_entropy(&grid, &boundary) == 0.0 && isnan(boundary));
}

/* Two whole boxes along a single axis, of 25 and 0 and of 2 and 3 cells; two cells are in none. */
static void boxes_are_counted_as_by_hand(void)
{
    const int row[12] = {1, 1, 1, 1, 1, 0, 2, 0, 2, 2, 0, 1};
    const struct ml_basin_grid grid = {2, {1, 12}, row, 3};
    const double mixed = -(0.4 * log(0.4) + 0.6 * log(0.6));
    double boundary;
    CHECK_ERROR(fabs(ml_basins_entropy(&grid, &boundary) - 0.5 * mixed), 1e-15);
    CHECK_ERROR(fabs(boundary - mixed), 1e-15);
    /* cells 1 .. 10: 5, 6, 7, 8, 9 and 10 have another label beside them, and 4 */
    CHECK_ERROR(fabs(ml_basins_uncertain(&grid, 1) - 0.7), 1e-15);
}

static void what_is_too_small_has_no_number(void)
{
    const int few[4] = {0, 1, 0, 1};
    const struct ml_basin_grid grid = {1, {4}, few, 2};
    double error, boundary;
    CHECK(isnan(ml_basins_uncertain(&grid, 2)));
    CHECK(isnan(ml_basins_exponent(&grid, &error)));
    CHECK(isnan(ml_basins_entropy(&grid, &boundary)));
}

int main(void)
{
    a_smooth_boundary_has_exponent_one();
    a_random_grid_has_exponent_zero();
    one_basin_has_no_boundary();
    boxes_are_counted_as_by_hand();
    what_is_too_small_has_no_number();
    return check_done();
}
