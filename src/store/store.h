/* Results on disk: in OUT.h5.parts/ each finished block is a part in a journal, and its
 * trajectories are where they are in the final file already. In the end the parts become the rest
 * of the one portable file OUT.h5. Nothing that was put is lost when the process ends, however it
 * ends; of a machine that ends, the last second.
 *
 *     ml_store_open -> ml_ensemble_run with ml_store_sink -> ml_store_check -> ml_store_finish ->
 *     ml_store_close */
#ifndef ML_STORE_STORE_H
#define ML_STORE_STORE_H

#include "engine/team/ensemble.h"
#include "engine/team/team.h"
#include "plan/shard.h"
#include "plan/study.h"
#include "store/accuracy.h"
#include "store/part.h"
#include "store/result.h"
#include "store/result_kind.h"

struct ml_store; /* a result being made, or one found finished */

enum ml_store_state {
    ML_STORE_NEW,     /* no block is there yet */
    ML_STORE_RESUMED, /* some are, of the same study */
    ML_STORE_DONE,    /* the finished file of the same study is there, and left alone */
};

struct ml_store_options {
    const struct ml_result_kind *kind; /* borrowed; NULL: runs */
    struct ml_shard shard;             /* ML_UNSHARDED: the whole study */
    bool restart;                      /* discard an existing result or its parts */
    bool replaces_partial;             /* a result in which runs are missing is not finished */
    bool replaces_others;              /* a finished result of another study is replaced once the
                                          new result is there; `restart` discards parts alone */
    int n_accuracy;                    /* runs that are computed again, for the space */
    double wait;                       /* s, for another process that makes the same result */
    struct ml_stop stop;               /* as of ml_lock_take */
    void (*notice)(void *context, const char *text); /* notices for the user; may be NULL */
    void *context;
};

/* Opens the result of a study, or of a shard of it, for writing.
 *   study  borrowed until ml_store_close
 *   path   of the final file; parts are kept beside it in "PATH.parts"
 *   out    freed with ml_store_close; NULL on failure
 * Returns ML_E_OTHER_STUDY when the file or the parts there are not this study's: the message names
 * the first line that differs, and nothing is changed. ML_E_INPUT when two datasets would get one
 * name, ML_E_BUSY when another process makes this result. */
enum ml_status ml_store_open(const struct ml_study *study, const char *path,
                             const struct ml_store_options *options, struct ml_store **out,
                             enum ml_store_state *state, struct ml_error *err);

/* The kind of result that the store's options name; lives as long as these. */
const struct ml_result_kind *ml_store_kind(const struct ml_store *store);

/* Blocks of this study or shard, and those of them that are there. */
int64_t ml_store_blocks(const struct ml_store *store);
int64_t ml_store_blocks_present(const struct ml_store *store);

/* Runs of this study or shard, and those of the blocks that are there. */
int64_t ml_store_runs(const struct ml_store *store);
int64_t ml_store_runs_present(const struct ml_store *store);

/* Bytes still to be written until the result is there, and the room for them. */
struct ml_space ml_store_space(const struct ml_store *store);

/* Valid until ml_store_close. `put` returns when the block is safe from the end of the process. */
struct ml_sink ml_store_sink(struct ml_store *store);

/* Checks the trajectories of the blocks that were found when it was opened.
 *   n_damaged  blocks with damaged trajectories: they count as missing from now on */
enum ml_status ml_store_check(struct ml_store *store, int64_t *n_damaged);

/* Reads a block that is there, of a result that is not finished.
 *   part  without trajectories; close in any case */
enum ml_status ml_store_read(const struct ml_store *store, int64_t block, struct ml_part *part,
                             struct ml_error *err);

/* Writes the missing blocks: runs with the outcome ML_MISSING and NaN for all numbers. A reopened
 * store still counts these blocks as missing. */
enum ml_status ml_store_fill(struct ml_store *store, struct ml_error *err);

/* The runs that were computed again become part of the final file.
 *   accuracy  borrowed until ml_store_finish */
void ml_store_set_accuracy(struct ml_store *store, const struct ml_accuracy *accuracy);

/* The final file names the shards that were lost.
 *   missing  borrowed until ml_store_finish; NULL: none was lost */
void ml_store_set_missing(struct ml_store *store, const char *missing);

/* Keeps the numbers computed so far beside the parts; and reads numbers kept for the same runs, if
 * their file is whole. */
enum ml_status ml_store_keep_accuracy(const struct ml_store *store,
                                      const struct ml_accuracy *accuracy, struct ml_error *err);
enum ml_status ml_store_take_accuracy(const struct ml_store *store, struct ml_accuracy *accuracy);

/* Joins the parts into the final file, then removes them. Fails without harm to any part when one
 * is missing or damaged. */
enum ml_status ml_store_finish(struct ml_store *store, const struct ml_provenance *provenance,
                               struct ml_error *err);

/* Valid once finished. */
struct ml_tally ml_store_tally(const struct ml_store *store);

/* Frees; a work folder with blocks stays on disk. NULL is allowed. */
void ml_store_close(struct ml_store *store);

#endif
