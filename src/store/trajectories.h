/* Trajectories, written once and straight to where they are in the final file.
 *
 * The saved runs of a block are one range of each record's dataset, at an address that HDF5 names
 * beforehand. OUT.h5.parts/trajectories is the final file with these ranges only; HDF5 never opens
 * it before it is whole. At the end HDF5 makes everything else in a file of its own, with a hole
 * where the trajectories are, and that is copied around them: whenever the process ends, doing so
 * again is enough. Every run's bytes have a checksum, which the part of their block keeps. */
#ifndef ML_STORE_TRAJECTORIES_H
#define ML_STORE_TRAJECTORIES_H

#include "base/io.h"
#include "engine/team/ensemble.h"
#include "h5/h5.h"
#include "plan/layout.h"

/* First bytes in the final file: of the seal, and of the dataset of each record that is kept. */
struct ml_offsets {
    unsigned long long seal, *address; /* [ml_layout_records] */
};

/* Makes room for the seal, which has no name yet, in a file that has just been created.
 *   n_record  records whose trajectories the file has */
void ml_offsets_seal(struct ml_h5 *h5, hid_t file, int n_record, hid_t *seal,
                     struct ml_offsets *offsets);

/* Makes room for the seal and the trajectories in a file that has just been created, before
 * anything else: then their offsets depend on nothing but their sizes. They have no names yet.
 *   datasets  [ml_layout_records] */
void ml_offsets_reserve(struct ml_h5 *h5, hid_t file, const struct ml_layout *layout, hid_t *seal,
                        hid_t *datasets, struct ml_offsets *offsets);

/* The trajectories alone. */
void ml_offsets_trajectories(struct ml_h5 *h5, hid_t file, const struct ml_layout *layout,
                             hid_t *datasets, struct ml_offsets *offsets);

/* Asks HDF5 for the offsets, which have room, by a file that is removed again. That also detects
 * early a file system that takes no file of that size. */
enum ml_status ml_offsets_find(const struct ml_layout *layout, const char *folder,
                               struct ml_offsets *offsets, struct ml_error *err);

/* Its name among the parts. */
#define ML_TRAJECTORIES_NAME "trajectories"

struct ml_trajectories {
    const struct ml_layout *layout; /* borrowed */
    char *path;
    int file; /* open for reading and writing */
    struct ml_direct_io direct;
    struct ml_offsets offsets;
    uint64_t *sums; /* [ml_layout_records][saved runs] XXH3 (64 bits) of the bytes of each run of
                       the block that was put or computed last */
    char *buffer;   /* whole runs that are read at a time */
};

/* Opens the file in a folder of parts, or makes it.
 *   must_be_there  fail without it: blocks have been put */
enum ml_status ml_trajectories_open(struct ml_trajectories *t, const struct ml_layout *layout,
                                    const char *folder, bool must_be_there, struct ml_error *err);

/* Closes and frees; {0} and the result of a failed open are allowed. */
void ml_trajectories_close(struct ml_trajectories *t);

/* Writes a block's trajectories and computes their checksums. They are safe from the end of the
 * machine after ml_trajectories_sync, which allows {0}. */
enum ml_status ml_trajectories_write(struct ml_trajectories *t, const struct ml_block *block,
                                     struct ml_error *err);

enum ml_status ml_trajectories_sync(struct ml_trajectories *t, struct ml_error *err);

/* Reads a block's trajectories back and compares their checksums.
 *   expected  as `sums` */
enum ml_status ml_trajectories_check(struct ml_trajectories *t, int64_t block,
                                     const uint64_t *expected, struct ml_error *err);

/* Numbers first .. first + n - 1 of record k of the saved run in a row; not their checksum. */
enum ml_status ml_trajectories_read(const struct ml_trajectories *t, int k, int64_t row,
                                    int64_t first, int64_t n, double *values, struct ml_error *err);

/* Bytes of a record's dataset. */
uint64_t ml_trajectories_bytes(const struct ml_layout *layout, int k);

/* Copies the rest of the final file, in a file of its own, around the trajectories. */
enum ml_status ml_trajectories_copy_metadata(const struct ml_trajectories *t, const char *rest,
                                             struct ml_error *err);

#endif
