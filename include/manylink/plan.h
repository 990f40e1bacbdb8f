/* Runs, steps, memory, disk and time of a study, before its runs. */
#ifndef MANYLINK_PLAN_H
#define MANYLINK_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/kernel.h"
#include "manylink/status.h"
#include "manylink/study.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A field that is 0 has its default. */
struct ml_plan_options {
    size_t size;                /* sizeof(struct ml_plan_options) */
    int n_thread;               /* that would be asked for; 0: as OpenMP decides */
    enum ml_kernel_mode kernel; /* as of ml_run_options */
    int no_native;              /* the same */
    double rate;                /* steps per s of one thread with the general or built-in kernel, if
                                   it is known; 0: it is not */
    int measures;       /* not 0: without a `rate`, this and `taken` are measured on runs from
                           all over the study, for about 0.4 s of processor time, or as long as
                           one step of some runs takes; so is the speed of `device` */
    int64_t shards;     /* the kernel and the time are those of one of so many shards; 0: of
                           the whole study */
    double taken;       /* as of ml_plan_speed, if it is known with `rate`; 0: it is not */
    const char *device; /* as of ml_run_options: the GPU is opened and its kernel compiled, as a run
                           would, into the cache; NULL: none is planned */
};

/* Texts of all these are static or borrowed from the study. */

struct ml_plan_system {
    const char *name;            /* its type */
    int n_segment;               /* segments or degrees of freedom; 0: it is made of none */
    const char *part;            /* "segments" or "degrees of freedom", of that many; NULL */
    int n_force;                 /* that the study names */
    int takes_forces;            /* whether the system has joints for any */
    const char *integrator;      /* method */
    const char *solver;          /* of M q'' = f; NULL: there is no M */
    int jacobian_is_differenced; /* 1: the integrator is implicit and takes the Jacobian of a plugin
                                    by differences */
};

/* The time of the motion. */
struct ml_plan_time {
    double start, end, step;   /* s */
    int64_t steps;             /* of each run, at most */
    double relative, absolute; /* tolerances by which runs choose steps of their own, the above
                                  being ticks; 0: they are given */
    const char *clock; /* "time.step" or "time.end" if that is swept, so that `end` and `step` hold
                          for no run; or NULL */
};

/* Room, and the parts of the study. */
struct ml_plan_room {
    int64_t blocks;     /* number of blocks, by which runs are computed and stored */
    int64_t block_runs; /* runs of each block but the last */
    int64_t line_runs; /* runs of each line of a `continue` axis, where each run starts from the end
                          of its neighbour; 0: no such axis */
    int n_thread;      /* that would compute: at most one for a block */
    int runs_at_once;  /* runs that a thread advances together */
    double memory;     /* bytes that they need, whatever the number of runs */
    double memory_limit; /* bytes that the control group of this process may use; 0: no limit */
    double disk;         /* bytes of the result file, about */
    double disk_more;    /* bytes that are needed besides while it is made */
    double points;       /* bytes of `memory` that the numbers of a file of points take */
    double statistics;   /* bytes of memory that statistics and sensitivity indices of a sample take
                            at the end, when the runs are done */
};

/* The kernel, which computes the steps. */
struct ml_plan_kernel {
    const char *name;   /* "general", "built in" or "made"; NULL: that depends on the rate, which is
                           not known */
    const char *isa;    /* instruction set */
    const char *reason; /* why none is made for the study; NULL */
    int is_cached;      /* one that was made before is there */
    double saves;       /* s, about, that one that is made saves; 0: not known */
};

/* The time of computing. */
struct ml_plan_speed {
    double rate;  /* steps per s of one thread, given or measured, counted as if every run took all
                     of its steps; 0: not known */
    double taken; /* part of the steps of all runs that is taken, as runs end early by events or
                     fail */
    double seconds; /* s, about, that computing takes, with the runs that are computed again for the
                       error of the step; 0: not known */
    int is_at_most; /* 1: `seconds` is an upper bound: events may end runs behind the steps that
                       were measured */
};

/* Tangent vectors that are kept orthonormal. */
struct ml_plan_tangents {
    int n;                    /* 0: none are */
    int renormalise_is_given; /* 1: the study gives the interval, below `analyse` or `derived`; 0:
                                 it follows from `growth` */
    double renormalise;       /* s between orthonormalisations */
    double growth; /* 1/s, if it is not given: largest mean rate at which the vectors grew
                      or separated in the first steps of some runs */
};

/* The bound of the steps. */
struct ml_plan_stability {
    double step;       /* s, largest that the integrator is stable with in the first states of some
                          runs, one-sided forces taken as acting: steps chosen by tolerance stay
                          below it too; 0: unknown, or stable with any step */
    double rate;       /* 1/s, |eigenvalue| that bounds it */
    const char *force; /* whose force that is; NULL: no single one's */
    int64_t run;       /* in which that is so */
};

/* The GPUs that a run with the same `device` would use. */
struct ml_plan_device {
    int n;               /* 0: none */
    char name[96];       /* of the first, which is measured for all */
    char reason[512];    /* why none can be used, in the words of a run; "" */
    int n_thread;        /* of each, beside those of ml_plan_room: they give it runs */
    int64_t group;       /* runs that each of these gives it at once */
    double memory;       /* bytes on each device; `memory` of ml_plan_room has those on the host */
    int64_t runs, steps; /* that were measured at once: `seconds` is extrapolated from so many steps
                            of so many runs */
    double rate, seconds; /* as of ml_plan_speed, of the devices with these threads alone; 0: not
                             known */
};

struct ml_plan {
    size_t size;  /* sizeof(struct ml_plan) */
    int64_t runs; /* of the study */
    struct ml_plan_system system;
    struct ml_plan_time time;
    struct ml_plan_room room;
    struct ml_plan_kernel kernel;
    struct ml_plan_speed speed;
    struct ml_plan_tangents tangents;
    struct ml_plan_stability stability;
    struct ml_plan_device device;
};

/* Plans a run; nothing is computed unless `measures` is set, and nothing compiled or written
 * without `device`.
 * Thread-safe. ML_E_INPUT for structs of an impossible size. */
ML_API enum ml_status ml_study_plan(const struct ml_study *study,
                                    const struct ml_plan_options *options, struct ml_plan *out,
                                    struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
