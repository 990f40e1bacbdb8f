/* Views as attributes of the groups that h5web and silx draw; ml_result_view reads them. */
#ifndef ML_STORE_VIEWS_H
#define ML_STORE_VIEWS_H

#include "h5/h5.h"
#include "manylink/result.h"

void ml_view_put(struct ml_h5 *h5, hid_t group, const struct ml_view *view);

#endif
