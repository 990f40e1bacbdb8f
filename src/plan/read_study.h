/* Options of reading a study that the public functions lack. */
#ifndef ML_PLAN_READ_STUDY_H
#define ML_PLAN_READ_STUDY_H

#include "config/native.h"
#include "plan/study.h"

/* As ml_study_load, of a text that ends in NUL.
 *   source  `no_native` has no meaning: `native` has it */
enum ml_status ml_study_parse_native(const struct ml_study_source *source,
                                     const struct ml_native *native, struct ml_study **out,
                                     struct ml_error *err);

#endif
