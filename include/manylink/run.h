/* Running a study into a result file. */
#ifndef MANYLINK_RUN_H
#define MANYLINK_RUN_H

#include <stdint.h>

#include "manylink/api.h"
#include "manylink/kernel.h"
#include "manylink/status.h"
#include "manylink/study.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ML_RUN_MAX_OUTCOMES = 8 };

/* What a run did. */
struct ml_run_report {
    int64_t runs;                 /* of the study, or of the shard */
    int64_t runs_found;           /* of them, those that were finished before */
    int was_finished;             /* the result file was there already and has been left alone */
    int64_t blocks, blocks_found; /* likewise of the units that are done in one piece */
    int64_t outcomes[ML_RUN_MAX_OUTCOMES]; /* runs by outcome, 0: finished; see ml_run_outcome */
    /* of each outcome that there is, the first run and when it ended, s; 0 if `was_finished` */
    int64_t first_run[ML_RUN_MAX_OUTCOMES];
    double first_time[ML_RUN_MAX_OUTCOMES];
    int64_t member_steps; /* steps taken by this call, all runs */
    double seconds;       /* taken by this call, wall clock */
    int threads;
    const char *isa;
    const char *kernel; /* "general", "built in" or "made" */
};

/* How far it is. */
struct ml_run_progress {
    int64_t runs, runs_done; /* of this call: without those found finished */
    int64_t member_steps;
    double seconds;
};

struct ml_run_options {
    const char *output;    /* path of the result file */
    int n_thread;          /* 0: as OpenMP decides */
    int64_t shard, shards; /* do only what falls to shard 0 .. shards - 1, of at most 2^20; shards
                              0: everything */
    int restart;           /* discard a result, or a part of one, that is there */
    double wait;           /* s, for another process that makes the same result */
    double time_limit;     /* s, to stop after as if `stop` were 1, and a tenth of it
                              (at least 1 s) later as if it were 2; 0: none */
    int strict_space;      /* refuse to begin when the disk has too little room */
    uint64_t shuffle;      /* not 0: blocks in an order drawn from this seed, for tests */
    int (*stop)(void *context); /* NULL, or asked often, by several threads at once: 0 go on, 1 take
                                   no more blocks, 2 drop those in flight too. It never goes back,
                                   and is to return at once, such as the value of an atomic integer
                                   or a `volatile sig_atomic_t` that a signal handler sets */
    void (*progress)(void *context, const struct ml_run_progress *progress); /* NULL, or called
                                                     often, from one thread at a time */
    void (*notice)(void *context, const char *text); /* NULL, or called with what a user should
                                                        know, without a line's end */
    void *context;                                   /* of all three */
    enum ml_kernel_mode kernel; /* which kernels may be taken: results are the same */
    int no_native;              /* no kernel is made or loaded */
};

/* Name of an outcome, NULL past the last. 0 is `finished`. */
ML_API const char *ml_run_outcome(int outcome);

/* Integrates every run of the study, or of a shard, and writes the result file. A file that is
 * already there is left alone when it is this study's finished result (was_finished in the report),
 * and refused (ML_E_OTHER_STUDY) when it is not; what an interrupted call left is continued.
 * ML_STOPPED when `stop` said so or the time was over before the end: the same call goes on from
 * there. ML_E_BUSY when another process makes the same result. A shard in which there is nothing to
 * do, because the study has fewer blocks than shards, makes no file. */
ML_API enum ml_status ml_run(const struct ml_study *study, const struct ml_run_options *options,
                             struct ml_run_report *report, struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
