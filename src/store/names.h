/* Names of datasets that come from the study. */
#ifndef ML_STORE_NAMES_H
#define ML_STORE_NAMES_H

#include "store/layout.h"

enum { ML_NAME_LENGTH = 256 };

/* Whether the values of an axis are spaced by a factor, and have a logarithm. */
bool ml_has_log(const struct ml_axis *axis);

/* ML_E_INPUT if a name cannot be one in HDF5 and netCDF, or two datasets of a group would share
 * one. */
enum ml_status ml_names_check(const struct ml_layout *layout, struct ml_error *err);

#endif
