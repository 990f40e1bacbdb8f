/* Reserves space for seal and trajectories before anything else in a file, and asks HDF5 for its
 * address. */
#include "store/offsets.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/path.h"
#include "store/seal.h"

void ml_offsets_seal(struct ml_h5 *h5, hid_t file, hid_t *seal, struct ml_offsets *offsets)
{
    const struct ml_extent words = {.rank = 1, .size = {ML_SEAL_WORDS}};
    *offsets = (struct ml_offsets){0};
    *seal = ml_h5_reserve(h5, file, H5T_NATIVE_UINT64, &words);
    offsets->seal = ml_h5_address(h5, *seal);
}

void ml_offsets_reserve(struct ml_h5 *h5, hid_t file, const struct ml_layout *layout, hid_t *seal,
                        hid_t *datasets, struct ml_offsets *offsets)
{
    ml_offsets_seal(h5, file, seal, offsets);
    ml_offsets_trajectories(h5, file, layout, datasets, offsets);
}

void ml_offsets_trajectories(struct ml_h5 *h5, hid_t file, const struct ml_layout *layout,
                             hid_t *datasets, struct ml_offsets *offsets)
{
    for (int i = 0; i < ML_MAX_RECORDS; i++)
        datasets[i] = -1;
    if (!ml_layout_has_trajectories(layout))
        return;
    for (int i = 0; i < ml_ensemble_records(&layout->study->ensemble); i++) {
        if (!ml_layout_keeps(layout, i))
            continue;
        struct ml_extent extent = ml_layout_record(layout, i, layout->n_saved);
        datasets[i] = ml_h5_reserve(h5, file, H5T_NATIVE_DOUBLE, &extent);
        offsets->address[i] = ml_h5_address(h5, datasets[i]);
    }
}

static enum ml_status offsets_find(const struct ml_layout *layout, const char *path,
                                   struct ml_offsets *offsets, struct ml_error *err)
{
    struct ml_h5 h5;
    hid_t seal, datasets[ML_MAX_RECORDS];
    ml_h5_begin(&h5, path, err);
    hid_t file = ml_h5_create(&h5);
    ml_offsets_reserve(&h5, file, layout, &seal, datasets, offsets);
    ml_h5_close(&h5, file);
    (void)unlink(path); /* it may not exist */
    return ml_h5_end(&h5);
}

enum ml_status ml_offsets_find(const struct ml_layout *layout, const char *folder,
                               struct ml_offsets *offsets, struct ml_error *err)
{
    char *name = ml_path("%s/offsets", folder), *path = name ? ml_path_temporary(name) : NULL;
    enum ml_status status = path ? offsets_find(layout, path, offsets, err)
                                 : ml_fail(err, ML_E_MEMORY, "out of memory");
    free(path);
    free(name);
    return status;
}
