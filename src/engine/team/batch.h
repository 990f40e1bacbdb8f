/* One batch: ML_LANES runs that advance side by side, from start to end. */
#ifndef ML_ENGINE_BATCH_H
#define ML_ENGINE_BATCH_H

#include "base/arena.h"
#include "engine/gpu/use.h"
#include "engine/steps/derivs.h"
#include "engine/steps/feedback.h"
#include "engine/steps/jumps.h"
#include "engine/steps/loop.h"
#include "engine/steps/step.h"
#include "engine/team/ensemble.h"

/* Rows of lanes that choose their steps, of their orthonormal vectors. */
enum {
    ML_OWN_SINCE,     /* s: since the start of the run, where vectors were orthonormal last */
    ML_OWN_SPAN,      /* s: as of ml_renormalisation, like the next */
    ML_OWN_RATE,      /* 1/s */
    ML_OWN_TRACE_END, /* 1/s: trace at the end of the step, whose beginning `trace` is of */
    ML_OWN_TRACED,    /* its integral over the step */
    ML_N_OWN
};

/* Samples that go on together: a cache line of each trajectory. */
enum { ML_TILE = 8 };

enum { ML_STEP_CONTROL_STATES = 3 };

/* Steps that are looked at together (engine/steps/window.c); rows of ML_LANES. */
struct ml_window {
    int64_t first, end; /* steps first .. end - 1 */
    int64_t most;       /* the largest end - first */
    unsigned stepped;  /* lanes that took a step, where lanes have steps of their own; else alive */
    unsigned underway; /* lanes short of `end`, where lanes have steps of their own; else 0 */
    double *before, *now; /* [1] s: time of each lane at the beginning and end of its step */
    double *step_control; /* [ML_N_STEP_CONTROL] of the batch at that beginning, of lanes that
                             choose their steps */
    /* [..][n_x] states of given steps: those behind steps k for which k + 1 is a multiple of
     * `every`. Where events are looked for, rows -2 and -1 have the states before the last two
     * steps of the window before. NULL: no states are kept. */
    double *states;
    bool has_states; /* `states` is not NULL once its memory is there */
    int64_t every;
    int64_t meet_every;                      /* ml_ensemble_meet_every */
    double tick[ML_LANES], n_tick[ML_LANES]; /* s: the next of these, and the number of the one
                                                behind it, of lanes that choose their steps */
    int n_state;          /* steps that events are looked for in: 1 without states */
    int64_t singly_until; /* a run fails before this step, so that windows up to it have one step */
    int64_t run;          /* run in lane 0 if the batch was integrated ahead; else -1 */
    int64_t n_stop;       /* stops of that batch that were taken */
    int64_t device_run;   /* run in lane 0 if a GPU has integrated the batch ahead; else -1 */
};

/* Where events set the state (engine/steps/reset.c); else zeroed. */
struct ml_reset {
    unsigned lanes[ML_MAX_EVENTS];         /* whose step ended at this event */
    unsigned rests[ML_MAX_EVENTS];         /* that could take no step from this event to the next */
    double level[ML_MAX_EVENTS][ML_LANES]; /* number of the level that its value is at */
    double *x;                             /* rows of the batch's x, behind the event */
    double *instant;        /* the same before all events of the instant; where some are together */
    double *value, *before; /* [n_x] scratch; derivative of the state before it */
    double *time_derivs;    /* [n_column] of the time of the event */
};

/* Conditions of formulas (engine/steps/switches.h); zeroed without any. Rows of ML_LANES. */
struct ml_switches {
    double *number, *slope; /* [2 n_switch] of the conditions, and their shares where motions slide;
                               [n_switch] 1/s: derivatives of the numbers by time */
    double *begin, *change; /* [2 n_switch] the same when a step begins; scratch */
    double *seen;           /* [1] s: when `number` was measured; NaN where that is not known */
    double *next, *last;    /* [n_switch] s: when a condition of time changes next, or INFINITY;
                               when a condition changed last */
    double *at, *from, *to; /* [n_switch] s behind the beginning of a step, places before and
                               behind: of the changes in the last step */
    double *rows;           /* [n_switch][N_WATCH], engine/events/event_watched.h */
    unsigned *noted;        /* [n_switch] lanes whose step ends at a change */
    double *before, *after; /* [n_x] derivatives of the state on both sides of a change */
    double *moved, *moves;  /* [n_x] scratch; [n_column] of the time of a change */
    double *doubt; /* [1] number, from 1, of the first condition of each run that was not followed;
                      0: all were */
};

/* The events of one batch; rows of ML_LANES. Zeroed where the ensemble has no events. */
struct ml_event_watch {
    double **seen, **kept; /* [n_record] records that events look at and keep, else NULL */
    double *kept_value;    /* [rows of all that an event keeps] */
    struct ml_event_numbers *numbers; /* [n_event][ML_LANES] */
    double *rows;                     /* [n_event][N_WATCH], engine/events/event_watched.h */
    double *x_now, *x_stop; /* [n_x (1 + n_column)] states; x_stop of lanes that stopped */
    double *probe, *rate;   /* [n_x (1 + n_column)] */
    double *end_rates; /* [2][n_x] derivatives of the state at the ends of a step, where an event
                          looks at a number that is no plain state */
    /* Where a window has states (engine/events/event_watch_scan.c): the record that each event
     * looks at, before the last two steps and behind each. */
    double **values;    /* [n_event] -> [2 + most steps][rows of the record] */
    double **sags;      /* [n_event] -> [1 + most steps] how much it bends, before and in each */
    int n_scanned;      /* window.n_state of the last scan */
    double *low, *high; /* [n_event] between which nothing happens in the lanes `bounded` */
    bool is_bounded;    /* these are up to date */
    unsigned bounded;
    double *span; /* [1] s: of a step, to take differences over parts of */
    /* If there are parameters (engine/events/event_watch_deriv.c): */
    double *time_derivs, *stop_derivs; /* [n_sens] of the time of an event, and of the one that
                                          stops a run */
    double *moved_x, *motion_x;        /* [n_x] */
    double *moved_constants;           /* [constant rows] */
    double *kept_deriv;                /* [rows of all that an event keeps] of these */
    double *stop_time;                 /* [1] s */
    double *
        align; /* [ML_ALIGN_ROWS] where steps are cut at events (engine/steps/align.c); else NULL */
    bool takes_own_steps; /* lanes do: by tolerance, or up to events */
    struct ml_reset reset;
    const struct ml_event *stop_event[ML_LANES];
    unsigned stopped; /* lanes in which an event ended the run in the step */
    unsigned ended;   /* lanes whose run ends, at stop_time, where events accumulate */
};

/* Runs that are integrated ahead, from run `first` on (engine/steps/refill.c). Without it n_batch
 * is 0. */
struct ml_refill {
    int64_t every;                        /* ticks from one observation to the next */
    int64_t n_batch, n_stop;              /* batches that there is room for; stops of each */
    int64_t first, n_run;                 /* runs that it has */
    int64_t n_next;                       /* of them, those to take next: for less than a second */
    double *constants, *x, *step_control; /* rows of ML_LANES as of a batch: the lanes under way */
    double *states;                       /* [n_batch][n_stop] -> rows like x, at each stop */
    double *step_controls; /* [n_batch] -> [ML_N_STEP_CONTROL][ML_LANES] at the end of each run */
    int64_t *failed_at;    /* [n_batch][ML_LANES] stop not reached; -1: all were */
    struct ml_lane_faults *faults; /* [n_batch] of which kind */
};

/* Parts of the memory that host and device both have, each [n_batch][rows][ML_LANES]. */
enum ml_device_part {
    ML_DEVICE_START, /* s, of the clock; of steps that lanes choose, their end */
    ML_DEVICE_STEP,  /* s */
    ML_DEVICE_CONSTANTS,
    ML_DEVICE_X,
    ML_DEVICE_RATES,
    ML_DEVICE_DRIFT,
    ML_DEVICE_TRACE,   /* of the Jacobian, and its sum */
    ML_DEVICE_CONTROL, /* as of ml_leg, where lanes choose their steps */
    ML_DEVICE_FAULTS,  /* [n_batch][ML_LANES] bytes */
    ML_DEVICE_STOPS,   /* where tangent vectors are made orthonormal, as of ml_gpu_stops */
    ML_N_DEVICE_PART
};

/* Batches of a block that a GPU integrates ahead, as many at once as there is memory for, from
 * start to end (engine/steps/device.c, device_ahead.c). */
struct ml_device_runs {
    struct ml_gpu_use *use; /* NULL: no GPU is used; borrowed */
    bool has_begun;
    struct ml_gpu_queue queue;      /* closed: this thread computes without the device */
    int64_t most;                   /* batches that there is room for */
    int64_t rows[ML_N_DEVICE_PART]; /* of a batch */
    size_t begin[ML_N_DEVICE_PART]; /* bytes before each part */
    int64_t first, n_batch; /* run in lane 0 of the first batch that is there, and their number */
};

/* Where the runs of a batch stand on their lines (engine/team/batch_load.c). */
struct ml_line_state {
    int64_t stride; /* from the run of one lane to that of the next; 1 where there are no lines */
    bool has_continuation; /* its runs begin with `end`, */
    unsigned lost;         /* but not those of these lanes: the run before did not end */
    unsigned ended;        /* lanes whose run has ended, in the state `end` */
    double *end;           /* [rows of the state quantities] */
};

/* Looks into the steps that lanes choose (engine/steps/looks.c); rows of ML_LANES. Zeroed where no
 * indicator looks into steps. */
struct ml_looks {
    bool are_needed, have_derivs;
    struct ml_step step; /* with tangent vectors if have_derivs; without rates of a linearly
                            implicit method, which may be far off where states are right */
    double *x[ML_STEP_POINTS], *rate[ML_STEP_POINTS]; /* the same */
    double *now, *kept; /* [rows of x] a state in between; that of the batch */
    int *n_record_row;
    double **records; /* [n_record] -> [ML_LOOK_POINTS][rows], NULL if not seen, like the next */
    double **largest; /* -> [rows] largest absolute value of the run so far */
    double **derivs;  /* -> [ML_LOOK_POINTS][rows][n_sens] */
    double *kinetic, *potential; /* [ML_LOOK_POINTS] and their derivatives [n_sens] there */
    double *kinetic_deriv, *potential_deriv;
    double **ends[2], **slopes[2]; /* as of ml_look_ends */
    double *energy[2], *power[2];  /* the same */
    double *sides[2];              /* [1] scratch */
    unsigned *wanted;              /* [n_indicator] lanes of the step that it looks into */
    bool want_energy;              /* some of these looks at energies */
};

/* Memory of one thread, cut from its arena, and values that hold for every batch of the ensemble;
 * rows of ML_LANES unless said otherwise. */
struct ml_batch {
    int64_t n_done; /* steps that the runs have behind them: the block has their results there, and
                       they are integrated on (engine/steps/prolong.c); 0 after ml_batch_layout */
    struct ml_stop stop;  /* as of ml_ensemble_options; {0} after ml_batch_layout */
    double *run_values;   /* [n_value] doubles: one run */
    double *values;       /* [n_value] */
    double *step;         /* [1] s: from tick to tick */
    unsigned impossible;  /* lanes whose start cannot have the energy it is given, or does not hold
                             the constraints */
    double *constants;    /* [ml_rows_constants] */
    double *x, *x_before; /* [n_x (1 + n_column)] the state, then its tangent vectors */
    /* [ML_N_STEP_CONTROL] of lanes that choose their steps, and behind it ML_STEP_CONTROL_STATES
     * states of scratch; else NULL */
    double *step_control;
    double *residual; /* [1] as of ml_clock, since the start; NULL unless the method has sweeps */
    double *course; /* [n_course] x, tangents.trace, trace_sum and own, and all of indicators.keep,
                       which point into it */
    double *saved;  /* [n_course] copy of `course` while a run ends at an event; NULL: none does */
    int n_course;
    double *work; /* scratch of the kernels */

    /* Of every ensemble. */
    struct {
        const struct ml_kernel *fastest; /* there is for the ensemble */
        const struct ml_kernel *made;    /* made for it, the one looked at last; NULL: none */
        const struct ml_kernel *general; /* for any instance of its system */
    } kernels;

    /* Rows of the outputs, of every ensemble. */
    struct {
        int n;
        int *rows;           /* [n] rows of each */
        enum ml_join *join;  /* [n] */
        int *first;          /* [n_indicator] where those of an indicator begin */
        int *first_of_event; /* [n_event] where those of an event begin */
        double **values;     /* [n] pointers to their rows */
    } outputs;

    /* The indicators, of every ensemble. */
    struct {
        struct ml_indicator_use *use; /* [n_indicator] */
        bool *active;                 /* [n_indicator] the indicator has outputs */
        double **keep;                /* [n_indicator] pointers to rows the indicators keep */
        int64_t observe_every;        /* ml_ensemble_observe_every */
        double *rates, *drift;        /* as of ml_clock, in `keep`; NULL: not wanted */
    } indicators;

    /* Pointers to records and samples, of every ensemble. */
    struct {
        double **tile;  /* [ml_saving_records] -> [ML_TILE][rows] samples of each that is kept */
        double **slot;  /* [n_record of the system] -> [rows] the sample that is being taken; NULL
                           of a record that is not kept */
        double **rows;  /* [n_record of the system] argument of ml_system.dynamics.record: all
                           NULL between its calls */
        double **state; /* [n_record of the system] pointers into one piece: the state
                           quantities, then NULL */
        double **observed; /* the same pointers to records that indicators observe, else NULL */
    } records;

    /* [1] each, of every ensemble. */
    struct {
        double *kinetic, *potential, *scale;
    } energy;

    /* Tangent vectors that are kept orthonormal; NULL where nothing asks for them. */
    struct {
        double *r;         /* [n_tangent(n_tangent+1)/2] as of ml_renormalisation */
        double *log_r;     /* [n_tangent] */
        double *trace;     /* [1] 1/s; NULL like the next if no indicator asks for it */
        double *trace_sum; /* [1] its integral since the last orthonormalisation */
        double *unit_x;    /* [n_x (1 + n_x)] the state, then unit vectors */
        double *unit_rate; /* their rates */
        /* Set where their lanes choose their steps (engine/steps/renormalise.c); else NULL. */
        double *own;         /* [ML_N_OWN], and where `trace` is asked for [2][n_x] rates of the
                                state at the beginning and end of the step */
        double *growth_x;    /* [2 n_x] the state and the first vector; NULL like the next unless an
                                indicator asks for its rate */
        double *growth_rate; /* their rates */
    } tangents;

    /* Derivatives by the parameters as of ml_observation; NULL if no indicator asks for them on the
     * way. */
    struct {
        double **records; /* [n_record of the system] */
        /* [most rows of a record among these] scratch: the record at both sides of a difference */
        double *sides[2];
        double *state, *kinetic, *potential, *scale;
        double *parameters;           /* [n_sens] */
        double *differentiated;       /* [rows of the differentiated outputs] */
        double *differentiated_deriv; /* [the same rows][n_sens] */
    } by_parameters;

    struct ml_derivs derivs;
    struct ml_window window;
    struct ml_event_watch watch;
    struct ml_switches switches;
    struct ml_refill refill;
    struct ml_device_runs device; /* {0} after ml_batch_layout */
    struct ml_line_state line;
    struct ml_feedback feedback;
    struct ml_looks looks;
    struct ml_loop_work loop;
};

static inline struct ml_jumps_lanes ml_batch_lanes(const struct ml_ensemble *ensemble,
                                                   struct ml_batch *batch)
{
    return (struct ml_jumps_lanes){ensemble,    batch->kernels.fastest, batch->constants, batch->x,
                                   batch->work, &batch->feedback};
}

/* Takes the kernel made for the ensemble if it has come since the last call. */
void ml_batch_take_kernel(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* s, of step k of each run. */
struct ml_times ml_batch_times(const struct ml_ensemble *ensemble, const struct ml_batch *batch,
                               double k);

/* Tries of a step in one call of the kernel: some milliseconds, between looks at the stop flag. */
int64_t ml_most_tries(const struct ml_ensemble *ensemble);

/* Takes steps k0 .. k0 + n_step - 1 with the active lanes, each as long as this share of its run's;
 * those that choose their steps go to the end of them, by some thousands of tries at most. */
struct ml_lane_faults ml_batch_advance(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                                       double share, int64_t k0, int64_t n_step, unsigned active);

/* The row of the state behind k steps, if that is kept, else of the next one that is. */
static inline double *ml_window_row(const struct ml_ensemble *ensemble,
                                    const struct ml_window *window, int64_t k)
{
    const int64_t row = (k + window->every - 1) / window->every - window->first / window->every;
    return window->states + (row - 1) * ml_n_x(&ensemble->model) * ML_LANES;
}

/* The same; given steps also write window->states and, without events, `rates` and `drift` of the
 * batch. window NULL: nothing but the steps. */
struct ml_lane_faults ml_batch_advance_noting(const struct ml_ensemble *ensemble,
                                              struct ml_batch *batch, double share, int64_t k0,
                                              int64_t n_step, unsigned active,
                                              const struct ml_window *window);

/* Tries steps of the active lanes, which choose them, up to end [ML_LANES], s, and at most so many.
 */
struct ml_lane_faults ml_batch_try(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                                   const double *end, int64_t most_tries, unsigned active);

/* Takes steps of the active lanes again, which choose them: from batch->x, with batch->step_control
 * set to `step_control`, up to end [1], s. */
void ml_batch_retake(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                     const double *step_control, const double *end, unsigned active);

/* Completes constants that the system has prepared from the same values: joint terms of forces, and
 * what laws read. */
void ml_forces_load(const struct ml_ensemble *ensemble, const double *values, double *constants);

#endif
