/* A finished result as the donor of another study's runs: runs of the same numbers are taken from
 * the donor; of runs that are computed again the numbers of before are compared. */
#ifndef ML_RUN_DONOR_H
#define ML_RUN_DONOR_H

#include <pthread.h>

#include "engine/team/team.h"
#include "run/restore.h"
#include "store/store.h"

struct ml_donor {
    const struct ml_study *study; /* the other study, borrowed */
    struct ml_origin origin;      /* of the result */
    struct ml_restored of;        /* its study */
    struct ml_source source;      /* its numbers, read by one thread at a time */
    bool is_open;                 /* the source is, and there is a lock */
    pthread_mutex_t lock;         /* of the source */
    int64_t *run;                 /* [n_run of the study] run of the donor of the same values; -1 */
    int *output; /* [n_output of the study] output of the donor of the same name and shape; -1 */
    int *record; /* [records of the study] the same of records */
    int64_t n_found;            /* different runs of the donor that the study has */
    int64_t n_lost;             /* runs of the donor that the study has not */
    bool takes;                 /* runs are taken; else all are computed again */
    int64_t n_step;             /* of runs taken that are integrated on behind so many steps; 0 */
    bool compares;              /* runs computed again have the numbers of the donor */
    char why[600];              /* a reason why no runs are taken; "" */
    struct ml_known_runs known; /* those that are taken */
};

/* Opens a result whose study differs from another study in its runs, in the numbers that it
 * measures or in its end; any other result is refused (ML_E_OTHER_STUDY).
 *   path   of the result; borrowed, as `study`, until ml_donor_close, needed in any case
 *   how    places that the user gives
 *   n_thread  0: as OpenMP decides
 * The struct must not be moved. */
enum ml_status ml_donor_open(struct ml_donor *donor, const char *path, const struct ml_study *study,
                             const struct ml_restoring *how, int n_thread, struct ml_error *err);
void ml_donor_close(struct ml_donor *donor);

/* ML_E_INPUT if the result that the study makes may not replace the donor: runs or times behind an
 * earlier end would be lost, or nobody may write to the file. */
enum ml_status ml_donor_check_replaced(const struct ml_donor *donor, struct ml_error *err);

/* Number of runs of a study, or of a shard of it, that are taken. */
int64_t ml_donor_taken(const struct ml_donor *donor, struct ml_shard shard);

/* Compares the numbers of a shard that were computed again with those of the donor, bit for bit.
 *   store        has all blocks of the shard, and is not finished
 *   differences  the datasets that differ, in how many runs; NULL: all agree. To be freed
 *   n            number of the runs that were compared */
enum ml_status ml_donor_compare(struct ml_donor *donor, const struct ml_store *store,
                                struct ml_shard shard, int64_t *n, char **differences,
                                struct ml_error *err);

/* Sets donor->run, n_found and n_lost; the source is open.
 *   skips_events  numbers of events may differ */
enum ml_status ml_donor_find_runs(struct ml_donor *donor, bool skips_events, int n_thread,
                                  struct ml_error *err);

/* Why runs that end later cannot be integrated on from their ends in the donor; NULL: they can.
 *   size  bytes of `text`, which may have the reason */
const char *ml_donor_cannot_prolong(const struct ml_donor *donor, size_t size, char *text);

/* Makes the source's block that of a run of the donor. */
enum ml_status ml_donor_load(struct ml_donor *donor, int64_t run, struct ml_error *err);

#endif
