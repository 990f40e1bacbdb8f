/* The vector type kernels compute with. It has the native width of the instruction set a kernel
 * is compiled for; the layout of a batch (simd/layout.h) does not change with it.
 *
 * Every operation here is IEEE-754 correctly rounded and does the same to each lane on every
 * instruction set, so kernels give the same bits everywhere. Multiply-adds are fused where the
 * source says ml_fma and nowhere else. Include from *.kern.* files only. */
#ifndef ML_SIMD_LANES_H
#define ML_SIMD_LANES_H

#include <math.h>
#include <stdint.h>

#include "simd/layout.h"

#ifndef ML_ISA_NAME
#error "for kernels only: CMakeLists.txt compiles them once per line of simd/isas.def"
#endif

#if defined ML_WIDTH /* by the flags of simd/isas.def */
#elif defined __AVX512F__
#define ML_WIDTH 8
#elif defined __AVX2__ && defined __FMA__
#define ML_WIDTH 4
#else
#define ML_WIDTH 2
#endif
#if ML_WIDTH == 2 && defined __aarch64__ && defined __ARM_NEON
#include <arm_neon.h>
#define ML_NEON 1
#else
#define ML_NEON 0
#endif

/* Only to be passed by value between ML_INLINE functions: the calling convention of vectors
 * depends on compiler flags. */
typedef double ml_vec __attribute__((vector_size(8 * ML_WIDTH), may_alias));
typedef int64_t ml_mask __attribute__((vector_size(8 * ML_WIDTH))); /* all ones: true */

#if ML_WIDTH > 2
#include "simd/x86.h"
#endif

/* Sanitizer builds keep the calls: inlined, nested copies of instrumented functions compile for
 * half an hour. So do callers whose speed does not matter. */
#ifdef ML_KEEP_CALLS
#define ML_INLINE static inline
#else
#define ML_INLINE static inline __attribute__((always_inline))
#endif

/* name -> name_v3 and so on: each exported kernel symbol exists once per instruction set. */
#define ML_K_PASTE(name, isa) name##_##isa
#define ML_K_EVAL(name, isa) ML_K_PASTE(name, isa)
#define ML_K(name) ML_K_EVAL(name, ML_ISA_NAME)

/* Runs the body for g = 0, ML_WIDTH, ...: all lanes of a batch, one vector at a time. Kept a loop:
 * what is done between steps should not push the steps out of the instruction caches. */
#define ML_EACH_GROUP(g) _Pragma("GCC unroll 1") for (int g = 0; g < ML_LANES; g += ML_WIDTH)

/* Before a loop that is to go where its bounds are constants: in the kernel of a spec, and in any
 * kernel. Of loops within loops, with bounds that depend on each other, gcc leaves some, and then
 * every array that they index stays in memory, and what is stored there too. clang would unroll by
 * a number before it knows the bounds: loops in loops then take it half a minute. */
#ifdef ML_KEEP_CALLS
#define ML_UNROLL_WHOLE
#elif defined __clang__
#define ML_UNROLL_WHOLE _Pragma("clang loop unroll(full)")
#else
#define ML_UNROLL_WHOLE _Pragma("GCC unroll 128")
#endif
#ifdef ML_SPEC_TEXT
#define ML_UNROLL ML_UNROLL_WHOLE
#else
#define ML_UNROLL
#endif

/* Calls that are seldom made, and loops with bodies so long that the instruction cache of a
 * processor has room for one of them. On a GPU an array whose address a call takes, or that a loop
 * indexes, would be in memory instead of registers. */
#ifdef __NVPTX__
#define ML_RARE ML_INLINE
#define ML_ROLLED ML_UNROLL_WHOLE
#else
#define ML_RARE static __attribute__((noinline, unused))
#define ML_ROLLED _Pragma("GCC unroll 1")
#endif

/* The vector at `row` of a batched quantity; `p` points at the first lane wanted. */
ML_INLINE ml_vec ml_load(const double *p, int row)
{
    return *(const ml_vec *)(p + (long)row * ML_LANES);
}

ML_INLINE void ml_store(double *p, int row, ml_vec v) { *(ml_vec *)(p + (long)row * ML_LANES) = v; }

ML_INLINE ml_vec ml_splat(double a) { return a - (ml_vec){0}; }

ML_INLINE ml_vec ml_select(ml_mask m, ml_vec yes, ml_vec no)
{
    return (ml_vec)((m & (ml_mask)yes) | (~m & (ml_mask)no));
}

ML_INLINE ml_vec ml_abs(ml_vec a) { return (ml_vec)((ml_mask)a & INT64_MAX); }

/* Change of |a| when a changes by da. */
ML_INLINE ml_vec ml_abs_deriv(ml_vec a, ml_vec da)
{
    return (ml_vec)((ml_mask)da ^ ((ml_mask)a & INT64_MIN));
}

ML_INLINE ml_mask ml_no_lane(void) { return (ml_mask){0}; }

/* |a| <= limit; false for NaN. */
ML_INLINE ml_mask ml_within(ml_vec a, double limit)
{
#if ML_WIDTH == 2 && !ML_NEON
    ml_mask r = {0}; /* lane by lane: gcc 12 cannot expand some 128-bit comparisons without SSE4 */
    for (int l = 0; l < ML_WIDTH; l++)
        r[l] = fabs(a[l]) <= limit ? -1 : 0;
    return r;
#else
    return (ml_mask)(ml_abs(a) <= limit);
#endif
}

/* a * b + c with one rounding. */
ML_INLINE ml_vec ml_fma(ml_vec a, ml_vec b, ml_vec c)
{
#if ML_WIDTH > 2
    return (ml_vec)X86_FMA(a, b, c);
#elif ML_NEON
    return (ml_vec)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
#else
    ml_vec r = a;
    for (int l = 0; l < ML_WIDTH; l++)
        r[l] = __builtin_fma(a[l], b[l], c[l]);
    return r;
#endif
}

/* c - a * b with one rounding. */
ML_INLINE ml_vec ml_fnma(ml_vec a, ml_vec b, ml_vec c)
{
#if ML_WIDTH > 2
    return (ml_vec)X86_FNMA(a, b, c);
#elif ML_NEON
    return (ml_vec)vfmsq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
#else
    return ml_fma(-a, b, c);
#endif
}

/* a < b ? a : b, so b where either is NaN (NEON's own minimum would be NaN). */
ML_INLINE ml_vec ml_min(ml_vec a, ml_vec b)
{
#if ML_WIDTH > 2
    return (ml_vec)X86_MIN(a, b);
#else
    return ml_select((ml_mask)(a < b), a, b);
#endif
}

/* Whether a value leaves the largest so far as it is; a largest that is NaN stays. */
ML_INLINE ml_mask ml_is_kept(ml_vec value, ml_vec largest)
{
    return (ml_mask)(value <= largest) | (ml_mask)(largest != largest);
}

/* a > b ? a : b, so b where either is NaN. */
ML_INLINE ml_vec ml_max(ml_vec a, ml_vec b)
{
#if ML_WIDTH > 2
    return (ml_vec)X86_MAX(a, b);
#else
    return ml_select((ml_mask)(a > b), a, b);
#endif
}

ML_INLINE ml_vec ml_sqrt(ml_vec a)
{
#if ML_WIDTH > 2
    return (ml_vec)X86_SQRT(a);
#elif ML_NEON
    return (ml_vec)vsqrtq_f64((float64x2_t)a);
#else
    ml_vec r = a;
    for (int l = 0; l < ML_WIDTH; l++)
        r[l] = __builtin_sqrt(a[l]);
    return r;
#endif
}

/* One bit per lane of the vector, lane 0 in bit 0. */
ML_INLINE unsigned ml_bits(ml_mask m)
{
#if ML_WIDTH > 2
    return (unsigned)X86_BITS(m);
#else
    unsigned bits = 0;
    for (int l = 0; l < ML_WIDTH; l++)
        bits |= (unsigned)(m[l] & 1) << l;
    return bits;
#endif
}

#endif
