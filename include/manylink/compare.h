/* Work and precision: cost and accuracy of integrators on a study's own runs. */
#ifndef MANYLINK_COMPARE_H
#define MANYLINK_COMPARE_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/kernel.h"
#include "manylink/status.h"
#include "manylink/study.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ML_COMPARE_MAX_LEVELS = 16,
    ML_COMPARE_MARGIN = 100 /* factor by which a reference must be more exact than an error measured
                               against the reference */
};

/* A field that is 0 or NULL has its default. */
struct ml_compare_options {
    size_t size;                    /* sizeof(struct ml_compare_options) */
    const char *const *integrators; /* [n_integrator] names; NULL: all there are */
    int n_integrator;
    int levels;                 /* steps or tolerances of each, 2 .. ML_COMPARE_MAX_LEVELS; 0: 8 */
    enum ml_kernel_mode kernel; /* as of ml_run_options */
    int no_native;              /* the same */
    int (*stop)(void *context); /* NULL, or as of ml_run */
    void *context;              /* of it */
};

struct ml_comparison;

/* The reference of the errors. Texts are static.
 *
 * The distance of two end states is the largest |x - y| / (1 + |y|) of their numbers, in the units
 * of the study: as a tolerance counts errors. */
struct ml_comparison_reference {
    size_t size;            /* sizeof(struct ml_comparison_reference) */
    const char *integrator; /* that computed it */
    double tolerance;
    const char *check; /* that computed it once more; the same at a tenth of the accuracy if the
                          study is stiff */
    double check_tolerance;
    int means;    /* of so many runs each, at this tolerance and tighter: rounding averages out */
    int is_stiff; /* explicit methods take ten times the work of rodas4, or fail */
    double difference; /* largest distance of the second from the reference, of the runs compared:
                          no error is known closer than that. The reference is the mean of the two
                          if they have one tolerance, else the first */
    double determined; /* a run is left out if its two end states are farther apart */
    int64_t runs;      /* looked at, spread over the study by a fixed sequence */
    int64_t compared;  /* of them */
    int64_t undetermined;     /* left out, as said */
    int64_t unfinished;       /* left out, as one of the two did not reach the end */
    double start, end;        /* s, of the runs */
    int64_t ticks;            /* between these, where steps are chosen by tolerance */
    int absent;               /* integrators without a row: one would take too long */
    int levels;               /* rows of an integrator, unless they take too long */
    int tangents;             /* tangent vectors of the study, which are left out of all this */
    int is_compensated;       /* the study sums so, and so do all rows */
    int is_end_only;          /* the study measures nothing on the way and keeps none of it */
    const char *fixed_kernel; /* "general", "built in" or "made": of given steps; NULL: no kernel of
                                 given steps */
    const char *chosen_kernel; /* the same of steps chosen by tolerance */
    const char *isa;           /* instruction set */
};

/* An integrator with one step or tolerance. Numbers per run are means over those compared. */
struct ml_comparison_row {
    size_t size;            /* sizeof(struct ml_comparison_row) */
    const char *integrator; /* static */
    int order;              /* of it */
    int level;              /* from 0 on, from the least exact on */
    int64_t n_step;         /* of the whole time; 0: chosen by `tolerance` */
    double step;            /* s; 0: the same */
    double tolerance;       /* 0: the step is given */
    int fits;               /* the study can take it; 0: it needs an explicit method */
    int64_t failed;         /* runs that did not end as those of the reference */
    double error, median;   /* distance of the end state from the reference: largest, and median of
                               the runs; NaN if one failed, as the next */
    const double *largest;  /* [quantities of ml_study_state] largest difference, in the unit of
                               each.  Borrowed from the comparison */
    double seconds;     /* CPU time per run on one thread, runs side by side as in a study; of all
                           numbers here only it differs from call to call */
    double evaluations; /* of the equations of motion, per run; those of a Jacobian count one per
                           number of the state */
    double steps, rejected; /* per run */
    double energy_error; /* largest difference of the energy at the end from the reference, relative
                            as in the output energy_drift; NaN without energy */
    double residual; /* largest output sweep_residual of the runs, NaN if of a run; 0: the method
                        has no sweeps */
    int converges;   /* 0: its sweeps have not converged, and it is not named as the cheapest */
};

/* Integrates up to 64 of the study's runs by every integrator: those with an error estimate by
 * tolerances from 1e-3 to 1e-12, the others by steps, each half the one before. Only the motion:
 * without the study's tangent vectors, indicators and trajectories; events stay if they end runs.
 * On one thread. A ladder ends when it has taken 5 s of CPU time.
 *   out  freed with ml_comparison_free; NULL on failure
 * ML_E_INPUT for an unknown integrator, levels out of range, and if no run has an end state that
 * the reference determines. Thread-safe. */
ML_API enum ml_status ml_compare(const struct ml_study *study,
                                 const struct ml_compare_options *options,
                                 struct ml_comparison **out, struct ml_error *err);
ML_API void ml_comparison_free(struct ml_comparison *comparison);

ML_API void ml_comparison_reference(const struct ml_comparison *comparison,
                                    struct ml_comparison_reference *reference);

/* Row i, from 0 on, in the order of the integrators and from the least exact on; 0 past the last.
 */
ML_API int ml_comparison_row(const struct ml_comparison *comparison, int i,
                             struct ml_comparison_row *row);

/* The row of the least CPU time among those that fit the study, whose sweeps have converged if they
 * have any, and whose error, with the difference of the references added, is at most `error`, a
 * distance of end states like that of the rows. -1 if no row is so exact, or if the references
 * differ by more than error / ML_COMPARE_MARGIN. */
ML_API int ml_comparison_cheapest(const struct ml_comparison *comparison, double error);

/* Writes it as a result file: /study/precision with a dataset [integrator][level] for each number
 * of a row, and views of the error over CPU time and evaluations. Replaces a file of this kind.
 *   study  that was compared
 * ML_E_FILE, ML_E_INPUT if something else is at `path`, ML_E_MEMORY. */
ML_API enum ml_status ml_comparison_write(const struct ml_comparison *comparison,
                                          const struct ml_study *study, const char *path,
                                          struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
