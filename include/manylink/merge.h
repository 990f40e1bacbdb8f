/* Joining the results of shards. */
#ifndef MANYLINK_MERGE_H
#define MANYLINK_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/run.h"
#include "manylink/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ml_merge_options {
    size_t size;               /* sizeof(struct ml_merge_options) */
    const char *const *inputs; /* [n_input] paths of results of shards, in any order */
    int n_input;
    const char *output;         /* path of the result file */
    const char *study;          /* the study file, if it is not where it was; NULL */
    const char *plugin;         /* the study's plugin, if it is not where it was; NULL. Without it
                                   and `study` a result with a plugin is refused: it may come from
                                   anybody, and name any code */
    int no_native;              /* a result with a plugin is refused */
    int partial;                /* make a result although shards are missing */
    int restart;                /* as of ml_run */
    double wait;                /* s, for another process that makes the same result */
    int (*stop)(void *context); /* NULL, or as of ml_run: not 0: stop, to be continued later */
    void (*notice)(void *context, const char *text); /* NULL, or called with notices for the user */
    void *context;                                   /* of both */
    /* Path of the motion of an ml_inverse result if it has moved; NULL: the path in the result.
     * ML_E_INPUT of a result without a motion from a file. */
    const char *motion;
};

struct ml_merge_report {
    size_t size;   /* sizeof(struct ml_merge_report) */
    int n_outcome; /* as of struct ml_run_report */
    struct ml_outcome_count *outcomes;
    int64_t runs, sound, runs_missing;
    int was_finished; /* the result was there already and has been left alone */
    double seconds;
};

/* Makes the result of a whole study from those of its shards: the same file, but for provenance, as
 * if it had been run in one. Shards that are missing are named, an error unless a partial result is
 * wanted: then their runs have the outcome `missing`, and the same call with more shards replaces
 * it. Blocks of two shards are taken from the first. Results of another study are refused
 * (ML_E_OTHER_STUDY), damaged results are named. After an interruption the same call continues.
 *
 * Shards of ml_inverse are merged in the same way, but never into a partial result. Their motion is
 * read again from the path in the result, or from `motion`; ML_E_OTHER_STUDY if its checksum
 * differs. outcomes[ML_DIVERGED] counts results with numbers that are not finite; their notes go to
 * `notice`. */
ML_API enum ml_status ml_merge(const struct ml_merge_options *options,
                               struct ml_merge_report *report, struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
