/* Order statistics against sorting: numbers in random order, in order, in reverse, mostly equal,
 * and infinite ones. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "statistics/select.h"

enum { N = 5000, N_RANK = 6 };

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double number(int kind, int i)
{
    switch (kind) {
    case 0:
        return sin((double)i * i);
    case 1:
        return i;
    case 2:
        return -i;
    case 3:
        return i % 100 == 0 ? sin(i) : 0.5;
    case 4:
        return i < N / 2 ? i : N - i; /* up and down */
    default:
        return i % 7 == 0 ? -(double)INFINITY : i % 3 == 0 ? (double)INFINITY : cos(i);
    }
}

static void ranks_are_those_of_sorting(void)
{
    static const int64_t sizes[] = {1, 2, 3, 24, 25, 100, N};
    static double values[N], sorted[N];
    for (int kind = 0; kind < 6; kind++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const int64_t n = sizes[s];
            const int64_t ranks[N_RANK] = {0, n / 20, n / 4, n / 2, n / 2, n - 1};
            CHECK_CASE("kind %d, %lld numbers", kind, (long long)n);
            for (int64_t i = 0; i < n; i++)
                values[i] = sorted[i] = number(kind, (int)i);
            qsort(sorted, (size_t)n, sizeof *sorted, compare);
            ml_select(values, n, ranks, N_RANK);
            for (int k = 0; k < N_RANK; k++)
                CHECK(values[ranks[k]] == sorted[ranks[k]]);
            qsort(values, (size_t)n, sizeof *values, compare); /* no number is lost */
            CHECK(memcmp((const void *)values, (const void *)sorted, (size_t)n * sizeof *values) ==
                  0);
        }
}

int main(void)
{
    ranks_are_those_of_sorting();
    return check_done();
}
