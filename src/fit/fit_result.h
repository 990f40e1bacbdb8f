/* The file of a fit: /study/fit. */
#ifndef ML_FIT_FIT_RESULT_H
#define ML_FIT_FIT_RESULT_H

#include "fit/posterior.h"
#include "fit/profile.h"
#include "store/result.h"
#include "store/result_h5.h"

extern const struct ml_result_mark ml_fit_result_mark;

/* Makes the file, sealed, at once or not at all.
 *   profile, posterior  NULL: not wanted
 *   page                as of ml_fit_page */
enum ml_status ml_fit_result_write(const struct ml_fit_found *found,
                                   const struct ml_fit_profile *profile,
                                   const struct ml_fit_posterior *posterior, const char *page,
                                   const struct ml_provenance *provenance, const char *path,
                                   struct ml_error *err);

#endif
