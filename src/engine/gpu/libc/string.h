/* In the place of <string.h> in kernels for a GPU. */
#define memcpy __builtin_memcpy
#define memset __builtin_memset
