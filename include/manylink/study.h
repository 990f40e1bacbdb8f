/* A study: what the YAML file says, checked and complete. */
#ifndef MANYLINK_STUDY_H
#define MANYLINK_STUDY_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ml_study;

/* Reads a study file.
 *   path       the file
 *   overrides  [n_override] "path.to.key=value", as of --set, applied to the file's keys
 *   isa        instruction set to use ("baseline", "v3", "v4"), NULL: the fastest there is
 *   out        owned by the caller, freed with ml_study_free; NULL on failure
 * Returns ML_E_FILE when the file cannot be read, ML_E_INPUT with one or more lines
 * "file:line:column: what is wrong, what is allowed" each followed by its source line and a caret.
 */
ML_API enum ml_status ml_study_read(const char *path, const char *const *overrides, int n_override,
                                    const char *isa, struct ml_study **out, struct ml_error *err);

/* The same from text; `name` stands for the file in messages. The text need not end in NUL. */
ML_API enum ml_status ml_study_parse(const char *name, const char *text, size_t length,
                                     const char *const *overrides, int n_override, const char *isa,
                                     struct ml_study **out, struct ml_error *err);

ML_API void ml_study_free(struct ml_study *study);

ML_API int64_t ml_study_runs(const struct ml_study *study);      /* number of runs */
ML_API const char *ml_study_title(const struct ml_study *study); /* "" if there is none */

/* A value of what is swept: path as in `set` of the study, unit as there. */
struct ml_study_point {
    const char *path;
    double value;
};

/* Finds the run nearest to given values: on each axis of a grid the value nearest to what is given
 * for it (in the logarithm on a log scale), in a sample the least sum of squares of the differences
 * in units of the ranges; the first of equals.
 *   points  [n_point] in a grid every axis of more than one value must be among them
 *   run     set to its number, from 0 on
 * ML_E_INPUT for a path that is not swept and for an axis without a value. */
ML_API enum ml_status ml_study_find_run(const struct ml_study *study,
                                        const struct ml_study_point *points, int n_point,
                                        int64_t *run, struct ml_error *err);

/* Makes it the study of one of its runs alone: no axes, the swept values those of the run, its
 * trajectory among those that are saved. What is measured on that run keeps every bit. ML_E_INPUT
 * if there is no such run; the study is then unchanged. */
ML_API enum ml_status ml_study_keep_run(struct ml_study *study, int64_t run, struct ml_error *err);

/* Notice i about the study, from 0 on; NULL past the last. A notice is a line of text without its
 * end, "file:line:column: note: ...", about what is no error but may not be meant. Borrowed from
 * the study. */
ML_API const char *ml_study_notice(const struct ml_study *study, int i);

/* The study as canonical YAML with every key and its value; itself a study file, and equal for
 * equal studies. Borrowed from the study. */
ML_API const char *ml_study_resolved(const struct ml_study *study);

/* JSON Schema (draft 2020-12) of the study file; to be freed by the caller, NULL without memory. */
ML_API char *ml_study_schema(void);

#ifdef __cplusplus
}
#endif

#endif
