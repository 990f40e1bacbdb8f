/* A result file, of a study or of a shard, as a place where finished blocks come from. */
#ifndef ML_STORE_SOURCE_H
#define ML_STORE_SOURCE_H

#include "h5/h5.h"
#include "store/result_kind.h"

/* Descriptive texts of a result. */
struct ml_origin {
    struct ml_shard shard;
    int64_t block_runs, n_run; /* of a shard: of the whole study */
    char *study;               /* path of the study file; NULL: it does not say */
    char *overrides;           /* of its keys, as of struct ml_provenance; NULL: none */
    char *title;               /* or a substitute */
    char *definition;          /* the study as given */
    char *resolved;            /* with every key */
    bool is_inverse;           /* of inverse dynamics; else of runs */
    char *options;             /* of it, as of struct ml_provenance; NULL: none */
    char *motion, *motion_id;  /* name of its motion, and the motion's id; NULL: of runs */
};

/* Reads it from a result file; fails with plain words if it is not one or damaged. Free in any
 * case.
 */
enum ml_status ml_origin_read(struct ml_origin *origin, const char *path, struct ml_error *err);
void ml_origin_free(struct ml_origin *origin);

struct ml_source {
    const struct ml_result_kind *kind; /* borrowed */
    struct ml_h5 h5;
    struct ml_layout layout;
    hid_t file, outcome, end_time, steps; /* the last three -1 if the kind has no runs */
    hid_t *summary;                       /* [n_output] */
    const char **older;       /* [n_output] description in the file, of an output that an older
                                 version defined otherwise; else NULL */
    hid_t *record, *checksum; /* [ml_layout_records] */
    struct ml_block block;    /* memory for the largest */
    uint64_t *sums;           /* [saved runs of a block] */
    struct ml_pool pool;      /* owns the arrays above */
};

/* Opens the result of a study or a shard of it, known to be one. Close in any case.
 *   path, kind, study  borrowed until then */
enum ml_status ml_source_open(struct ml_source *source, const char *path,
                              const struct ml_result_kind *kind, const struct ml_study *study,
                              struct ml_shard shard, struct ml_error *err);
void ml_source_close(struct ml_source *source);

/* Reads a block and checks all that has a checksum. The block is in the source's memory. A block
 * that was missing when the file was merged has ML_MISSING as its outcomes. */
enum ml_status ml_source_read(struct ml_source *source, int64_t block, struct ml_error *err);

#endif
