/* The offsets at which HDF5 puts seal and trajectories in a result file. */
#ifndef ML_STORE_OFFSETS_H
#define ML_STORE_OFFSETS_H

#include "store/h5.h"
#include "store/layout.h"

/* First bytes in the final file: of the seal, and of the dataset of each record that is kept. */
struct ml_offsets {
    unsigned long long seal, address[ML_MAX_RECORDS];
};

/* Makes room for the seal, which has no name yet, in a file that has just been created. */
void ml_offsets_seal(struct ml_h5 *h5, hid_t file, hid_t *seal, struct ml_offsets *offsets);

/* Makes room for the seal and the trajectories in a file that has just been created, before
 * anything else: then their offsets depend on nothing but their sizes. They have no names yet.
 *   datasets  [ML_MAX_RECORDS], -1: not kept */
void ml_offsets_reserve(struct ml_h5 *h5, hid_t file, const struct ml_layout *layout, hid_t *seal,
                        hid_t *datasets, struct ml_offsets *offsets);

/* The trajectories alone. */
void ml_offsets_trajectories(struct ml_h5 *h5, hid_t file, const struct ml_layout *layout,
                             hid_t *datasets, struct ml_offsets *offsets);

/* Asks HDF5 for the offsets, by a file that is removed again. It also tells early when the file
 * system takes no file of that size. */
enum ml_status ml_offsets_find(const struct ml_layout *layout, const char *folder,
                               struct ml_offsets *offsets, struct ml_error *err);

#endif
