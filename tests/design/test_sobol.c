#include "design/sobol.h"

#include <stdbool.h>
#include <string.h>

#include "check.h"

enum { LOG_POINTS = 12, POINTS = 1 << LOG_POINTS };

/* The first points in three dimensions as Joe and Kuo's web page shows them, in sixteenths. */
static void published_points_are_met(void)
{
    static const int sixteenths[10][3] = {{0, 0, 0},  {8, 8, 8},   {12, 4, 4},  {4, 12, 12},
                                          {6, 6, 10}, {14, 14, 2}, {10, 2, 14}, {2, 10, 6},
                                          {3, 5, 15}, {11, 13, 7}};
    for (int k = 0; k < 10; k++)
        for (int d = 0; d < 3; d++)
            CHECK(ml_sobol((uint64_t)k, d) == (uint64_t)sixteenths[k][d] << (ML_SOBOL_BITS - 4));
}

/* Every aligned run of 2^m points has one point in each of the 2^m strata: of many dimensions all
 * points, of the first ones every run. */
static void aligned_powers_of_two_fill_the_strata(void)
{
    static bool is_hit[POINTS];
    for (int d = 0; d < ML_SOBOL_DIMENSIONS; d++) {
        for (int m = d < 32 ? 0 : LOG_POINTS; m <= LOG_POINTS; m++) {
            for (uint64_t first = 0; first < POINTS; first += UINT64_C(1) << m) {
                CHECK_CASE("dimension %d, %d points from %d", d, 1 << m, (int)first);
                memset(is_hit, 0, sizeof is_hit);
                for (uint64_t k = 0; k < UINT64_C(1) << m; k++)
                    is_hit[ml_sobol(first + k, d) >> (ML_SOBOL_BITS - m)] = true;
                for (int i = 0; i < 1 << m; i++)
                    CHECK(is_hit[i]);
            }
        }
    }
}

/* Sobol's first two dimensions are a (0, 2)-sequence: of 2^m points every elementary rectangle
 * 2^-a x 2^-b, a + b = m, holds one. */
static void first_two_dimensions_fill_elementary_rectangles(void)
{
    static bool is_hit[POINTS];
    for (int m = 0; m <= LOG_POINTS; m++) {
        for (int a = 0; a <= m; a++) {
            CHECK_CASE("2^-%d x 2^-%d", a, m - a);
            memset(is_hit, 0, sizeof is_hit);
            for (uint64_t k = 0; k < UINT64_C(1) << m; k++) {
                uint64_t x = ml_sobol(k, 0) >> (ML_SOBOL_BITS - a);
                uint64_t y = ml_sobol(k, 1) >> (ML_SOBOL_BITS - (m - a));
                is_hit[x << (m - a) | y] = true;
            }
            for (int i = 0; i < 1 << m; i++)
                CHECK(is_hit[i]);
        }
    }
}

/* Joe and Kuo's numbers have property A for all dimensions up to 1111: of the first 2^d points in d
 * dimensions, each of the 2^d halves-of-each-side boxes holds one. This binds every row's first
 * bits together, also between dimensions. */
static void every_orthant_of_the_cube_is_hit_once(void)
{
    enum { MOST = 16 };
    static bool is_hit[1 << MOST];
    for (int d = 1; d <= MOST; d++) {
        CHECK_CASE("%d dimensions", d);
        memset(is_hit, 0, sizeof is_hit);
        for (uint64_t k = 0; k < UINT64_C(1) << d; k++) {
            unsigned box = 0;
            for (int i = 0; i < d; i++)
                box = box << 1 | (unsigned)(ml_sobol(k, i) >> (ML_SOBOL_BITS - 1));
            is_hit[box] = true;
        }
        for (int i = 0; i < 1 << d; i++)
            CHECK(is_hit[i]);
    }
}

static void the_last_point_is_in_range(void)
{
    for (int d = 0; d < ML_SOBOL_DIMENSIONS; d++)
        CHECK(ml_sobol((UINT64_C(1) << ML_SOBOL_BITS) - 1, d) >> ML_SOBOL_BITS == 0);
}

/* A point to which every direction number adds, in all dimensions, from a second transcription of
 * the table (polynomials as whole numbers) by the recurrence of Bratley and Fox (Algorithm 659). */
static void every_direction_number_is_right(void)
{
    enum { NAMED = 32 };
    static const uint64_t points[NAMED] = {
        0x1fffffffffffff, 0x13003300330033, 0x0b0000000fe4eb, 0x054e54fffffff9, 0x08a28a3c314935,
        0x1a5b15492f122b, 0x054baaaab0001d, 0x1ecb715cbdf2bb, 0x08c6307bdefe8b, 0x03bb5b3c6ea579,
        0x0b0c9159b91197, 0x0639ce8b000643, 0x1f99a700000c03, 0x05009e79e79e71, 0x0c703cec703cf7,
        0x10b39e327ccf2d, 0x13ab3ab7bb7ba5, 0x04b7001584133f, 0x170ff324ed6335, 0x1097b110597b11,
        0x1586ef70e1c387, 0x0a914371c6b9e7, 0x03000bf6e3c78f, 0x09a95302acc6b3, 0x12bb3b70965aa7,
        0x0744b811084c31, 0x0454378f394081, 0x140eefdf86286b, 0x091aa676164385, 0x1ad91000655c59,
        0x15daefde7be8b5, 0x0a0309437b057b};
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a of the points */
    for (int d = 0; d < ML_SOBOL_DIMENSIONS; d++) {
        const uint64_t point = ml_sobol(UINT64_C(0x15555555555555), d);
        CHECK_CASE("dimension %d", d + 1);
        CHECK(d >= NAMED || point == points[d]);
        hash = (hash ^ point) * UINT64_C(0x100000001b3);
    }
    CHECK(hash == UINT64_C(0x5f7dde67584535a9));
}

int main(void)
{
    published_points_are_met();
    every_direction_number_is_right();
    aligned_powers_of_two_fill_the_strata();
    first_two_dimensions_fill_elementary_rectangles();
    every_orthant_of_the_cube_is_hit_once();
    the_last_point_is_in_range();
    return check_done();
}
