/* Sample coordinates by method: random, Latin hypercube or shifted Sobol points. */
#include "design/sample.h"

#include <assert.h>
#include <math.h>

#include "design/philox.h"
#include "design/sobol.h"

/* Uses of random bits; part of the counter, so that uses never share bits. */
enum stream {
    STREAM_UNIFORM,
    STREAM_JITTER,
    STREAM_SHIFT,
    STREAM_PERMUTATION,
    STREAM_DIGIT,
    STREAM_NEST,
    STREAM_REST
};

enum { FEISTEL_ROUNDS = 8, STREAM_SHIFT_BITS = 4 };

static const double two_to_minus_53 = 1.0 / 9007199254740992.0;

static struct ml_philox sample_draw(enum stream stream, uint64_t seed, uint64_t i, int quantity,
                                    unsigned round)
{
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t counter[4] = {(uint32_t)i, (uint32_t)(i >> 32), (uint32_t)quantity,
                           (uint32_t)stream | round << STREAM_SHIFT_BITS};
    return ml_philox(counter, key);
}

static uint64_t draw_53_bits(enum stream stream, uint64_t seed, uint64_t i, int quantity)
{
    struct ml_philox bits = sample_draw(stream, seed, i, quantity, 0);
    return ((uint64_t)bits.word[1] << 32 | bits.word[0]) >> 11;
}

/* Balanced Feistel network on 2 half bits: a permutation of 0 .. 4^half - 1. */
static uint64_t feistel(uint64_t seed, int quantity, int half, uint64_t i)
{
    uint64_t mask = (UINT64_C(1) << half) - 1, left = i >> half, right = i & mask;
    for (unsigned round = 0; round < FEISTEL_ROUNDS; round++) {
        struct ml_philox bits = sample_draw(STREAM_PERMUTATION, seed, right, quantity, round);
        uint64_t mixed = left ^ (bits.word[0] & mask);
        left = right;
        right = mixed;
    }
    return left << half | right;
}

/* Walks the cycle until it is back below count (Black and Rogaway, Ciphers with arbitrary finite
 * domains, CT-RSA 2002); 4^half < 4 count, so that takes less than four steps on average. */
int64_t ml_permuted(uint64_t seed, int quantity, int64_t count, int64_t i)
{
    int half = 1;
    while (half < 31 && (uint64_t)count > UINT64_C(1) << 2 * half)
        half++;
    uint64_t at = (uint64_t)i;
    do
        at = feistel(seed, quantity, half, at);
    while (at >= (uint64_t)count);
    return (int64_t)at;
}

static double latin(uint64_t seed, int64_t count, int64_t run, int quantity)
{
    double stratum = (double)ml_permuted(seed, quantity, count, run);
    double jitter =
        (double)draw_53_bits(STREAM_JITTER, seed, (uint64_t)run, quantity) * two_to_minus_53;
    double u = (stratum + jitter) / (double)count;
    return u < 1.0 ? u : 1.0 - two_to_minus_53;
}

/* The digits of the run in the base of the quantity behind the point, the last one first; with a
 * seed each place is permuted, d to a d + c modulo the base (Matousek, On the L2-discrepancy for
 * anchored boxes, J. Complexity 14, 1998). */
static double halton(uint64_t seed, int64_t run, int quantity)
{
    static const int primes[ML_HALTON_DIMENSIONS] = {
        2,  3,  5,  7,  11, 13, 17, 19, 23, 29,  31,  37,  41,  43,  47,  53,
        59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127, 131};
    const uint64_t base = (uint64_t)primes[quantity];
    uint64_t left = (uint64_t)run;
    long double place = 1.0L, u = 0.0L;
    for (uint64_t i = 0; place > 0x1p-60L && (seed || left > 0); i++, left /= base) {
        uint64_t digit = left % base;
        if (seed) {
            const struct ml_philox bits = sample_draw(STREAM_DIGIT, seed, i, quantity, 0);
            digit = (digit * (1 + bits.word[0] % (base - 1)) + bits.word[1] % base) % base;
        }
        place /= (long double)base;
        u += place * (long double)digit;
    }
    return fmin((double)u, 1.0 - two_to_minus_53);
}

/* Owen's nested scrambling of 53 bits (Owen, Randomly permuted (t,m,s)-nets and (t,s)-sequences,
 * 1995): every bit is flipped or not by those above; below the first 24 bits, which no two points
 * of a sample share as long as there are fewer than 2^24, by these alone. */
static uint64_t owen(uint64_t seed, int quantity, uint64_t point)
{
    enum { NESTED = 24, BITS = 53 };
    uint64_t flips = 0;
    for (int k = 0; k < NESTED; k++) {
        const uint64_t above = point >> (BITS - k);
        const struct ml_philox bits =
            sample_draw(STREAM_NEST, seed, above << 5 | (uint64_t)k, quantity, 0);
        flips |= (uint64_t)(bits.word[0] & 1) << (BITS - 1 - k);
    }
    const uint64_t rest = draw_53_bits(STREAM_REST, seed, point >> (BITS - NESTED), quantity);
    return point ^ flips ^ rest >> NESTED;
}

double ml_sample(enum ml_sampling sampling, uint64_t seed, int64_t count, int64_t run, int quantity)
{
    const uint64_t point = sampling == ML_SOBOL || sampling == ML_SCRAMBLED_SOBOL
                               ? ml_sobol((uint64_t)run, quantity)
                               : 0;
    switch (sampling) {
    case ML_RANDOM:
        return (double)draw_53_bits(STREAM_UNIFORM, seed, (uint64_t)run, quantity) *
               two_to_minus_53;
    case ML_LATIN_HYPERCUBE:
        return latin(seed, count, run, quantity);
    case ML_HALTON:
        return halton(seed, run, quantity);
    case ML_SOBOL:
        return (double)(point ^ (seed ? draw_53_bits(STREAM_SHIFT, seed, 0, quantity) : 0)) *
               two_to_minus_53;
    case ML_SCRAMBLED_SOBOL:
        return (double)owen(seed, quantity, point) * two_to_minus_53;
    }
    assert(!"unknown method");
    return 0.0;
}
