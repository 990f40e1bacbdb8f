/* Finished blocks, one part after the other, in files that only grow: OUT.h5.parts/blocks-...
 *
 * Every process writes a file of its own, so a study makes as few files as it has processes, and
 * concurrent writes of two processes cannot mix. A part that was cut off, or is damaged, is not
 * there: the parts after it are found by their heads. Where a part is known to be good its block
 * need not be computed again. */
#ifndef ML_STORE_JOURNAL_H
#define ML_STORE_JOURNAL_H

#include "store/part.h"

/* Where the part of a block is. */
struct ml_journal_location {
    int file; /* index; -1: no_location */
    off_t at;
};

struct ml_journal {
    const struct ml_layout *layout; /* borrowed */
    char *folder;
    struct ml_journal_location *locations; /* [n_block] of the study */
    int64_t n_damaged;                     /* gaps between parts, and ends that were cut off */
    char **paths;                          /* [n_file] */
    int *files;                            /* [n_file] open */
    int n_file;
    int own;   /* file of this process; -1: not yet made */
    off_t end; /* of the data written there */
};

/* Calls `found` for every intact part in the file; of which study is not checked.
 *   n_damaged  gaps between them are added, and an end that is cut off
 * Without memory it finds less. */
void ml_journal_scan(int file,
                     void (*found)(void *context, const struct ml_part_head *head, off_t at),
                     void *context, int64_t *n_damaged);

/* Reads every part in a folder and checks it. Close in any case. */
enum ml_status ml_journal_open(struct ml_journal *journal, const struct ml_layout *layout,
                               const char *folder, struct ml_error *err);
/* Removes the file of this process if it has no part. */
void ml_journal_close(struct ml_journal *journal);

bool ml_journal_has(const struct ml_journal *journal, int64_t block);

/* Adds the part of a block. It is safe from the end of the process at once, and from that of the
 * machine after ml_journal_sync. */
enum ml_status ml_journal_write(struct ml_journal *journal, const struct ml_block *block,
                                const uint64_t *sums, struct ml_error *err);
enum ml_status ml_journal_sync(struct ml_journal *journal, struct ml_error *err);

/* Reads the part of a block again and checks it. Close the part in any case. */
enum ml_status ml_journal_get(const struct ml_journal *journal, int64_t block, struct ml_part *part,
                              struct ml_error *err);

/* Takes a part for damaged. */
void ml_journal_drop(struct ml_journal *journal, int64_t block);

#endif
