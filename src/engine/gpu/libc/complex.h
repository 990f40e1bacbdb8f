/* In the place of <complex.h> in kernels for a GPU. */
#define complex _Complex
