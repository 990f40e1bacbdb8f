/* Names of datasets that come from the study. */
#ifndef ML_STORE_NAMES_H
#define ML_STORE_NAMES_H

#include "store/layout.h"

enum { ML_NAME_LENGTH = 256 };

/* Whether a log10 of the axis is shipped beside it, and its name, written to `name`. */
bool ml_has_log_name(const struct ml_axis *axis);
const char *ml_log_name(const struct ml_axis *axis, char name[ML_NAME_LENGTH]);

/* ML_E_INPUT if a name cannot be one in HDF5 and netCDF, or two datasets of a group would share
 * one. */
enum ml_status ml_names_check(const struct ml_layout *layout, struct ml_error *err);

#endif
