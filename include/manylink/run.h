/* Running a study: into a result file, into memory, or block by block into a function. */
#ifndef MANYLINK_RUN_H
#define MANYLINK_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/kernel.h"
#include "manylink/outcome.h"
#include "manylink/result.h"
#include "manylink/status.h"
#include "manylink/study.h"

#ifdef __cplusplus
extern "C" {
#endif

/* More shards than any cluster has processes: lists of them stay small, whatever a name or file
 * says. */
enum { ML_RUN_MAX_SHARDS = 1 << 20, ML_RUN_MAX_ACCURACY = 4096 };

/* Bytes of stack that a thread must have that calls this library, or that OpenMP starts for it
 * (OMP_STACKSIZE): with less a run is refused. */
enum { ML_RUN_STACK = 192 << 10 };

/* The likely cause of an outcome, in words without a line's end: "step too large? ...", "the rate
 * of `h` has no value: ...", "stiff: ..."; "" if nothing is known, as of most outcomes. The run is
 * integrated again, for a second or two at most, unless the result was finished before the call. */
enum { ML_RUN_CAUSE = 700 };
struct ml_run_cause {
    char text[ML_RUN_CAUSE];
};

/* Report of a run. Like all structs here, it begins with its size, which the caller sets: programs
 * and the library may be of different versions. */
struct ml_run_report {
    size_t size;                       /* sizeof(struct ml_run_report) */
    int n_outcome;                     /* in, ML_N_OUTCOME or 0: */
    struct ml_outcome_count *outcomes; /* [n_outcome] out, by enum ml_outcome; room of the caller */
    struct ml_run_cause *causes;  /* NULL, or [n_outcome] out, of the first run with each outcome;
                                     room of the caller */
    int64_t runs;                 /* of the study, or of the shard */
    int64_t sound;                /* of them, those with results: see ml_outcome_is_sound */
    int64_t runs_found;           /* of them, those that were finished before */
    int was_finished;             /* the result file was there already and has been left alone */
    int64_t blocks, blocks_found; /* the same for the blocks, which are done in one piece */
    int64_t member_steps;         /* steps taken by this call, all runs */
    double seconds;               /* taken by this call, wall clock */
    int threads;
    const char *isa;
    const char *kernel; /* "general", "built in", "made", or "general, then made" */
    int64_t runs_taken; /* of `runs`, those that the donor has: see ml_run_options */
};

/* Parts of a call, in the order KERNEL, RUNS, ACCURACY, STATISTICS. */
enum ml_run_phase {
    ML_PHASE_RUNS,
    ML_PHASE_KERNEL,    /* the compiler is waited for; not counted */
    ML_PHASE_ACCURACY,  /* runs that are computed again, by one length of the steps after the other
                         */
    ML_PHASE_STATISTICS /* and writing of the result; not counted */
};

/* How far it is. The library sets its size. */
struct ml_run_progress {
    size_t size; /* sizeof(struct ml_run_progress) */
    int64_t runs,
        runs_done; /* of this call and phase: without those found finished; 0: not counted */
    int64_t member_steps;
    double seconds; /* since the phase began */
    enum ml_run_phase phase;
};

struct ml_run_block;

/* A field that is 0 or NULL has its default. */
struct ml_run_options {
    size_t size;           /* sizeof(struct ml_run_options) */
    const char *output;    /* path of the result file */
    int n_thread;          /* 0: as OpenMP decides */
    int64_t shard, shards; /* compute only the blocks of shard 0 .. shards - 1, of at most
                              ML_RUN_MAX_SHARDS; shards 0: all blocks */
    int restart;           /* discard the parts that are there and a result of the same kind, or a
                              damaged one; any other file is refused: ML_E_INPUT, ML_E_FILE */
    double wait;           /* s, for another process that makes the same result */
    double time_limit;     /* s, to stop after as if `stop` were 1, and `grace` later as if it were
                              2; 0: none */
    int strict_space;      /* refuse to begin when the disk has too little room */
    /* NULL, or asked often, by several threads at once: 0 continue, 1 take no more blocks, 2 drop
     * those being computed too. The value must not decrease, and it must return quickly: that of an
     * atomic integer, or of a `volatile sig_atomic_t` that a signal handler sets. */
    int (*stop)(void *context);
    void (*progress)(void *context, const struct ml_run_progress *progress); /* NULL, or called
                                                     often, from one thread at a time */
    void (*notice)(void *context,
                   const char *text); /* NULL, or called with notices, without line ends */
    void *context;                    /* of all four */
    enum ml_kernel_mode kernel;       /* which kernels may be taken: results are the same */
    int no_native;                    /* no kernel is made or loaded */
    int accuracy; /* runs that are computed again with smaller steps, at most ML_RUN_MAX_ACCURACY:
                     the result and a notice have the error of the step; 0: as the study's
                     `accuracy`, -1: no runs. Not of ml_run_blocks */
    void (*observe)(void *context, const struct ml_run_block *block); /* NULL, or called with every
                     block that this call finished and kept, which is gone when it returns: by one
                     thread at a time, which is not that of `progress` */
    double grace; /* s after `time_limit`, when blocks being computed are dropped; 0: a tenth of it,
                     1 s or more */
    void (*finding)(void *context, const char *text); /* as `notice`, for doubts about the finished
                     numbers, such as the error of the step; NULL: `notice` is called */
    /* Path of a finished result, of the whole study or of a shard, whose study differs from this
     * study in other runs, other indicators, events, trajectories or another end; NULL: none. Runs
     * with the same values are taken from it, with all bits, where it has all numbers of them; with
     * a later end those that finished are integrated on from their ends there, where these have all
     * that the integrator and the indicators know. Else all runs are computed, and a notice says
     * why; of other indicators or events the numbers of both are compared, and differences are
     * named in a notice. The output may be the same file, which is replaced once the new result is
     * there, unless a run, or times behind an earlier end, would be lost, or a number that was
     * computed again differs (ML_E_INPUT).
     * Not of ml_run_memory and ml_run_blocks. */
    const char *donor;
    const char *donor_plugin; /* of its study, as `plugin` of ml_extend_study; NULL */
    /* A GPU that computes runs beside the processor, with the same bits: given steps up to the end,
     * without anything to look at before. "gpu" or "gpu:K": device K of the driver, from 0 on;
     * "gpu:K,L": several, 16 at most; ML_E_INPUT where it cannot be used; "auto": device 0 if it
     * can be used; NULL or "none": none. A device that fails is left with a notice. */
    const char *device;
};

/* Integrates every run of the study, or of a shard, and writes the result file. An existing file is
 * left alone when it is this study's finished result (was_finished in the report), and refused
 * (ML_E_OTHER_STUDY) otherwise; an interrupted result is continued. ML_STOPPED when `stop` or the
 * time limit ended the call: the same call continues. ML_E_BUSY when another process makes the same
 * result. A shard in which there is nothing to do, because the study has fewer blocks than shards,
 * has a result without runs.
 *   report  NULL: not wanted
 * Several threads may run studies at once, also the same one. */
ML_API enum ml_status ml_run(const struct ml_study *study, const struct ml_run_options *options,
                             struct ml_run_report *report, struct ml_error *err);

/* Runs a study in memory: nothing is written. The result has the datasets that the file would have,
 * with the same bits. `output`, `shards`, `restart`, `wait` and `strict_space` of the options have
 * no meaning here, and are refused (ML_E_INPUT) if they are set.
 *   out  freed with ml_result_free. When it stops before the end (ML_STOPPED) it has the
 *        finished runs, and the other runs have the outcome `missing`; NULL after any other failure
 */
ML_API enum ml_status ml_run_memory(const struct ml_study *study,
                                    const struct ml_run_options *options, struct ml_result **out,
                                    struct ml_run_report *report, struct ml_error *err);

/* Finished runs with neighbouring numbers. Missing numbers of an unfinished run are NaN. */
struct ml_run_block {
    size_t size;                      /* set by the library */
    int64_t first, n_run;             /* runs first .. first + n_run - 1 of the study */
    const int8_t *outcome;            /* [n_run] enum ml_outcome */
    const int64_t *steps;             /* [n_run] that were taken */
    const double *end_time;           /* [n_run] s, of the last good state */
    int n_output;                     /* as ml_study_output counts them */
    const double *const *outputs;     /* [n_output] -> [n_run][shape of the output] */
    int64_t n_saved;                  /* runs of the block that keep a trajectory: */
    int64_t first_saved, every_saved; /* first_saved, first_saved + every_saved, ... */
    int n_record;                     /* as ml_study_record counts them */
    const double *const *records;     /* [n_record] -> [n_saved][shape of the record] */
};

/* Takes a block, which is gone when it returns. Called by one thread at a time, which is not the
 * caller's, in the order in which blocks are finished. Not 0: stop. */
typedef int ml_run_block_fn(void *context, const struct ml_run_block *block);

/* Runs a study into a function, for results that are reduced as they come: memory is needed for
 * some blocks only. ML_STOPPED when `take` or `stop` ended the call. Options about files are
 * ignored. */
ML_API enum ml_status ml_run_blocks(const struct ml_study *study,
                                    const struct ml_run_options *options, ml_run_block_fn *take,
                                    void *context, struct ml_run_report *report,
                                    struct ml_error *err);

/* Path of the result of one shard, beside that of the whole study: of "out.h5", shard 7 of 12,
 * "out.shard-07-of-12.h5". To be freed by the caller; NULL without memory.
 *   output         as of ml_run_options
 *   shard, shards  0 <= shard < shards <= ML_RUN_MAX_SHARDS */
ML_API char *ml_run_shard_name(const char *output, int64_t shard, int64_t shards);

/* Length of the common beginning of these names, `output` without its ending; and a shell pattern
 * of the rest, to find the results of all `shards` (long long). */
ML_API size_t ml_run_shard_stem(const char *output);
#define ML_RUN_SHARD_PATTERN ".shard-*-of-%lld.h5"

#ifdef __cplusplus
}
#endif

#endif
