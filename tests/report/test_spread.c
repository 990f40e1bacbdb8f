/* Which runs are chosen: as many as asked for, each once, and all over the grid. */
#include "report/parts.h"

#include <stdbool.h>

#include "check.h"

enum { N = 256, MOST = 1024 };

static int64_t chosen[MOST];

static void check_each_once(int64_t n, int64_t all)
{
    for (int64_t i = 0; i < n; i++)
        CHECK(chosen[i] >= 0 && chosen[i] < all && (i == 0 || chosen[i] > chosen[i - 1]));
}

/* Of a map of 256 x 256 every one of 4 x 4 parts has between 2 and 6 of 64 runs, where 4 are fair.
 */
static void a_map_is_covered_evenly(void)
{
    int of_part[4][4] = {0};
    ml_report_spread((const int64_t[]){N, N}, 2, 64, chosen);
    check_each_once(64, N * N);
    for (int i = 0; i < 64; i++)
        of_part[chosen[i] / N / 64][chosen[i] % N / 64]++;
    for (int i = 0; i < 16; i++)
        CHECK(of_part[i / 4][i % 4] >= 2 && of_part[i / 4][i % 4] <= 6);
}

static void the_only_one_is_in_the_middle(void)
{
    ml_report_spread((const int64_t[]){N, N}, 2, 1, chosen);
    CHECK(chosen[0] == N / 2 * N + N / 2);
}

static void any_number_is_met(void)
{
    const struct {
        int n_axis;
        int64_t sizes[3], all;
    } grids[] = {{1, {7}, 7}, {1, {1000}, 1000}, {2, {1, 30}, 30}, {3, {2, 3, 5}, 30}};
    for (size_t k = 0; k < sizeof grids / sizeof *grids; k++)
        for (int64_t n = 0; n <= grids[k].all; n++) {
            CHECK_CASE("grid %zu, %d runs", k, (int)n);
            ml_report_spread(grids[k].sizes, grids[k].n_axis, n, chosen);
            check_each_once(n, grids[k].all);
        }
}

int main(void)
{
    a_map_is_covered_evenly();
    the_only_one_is_in_the_middle();
    any_number_is_met();
    return check_done();
}
