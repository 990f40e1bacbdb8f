/* Many runs of one system: their equations, the numbers to keep, and where finished blocks go. */
#ifndef ML_ENGINE_ENSEMBLE_H
#define ML_ENGINE_ENSEMBLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/stop.h"
#include "design/clock.h"
#include "design/continuation.h"
#include "design/direction.h"
#include "design/saving.h"
#include "engine/kernels/kernels.h"
#include "events/event.h"
#include "manylink/outcome.h"
#include "manylink/status.h"
#include "yaml/pool.h"

/* How many runs ended how. */
struct ml_tally {
    struct ml_outcome_count count[ML_N_OUTCOME];
};

/* Counts a run. */
void ml_tally_add(struct ml_tally *tally, int outcome, int64_t run, double end_time);

/* Copies the first n counts to `out`, unless it is NULL; the number of runs that are sound. */
int64_t ml_tally_report(const struct ml_tally *tally, int n, struct ml_outcome_count *out);

/* Who sees the past, and how much of it (engine/steps/feedback.h). */
struct ml_feedback_plan {
    double reach;      /* s, the longest time that a controller looks back; 0: none has a delay */
    int64_t n_break;   /* at most so many breaks are seen at once; 0: all see the present */
    bool has_samples;  /* measured control loops are sampled */
    int n_late_sample; /* most sample times, rounded up, that a sampled controller is late by */
    int n_view;
    const struct ml_feedback_view *views; /* [n_view] */
    int n_rate;
    const int *rates; /* [n_rate] rows of the state whose rates are kept behind the state */
    int n_seen;
    const struct ml_feedback_seen *seen; /* [n_seen] of all views, each once; without `row` */
};

/* The place of a kernel that may come while an ensemble runs. */
struct ml_kernel_place {
    _Atomic(const struct ml_kernel *) kernel; /* NULL: it is not there */
    atomic_bool is_used;                      /* it has taken steps of a run */
};

/* Borrowed in full for the time of a run. */
struct ml_ensemble {
    const struct ml_kernels *kernels;
    struct ml_instance model; /* of a system whose name is in kernels */
    const char *code; /* C source of the plugin `model.own`, part of kernels made for it; NULL: the
                         source is not known, or there is no plugin */
    const struct ml_force_use *forces;
    int n_force;
    const struct ml_method *method; /* of ml_methods */
    struct ml_kernel_place
        *made; /* kernel compiled for this ensemble, used where its spec matches; NULL: none */
    bool takes_general; /* its kernel is the general one, whatever others there are */

    /* The time is cut into ticks, at which runs are looked at: steps where these are given, else
     * lanes choose their steps between them. Counts of steps are counts of ticks there. */
    struct {
        double start, step; /* s */
        int64_t n_step;
        enum ml_clock_kind
            clock;    /* the step is a number of each run, n_step steps each; `step` is unused */
        int slot;     /* index of that number among the values of a run */
        double share; /* of ML_CLOCK_STEP: part of the value that a step is */
        bool is_unstable;    /* planning found the given steps too large */
        bool is_adaptive;    /* lanes choose their steps by the rules in `chosen` */
        int64_t least_steps; /* from here on a run may end early; 0: none does */
    } time;

    /* Of steps that lanes choose. */
    struct {
        struct ml_control control;
        double first;       /* s; 0: from the start state */
        const double *most; /* [n_run] s, no step of the run is longer; NULL: any length */
    } chosen;

    /* Measurements of the runs, of every ensemble. */
    struct {
        int64_t observe_every; /* steps between observations, >= 1 */
        int64_t rates_mask;    /* 2^m - 1: largest rates are taken behind every 2^m-th step */
        const double *const *settings; /* [indicator] values of its params, NULL if it is not asked
                                          for; NULL: none is asked for */
        const struct ml_observable
            *observables; /* [n_observable] of the indicator that takes them */
        int n_observable;
        const bool *left_out; /* [indicator] not measured unless in `settings`; NULL: none is */
        int n_tangent;        /* first tangent vectors, that are kept orthonormal */
        int64_t renormalise_every; /* steps between orthonormalisations; >= 1 if n_tangent > 0 */
    } indicators;

    struct ml_saving saving;
    int64_t n_run;
    int64_t block_runs; /* runs per block, a multiple of ML_LANES, or all; of so many lines, if
                           there are */
    struct ml_continuation continuation;
    struct ml_feedback_plan feedback;

    const struct ml_event *events; /* [n_event] */
    int n_event;

    /* Numbers of one run, of every ensemble. */
    struct {
        int n;

        /* Values of one run, [n], derived slots still NaN; thread-safe, depends on `run` only. */
        void (*values)(const void *context, int64_t run, double *values);
        const void *context;
        const struct ml_defined *defined; /* how some values follow from others; NULL: none do */
    } numbers;

    /* Of derivatives by numbers of a run: `model.n_sens` is not 0. */
    struct {
        const struct ml_direction
            *directions;           /* [model.n_sens] that the last tangent vectors are along */
        const int *differentiated; /* indices of the indicators whose derivatives are measured, in
                                      their order */
        int n_differentiated;
    } derivatives;
};

/* Results of one block: runs first .. first + n_run - 1. Rows of a run are contiguous. */
struct ml_block {
    int64_t index, first, n_run;
    int8_t *outcome;  /* [n_run] enum ml_outcome */
    int64_t *steps;   /* [n_run] steps done, of lanes that choose them those accepted */
    double *end_time; /* [n_run] s, time of the last good state */
    double **summary; /* [n_output] -> [n_run][rows]; NaN for a run that did not finish */
    int64_t n_saved;  /* runs of the block that keep a trajectory */
    double **records; /* [ml_saving_records] -> [n_saved][rows][n_sample]; NaN after the end of a
                         run that did not finish */
};

/* The outputs of an ensemble one by one, in their order: begins as {.ensemble = ...}. */
struct ml_outputs {
    const struct ml_ensemble *ensemble;
    int indicator; /* whose output it is; behind the last one: the output of `event` */
    int event;
    int k;                   /* outputs of that indicator or event so far: 1 at its first */
    struct ml_output output; /* a dataset of /study/summary */
};

/* Goes to the next output, at first to the first one; false past the last. */
bool ml_outputs_next(struct ml_outputs *outputs);

/* Shape of the results, the same for every block; its arrays belong to a pool. */
struct ml_results {
    struct ml_output *outputs; /* [n_output] /study/summary datasets in order */
    int64_t *first;            /* [n_output + 1] rows of all outputs before each */
    int n_output;
    int *first_of_event; /* [n_event] index of each event's first output */
    int64_t n_sample;    /* ml_ensemble_samples */
};

/* The i-th indicator of the registry; NULL past the last. */
static inline const struct ml_indicator *ml_ensemble_indicator(const struct ml_ensemble *ensemble,
                                                               int i)
{
    return ensemble->kernels->registry->indicators[i];
}

/* The runs of an ensemble without tangent vectors, derivatives, settings of indicators and
 * trajectories. */
struct ml_ensemble ml_ensemble_bare(const struct ml_ensemble *ensemble);

/* Takes n rows of ML_LANES numbers from an arena. */
static inline double *ml_rows_take(struct ml_arena *arena, int n)
{
    return ml_arena_take(arena, (size_t)n * ML_LANES, sizeof(double));
}

/* Whether steps are looked into: for events, or for conditions of formulas that change. */
static inline bool ml_ensemble_is_watched(const struct ml_ensemble *ensemble)
{
    return ensemble->n_event > 0 || ensemble->model.system->switches.n > 0;
}

/* s, from tick to tick of the run with these values. */
double ml_ensemble_step(const struct ml_ensemble *ensemble, const double *values);

/* s: times around t that differ by no more are the same: of the time of a step k, start + k step,
 * and of an onset and a duration the last digits are rounding; and whether t is before a limit by
 * more than that. */
double ml_ensemble_rounding(const struct ml_ensemble *ensemble, double t);
bool ml_ensemble_is_before(const struct ml_ensemble *ensemble, double t, double limit);

/* The kernel that was made for the ensemble; NULL: none is there. */
static inline const struct ml_kernel *ml_ensemble_made(const struct ml_ensemble *ensemble)
{
    return ensemble->made ? atomic_load(&ensemble->made->kernel) : NULL;
}

/* The general kernel of the ensemble's system, found by name. */
const struct ml_kernel *ml_ensemble_general(const struct ml_ensemble *ensemble);

/* Number of outputs. */
int ml_ensemble_outputs(const struct ml_ensemble *ensemble);

/* Samples of a trajectory, the start included; 0 if trajectories are not saved. And the time of
 * one, s, of runs with a common step. */
int64_t ml_ensemble_samples(const struct ml_ensemble *ensemble);
double ml_ensemble_sample_time(const struct ml_ensemble *ensemble, int64_t i);

/* Describes the results of an ensemble, in memory of `pool`; false without memory. */
bool ml_results_describe(const struct ml_ensemble *ensemble, struct ml_pool *pool,
                         struct ml_results *out);

/* The i-th indicator of the kernels as this ensemble uses it, and whether it measures anything. */
struct ml_indicator_use ml_ensemble_use(const struct ml_ensemble *ensemble, int i);
bool ml_ensemble_measures(const struct ml_ensemble *ensemble, int i);

/* The quantity of indicator i that kernels accumulate, so that it need not observe. The drift of
 * the energy only of systems without laws, which have energies of their own, by methods with a
 * tableau, in whose first stage it is found, and where no event ends runs within a call of the
 * kernel. */
enum ml_measure ml_ensemble_measure(const struct ml_ensemble *ensemble, int i);

/* Steps from one observation of the indicators to the next; INT64_MAX: at the start and the end
 * alone, as no indicator has an `observe` that kernels do not stand in for. */
int64_t ml_ensemble_observe_every(const struct ml_ensemble *ensemble);

/* Ticks from one to the next at which steps that lanes choose end, whether something is observed
 * there or not: no step is longer. INT64_MAX: at the end alone. */
int64_t ml_ensemble_meet_every(const struct ml_ensemble *ensemble);

/* Rows of all state quantities. */
int ml_rows_state(const struct ml_ensemble *ensemble);

/* The records that a trajectory can keep: the system's, then the derivatives of the state by the
 * parameters if there are any. Number of them; one of them; size of one of its dimensions, and its
 * rows. */
int ml_ensemble_records(const struct ml_ensemble *ensemble);
const struct ml_quantity *ml_ensemble_record(const struct ml_ensemble *ensemble, int i_record);
int ml_record_size(const struct ml_ensemble *ensemble, enum ml_dim dim);
int ml_record_rows(const struct ml_ensemble *ensemble, int i_record);

/* Behind these, for callers that take blocks themselves: the derivatives of a record of the system
 * by the parameters, [rows][n_sens]. Those of state quantities are tangent vectors; those of other
 * records are central differences along the tangent vectors (engine/steps/derivs_observed.c). */
static inline int ml_record_derivs(const struct ml_ensemble *ensemble, int i_record)
{
    return ensemble->model.system->tables.n_record + 1 + i_record;
}

/* The record of which a kept record is the derivatives; -1: the kept record is none of these. */
static inline int ml_record_of_derivs(const struct ml_ensemble *ensemble, int kept)
{
    const int i_record = kept - ml_record_derivs(ensemble, 0);
    return i_record >= 0 ? i_record : -1;
}

/* Numbers that one trajectory keeps of every sample. */
int64_t ml_trajectory_rows(const struct ml_ensemble *ensemble);

int64_t ml_ensemble_blocks(const struct ml_ensemble *ensemble);

/* Runs per block that suits the ensemble: from its sizes only, never from the machine, so that
 * parts of an interrupted study fit wherever it goes on. Reads everything but block_runs. */
int64_t ml_ensemble_block_runs(const struct ml_ensemble *ensemble);

/* Runs of block `index`: block_runs, but fewer in the last one. */
int64_t ml_ensemble_runs_of_block(const struct ml_ensemble *ensemble, int64_t index);

#endif
