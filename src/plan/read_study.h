/* Options of reading a study that the public functions lack. */
#ifndef ML_PLAN_READ_STUDY_H
#define ML_PLAN_READ_STUDY_H

#include "config/native.h"
#include "plan/study.h"

/* As ml_study_load, of a text that ends in NUL, without overrides.
 *   is_for_inverse  nothing will be integrated */
enum ml_status ml_study_parse_native(const char *name, const char *text,
                                     const struct ml_native *native, bool is_for_inverse,
                                     struct ml_study **out, struct ml_error *err);

#endif
