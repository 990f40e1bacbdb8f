#include "sleef_sincos.h"

#include "vectors.h"

void ml_bench_sleef_u10(int n, const double *x, double *sine, double *cosine)
{
    for (int i = 0; i < n; i += VECTOR_WIDTH) {
        VECTOR_AUTO both = VECTOR_SINCOS_U10(*(const vector *)(x + i));
        *(vector *)(sine + i) = both.x;
        *(vector *)(cosine + i) = both.y;
    }
}

void ml_bench_sleef_u35(int n, const double *x, double *sine, double *cosine)
{
    for (int i = 0; i < n; i += VECTOR_WIDTH) {
        VECTOR_AUTO both = VECTOR_SINCOS_U35(*(const vector *)(x + i));
        *(vector *)(sine + i) = both.x;
        *(vector *)(cosine + i) = both.y;
    }
}
