/* Whether a result is sound. */
#ifndef MANYLINK_VERIFY_H
#define MANYLINK_VERIFY_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ml_verify_options {
    size_t size;                /* sizeof(struct ml_verify_options) */
    const char *path;           /* of the result */
    const char *study;          /* the study file, if it is not where it was; NULL */
    const char *plugin;         /* the study's plugin, if it is not where it was; NULL. Without it
                                   and `study` a result with a plugin is refused: it may come from
                                   anybody, and name any code */
    int no_native;              /* a result with a plugin is refused */
    int64_t n_run;              /* runs that are computed again, drawn at random */
    uint32_t seed;              /* of the draw */
    int n_thread;               /* 0: as OpenMP decides */
    int (*stop)(void *context); /* NULL, or as of ml_run */
    void *context;              /* of it */
    /* Path of the motion of an ml_inverse result if it has moved; NULL: the path in the result.
     * ML_E_INPUT of a result without a motion from a file. */
    const char *motion;
};

struct ml_verify_report {
    size_t size;           /* sizeof(struct ml_verify_report) */
    int64_t runs;          /* of the result */
    int64_t runs_missing;  /* of them, those that were in no shard that was merged */
    int64_t runs_computed; /* again */
    int64_t runs_differing;
    double seconds;
    int64_t outputs_older; /* datasets of the summary that are not compared: an older version
                              computed them by another definition, as their description says */
};

/* Checks every checksum of a result of ml_run, ml_inverse or ml_merge, then computes a sample of
 * its runs again and compares all their numbers, bit by bit. ML_E_FILE names damaged and differing
 * data. */
ML_API enum ml_status ml_verify(const struct ml_verify_options *options,
                                struct ml_verify_report *report, struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
