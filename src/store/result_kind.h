/* Kinds of results: the datasets of a run, the writing of the file and the recognition of a
 * finished file. Parts, journals, shards, merging and resuming are the same for all kinds. */
#ifndef ML_STORE_RESULT_KIND_H
#define ML_STORE_RESULT_KIND_H

#include "store/result.h"
#include "store/result_h5.h"

enum { ML_DATASET_PATH = 2 * ML_NAME_LENGTH };

struct ml_result_kind {
    void *context;  /* of the functions */
    const char *of; /* identity of results besides the study, such as the checksum of the
                       motion; NULL: the study alone */
    const struct ml_result_mark *mark;
    const char *less; /* remedy in messages: how to make a result of this kind smaller */
    bool has_runs;    /* /study/runs, with outcome, end_time and steps; else all runs finished, with
                         0 for both */
    bool replaces_others; /* a finished result that belongs to others is replaced, once the new
                             one is there; else it is refused */

    /* Path and shape of the i-th of the study's `results` in the file of the study or shard. */
    struct ml_extent (*find)(void *context, const struct ml_layout *layout, int i,
                             char path[ML_DATASET_PATH]);

    /* As ml_result_write and ml_result_h5_check; of a result of the kind, but of another study
     * or `of`, the latter returns ML_E_OTHER_STUDY. */
    enum ml_status (*write)(void *context, const struct ml_layout *layout,
                            const struct ml_result_content *content, const char *path,
                            struct ml_tally *tally, struct ml_error *err);
    enum ml_status (*check)(void *context, const char *path, const struct ml_layout *layout,
                            struct ml_tally *tally, struct ml_error *err);
};

/* Runs of an ensemble. */
extern const struct ml_result_kind ml_result_of_runs;

/* As ml_layout_init_shard, of a result of that kind; false without memory. */
bool ml_result_kind_lay_out(const struct ml_result_kind *kind, const struct ml_study *study,
                            struct ml_shard shard, struct ml_layout *layout);

#endif
