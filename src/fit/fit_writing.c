/* Views of the datasets of a fit. */
#include "fit/fit_writing.h"

void ml_fit_write_view(struct ml_fit_writing *w, hid_t plots, const struct ml_result_row *row,
                       const char *const *labels)
{
    struct ml_nxdata view = {.name = row->name,
                             .shows = row->name,
                             .data = w->group,
                             .plots = plots,
                             .path = "/study/" ML_FIT_GROUP,
                             .field = ml_result_row_field(w->dims, row)};
    ml_nxdata_begin(&view, 0, NULL);
    view.dim[0] = (struct ml_nxdata_dim){.role = ML_NXDATA_SIGNAL, .labels = labels};
    view.dim[1].role = ML_NXDATA_AXIS;
    ml_nxdata_write(&w->result, &view);
}
