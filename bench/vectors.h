/* The widest vector of the processor this file is compiled for, with SLEEF's sine and cosine. C and
 * C++. */
#include <immintrin.h>
#include <sleef.h>

#if defined __AVX512F__
#define VECTOR_WIDTH 8
typedef __m512d vector;
#define VECTOR_SINCOS_U35 Sleef_sincosd8_u35avx512f
#define VECTOR_SINCOS_U10 Sleef_sincosd8_u10avx512f
#elif defined __AVX2__ && defined __FMA__
#define VECTOR_WIDTH 4
typedef __m256d vector;
#define VECTOR_SINCOS_U35 Sleef_sincosd4_u35avx2
#define VECTOR_SINCOS_U10 Sleef_sincosd4_u10avx2
#else
#define VECTOR_WIDTH 2
typedef __m128d vector;
#define VECTOR_SINCOS_U35 Sleef_sincosd2_u35
#define VECTOR_SINCOS_U10 Sleef_sincosd2_u10
#endif

#ifdef __cplusplus
#define VECTOR_AUTO auto
#else
#define VECTOR_AUTO __auto_type
#endif

static inline __attribute__((always_inline, unused)) void vector_sincos(vector x, vector *s,
                                                                        vector *c)
{
    VECTOR_AUTO both = VECTOR_SINCOS_U35(x);
    *s = both.x;
    *c = both.y;
}
