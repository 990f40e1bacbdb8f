/* How far a result and its shards are, by the files on disk: without the study, and while other
 * processes write. */
#ifndef ML_REPORT_STANDING_H
#define ML_REPORT_STANDING_H

#include <stdint.h>

#include "manylink/status.h"
#include "plan/shard.h"
#include "store/lock.h"

enum ml_standing_state {
    ML_STANDING_NOT_BEGUN,
    ML_STANDING_UNDERWAY, /* there are parts, or a folder for them */
    ML_STANDING_COMPLETE, /* there is a result file, though runs may be missing in it, and no parts
                             of a result that will replace it */
};

struct ml_standing {
    enum ml_standing_state state;
    bool has_result; /* there is a result file; UNDERWAY is another one, which will replace it */
    struct ml_shard shard;
    int64_t block_runs, n_run;    /* of the whole study; 0: not known */
    int64_t runs_missing;         /* of a result file that was merged without all shards */
    int64_t n_block, blocks_done; /* that fall to the shard */
    unsigned char *is_done;       /* [blocks of the study] 1: there; NULL: sizes are not known */
    struct ml_lock_owner owner;   /* of the folder of parts */
    double age;                   /* s since the last block; < 0: no block yet */
    double rate;                  /* blocks/s of the process at work; 0: none, or not known */
};

/* Looks at the result file at `path` and its parts. Free in any case. */
enum ml_status ml_standing_read(struct ml_standing *standing, const char *path,
                                struct ml_error *err);
void ml_standing_free(struct ml_standing *standing);

/* s until it is done; < 0: not known. */
double ml_standing_left(const struct ml_standing *standing);

/* The shards of a result that are as many, found by their names beside it. */
struct ml_family {
    int64_t count; /* of shards; first: the order of qsort */
    struct ml_family_member {
        struct ml_standing standing; /* without `is_done` */
        char *fault;                 /* why it cannot be read; NULL: it can */
    } * members;                     /* [count] */
    int64_t block_runs, n_run;       /* of the study of the first that can be read; 0: not known */
    int64_t n_block;
    unsigned char *is_done; /* [n_block] */
};

struct ml_families {
    struct ml_family *families; /* [n], those of the fewest shards first */
    int n;
};

/* Finds every family of the result at `path`. Free in any case. */
enum ml_status ml_families_read(struct ml_families *families, const char *path,
                                struct ml_error *err);
/* Refuses a name that stands for nothing: no result, no work folder, no shard and no study. */
enum ml_status ml_standing_check(const struct ml_standing *standing,
                                 const struct ml_families *families, const char *path,
                                 struct ml_error *err);

void ml_families_free(struct ml_families *families);

/* Members that are finished, and blocks of the study that one of them has. */
int64_t ml_family_finished(const struct ml_family *family);
int64_t ml_family_blocks_done(const struct ml_family *family);

/* s until all blocks of the study are done, if as many processes go on as are at work; < 0: not
 * known.
 *   at_work  out: how many these are */
double ml_family_left(const struct ml_family *family, int64_t *at_work);

#endif
