/* How fast files reach the disk. */
#ifndef ML_BENCH_DISK_H
#define ML_BENCH_DISK_H

#include <stdint.h>

/* Writes `bytes` of `data` to a new file in `directory` and syncs it, in pieces of 8 MB; removes
 * it. `data` has `size` bytes and is used again and again. 0, or -1 when something failed. */
int ml_bench_disk_write(const char *directory, const char *data, int64_t size, int64_t bytes);

#endif
