/* Views of the datasets of a fit. */
#include "fit/fit_writing.h"

void ml_fit_write_view(struct ml_fit_writing *w, hid_t plots, enum ml_dataset dataset,
                       const struct ml_result_item *item, const char *const *labels)
{
    const char *name = ml_dataset_name(dataset);
    struct ml_nxdata view = {.name = name,
                             .shows = name,
                             .data = w->group.id,
                             .plots = plots,
                             .path = "/study/" ML_FIT_GROUP,
                             .field = ml_result_field(&w->layout, w->group.dims, dataset, item)};
    ml_nxdata_begin(&view, 0, NULL);
    view.dim[0] = (struct ml_nxdata_dim){.role = ML_NXDATA_SIGNAL, .labels = labels};
    view.dim[1].role = ML_NXDATA_AXIS;
    ml_nxdata_write(&w->result, &view);
}
