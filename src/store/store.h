/* Results on disk: in OUT.h5.parts/ each finished block is a part file, and its trajectories are
 * where they are in the final file already. In the end the parts become the rest of the one
 * portable file OUT.h5. Nothing that was put is lost, whenever the process ends.
 *
 *     ml_store_open -> ml_ensemble_run with ml_store_sink -> ml_store_finish -> ml_store_close */
#ifndef ML_STORE_STORE_H
#define ML_STORE_STORE_H

#include "engine/ensemble.h"
#include "study/study.h"

struct ml_store; /* a result being made, or one found finished */

enum ml_store_state {
    ML_STORE_NEW,     /* no block is there yet */
    ML_STORE_RESUMED, /* some are, of the same study */
    ML_STORE_DONE,    /* the finished file of the same study is there, and left alone */
};

/* Where and how a result was made: the only thing in which two results of one study differ. */
struct ml_provenance {
    const char *version, *compiler, *isa, *host;
    int threads;
    const char *start_time, *end_time; /* ISO 8601 */
};

/* How many runs ended how. */
struct ml_tally {
    int64_t count[ML_N_OUTCOME];
};

/* Opens the result of a study for writing.
 *   study  borrowed until ml_store_close
 *   path   of the final file; parts are kept beside it in "PATH.parts"
 *   out    freed with ml_store_close; NULL on failure
 * Returns ML_E_OTHER_STUDY when the file or the parts there are not this study's: the message names
 * the first line that differs, and nothing is changed. ML_E_INPUT when two datasets would get one
 * name. */
enum ml_status ml_store_open(const struct ml_study *study, const char *path, struct ml_store **out,
                             enum ml_store_state *state, struct ml_error *err);

int64_t ml_store_blocks_present(const struct ml_store *store);

/* Valid until ml_store_close. `put` returns when the block is safe on disk. */
struct ml_sink ml_store_sink(struct ml_store *store);

/* Joins the parts into the final file, then removes them. Fails without harm to any part when one
 * is missing or damaged. */
enum ml_status ml_store_finish(struct ml_store *store, const struct ml_provenance *provenance,
                               struct ml_error *err);

/* Valid once finished. */
struct ml_tally ml_store_tally(const struct ml_store *store);

/* Frees; what is on disk stays. NULL is allowed. */
void ml_store_close(struct ml_store *store);

/* What is in a finished result, in a page of text.
 *   text  to be freed by the caller */
enum ml_status ml_store_describe(const char *path, char **text, struct ml_error *err);

#endif
