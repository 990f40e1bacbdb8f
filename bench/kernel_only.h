/* Our kernels on the runs of bench/runs.h, without study, output or observations on the way. */
#ifndef ML_BENCH_BARE_H
#define ML_BENCH_BARE_H

#include "engine/team/ensemble.h"

struct ml_bench_runs;
struct ml_ensemble_options;
struct ml_gpu_use;

/* The work per run for the driver of a bare ensemble: copying its row. */
struct ml_bench_table {
    int n_value;
    int64_t n_run;  /* run r has row r mod n_run */
    double *values; /* [n_run][n_value], owned */
};

/* Values of the runs for a chain; `values` is NULL without memory. */
struct ml_bench_table ml_bench_table(const struct ml_kernels *kernels,
                                     const struct ml_bench_runs *runs);

/* Values of an ensemble's first runs. */
struct ml_bench_table ml_bench_table_of(const struct ml_ensemble *ensemble, int64_t n_run);

/* Sets lengths, masses and initial angles of all rows to those of the runs. */
void ml_bench_table_set(const struct ml_system *system, const struct ml_bench_runs *runs,
                        struct ml_bench_table *table);

/* The ensemble with the rows of a table, which is borrowed, for values. */
struct ml_ensemble ml_bench_ensemble_of(const struct ml_ensemble *ensemble,
                                        const struct ml_bench_table *table);

/* RK4 of the first system, the chain, that nobody looks at before its end. The table is borrowed.
 */
struct ml_ensemble ml_bench_kernel_only_ensemble(const struct ml_kernels *kernels, int n,
                                                 int64_t n_step,
                                                 const struct ml_bench_table *table);

/* Sets the ensemble to the kernel that `manylink run` would make for it in a study that is worth
 * it, where one can be made; it stays loaded. */
void ml_bench_take_made(struct ml_ensemble *ensemble);

/* Contender of a race: an amount of runs of an ensemble on some threads. */
struct ml_bench_kernel_only {
    struct ml_ensemble ensemble;
    int n_thread;
    struct ml_gpu_use *gpu; /* beside them; NULL: none */
    int64_t unfinished;     /* runs that did not reach the end; anything but 0 is wrong */
};

void ml_bench_kernel_only_run(void *context, int64_t n_run);

/* End states of the runs 0 .. n_run - 1, [n_run][2 n]; NaN of a run that failed. By threads and
 * GPUs of the options, or by one thread. */
void ml_bench_ends(const struct ml_ensemble *ensemble, const struct ml_ensemble_options *options,
                   int64_t n_run, double *end);
void ml_bench_kernel_only_end(const struct ml_ensemble *ensemble, int64_t n_run, double *end);

/* The fastest kernels of this machine. */
const struct ml_kernels *ml_bench_fastest(void);

#endif
