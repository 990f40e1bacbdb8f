/* A result file of a fit that is being written. */
#ifndef ML_FIT_FIT_WRITING_H
#define ML_FIT_FIT_WRITING_H

#include "fit/profile.h"
#include "store/result.h"

#define ML_FIT_GROUP "fit"

struct ml_fit_writing {
    const struct ml_fit_found *found;
    const struct ml_fit_profile *profile; /* NULL: not wanted */
    const struct ml_fit_spec *spec;
    const char *page;
    const struct ml_provenance *provenance;
    struct ml_layout layout;
    struct ml_result_file result;
    hid_t group;
    struct ml_pool pool;
};

/* A dataset of numbers along scales of the group, written in full; the field with its extent. */
struct ml_h5_field ml_fit_put(struct ml_fit_writing *writing, struct ml_h5_field field, int rank,
                              const int64_t *size, const void *values);

/* Numbers along `parameter`, or as a matrix of these. */
void ml_fit_put_parameters(struct ml_fit_writing *writing, const char *name, const char *doc,
                           int rank, const double *values);

/* A scale 0, 1, ... */
void ml_fit_put_index(struct ml_fit_writing *writing, const char *name, const char *doc, int64_t n);

/* A view of a dataset as curves: of its first dimension, along its second.
 *   labels  of the curves */
void ml_fit_put_view(struct ml_fit_writing *writing, hid_t plots, const struct ml_h5_field *field,
                     const char *const *labels);

/* Profiles: scales, datasets and their view. */
void ml_fit_put_profile(struct ml_fit_writing *writing, hid_t plots);

#endif
