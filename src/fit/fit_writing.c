/* Datasets of a fit, each with its scales. */
#include "fit/fit_writing.h"

struct ml_h5_field ml_fit_put(struct ml_fit_writing *w, struct ml_h5_field field, int rank,
                              const int64_t *size, const void *values)
{
    field.extent.rank = rank;
    for (int k = 0; k < rank; k++)
        field.extent.size[k] = (unsigned long long)size[k];
    ml_h5_dataset(&w->result.h5, w->group, &field, field.type, values);
    return field;
}

void ml_fit_put_parameters(struct ml_fit_writing *w, const char *name, const char *doc, int rank,
                           const double *values)
{
    const int64_t size[ML_MAX_RANK] = {w->found->n, w->found->n};
    const struct ml_h5_field field = {.name = name,
                                      .type = H5T_NATIVE_DOUBLE,
                                      .doc = doc,
                                      .scales = {"parameter", rank > 1 ? "with_parameter" : NULL}};
    (void)ml_fit_put(w, field, rank, size, values);
}

void ml_fit_put_index(struct ml_fit_writing *w, const char *name, const char *doc, int64_t n)
{
    int64_t *index = ml_pool_take(&w->pool, (size_t)n + 1, sizeof *index);
    const struct ml_h5_field field = {
        .name = name, .type = H5T_NATIVE_INT64, .unit = "1", .doc = doc, .is_scale = true};
    for (int64_t i = 0; index && i < n; i++)
        index[i] = i;
    if (index)
        ml_result_vector(&w->result, w->group, field, n, index);
    else
        ml_h5_fail(&w->result.h5, ML_E_MEMORY, "out of memory");
}

void ml_fit_put_view(struct ml_fit_writing *w, hid_t plots, const struct ml_h5_field *field,
                     const char *const *labels)
{
    struct ml_nxdata view = {.name = field->name,
                             .shows = field->name,
                             .data = w->group,
                             .plots = plots,
                             .path = "/study/" ML_FIT_GROUP,
                             .field = *field};
    ml_nxdata_begin(&view, 0, NULL, ML_DRAWN_CURVES);
    view.dim[0] = (struct ml_nxdata_dim){.role = ML_NXDATA_SIGNAL, .labels = labels};
    view.dim[1].role = ML_NXDATA_AXIS;
    ml_nxdata_write(&w->result, &view);
}
