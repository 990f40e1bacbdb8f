/* The seal of a result file: one checksum of it all but the trajectories, which have their own, and
 * but the five bytes that a program leaves changed that was killed while it had the file open.
 *
 * It is a dataset near the beginning of the file, found by its first word, so that a damaged file
 * is known for one before HDF5 reads it. */
#ifndef ML_STORE_SEAL_H
#define ML_STORE_SEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "manylink/status.h"

struct ml_seal_range {
    uint64_t at, size; /* bytes */
};

/* Words of a seal in its file, of 8 bytes. Behind them stand the skipped ranges, which are the
 * trajectories. The checksum is XXH3 (128 bits) of the file without the seal and these ranges, then
 * of the seal with a checksum of 0. */
enum ml_seal_word {
    ML_SEAL_MAGIC,
    ML_SEAL_SIZE, /* of the file, bytes */
    ML_SEAL_LOW,  /* of the checksum */
    ML_SEAL_HIGH,
    ML_SEAL_SKIPPED, /* number of ranges */
    ML_SEAL_HEAD     /* number of these words */
};

/* Words of a seal of n ranges. */
static inline unsigned long long ml_seal_words(int n)
{
    return ML_SEAL_HEAD + 2ull * (unsigned long long)n;
}

/* Seals a file that is closed.
 *   at       where the seal is
 *   skipped  [n] */
enum ml_status ml_seal_write(const char *path, uint64_t at, int n,
                             const struct ml_seal_range *skipped, struct ml_error *err);

/* ML_OK if the file is as it was sealed, or has no seal (*is_sealed).
 *   is_sealed  may be NULL */
enum ml_status ml_seal_check(const char *path, bool *is_sealed, struct ml_error *err);

#endif
