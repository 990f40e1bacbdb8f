/* What the public functions that read a study have not. */
#ifndef ML_PLAN_READ_STUDY_H
#define ML_PLAN_READ_STUDY_H

#include "config/native.h"
#include "plan/study.h"

/* As ml_study_read, with what native code may be loaded. */
enum ml_status ml_study_read_native(const char *path, const char *const *overrides, int n_override,
                                    const char *isa, const struct ml_native *native,
                                    struct ml_study **out, struct ml_error *err);

/* As ml_study_parse, of a text that ends in NUL, without overrides. */
enum ml_status ml_study_parse_native(const char *name, const char *text, const char *isa,
                                     const struct ml_native *native, struct ml_study **out,
                                     struct ml_error *err);

#endif
