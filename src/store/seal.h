/* The seal of a result file: one checksum of it all but the trajectories, which have their own, and
 * but the five bytes that a program leaves changed that was killed while it had the file open.
 *
 * It is a dataset near the beginning of the file, found by its first word, so that a damaged file
 * is known for one before HDF5 reads it. */
#ifndef ML_STORE_SEAL_H
#define ML_STORE_SEAL_H

#include "engine/ensemble.h"
#include "manylink/status.h"

struct ml_seal_range {
    uint64_t at, size; /* bytes */
};

/* As it is in the file. */
struct ml_seal {
    uint64_t magic, size; /* of the file, bytes */
    uint64_t low, high;   /* XXH3 (128 bits) of the file without the seal and what is skipped, and
                             then of the seal with 0 here */
    struct ml_seal_range skipped[ML_MAX_RECORDS]; /* trajectories; size 0: none */
};

enum { ML_SEAL_WORDS = sizeof(struct ml_seal) / sizeof(uint64_t) };

/* Seals a file that is closed.
 *   at      where the seal is
 *   skipped  [ML_MAX_RECORDS]; NULL: nothing */
enum ml_status ml_seal_write(const char *path, uint64_t at, const struct ml_seal_range *skipped,
                             struct ml_error *err);

/* ML_OK if the file is as it was sealed, or has no seal (*is_sealed).
 *   is_sealed  may be NULL */
enum ml_status ml_seal_check(const char *path, bool *is_sealed, struct ml_error *err);

#endif
