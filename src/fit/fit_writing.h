/* A result file of a fit that is being written. */
#ifndef ML_FIT_FIT_WRITING_H
#define ML_FIT_FIT_WRITING_H

#include "fit/posterior.h"
#include "fit/profile.h"
#include "store/result.h"

#define ML_FIT_GROUP "fit"

struct ml_fit_writing {
    const struct ml_fit_found *found;
    const struct ml_fit_profile *profile;     /* NULL: not wanted */
    const struct ml_fit_posterior *posterior; /* the same */
    const struct ml_fit_spec *spec;
    const char *page;
    const struct ml_provenance *provenance;
    struct ml_layout layout;
    struct ml_result_file result;
    struct ml_result_group group;
    struct ml_pool pool;
};

/* A view of a dataset as curves: of its first dimension, along its second.
 *   labels  of the curves */
void ml_fit_write_view(struct ml_fit_writing *writing, hid_t plots, enum ml_dataset dataset,
                       const struct ml_result_item *item, const char *const *labels);

/* Profiles: scales, datasets and their view. */
void ml_fit_write_profile(struct ml_fit_writing *writing, hid_t plots);

/* fit/posterior_result.c: the chains and their moments. */
void ml_fit_write_posterior(struct ml_fit_writing *writing);

#endif
