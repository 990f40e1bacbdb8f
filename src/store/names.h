/* Names of datasets that come from the study. */
#ifndef ML_STORE_NAMES_H
#define ML_STORE_NAMES_H

#include "store/layout.h"

/* ML_E_INPUT if a name cannot be one in HDF5 and netCDF, or two datasets of a group would share
 * one. */
enum ml_status ml_names_check(const struct ml_layout *layout, struct ml_error *err);

#endif
