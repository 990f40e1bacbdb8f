/* The result of a study in memory: the datasets of the final file, written as blocks come. */
#ifndef ML_STORE_MEMORY_H
#define ML_STORE_MEMORY_H

#include "engine/team/team.h"
#include "manylink/result.h"
#include "store/result.h"

struct ml_memory {
    struct ml_result_file file;
    struct ml_layout layout;
    bool *is_there; /* [n_block] */
};

/* Makes room for the result. End in any case.
 *   study  borrowed until then */
enum ml_status ml_memory_begin(struct ml_memory *memory, const struct ml_study *study,
                               struct ml_error *err);

struct ml_sink ml_memory_sink(struct ml_memory *memory);

/* Counts the runs that were put. */
struct ml_tally ml_memory_tally(const struct ml_memory *memory);

/* Writes missing blocks as missing, as ml_store_fill does, and makes the result.
 *   out  as of ml_result_open */
enum ml_status ml_memory_finish(struct ml_memory *memory, const struct ml_provenance *provenance,
                                struct ml_result **out, struct ml_error *err);

void ml_memory_end(struct ml_memory *memory);

#endif
