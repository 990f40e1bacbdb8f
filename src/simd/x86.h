/* The operations of AVX2 and AVX-512 that vectors (simd/lanes.h) are made of, on ml_vec and
 * ml_mask. The compilers' own names for them, since immintrin.h takes 0.25 s of every unit, as long
 * as the smaller kernels themselves; immintrin.h where a compiler has others. */
#ifndef ML_SIMD_X86_H
#define ML_SIMD_X86_H

#define X86_ALL_LANES ((unsigned char)-1)
#define X86_ROUND_NEAREST 4 /* as the thread has it set: nobody changes that */

#if ML_WIDTH == 8 && defined __clang__ && __has_builtin(__builtin_ia32_vfmaddpd512) && \
    __has_builtin(__builtin_ia32_minpd512) && __has_builtin(__builtin_ia32_sqrtpd512)
#define X86_FMA(a, b, c) __builtin_ia32_vfmaddpd512(a, b, c, X86_ROUND_NEAREST)
#define X86_FNMA(a, b, c) __builtin_ia32_vfmaddpd512(-(a), b, c, X86_ROUND_NEAREST)
#define X86_MIN(a, b) __builtin_ia32_minpd512(a, b, X86_ROUND_NEAREST)
#define X86_MAX(a, b) __builtin_ia32_maxpd512(a, b, X86_ROUND_NEAREST)
#define X86_SQRT(a) __builtin_ia32_sqrtpd512(a, X86_ROUND_NEAREST)
#define X86_BITS(m) __builtin_ia32_cvtq2mask512(m)

#elif ML_WIDTH == 8 && !defined __clang__ && __has_builtin(__builtin_ia32_vfmaddpd512_mask) && \
    __has_builtin(__builtin_ia32_minpd512_mask) && __has_builtin(__builtin_ia32_sqrtpd512_mask)
#define X86_FMA(a, b, c) __builtin_ia32_vfmaddpd512_mask(a, b, c, X86_ALL_LANES, X86_ROUND_NEAREST)
#define X86_FNMA(a, b, c) \
    __builtin_ia32_vfnmaddpd512_mask(a, b, c, X86_ALL_LANES, X86_ROUND_NEAREST)
#define X86_MIN(a, b) __builtin_ia32_minpd512_mask(a, b, a, X86_ALL_LANES, X86_ROUND_NEAREST)
#define X86_MAX(a, b) __builtin_ia32_maxpd512_mask(a, b, a, X86_ALL_LANES, X86_ROUND_NEAREST)
#define X86_SQRT(a) __builtin_ia32_sqrtpd512_mask(a, a, X86_ALL_LANES, X86_ROUND_NEAREST)
#define X86_BITS(m) __builtin_ia32_cvtq2mask512((long long __attribute__((vector_size(64))))(m))

#elif ML_WIDTH == 4 && __has_builtin(__builtin_ia32_vfmaddpd256) && \
    __has_builtin(__builtin_ia32_minpd256) && __has_builtin(__builtin_ia32_sqrtpd256)
#define X86_FMA(a, b, c) __builtin_ia32_vfmaddpd256(a, b, c)
#if __has_builtin(__builtin_ia32_vfnmaddpd256)
#define X86_FNMA(a, b, c) __builtin_ia32_vfnmaddpd256(a, b, c)
#else
#define X86_FNMA(a, b, c) __builtin_ia32_vfmaddpd256(-(a), b, c)
#endif
#define X86_MIN(a, b) __builtin_ia32_minpd256(a, b)
#define X86_MAX(a, b) __builtin_ia32_maxpd256(a, b)
#define X86_SQRT(a) __builtin_ia32_sqrtpd256(a)
#define X86_BITS(m) __builtin_ia32_movmskpd256((ml_vec)(m))

#else
#include <immintrin.h>
#if ML_WIDTH == 8
#define X86_FMA(a, b, c) _mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c))
#define X86_FNMA(a, b, c) _mm512_fnmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c))
#define X86_MIN(a, b) _mm512_min_pd((__m512d)(a), (__m512d)(b))
#define X86_MAX(a, b) _mm512_max_pd((__m512d)(a), (__m512d)(b))
#define X86_SQRT(a) _mm512_sqrt_pd((__m512d)(a))
#define X86_BITS(m) _mm512_movepi64_mask((__m512i)(m))
#else
#define X86_FMA(a, b, c) _mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c))
#define X86_FNMA(a, b, c) _mm256_fnmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c))
#define X86_MIN(a, b) _mm256_min_pd((__m256d)(a), (__m256d)(b))
#define X86_MAX(a, b) _mm256_max_pd((__m256d)(a), (__m256d)(b))
#define X86_SQRT(a) _mm256_sqrt_pd((__m256d)(a))
#define X86_BITS(m) _mm256_movemask_pd((__m256d)(m))
#endif
#endif

#endif
