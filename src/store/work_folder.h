/* The folder of parts: OUT.h5.parts/ with identity.yaml, the lock, the journals of the finished
 * blocks and, if the study keeps trajectories, the file of them. */
#ifndef ML_STORE_WORK_FOLDER_H
#define ML_STORE_WORK_FOLDER_H

#include <stdint.h>

#include "base/atomic_file.h"
#include "plan/layout.h"
#include "store/result_kind.h"

/* Writes the identity of the layout's study and shard into the folder, or checks that the one there
 * is the same. One of which nothing has been computed yet is replaced. The layout's identity
 * becomes that of the text there, which the parts of the folder have. */
enum ml_status ml_work_folder_open(const char *folder, struct ml_layout *layout,
                                   struct ml_error *err);

/* A name for the journal of this process, to be freed; NULL without memory.
 *   i  0, 1, ... until it is a new one */
char *ml_work_folder_journal(const char *folder, int i);

/* Notes that --restart has begun, with the access of the result that it discards, and asks for it
 * of parts of this study. */
enum ml_status ml_work_folder_set_restarted(const char *folder, const struct ml_access *access,
                                            struct ml_error *err);
bool ml_work_folder_is_restarted(const char *folder, const struct ml_layout *layout);

/* Gives the new result the access of the result that --restart discarded, if there was one. */
void ml_work_folder_give_access(const char *folder, const char *result);

/* Whether no process has put anything there. */
bool ml_work_folder_is_empty(const char *folder);

/* Calls `visit` for every journal there is, by name. */
enum ml_status ml_work_folder_each_journal(const char *folder,
                                           void (*visit)(void *context, const char *path),
                                           void *context, struct ml_error *err);

/* Removes the program's files, the identity last, except the lock. Files that cannot be removed
 * stay: the result does not need them. */
void ml_work_folder_clear(const char *folder);

/* Removes files that were on their way when a process ended. */
void ml_work_folder_clear_temporary(const char *folder);

/* The study's size by the identity, and the shard of this folder. */
struct ml_work_folder_about {
    struct ml_shard shard;
    int64_t block_runs, n_run;
};

/* false if there is no identity, or one of another version of the program. */
bool ml_work_folder_read(const char *folder, struct ml_work_folder_about *about);

/* Whether the identity is of another study than that of a resolved text. */
bool ml_work_folder_is_of_other(const char *folder, const char *resolved);

/* Removes a result file and its parts, of this study or another; both may be missing. A file that
 * is no result of this program, or one of another kind, is left alone and an error. */
enum ml_status ml_result_remove(const char *path, const char *parts,
                                const struct ml_result_kind *kind, struct ml_error *err);

#endif
