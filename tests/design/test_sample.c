#include "design/sample.h"

#include <stdbool.h>
#include <string.h>

#include "check.h"

enum { QUANTITIES = 5 };

static void a_permutation_hits_everything_once(void)
{
    static const int64_t counts[] = {1, 2, 3, 4, 5, 7, 16, 17, 100, 1000, 4096, 4097};
    static bool is_hit[4097];
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (int q = 0; q < QUANTITIES; q++) {
            CHECK_CASE("%d numbers, quantity %d", (int)counts[c], q);
            memset(is_hit, 0, sizeof is_hit);
            for (int64_t i = 0; i < counts[c]; i++)
                is_hit[ml_permuted(7, q, counts[c], i)] = true;
            for (int64_t i = 0; i < counts[c]; i++)
                CHECK(is_hit[i]);
        }
    }
}

static void a_permutation_reaches_the_largest_count(void)
{
    int64_t count = (int64_t)1 << 53;
    for (int64_t i = 0; i < 100; i++) {
        int64_t to = ml_permuted(1, 0, count, count - 1 - i);
        CHECK(to >= 0 && to < count);
    }
}

static void permutations_of_quantities_differ(void)
{
    int same = 0;
    for (int64_t i = 0; i < 1000; i++)
        same += ml_permuted(1, 0, 1000, i) == ml_permuted(1, 1, 1000, i);
    CHECK(same < 10); /* 1 expected */
}

static void latin_hypercube_has_one_run_per_stratum(void)
{
    enum { COUNT = 1000 };
    static bool is_hit[COUNT];
    for (int q = 0; q < QUANTITIES; q++) {
        CHECK_CASE("quantity %d", q);
        memset(is_hit, 0, sizeof is_hit);
        for (int64_t k = 0; k < COUNT; k++)
            is_hit[(int)(ml_sample(ML_LATIN_HYPERCUBE, 3, COUNT, k, q) * COUNT)] = true;
        for (int i = 0; i < COUNT; i++)
            CHECK(is_hit[i]);
    }
}

/* A longer sample begins with the shorter one. */
static void random_and_sobol_samples_are_prefixes(void)
{
    for (int64_t k = 0; k < 100; k++) {
        for (int q = 0; q < QUANTITIES; q++) {
            CHECK(ml_sample(ML_RANDOM, 1, 100, k, q) == ml_sample(ML_RANDOM, 1, 1000000, k, q));
            for (int s = ML_SOBOL; s <= ML_HALTON; s++)
                CHECK(ml_sample((enum ml_sampling)s, 1, 100, k, q) ==
                      ml_sample((enum ml_sampling)s, 1, 1000000, k, q));
        }
    }
}

/* The digital shift keeps the strata filled. */
static void shifted_sobol_points_fill_the_strata(void)
{
    enum { COUNT = 1024 };
    static bool is_hit[COUNT];
    for (int q = 0; q < QUANTITIES; q++) {
        memset(is_hit, 0, sizeof is_hit);
        for (int64_t k = 0; k < COUNT; k++)
            is_hit[(int)(ml_sample(ML_SOBOL, 99, COUNT, k, q) * COUNT)] = true;
        for (int i = 0; i < COUNT; i++)
            CHECK(is_hit[i]);
    }
    CHECK(ml_sample(ML_SOBOL, 0, COUNT, 0, 0) == 0.0);
    CHECK(ml_sample(ML_SOBOL, 99, COUNT, 0, 0) != 0.0);
}

/* Owen's scrambling keeps a net: one point in each of 1024 boxes of every shape, in the first two
 * coordinates. The mean of a smooth function of 1024 points is that of the cube to n^-3/2, where
 * shifted points have n^-1: the variances over seeds tell. */
static void scrambled_sobol_points_are_a_net(void)
{
    enum { COUNT = 1024, SEEDS = 32 };
    static bool is_hit[COUNT];
    double squares[2] = {0.0};
    for (int shape = 0; shape <= 10; shape++) {
        memset(is_hit, 0, sizeof is_hit);
        for (int64_t k = 0; k < COUNT; k++) {
            const int row = (int)(ml_sample(ML_SCRAMBLED_SOBOL, 5, COUNT, k, 0) * (1 << shape));
            const int column =
                (int)(ml_sample(ML_SCRAMBLED_SOBOL, 5, COUNT, k, 1) * (1 << (10 - shape)));
            is_hit[row << (10 - shape) | column] = true;
        }
        for (int i = 0; i < COUNT; i++)
            CHECK(is_hit[i]);
    }
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (int m = 0; m < 2; m++) {
            double mean = 0.0;
            for (int64_t k = 0; k < COUNT; k++) {
                const enum ml_sampling method = m ? ML_SCRAMBLED_SOBOL : ML_SOBOL;
                mean += exp(ml_sample(method, seed, COUNT, k, 0)) *
                        exp(-ml_sample(method, seed, COUNT, k, 1)) / COUNT;
            }
            mean -= (exp(1.0) - 1.0) * (1.0 - exp(-1.0));
            squares[m] += mean * mean / SEEDS;
        }
    CHECK(squares[1] < 0.1 * squares[0]);
    CHECK_ERROR(sqrt(squares[1]), 1e-4);
}

/* van der Corput's sequences in base 2 and 3. */
static void halton_points_are_known(void)
{
    static const double known[][2] = {{0, 0},         {0.5, 1. / 3},   {0.25, 2. / 3},
                                      {0.75, 1. / 9}, {0.125, 4. / 9}, {0.625, 7. / 9}};
    for (int k = 0; k < 6; k++)
        for (int q = 0; q < 2; q++)
            CHECK_ERROR(fabs(ml_sample(ML_HALTON, 0, 6, k, q) - known[k][q]), 2e-16);
}

/* With a seed too the first b^2 points have one in each interval of 1/b^2. */
static void scrambled_halton_points_fill_the_strata(void)
{
    static const int bases[] = {2, 3, 5, 7, 11};
    for (int q = 0; q < QUANTITIES; q++) {
        const int n = bases[q] * bases[q];
        bool is_hit[121] = {false};
        for (int64_t k = 0; k < n; k++)
            is_hit[(int)(ml_sample(ML_HALTON, 9, n, k, q) * n)] = true;
        for (int i = 0; i < n; i++)
            CHECK(is_hit[i]);
    }
}

/* Mean, variance and correlation of uniform numbers, within five standard errors. */
static void random_numbers_are_uniform(void)
{
    enum { COUNT = 100000 };
    double sum = 0.0, squares = 0.0, products = 0.0;
    for (int64_t k = 0; k < COUNT; k++) {
        double x = ml_sample(ML_RANDOM, 5, COUNT, k, 0) - 0.5;
        double y = ml_sample(ML_RANDOM, 5, COUNT, k, 1) - 0.5;
        sum += x;
        squares += x * x;
        products += x * y;
    }
    CHECK_ERROR(fabs(sum / COUNT), 5.0 * sqrt(1.0 / 12.0 / COUNT));
    CHECK_ERROR(fabs(squares / COUNT - 1.0 / 12.0), 5.0 * sqrt(1.0 / 180.0 / COUNT));
    CHECK_ERROR(fabs(products / COUNT), 5.0 / 12.0 / sqrt(COUNT));
}

static void seeds_give_other_numbers(void)
{
    for (int s = ML_RANDOM; s <= ML_HALTON; s++)
        CHECK(ml_sample((enum ml_sampling)s, 1, 64, 3, 0) !=
              ml_sample((enum ml_sampling)s, 2, 64, 3, 0));
}

int main(void)
{
    a_permutation_hits_everything_once();
    a_permutation_reaches_the_largest_count();
    permutations_of_quantities_differ();
    latin_hypercube_has_one_run_per_stratum();
    random_and_sobol_samples_are_prefixes();
    shifted_sobol_points_fill_the_strata();
    scrambled_sobol_points_are_a_net();
    halton_points_are_known();
    scrambled_halton_points_fill_the_strata();
    random_numbers_are_uniform();
    seeds_give_other_numbers();
    return check_done();
}
