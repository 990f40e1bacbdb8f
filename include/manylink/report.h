/* Reports: a result as one HTML page that needs no server, no network and no library. */
#ifndef MANYLINK_REPORT_H
#define MANYLINK_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A field that is 0 or NULL has its default. */
struct ml_report_options {
    size_t size;        /* sizeof(struct ml_report_options) */
    const char *result; /* path of a result of ml_run, ml_merge, ml_inverse, ml_fit or ml_compare */
    const char *output; /* path of the page */
    int64_t motions;    /* runs whose motion is in the page, at most: of those that were kept,
                           evenly spread over them; where none was, so many runs are computed again
                           with the study in the result. 0: 64 of those that were kept, -1: none */
    int n_thread;       /* of runs that are computed again; 0: as OpenMP decides */
    const char *study;  /* their study file, if it is not where it was; NULL */
    const char
        *plugin;   /* the study's plugin; without it and `study` one is refused, see verify.h */
    int no_native; /* any is refused */
    int (*stop)(void *context); /* NULL, or as of ml_run */
    void *context;              /* of it */
    int paths;         /* the page has the name of the host, and paths with their folders */
    const char *other; /* path of a second result with the same runs, whose numbers the page shows
                          in place of those of the first, beside them, and less them; NULL */
};

/* Contents of the page. */
struct ml_report_made {
    size_t size;      /* sizeof(struct ml_report_made) */
    int64_t kept;     /* runs that were kept over time */
    int64_t motions;  /* runs whose motion is in the page */
    int64_t times;    /* of each motion, in the page; 0 without */
    int64_t every;    /* one in so many of the times that were kept */
    int64_t left_out; /* datasets with too many numbers for a page */
    int64_t computed; /* of the motions, those of runs that were computed again */
};

/* Writes the page: numbers rounded to six digits, and of motions so many times that they make half
 * a million numbers, at least 1000 each. Runs are computed again, where that is asked for, as by
 * ml_verify: the motions are those of the runs of the result.
 *   made  NULL: not wanted
 * ML_E_INPUT if the path of the page is a result or not a file, the result has nothing for a page,
 * or the second result has neither runs nor torques, or differs from the first in the runs or in
 * the names, shapes and units of their numbers; ML_E_FILE if the result cannot be read, is damaged,
 * or was changed; ML_STOPPED when `stop` asked for it. On failure `output` is as it was. Several
 * threads may make pages at once. */
ML_API enum ml_status ml_report(const struct ml_report_options *options,
                                struct ml_report_made *made, struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
