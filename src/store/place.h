/* Where HDF5 puts the trajectories in a final file. */
#ifndef ML_STORE_PLACE_H
#define ML_STORE_PLACE_H

#include "store/h5.h"
#include "store/trajectories.h"

/* Makes room for the seal, which has no name yet, in a file that has just been created. */
void ml_place_seal(struct ml_h5 *h5, hid_t file, hid_t *seal, struct ml_places *places);

/* Makes room for the seal and the trajectories in a file that has just been created, before
 * anything else: then their places depend on nothing but their sizes. They have no names yet.
 *   datasets  [ML_MAX_RECORDS], -1: not kept */
void ml_place_reserve(struct ml_h5 *h5, hid_t file, const struct ml_layout *layout, hid_t *seal,
                      hid_t *datasets, struct ml_places *places);

/* The trajectories alone. */
void ml_place_trajectories(struct ml_h5 *h5, hid_t file, const struct ml_layout *layout,
                           hid_t *datasets, struct ml_places *places);

/* Asks HDF5 for the places, by a file that is removed again. It also tells early when the file
 * system takes no file of that size. */
enum ml_status ml_place_find(const struct ml_layout *layout, const char *folder,
                             struct ml_places *places, struct ml_error *err);

#endif
