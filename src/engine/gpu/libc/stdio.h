/* In the place of <stdio.h> in kernels for a GPU. */
typedef struct ml_gpu_no_file FILE;
