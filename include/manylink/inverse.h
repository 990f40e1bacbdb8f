/* Inverse dynamics: the joint torques and forces of a given motion of a chain. */
#ifndef MANYLINK_INVERSE_H
#define MANYLINK_INVERSE_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/run.h"
#include "manylink/status.h"
#include "manylink/study.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ml_inverse_options {
    size_t size;        /* sizeof(struct ml_inverse_options) */
    const char *output; /* path of the result file */
    const char *motion; /* path of a table (CSV) or a result file; NULL: the study's own motion.
                           Never `output`, nor a shard: ML_E_INPUT. ML_E_FILE if a trajectory does
                           not match its checksum */
    int64_t run;        /* of a result file; -1: every run that it keeps the motion of */
    int n_thread;       /* 0: as OpenMP decides */
    int (*stop)(void *context); /* NULL, or as of ml_run */
    void *context;              /* of it, `progress` and `notice` */
    /* As of struct ml_run_options; runs are results, and steps are samples. */
    int64_t shard, shards;
    int restart;
    double wait;       /* s */
    double time_limit; /* s */
    int strict_space;
    void (*progress)(void *context, const struct ml_run_progress *progress);
    void (*notice)(void *context, const char *text);
    double grace; /* s */
};

struct ml_inverse_report {
    size_t size;              /* sizeof(struct ml_inverse_report) */
    int64_t motions, samples; /* of each motion */
    int64_t results;          /* motions times parameter sets; of a shard, those in it */
    int64_t not_finite;       /* results with a torque or force that is not finite */
    char notes[2048];         /* notes about the results, a line each with its end; "" */
    /* As of struct ml_run_report. */
    int64_t results_found;
    int was_finished;
    int64_t blocks, blocks_found;
    double seconds;
    int threads;
};

/* Writes the torques of every joint, in parts, and the forces between the segments. Of one motion
 * they are shaped on the study's sweep: the same motion for every set of parameters. Axes of
 * numbers without effect, such as gains of a controller, are left out. Several motions of a result
 * file are taken with the study's parameters, those of the run of the same number if it is swept;
 * it must be swept as the result's study was. An output that has the same results already is left
 * alone (was_finished in the report); one that has others of this function is replaced once the new
 * ones are there, and any other file is refused. ML_STOPPED when `stop` asked for it or the time
 * was over before the end: the same call continues, and the output is unchanged. ML_E_BUSY when
 * another process makes the same output. A shard in which there is nothing to do makes no file;
 * ml_merge joins shards, as those of ml_run.
 *   report  NULL: not wanted
 * Several threads may call it at once. */
ML_API enum ml_status ml_inverse(const struct ml_study *study,
                                 const struct ml_inverse_options *options,
                                 struct ml_inverse_report *report, struct ml_error *err);

/* Describes a table with a motion (CSV, .mot, .sto, .trc): its columns with their ranges, its rate
 * and gaps, columns that seem to be wrapped or in degrees or milliseconds; and the key `motion` of
 * a study that reads the table.
 *
 *   text  out: lines, to be freed with free(); NULL unless ML_OK
 *
 * ML_E_INPUT with one or more lines that name each error and its place. Thread-safe. */
ML_API enum ml_status ml_motion_describe(const char *path, char **text, struct ml_error *err);

/* Cutoffs of a filter for the angles and markers of such a file, by residual analysis (D. A.
 * Winter) and by generalised cross-validation, with the noise of each column. Arguments and errors
 * as above; ML_E_INPUT too for a file without such columns, with uneven times, or below 60 Hz. */
ML_API enum ml_status ml_motion_residuals(const char *path, char **text, struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
