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

/* What is uncertain grows with the distance where the boundary is a curve: a line across both axes,
 * a circle, a spiral of three turns, a wave and three sectors. */
static int smooth_label(int shape, double x, double y)
{
    const double turn = atan2(y, x) / 6.283185307179586;
    switch (shape) {
    case 0:
        return x + y < 0.07;
    case 1:
        return hypot(x, y) < 0.6;
    case 2:
        return (int)floor(6.0 * hypot(x, y) + 2.0 * turn + 8.0) % 2;
    case 3:
        return y < 0.3 * sin(9.0 * x);
    default:
        return (int)floor(3.0 * (turn + 0.51)) % 3;
    }
}

static void smooth_boundaries_have_exponent_one(void)
{
    const struct ml_basin_grid grid = square(3);
    struct ml_basin_scaling scaling;
    for (int shape = 0; shape < 5; shape++) {
        for (int i = 0; i < SIDE * SIDE; i++)
            label[i] =
                smooth_label(shape, 2.0 * (i / SIDE) / SIDE - 1.0, 2.0 * (i % SIDE) / SIDE - 1.0);
        ml_basins_exponent(&grid, &scaling);
        CHECK_CASE("shape %d: %g +- %g", shape, scaling.exponent, scaling.error);
        CHECK_ERROR(fabs(scaling.exponent - 1.0), scaling.error);
        CHECK(scaling.error < 0.2);
        CHECK(scaling.n == 6 && scaling.slope[0] == scaling.exponent);
    }
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
    double part, boundary, again;
    struct ml_basin_scaling scaling;
    const struct ml_basin_grid grid = square(2);
    for (int i = 0; i < SIDE * SIDE; i++)
        label[i] = chance(&state);
    (void)ml_basins_uncertain(&grid, 3, 3, &part);
    CHECK_ERROR(fabs(part - 0.75), 0.01);
    ml_basins_exponent(&grid, &scaling);
    CHECK_ERROR(fabs(scaling.exponent), 0.01);
    /* the mean of the entropy of 25 throws is about ln 2 - 1 / 50 */
    CHECK_ERROR(fabs(ml_basins_entropy(&grid, &boundary) - (log(2.0) - 0.02)), 0.003);
    CHECK(boundary == ml_basins_entropy(&grid, &again));
}

/* Labels by the middle thirds that a point of (0, 1) is in, down to 3^-6 of it: the boundary is
 * Cantor's set, of dimension ln 2 / ln 3. */
static void a_cantor_set_has_its_dimension(void)
{
    enum { CELLS = 2187 };
    static int row[CELLS];
    const struct ml_basin_grid grid = {1, {CELLS}, row, 8};
    struct ml_basin_scaling scaling;
    for (int i = 0; i < CELLS; i++) {
        int depth = 0, size = CELLS / 3;
        while (size > 1 && i / size % 3 != 1) {
            depth++;
            size /= 3;
        }
        row[i] = size > 1 ? 1 + depth : 0;
    }
    ml_basins_exponent(&grid, &scaling);
    CHECK_ERROR(fabs(scaling.exponent - (1.0 - log(2.0) / log(3.0))), scaling.error);
}

static void one_basin_has_no_boundary(void)
{
    double part, boundary;
    struct ml_basin_scaling scaling;
    const struct ml_basin_grid grid = square(1);
    for (int i = 0; i < SIDE * SIDE; i++)
        label[i] = 0;
    CHECK(ml_basins_uncertain(&grid, 1, 1, &part) == 0 && part == 0.0);
    ml_basins_exponent(&grid, &scaling);
    CHECK(scaling.n == 0 && isnan(scaling.exponent));
    CHECK(ml_basins_entropy(&grid, &boundary) == 0.0 && isnan(boundary));
}

/* Two whole boxes along a single axis, of 25 and 0 and of 2 and 3 cells; two cells are in none. */
static void boxes_are_counted_as_by_hand(void)
{
    const int row[12] = {1, 1, 1, 1, 1, 0, 2, 0, 2, 2, 0, 1};
    const struct ml_basin_grid grid = {2, {1, 12}, row, 3};
    const double mixed = -(0.4 * log(0.4) + 0.6 * log(0.6));
    double boundary, part;
    CHECK_ERROR(fabs(ml_basins_entropy(&grid, &boundary) - 0.5 * mixed), 1e-15);
    CHECK_ERROR(fabs(boundary - mixed), 1e-15);
    /* cells 1 .. 10: 5, 6, 7, 8, 9 and 10 have another label beside them, and 4 */
    CHECK(ml_basins_uncertain(&grid, 1, 1, &part) == 7);
    CHECK_ERROR(fabs(part - 0.7), 1e-15);
}

static void what_is_too_small_has_no_number(void)
{
    const int few[4] = {0, 1, 0, 1};
    const struct ml_basin_grid grid = {1, {4}, few, 2};
    double part, boundary;
    struct ml_basin_scaling scaling;
    (void)ml_basins_uncertain(&grid, 2, 2, &part);
    CHECK(isnan(part));
    ml_basins_exponent(&grid, &scaling);
    CHECK(isnan(scaling.exponent));
    CHECK(isnan(ml_basins_entropy(&grid, &boundary)));
}

int main(void)
{
    smooth_boundaries_have_exponent_one();
    a_cantor_set_has_its_dimension();
    a_random_grid_has_exponent_zero();
    one_basin_has_no_boundary();
    boxes_are_counted_as_by_hand();
    what_is_too_small_has_no_number();
    return check_done();
}
