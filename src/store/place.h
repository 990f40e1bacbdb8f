/* Where HDF5 puts the trajectories in a final file. */
#ifndef ML_STORE_PLACE_H
#define ML_STORE_PLACE_H

#include "store/h5.h"
#include "store/trajectories.h"

/* Makes room for the trajectories in a file that has just been created, before anything else: then
 * their places depend on nothing but their sizes.
 *   datasets  [ML_MAX_RECORDS], without a name yet; -1: not kept */
void ml_place_reserve(struct ml_h5 *h5, hid_t file, const struct ml_layout *layout, hid_t *datasets,
                      struct ml_places *places);

/* Asks HDF5 for the places, by a file that is removed again. It also tells early when the file
 * system takes no file of that size. */
enum ml_status ml_place_find(const struct ml_layout *layout, const char *folder,
                             struct ml_places *places, struct ml_error *err);

#endif
