/* A study built by calls: keys are set one by one, then read as those of a study file are. */
#ifndef MANYLINK_DRAFT_H
#define MANYLINK_DRAFT_H

#include <stddef.h>

#include "manylink/api.h"
#include "manylink/status.h"
#include "manylink/study.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Keys and values, not checked yet. For one thread at a time. */
struct ml_draft;

/* An empty draft.
 *   name  stands for the file in messages and results; files that the study names stand beside it.
 *         NULL: "study", in the current folder
 *   out   freed with ml_draft_free; NULL on failure (ML_E_MEMORY) */
ML_API enum ml_status ml_draft_new(const char *name, struct ml_draft **out, struct ml_error *err);
ML_API void ml_draft_free(struct ml_draft *draft);

/* Sets the value of a path; an earlier value is replaced. `manylink: 1` need not be set.
 *   path   keys of the study file joined by dots: "system.gravity". An element of a list is counted
 *          from 0, "sweep[0].from", and the one behind the last is appended, by its number or by
 *          nothing: "sweep[]". An element that has a `name` can be found by it, an axis by its key
 *          too, and a number of a list by the name of its segment: "system.segments.lower.mass",
 *          "initial.angle.lower". Paths of --set are the same
 *   value  as it would stand in the file: a number, a word, or a list or map between brackets, such
 * as
 *          "{set: system.gravity, from: 0, to: 9.81, count: 10}"
 * ML_E_INPUT if `path` is not the path of a key. Whether the study has such a key, and may have
 * this value, is known when it is read. */
ML_API enum ml_status ml_draft_set(struct ml_draft *draft, const char *path, const char *value,
                                   struct ml_error *err);

/* Sets a key to a number, to [n] numbers, and to a text, which may be any. */
ML_API enum ml_status ml_draft_set_number(struct ml_draft *draft, const char *path, double value,
                                          struct ml_error *err);
ML_API enum ml_status ml_draft_set_numbers(struct ml_draft *draft, const char *path,
                                           const double *values, size_t n, struct ml_error *err);
ML_API enum ml_status ml_draft_set_text(struct ml_draft *draft, const char *path, const char *text,
                                        struct ml_error *err);

/* Reads the study. The draft stays as it is, and can be changed and read again.
 *   out  owned by the caller, freed with ml_study_free; NULL on failure
 * ML_E_INPUT with one or more lines "PATH=VALUE: fault and allowed values". */
ML_API enum ml_status ml_draft_read(const struct ml_draft *draft, struct ml_study **out,
                                    struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
