#include "design/spacing.h"

#include "check.h"

static const double ends[][2] = {{0.1, 0.7},  {-3.0, 3.0},           {1.0, 100.0},
                                 {0.3, 1e5},  {-5.0, -0.2},          {1e-300, 1e300},
                                 {7.0, 0.01}, {1.0 / 3.0, 2.0 / 3.0}};

static void ends_are_exact_and_values_ordered(void)
{
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        for (int log = 0; log < 2; log++) {
            double low = ends[i][0], high = ends[i][1], sign = high > low ? 1.0 : -1.0;
            if (log && low * high <= 0.0)
                continue;
            for (int64_t count = 2; count < 300; count++) {
                CHECK_CASE("%g to %g, %d%s", low, high, (int)count, log ? ", log" : "");
                CHECK(ml_spaced(low, high, count, 0, log) == low);
                CHECK(ml_spaced(low, high, count, count - 1, log) == high);
                for (int64_t k = 1; k < count; k++)
                    CHECK(sign * ml_spaced(low, high, count, k, log) >
                          sign * ml_spaced(low, high, count, k - 1, log));
            }
        }
    }
    CHECK(ml_spaced(2.0, 3.0, 1, 0, false) == 2.0);
}

static void round_numbers_come_out_round(void)
{
    for (int k = 0; k <= 6; k++)
        CHECK(ml_spaced(-3.0, 3.0, 7, k, false) == k - 3);
    const double decades[] = {1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3};
    for (int k = 0; k <= 6; k++)
        CHECK(ml_spaced(1e-3, 1e3, 7, k, true) == decades[k]);
}

static void values_around_zero_come_in_pairs(void)
{
    for (int64_t count = 2; count < 300; count++)
        for (int64_t k = 0; k < count; k++)
            CHECK(ml_spaced(-3.1, 3.1, count, k, false) ==
                  -ml_spaced(-3.1, 3.1, count, count - 1 - k, false));
}

static void the_upper_end_is_never_drawn(void)
{
    const double last = 1.0 - 1.0 / 9007199254740992.0; /* the largest u */
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        double low = ends[i][0], high = ends[i][1];
        for (int log = 0; high > low && log < 2; log++) {
            if (log && low * high <= 0.0)
                continue;
            CHECK_CASE("%g to %g", low, high);
            CHECK(ml_between(low, high, 0.0, log) == low);
            CHECK(ml_between(low, high, last, log) < high);
            CHECK(ml_between(low, nextafter(low, high), last, log) == low);
        }
    }
}

int main(void)
{
    ends_are_exact_and_values_ordered();
    round_numbers_come_out_round();
    values_around_zero_come_in_pairs();
    the_upper_end_is_never_drawn();
    return check_done();
}
