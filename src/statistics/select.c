/* Partition about the median of three numbers at random places. */
#include "statistics/select.h"

enum { FEW = 24 }; /* numbers that are sorted by insertion */

/* Numbers first .. end - 1, in which ranks are wanted. */
struct select_range {
    double *values;
    int64_t first, end;
    uint64_t *state; /* of the random places */
};

/* A place in the range: a step of Knuth's linear congruential generator. */
static double select_random(const struct select_range *range)
{
    *range->state = *range->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return range->values[range->first +
                         (int64_t)((*range->state >> 16) % (uint64_t)(range->end - range->first))];
}

static double select_pivot(const struct select_range *range)
{
    const double a = select_random(range), b = select_random(range), c = select_random(range);
    const double low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

static void select_insert(const struct select_range *range)
{
    for (int64_t i = range->first + 1; i < range->end; i++) {
        const double value = range->values[i];
        int64_t k = i;
        for (; k > range->first && range->values[k - 1] > value; k--)
            range->values[k] = range->values[k - 1];
        range->values[k] = value;
    }
}

/* Numbers before *left are at most the pivot, those from *right on at least, and those between
 * equal to the pivot. */
static void select_part(const struct select_range *range, int64_t *left, int64_t *right)
{
    const double pivot = select_pivot(range);
    int64_t i = range->first, j = range->end - 1;
    while (i <= j) {
        while (range->values[i] < pivot)
            i++;
        while (range->values[j] > pivot)
            j--;
        if (i > j)
            break;
        const double value = range->values[i];
        range->values[i++] = range->values[j];
        range->values[j--] = value;
    }
    *left = j + 1;
    *right = i;
}

static void select_in(struct select_range range, const int64_t *ranks, int n_rank)
{
    while (n_rank > 0 && range.end - range.first > FEW) {
        int64_t left, right;
        int n_left = 0, n_before = 0;
        select_part(&range, &left, &right);
        while (n_left < n_rank && ranks[n_left] < left)
            n_left++;
        for (n_before = n_left; n_before < n_rank && ranks[n_before] < right;)
            n_before++;
        select_in((struct select_range){range.values, range.first, left, range.state}, ranks,
                  n_left);
        range.first = right;
        ranks += n_before;
        n_rank -= n_before;
    }
    if (n_rank > 0)
        select_insert(&range);
}

void ml_select(double *values, int64_t n, const int64_t *ranks, int n_rank)
{
    uint64_t state = 0;
    select_in((struct select_range){values, 0, n, &state}, ranks, n_rank);
}

double ml_upper_median(double *values, int64_t n)
{
    const int64_t middle = n / 2;
    ml_select(values, n, &middle, 1);
    return values[middle];
}
