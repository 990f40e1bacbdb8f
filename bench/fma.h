/* The rate at which this processor multiplies and adds: the limit of every kernel. */
#ifndef ML_BENCH_FMA_H
#define ML_BENCH_FMA_H

#include <stdbool.h>
#include <stdint.h>

enum { ML_BENCH_FMA_CHAINS = 12 }; /* more than latency times pipes of any processor so far */

/* n rounds x -> a x + b on independent vectors. */
struct ml_bench_fma {
    int width; /* doubles per vector */
    const char *isa;
    void (*chains)(int64_t n, double *x); /* x [ML_BENCH_FMA_CHAINS][width] in and out */
    void (*single)(int64_t n, double *x); /* x [width]: one chain, so latency only */
};

/* The i-th width this processor can do, narrow first; NULL past the last. */
const struct ml_bench_fma *ml_bench_fma_at(int i);
const struct ml_bench_fma *ml_bench_fma_widest(void); /* NULL without fma */

/* Whether the chains equal those of a scalar loop: all there, all different, all finite. */
bool ml_bench_fma_is_right(const struct ml_bench_fma *fma);

/* Contender of a race: context is a struct ml_bench_fma; an amount of 1 is this many flops. */
void ml_bench_fma_run(void *context, int64_t amount);
double ml_bench_fma_flops(const struct ml_bench_fma *fma);

#endif
