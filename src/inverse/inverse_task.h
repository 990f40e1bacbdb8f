/* Inverse dynamics of a study and a motion as blocks of results: inputs and outputs of each item.
 * An item is a set of parameters, or one of several motions; it stands where an ensemble has a
 * run. */
#ifndef ML_INVERSE_INVERSE_TASK_H
#define ML_INVERSE_INVERSE_TASK_H

#include "engine/team/team.h"
#include "inverse/inverse_set.h"
#include "inverse/motion.h"
#include "inverse/relevant_axes.h"
#include "manylink/inverse.h"
#include "store/result_kind.h"

/* Which motion. */
struct ml_inverse_input {
    const char *path;   /* of a table or a result; NULL: the study's own */
    int64_t run;        /* of a result; -1: every run */
    const char *called; /* name in results; NULL: its path */
};

enum { ML_MOTION_ID_LENGTH = 33 }; /* 32 hexadecimal digits */

/* XXH3 (128 bits) of the times, of which rows are given, and of their numbers: those of a table, or
 * the checksums that a result keeps of the trajectories that are taken. The motion described by the
 * study, which its text identifies, has "study". */
enum ml_status ml_motion_id(const struct ml_motions *motions, char id[ML_MOTION_ID_LENGTH]);

struct ml_inverse_task {
    const struct ml_study *study;    /* borrowed */
    struct ml_inverse_report report; /* notes, as they come */
    struct ml_relevant_axes relevant;
    struct ml_motions motions;
    struct ml_study shape; /* the study with items for runs: the axes that count, or its own if
                              there are several motions; its blocks are those of items */
    char motion_id[ML_MOTION_ID_LENGTH];
    const char *of;                /* as of struct ml_result_kind: the motion */
    const char *options;           /* as of ml_provenance; NULL: the study's own motion */
    int n_set, set[ML_N_SET];      /* datasets that each item has numbers in, in their order */
    int64_t n_number[ML_N_SET];    /* that an item has in each dataset; 0: it is left out */
    double *shared;                /* the motion, if all items have the same one */
    double *shared_sets[ML_N_SET]; /* in there; NULL: not */
    const struct ml_law *windows;  /* as of ml_load_windows; NULL: loads differ, or one item */
    struct ml_pool pool;
};

/* Reads the motion and checks that it goes with the study. Close in any case.
 *   study  borrowed until then
 *   input  borrowed too, with its texts
 * ML_E_INPUT with a line for each fault. */
enum ml_status ml_inverse_task_open(struct ml_inverse_task *task, const struct ml_study *study,
                                    const struct ml_inverse_input *input, struct ml_error *err);
void ml_inverse_task_close(struct ml_inverse_task *task);

/* Whether each item has a motion of its own, of a run. */
bool ml_inverse_task_is_by_run(const struct ml_inverse_task *task);

/* The run that a message about an item names. */
int64_t ml_inverse_task_shown_run(const struct ml_inverse_task *task, int64_t item);

/* Points `sets` to the numbers of item i of a block.
 *   numbers  [n_set] -> [items of the block][n_number], as `summary` of struct ml_block */
void ml_inverse_task_place(const struct ml_inverse_task *task, double *const *numbers, int64_t i,
                           double *sets[ML_N_SET]);

/* Some items as blocks of a team. */
struct ml_inverse_items {
    const struct ml_inverse_task *task;
    const int64_t *item; /* [n] ascending; NULL: all */
    int64_t n;
};

struct ml_computation ml_inverse_task_computation(const struct ml_inverse_items *items,
                                                  int64_t block_items);

/* The result file of inverse dynamics: /study/inverse, its datasets shaped [axes.., joint, time] on
 * the study's sweep, or [run, joint, time] on the runs of several motions, or on those of a shard.
 * The kind of the results of a task, which is borrowed. Notes are added to the task's report when
 * the results are written, or when a finished file is found. */
struct ml_result_kind ml_inverse_result_kind(struct ml_inverse_task *task);

#endif
