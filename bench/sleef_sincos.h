/* SLEEF's vectors of sines and cosines, if it is there. */
#ifndef ML_BENCH_SLEEF_SINCOS_H
#define ML_BENCH_SLEEF_SINCOS_H

/* n doubles, a multiple of 8; 64-byte aligned. u10 and u35: its two accuracies, 1.0 and 3.5 ulp. */
void ml_bench_sleef_u10(int n, const double *x, double *sine, double *cosine);
void ml_bench_sleef_u35(int n, const double *x, double *sine, double *cosine);

#endif
