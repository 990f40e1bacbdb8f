/* A result that is open for reading, in a file or in memory: the struct behind
 * manylink/result.h. */
#ifndef ML_STORE_OPENED_H
#define ML_STORE_OPENED_H

#include "h5/h5.h"
#include "manylink/result.h"
#include "yaml/pool.h"

/* One dataset that is listed. */
struct ml_opened_dataset {
    struct ml_array_info info; /* texts in the pool */
    const char *const *texts;  /* [number of its texts] once they were asked for; NULL */
    bool is_copy;              /* for viewers only: found by its path, not listed */
};

struct ml_result {
    struct ml_h5 h5; /* entered by one call at a time */
    hid_t file, entry;
    char *path; /* of the file, or a substitute */
    struct ml_opened_dataset *datasets;
    int n_dataset, n_room;
    struct ml_view *views; /* [n_view] by rank, once they were asked for */
    int n_view;
    bool has_views;
    struct ml_pool pool;
};

/* Makes a result of an HDF5 file that is open between ml_h5_begin and ml_h5_leave; with or without
 * success the result has it from now on.
 *   path  copied */
enum ml_status ml_opened_make(struct ml_h5 *h5, hid_t file, const char *path,
                              struct ml_result **out, struct ml_error *err);

#endif
