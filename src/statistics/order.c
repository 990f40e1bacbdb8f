/* Radix sort by 11 bits at a time, lowest first. */
#include "statistics/order.h"

#include <math.h>
#include <string.h>

enum { BITS = 11, N_DIGIT = 1 << BITS, N_PASS = 6 };

/* Negative numbers have all bits inverted, positive numbers the sign. */
static uint64_t ordered_bits(double value)
{
    uint64_t bits;
    if (isnan(value))
        return UINT64_MAX;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static size_t digit(const struct ml_order_key *key, int pass)
{
    return (size_t)(key->bits >> (pass * BITS) & (N_DIGIT - 1));
}

/* Sorts by one digit; false if all numbers have the same. */
static int sort_digit(const struct ml_order_key *from, int64_t n, int pass, struct ml_order_key *to)
{
    int64_t next[N_DIGIT] = {0}, before = 0;
    for (int64_t i = 0; i < n; i++)
        next[digit(&from[i], pass)]++;
    if (n == 0 || next[digit(&from[0], pass)] == n)
        return 0;
    for (int d = 0; d < N_DIGIT; d++) {
        const int64_t count = next[d];
        next[d] = before;
        before += count;
    }
    for (int64_t i = 0; i < n; i++)
        to[next[digit(&from[i], pass)]++] = from[i];
    return 1;
}

void ml_order_find(const double *values, int64_t n, int64_t *order, struct ml_order_key *work)
{
    struct ml_order_key *from = work, *to = work + n;
    for (int64_t i = 0; i < n; i++)
        from[i] = (struct ml_order_key){ordered_bits(values[i]), i};
    for (int pass = 0; pass < N_PASS; pass++)
        if (sort_digit(from, n, pass, to)) {
            struct ml_order_key *sorted = to;
            to = from;
            from = sorted;
        }
    for (int64_t i = 0; i < n; i++)
        order[i] = from[i].place;
}

void ml_order_ranks(const double *values, const int64_t *order, int64_t n, double *ranks)
{
    for (int64_t first = 0, end; first < n; first = end) {
        const double value = values[order[first]];
        end = first + 1;
        while (end < n && values[order[end]] == value)
            end++;
        for (int64_t i = first; i < end; i++)
            ranks[order[i]] = isnan(value) ? (double)NAN : 0.5 * (double)(first + 1 + end);
    }
}
