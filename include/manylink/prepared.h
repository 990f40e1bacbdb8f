/* A study that is run again and again with other numbers, as optimisers and samplers do: read,
 * planned and given a kernel once, into arrays in memory. */
#ifndef MANYLINK_PREPARED_H
#define MANYLINK_PREPARED_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/run.h"
#include "manylink/status.h"
#include "manylink/study.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A study, and the plan and results of the last call. For one thread at a time. */
struct ml_prepared;

/* Reads a study to be run many times.
 *   source  copied; `for_inverse`, `for_fit`, `motion` and `plugin` must be 0. Files that the study
 *           names are read again with the study
 *   out     freed with ml_prepared_free; NULL on failure
 * Returns and messages as of ml_study_load. */
ML_API enum ml_status ml_prepare(const struct ml_study_source *source, struct ml_prepared **out,
                                 struct ml_error *err);
ML_API void ml_prepared_free(struct ml_prepared *prepared); /* NULL is allowed */

/* The study as its source has it: axes, outputs, notices. Borrowed. */
ML_API const struct ml_study *ml_prepared_study(const struct ml_prepared *prepared);

/* How often the study was read so far: 1 after ml_prepare. A call that only changes numbers of
 * runs, on which no check and no plan depends, leaves the count alone. */
ML_API int64_t ml_prepared_readings(const struct ml_prepared *prepared);

/* Numbers in place of those of the study: a point has one number for each path. */
struct ml_prepared_points {
    size_t size;              /* sizeof(struct ml_prepared_points) */
    const char *const *paths; /* [n_path] as of --set: "system.segments.lower.mass", "time.end" */
    int n_path;               /* 0: the study's own numbers */
    const double *values;     /* [n_point][n_path] in the units of the keys */
    int64_t n_point;          /* at least 1 */
};

/* Results, in arrays that the next call frees. */
struct ml_prepared_runs {
    size_t size; /* sizeof(struct ml_prepared_runs), set by the caller */
    /* The study of the last point, for shapes, units and names: ml_study_output, _record, _axis.
     * Borrowed up to the next call. */
    const struct ml_study *study;
    int64_t n_point, n_run;       /* points, and runs of the study at each point */
    const int8_t *outcome;        /* [n_point][n_run] enum ml_outcome */
    const int64_t *steps;         /* [n_point][n_run] that were taken */
    const double *end_time;       /* [n_point][n_run] s, of the last good state */
    int n_output;                 /* as ml_study_output counts them */
    const double *const *outputs; /* [n_output] -> [n_point][n_run][shape of the output]; NaN of a
                                     run that did not finish */
    int64_t n_saved;              /* runs of each point that keep a trajectory */
    int n_record;                 /* as ml_study_record counts them */
    const double *const *records; /* [n_record] -> [n_point][n_saved][shape of the record] */
    const double *times;          /* s, along the last dimension of records; NULL: no record */
};

/* Runs the study at every point. Runs of a point have the bits of `manylink run` with these numbers
 * given by --set, noise included; a run that does not finish is an outcome. Points of a study with
 * one run advance side by side, so that many points of a call cost less than many calls.
 *   points   NULL: one point, the study's own numbers
 *   options  those about files and `device` must be 0. `kernel`: of ML_KERNEL_AUTO a kernel that is
 *            built in, else the general one, and nothing is compiled; of ML_KERNEL_ONLY_MADE the
 *            kernel is made in the first call, and in each call with other paths
 *   out      filled in; no run on failure
 * The study is read again for a number that a check or a plan depends on: one that is swept, that
 * the study does not give, that other numbers follow from by `define`, delays, numbers of events,
 * keys of `time`, `save`, `integrator` and `analyse`; and for any number where planning integrates
 * some steps: tangent vectors with a given step, scaled axes, an energy shell. A later call with
 * the same values of such numbers, at all its points, does not read it again.
 * ML_E_INPUT with the message of --set for an unknown path or a value out of its range, and for
 * points whose results have different shapes, times or axes; ML_STOPPED when `stop` asked for it,
 * ML_E_MEMORY. */
ML_API enum ml_status ml_prepared_run(struct ml_prepared *prepared,
                                      const struct ml_prepared_points *points,
                                      const struct ml_run_options *options,
                                      struct ml_prepared_runs *out, struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
