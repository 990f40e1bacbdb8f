/* A result file of a fit that is being written. */
#ifndef ML_FIT_FIT_WRITING_H
#define ML_FIT_FIT_WRITING_H

#include "fit/profile.h"
#include "store/result_rows.h"

#define ML_FIT_GROUP "fit"

/* Dimensions of the datasets. */
enum ml_fit_dim {
    ML_FIT_PARAMETER = 1,
    ML_FIT_WITH_PARAMETER,
    ML_FIT_COLUMN,
    ML_FIT_CURVE,
    ML_FIT_TIME,
    ML_FIT_COMBINATION,
    ML_FIT_START,
    ML_FIT_OFFSET,
    ML_FIT_PROFILE_CURVE,
    ML_N_FIT_DIM
};

struct ml_fit_writing {
    const struct ml_fit_found *found;
    const struct ml_fit_profile *profile; /* NULL: not wanted */
    const struct ml_fit_spec *spec;
    const char *page;
    const struct ml_provenance *provenance;
    struct ml_layout layout;
    struct ml_result_file result;
    hid_t group;
    struct ml_result_dim dims[ML_N_FIT_DIM];
    struct ml_pool pool;
};

/* A view of a dataset as curves: of its first dimension, along its second.
 *   labels  of the curves */
void ml_fit_write_view(struct ml_fit_writing *writing, hid_t plots, const struct ml_result_row *row,
                       const char *const *labels);

/* Profiles: scales, datasets and their view. */
void ml_fit_write_profile(struct ml_fit_writing *writing, hid_t plots);

#endif
