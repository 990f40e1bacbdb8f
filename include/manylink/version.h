#ifndef MANYLINK_VERSION_H
#define MANYLINK_VERSION_H

#define ML_VERSION "0.1.0"

/* Version of the study file. */
#define ML_FORMAT 1

/* Version of the result file: 2 has trajectories in one piece, with checksums of their own; 3 has a
 * seal, a checksum of all the rest; 4 has views; the seal of 5 counts the trajectories. */
#define ML_RESULT_FORMAT 5

#include "manylink/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ML_VERSION of the library that runs, which may be another than the header's. */
ML_API const char *ml_version(void);

/* Instruction set i that the library has kernels for and this machine can run, from 0 on, the
 * slowest first; NULL past the last. */
ML_API const char *ml_isa(int i);

/* GPUs of this machine with their memory and compute capability, or "none: " and why none can be
 * used; to be freed with free(), NULL without memory. */
ML_API char *ml_gpu_text(void);

#ifdef __cplusplus
}
#endif

#endif
