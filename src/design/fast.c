/* Frequencies of the inputs along the curves of FAST. Those of Saltelli, Tarantola and Chan
 * (Technometrics 41, 1999), of which the lowest is 1, interfere at any length of a curve: a
 * harmonic k of the highest frequency w and 1 beside is seen n - k w - 1 from n, at another
 * harmonic where n = 8 w + 1; and harmonics of the other inputs above the fourth reach w/2. Primes
 * from 11 up are no multiples of each other, and none divides n - 8 w, which is 1 to 8; below w/16,
 * eight harmonics stay below w/2. */
#include "design/sample.h"
#include "manylink/indices.h"

static const uint8_t primes[] = {11,  13,  17,  19,  23,  29,  31,  37,  41,  43,  47,  53,
                                 59,  61,  67,  71,  73,  79,  83,  89,  97,  101, 103, 107,
                                 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173,
                                 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239};

enum { N_PRIME = sizeof primes / sizeof *primes };

static int primes_up_to(int64_t most)
{
    int n = 0;
    while (n < N_PRIME && primes[n] <= most)
        n++;
    return n;
}

int64_t ml_fast_highest(int64_t n_point) { return (n_point - 1) / (2 * ML_FAST_HARMONICS); }

int64_t ml_fast_other(int64_t n_point, int n_other, int i)
{
    const int64_t most = ml_fast_highest(n_point) / (2 * ML_FAST_HARMONICS);
    int n = primes_up_to(most / 2);
    n = n < n_other ? primes_up_to(most) : n;
    if (n >= n_other)
        return primes[n_other > 1 ? (n - 1) * i / (n_other - 1) : 0];
    if (most < n_other)
        return i % most + 1;
    return n_other > 1 ? 1 + (most - 1) * i / (n_other - 1) : 1;
}

int64_t ml_fast_indices_points(int n_input)
{
    const int n_other = n_input > 1 ? n_input - 1 : 1;
    return n_other > N_PRIME
               ? 0
               : INT64_C(8) * ML_FAST_HARMONICS * ML_FAST_HARMONICS * primes[n_other - 1] + 1;
}
