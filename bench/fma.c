#include "fma.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "bench.h"

enum { MAX_WIDTH = 8, ROUNDS = 1000 };

/* Goes to b / (1 - a) over about a million rounds: never large, small or equal on the way. */
static const double a = 1.0 - 0x1p-20, b = 0x1p-20;

static void fill(double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = 1.5 + 0.01 * i;
}

#if defined __x86_64__
#include <immintrin.h>

#define CHAINS(isa, features, vector, load, store, splat, fma, wide)                          \
    __attribute__((target(features))) static void chains_##isa(int64_t n, double *x)          \
    {                                                                                         \
        vector v[ML_BENCH_FMA_CHAINS];                                                        \
        const vector va = splat(a), vb = splat(b);                                            \
        for (int c = 0; c < ML_BENCH_FMA_CHAINS; c++)                                         \
            v[c] = load(x + c * (wide));                                                      \
        for (int64_t i = 0; i < n; i++) {                                                     \
            v[0] = fma(v[0], va, vb), v[1] = fma(v[1], va, vb), v[2] = fma(v[2], va, vb);     \
            v[3] = fma(v[3], va, vb), v[4] = fma(v[4], va, vb), v[5] = fma(v[5], va, vb);     \
            v[6] = fma(v[6], va, vb), v[7] = fma(v[7], va, vb), v[8] = fma(v[8], va, vb);     \
            v[9] = fma(v[9], va, vb), v[10] = fma(v[10], va, vb), v[11] = fma(v[11], va, vb); \
        }                                                                                     \
        for (int c = 0; c < ML_BENCH_FMA_CHAINS; c++)                                         \
            store(x + c * (wide), v[c]);                                                      \
    }                                                                                         \
    __attribute__((target(features))) static void single_##isa(int64_t n, double *x)          \
    {                                                                                         \
        vector v = load(x);                                                                   \
        for (int64_t i = 0; i < n; i++)                                                       \
            v = fma(v, splat(a), splat(b));                                                   \
        store(x, v);                                                                          \
    }

CHAINS(fma128, "fma", __m128d, _mm_loadu_pd, _mm_storeu_pd, _mm_set1_pd, _mm_fmadd_pd, 2)
CHAINS(fma256, "avx2,fma", __m256d, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_set1_pd,
       _mm256_fmadd_pd, 4)
CHAINS(fma512, "avx512f", __m512d, _mm512_loadu_pd, _mm512_storeu_pd, _mm512_set1_pd,
       _mm512_fmadd_pd, 8)

static const struct ml_bench_fma widths[] = {
    {2, "fma128", chains_fma128, single_fma128},
    {4, "fma256", chains_fma256, single_fma256},
    {8, "fma512", chains_fma512, single_fma512},
};

static int count_widths(void)
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return 0;
    return __builtin_cpu_supports("avx512f") ? 3 : 2;
}
#else
static const struct ml_bench_fma widths[1];
static int count_widths(void) { return 0; }
#endif

const struct ml_bench_fma *ml_bench_fma_at(int i) { return i < count_widths() ? &widths[i] : NULL; }

const struct ml_bench_fma *ml_bench_fma_widest(void)
{
    return count_widths() ? &widths[count_widths() - 1] : NULL;
}

bool ml_bench_fma_is_right(const struct ml_bench_fma *f)
{
    double x[ML_BENCH_FMA_CHAINS * MAX_WIDTH], expected[ML_BENCH_FMA_CHAINS * MAX_WIDTH];
    const int n = ML_BENCH_FMA_CHAINS * f->width;
    fill(x, n);
    memcpy(expected, x, sizeof x);
    f->chains(ROUNDS, x);
    for (int k = 0; k < ROUNDS; k++)
        for (int i = 0; i < n; i++)
            expected[i] = fma(expected[i], a, b);
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]) || x[i] != expected[i] || (i > 0 && !(x[i] > x[i - 1])))
            return false;
    return true;
}

void ml_bench_fma_run(void *context, int64_t amount)
{
    const struct ml_bench_fma *f = context;
    double x[ML_BENCH_FMA_CHAINS * MAX_WIDTH];
    fill(x, ML_BENCH_FMA_CHAINS * MAX_WIDTH);
    f->chains(amount * ROUNDS, x);
    ml_bench_use(x);
}

double ml_bench_fma_flops(const struct ml_bench_fma *f)
{
    return 2.0 * ROUNDS * ML_BENCH_FMA_CHAINS * f->width;
}
