/* One call of ml_run, ml_run_memory or ml_run_blocks: the common part, wherever the finished blocks
 * go. */
#ifndef ML_RUN_JOB_H
#define ML_RUN_JOB_H

#include "engine/kernels/kernel_choice.h"
#include "engine/team/team.h"
#include "manylink/run.h"
#include "run/gpus.h"
#include "store/store.h"

struct ml_run_job {
    const struct ml_study *study;         /* borrowed, as all the caller's */
    const struct ml_run_options *options; /* of this version's size */
    struct ml_run_report *report;         /* the same */
    double start;                         /* s, as of omp_get_wtime */
    struct ml_ensemble ensemble;          /* the study's, with the kernel that is taken */
    struct ml_kernel_choice choice;
    struct ml_run_gpus gpus;
    const struct ml_known_runs *known; /* NULL: all runs are integrated */
    double telling; /* s of them for the error of the step in a study of few runs */
};

/* The caller's options and report in this version's size, and the float environment of the
 * library while `run` is called.
 *   report  may be NULL */
typedef enum ml_status ml_run_job_fn(struct ml_run_job *job, void *context, struct ml_error *err);
enum ml_status ml_run_job(const struct ml_study *study, const struct ml_run_options *options,
                          struct ml_run_report *report, ml_run_job_fn *run, void *context,
                          struct ml_error *err);

/* ML_E_INPUT if a kernel made for the study is asked for, and none can be made. */
enum ml_status ml_run_job_check(const struct ml_run_job *job, struct ml_error *err);

/* ML_E_INPUT for options about files, of runs in memory. */
enum ml_status ml_run_job_check_in_memory(const struct ml_run_options *options,
                                          struct ml_error *err);

/* Threads, stop and time limit of the call. */
struct ml_ensemble_options ml_run_job_how(const struct ml_run_job *job);

/* Takes the kernel that suits so many runs that are still to be computed. */
enum ml_status ml_run_job_choose_kernel(struct ml_run_job *job, int64_t n_run,
                                        struct ml_error *err);

/* Opens the GPUs that the options ask for, with the kernel of the runs, unless there are none.
 * Notices why none is used where that is left to the library. */
enum ml_status ml_run_job_open_device(struct ml_run_job *job, int64_t n_run, struct ml_error *err);

/* Notices why GPUs have failed, behind the threads' end. */
void ml_run_job_settle_device(struct ml_run_job *job);

/* Stops the making of a kernel that is not there yet, notices why none could be made, and reports
 * the kernel. */
void ml_run_job_settle_kernel(struct ml_run_job *job);

/* "general", or "made (cc: gcc 14)", of a kernel that is settled; and how many runs each GPU
 * has computed. */
void ml_run_job_kernel_text(const struct ml_run_job *job, size_t size, char *text);

/* Reports the beginning of a phase that is not counted. */
void ml_run_job_begin_phase(const struct ml_run_job *job, enum ml_run_phase phase);

/* Passes progress of a team on, as `progress` of ml_ensemble_options; the context is a struct
 * ml_run_job_relay. */
struct ml_run_job_relay {
    const struct ml_run_options *options;
    enum ml_run_phase phase;
    struct ml_progress last; /* out */
};
void ml_run_job_relay(void *context, const struct ml_progress *progress);

/* Runs every block that the sink does not have. */
enum ml_status ml_run_job_integrate(struct ml_run_job *job, const struct ml_sink *sink,
                                    struct ml_error *err);

/* A block in the words of the public header. */
struct ml_run_block ml_run_job_block(const struct ml_ensemble *ensemble, int n_output,
                                     const struct ml_block *block);

/* Reports how the runs ended. */
void ml_run_job_report(struct ml_run_job *job, const struct ml_tally *tally);

/* Fills in the causes of a report that has the outcomes. */
void ml_run_job_find_causes(const struct ml_run_job *job);

/* Runs that it computes again with smaller steps. */
int ml_run_job_accuracy_count(const struct ml_run_job *job);

/* Runs that choose more steps than that are not computed again, in a study of few. */
double ml_run_job_accuracy_most_steps(const struct ml_run_job *job);

/* Computes runs again with smaller steps, as the options or the study ask for it.
 *   store keeps finished runs when the call stops; NULL: no run is kept
 *   out    no run if the study wants none recomputed. Free in any case */
enum ml_status ml_run_job_accuracy(struct ml_run_job *job, struct ml_store *store,
                                   struct ml_shard shard, struct ml_accuracy *out,
                                   struct ml_error *err);

/* A notice of the error that the step leaves in the numbers. */
void ml_run_job_report_accuracy(const struct ml_run_job *job, const struct ml_accuracy *accuracy);

/* Notices: the error of the step; if the sweeps of the integrator have not converged, with the
 * factor by which to raise the number of steps; if energy drifts by more than 1 % though nothing
 * but the integrator can change it; where runs have not come to an attractor; and where conditions
 * change too fast to be followed. Of a result that
 * cannot be read only the first is given.
 *   accuracy  runs computed again
 *   result    or NULL: the file at `path` is opened */
void ml_run_job_report_doubts(struct ml_run_job *job, const struct ml_accuracy *accuracy,
                              struct ml_result *result, const char *path);

/* A notice where exponents of runs that have come to rest are not the eigenvalues there. */
void ml_run_job_report_rest(const struct ml_run_job *job, struct ml_result *result);

/* Gives the caller a notice, or a finding about the finished numbers. */
void ml_run_job_notice(const struct ml_run_job *job, const char *text);
void ml_run_job_find(const struct ml_run_job *job, const char *text);

/* Time from the start [s], for a time limit and a grace [s; 0: as usual], after which blocks being
 * computed are dropped. */
double ml_run_job_last_moment(double limit, double grace);

#endif
