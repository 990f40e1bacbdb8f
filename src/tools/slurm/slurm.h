/* A Slurm job script that spreads a study over a cluster. */
#ifndef ML_TOOLS_SLURM_SLURM_H
#define ML_TOOLS_SLURM_SLURM_H

#include <stdbool.h>
#include <stdio.h>

#include "manylink/study.h"

struct slurm_script {
    const char *command, *study, *output; /* absolute paths, without control characters */
    const char *const *set;               /* [n_set] --set of the study */
    const char *const *sbatch;            /* [n_sbatch] options for `sbatch` of the array; of the */
    const char *const *sbatch_merge;      /* [n_sbatch_merge] job that merges */
    int n_set, n_sbatch, n_sbatch_merge;
    int64_t cpus;       /* processors of a task */
    int64_t at_most;    /* tasks that run at a time; 0: any number */
    double time;        /* s, of a task */
    const char *device; /* of `run`, for which each task has a GPU; NULL: none */
    int64_t tasks;      /* at most; out: that many */
    bool no_native;
    double rate; /* steps per s of a thread of this machine; 0: unknown */

    /* Filled in by slurm_plan. */
    int64_t n_run, n_block;
    double work;              /* s of a processor for all runs; 0: unknown */
    double time_limit, grace; /* s, for the options of `run` */
    bool needs_kernel;        /* a kernel made for the study saves time */
    char name[64];            /* of the job */
};

/* Finds the number of tasks that have a block for every processor, their time, and whether a kernel
 * saves time. Errors as of ml_study_plan. */
enum ml_status slurm_plan(struct slurm_script *script, const struct ml_study *study,
                          struct ml_error *err);

/* Prints the script, after slurm_plan. */
void slurm_print(const struct slurm_script *script, FILE *to);

#endif
