/* Threads that compute blocks of results, whatever the blocks are made of: they take those that are
 * not there yet one by one, and pass finished blocks to a sink. */
#ifndef ML_ENGINE_TEAM_H
#define ML_ENGINE_TEAM_H

#include "base/arena.h"
#include "engine/team/block_writer.h"

struct ml_progress {
    int64_t n_run, runs_done; /* runs of this call, and those finished so far */
    int64_t member_steps;     /* steps done, all runs, this call only */
    double seconds;           /* since the start */
    int n_thread;             /* that there are */
};

/* Runs of an ensemble whose numbers are there already, all or those up to an earlier end: copied,
 * not integrated. Called by several threads at once. */
struct ml_known_runs {
    void *context;
    bool (*has)(const void *context, int64_t run);
    /* Fills in the rows of all these runs in a block, and leaves the other rows alone. */
    enum ml_status (*copy)(void *context, struct ml_block *block, struct ml_error *err);
    int64_t n_step; /* an earlier end: their results are those after so many steps, and those that
                       finished are integrated on; 0: they are whole */
};

/* How blocks are computed, of ensembles and of all else. */
struct ml_ensemble_options {
    int n_thread;        /* 0: as OpenMP decides */
    uint64_t shuffle;    /* not 0: take the blocks (fewer than 2^31) in an order drawn from this
                            seed, for tests */
    struct ml_stop stop; /* level 1: take no more blocks, 2: drop those being computed too, but for
                            the one being put */
    double deadline;     /* as of omp_get_wtime, s: take no more blocks from then on; 0: none */
    double last_moment;  /* the same: drop the blocks being computed; 0: never */
    void (*progress)(void *context, const struct ml_progress *progress); /* now and then and at the
                                                                            end, one thread at a
                                                                            time; may be NULL */
    void *progress_context;
    const struct ml_known_runs *known; /* of an ensemble whose runs begin by themselves; borrowed;
                                          NULL: all runs are integrated */
    struct ml_gpu_use *gpus; /* [n_gpu] of an ensemble that ml_device_serves, all of whose runs are
                                integrated; their threads are beside n_thread */
    int n_gpu;
};

struct ml_team; /* the threads of one call */

/* How blocks are computed. The functions are called by several threads at once, and each has
 * memory of its own: `own`, zeroed at first, and its part of an arena. */
struct ml_computation {
    const void *context;
    const char *called;        /* the word for runs in messages: "runs" */
    int64_t n_run, block_runs; /* runs, and how many a block has, the last one at most */
    size_t own_size;           /* bytes of `own` */

    /* Lays out a thread's scratch (lay_out, may be NULL) and the arrays of one block in the arena;
     * called twice, first to measure the size, then with memory. */
    void (*lay_out)(const void *context, struct ml_arena *arena, void *own);
    void (*lay_out_block)(const void *context, struct ml_arena *arena, struct ml_block *block);

    /* begin: allocates memory of `own` outside the arena; false if it cannot. end: frees it, after
     * a failed begin too. Either may be NULL. */
    bool (*begin)(const void *context, void *own);
    void (*end)(void *own);

    /* Computes a block, of which index, first and n_run are set. ML_STOPPED: it is dropped, for the
     * team is over or the runs are not to be finished; another failure ends the call. */
    enum ml_status (*compute)(const void *context, void *own, struct ml_team *team,
                              struct ml_block *block, struct ml_error *err);
};

/* Counts runs that were computed, and steps of all of them; false: the rest of the block is not
 * wanted any more. */
bool ml_team_count(struct ml_team *team, int64_t steps, int64_t n_run);

/* Whether nothing more is wanted: a block could not be put, or computed. */
bool ml_team_is_over(const struct ml_team *team);

/* The GPU to which the calling thread gives runs; NULL: none. */
struct ml_gpu_use *ml_team_gpu(const struct ml_team *team);

/* Level of stopping of a block that is being computed. */
struct ml_stop ml_team_stop(struct ml_team *team);

/* Computes every block that the sink does not have. ML_STOPPED if it was asked to stop before the
 * end; the first error of the sink or of a block otherwise ends it too. Thread-safe; `err` is the
 * caller's to clear. */
enum ml_status ml_team_run(const struct ml_computation *computation,
                           const struct ml_ensemble_options *options, const struct ml_sink *sink,
                           struct ml_error *err);

/* Runs every block that the sink does not have, as ml_team_run. */
enum ml_status ml_ensemble_run(const struct ml_ensemble *ensemble,
                               const struct ml_ensemble_options *options,
                               const struct ml_sink *sink, struct ml_error *err);

#endif
