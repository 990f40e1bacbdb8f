/* The end of making a result. */
#ifndef ML_RUN_FINISH_H
#define ML_RUN_FINISH_H

#include "store/result.h"
#include "store/store.h"

/* How a result was made; texts are borrowed. */
struct ml_making {
    const char *study;     /* path of the study file */
    const char *overrides; /* of its keys, as of struct ml_provenance */
    const char *isa;
    const char *kernel; /* that computed it; NULL: none did */
    int n_thread;
    const char *began; /* as of ml_provenance_time */
};

/* Who made a result: texts that `provenance` borrows. */
struct ml_maker {
    struct ml_provenance provenance;
    char *path; /* of the study file, in full */
    char ended[ML_TIME_LENGTH], host[ML_HOST_LENGTH];
};

/* This program, now. */
void ml_maker_init(struct ml_maker *maker, const struct ml_making *making);
void ml_maker_free(struct ml_maker *maker);

/* A notice, or a refusal, where the rest of the result needs more room than the disk has.
 *   is_strict  refuse
 *   notice     NULL: not wanted */
enum ml_status ml_check_space(const struct ml_store *store, const char *output, bool is_strict,
                              void (*notice)(void *context, const char *text), void *context,
                              struct ml_error *err);

/* Makes the final file, with its provenance. */
enum ml_status ml_finish(struct ml_store *store, const struct ml_making *making,
                         struct ml_error *err);

#endif
