/* An indicator: numbers measured on a run while the run advances. */
#ifndef ML_ANALYSIS_INDICATOR_H
#define ML_ANALYSIS_INDICATOR_H

#include <stdbool.h>

#include "analysis/look.h"
#include "model/system.h"

/* Measures of linearised control loops (engine/assess/loop_measures.c). */
enum ml_loop_measure {
    ML_NO_LOOP,
    ML_LOOP_MARGINS,   /* [ML_N_MARGIN][n] */
    ML_LOOP_POLES,     /* [ML_N_POLE][n_x] */
    ML_LOOP_RESPONSE,  /* [ML_N_RESPONSE][n][frequencies] */
    ML_LOOP_REGULATOR, /* of enum ml_regulator, one after the other */
    ML_LOOP_PLACEMENT, /* the same */
    ML_N_LOOP
};

/* Numbers of a pole, which stand in order: the slowest to decay is the first. */
enum ml_pole { ML_POLE_REAL, ML_POLE_IMAGINARY, ML_POLE_DAMPING, ML_POLE_FREQUENCY, ML_N_POLE };

/* The open loop at each joint and frequency. */
enum ml_response { ML_RESPONSE_MAGNITUDE, ML_RESPONSE_PHASE, ML_N_RESPONSE };

/* A regulator by cost or by poles, and its keys. */
enum ml_regulator {
    ML_REGULATOR_STIFFNESS, /* [n][n] N m/rad, by joints */
    ML_REGULATOR_DAMPING,   /* [n][n] N m s/rad */
    ML_REGULATOR_ANGLE,     /* [n] rad */
    ML_REGULATOR_POLE,      /* [1] of the closed loop: by cost its slowest, else its error */
    ML_N_REGULATOR
};
enum ml_regulator_key {
    ML_REGULATOR_Q_ANGLE, /* of each joint too, like the next two */
    ML_REGULATOR_Q_RATE,
    ML_REGULATOR_R,
    ML_REGULATOR_SAMPLE_TIME,
    ML_N_REGULATOR_KEY
};
enum ml_placement_key { ML_PLACEMENT_SAMPLE_TIME, ML_N_PLACEMENT_KEY };

/* Margins of a loop (engine/assess/margins.c), by joint. */
enum ml_margin {
    ML_MARGIN_GAIN,
    ML_MARGIN_GAIN_AT, /* rad/s, like the next with _AT */
    ML_MARGIN_GAIN_LOW,
    ML_MARGIN_GAIN_LOW_AT,
    ML_MARGIN_PHASE, /* rad */
    ML_MARGIN_PHASE_AT,
    ML_MARGIN_DELAY,     /* s */
    ML_MARGIN_BANDWIDTH, /* rad/s */
    ML_MARGIN_ANGLE,     /* rad */
    ML_MARGIN_UNSTABLE,  /* of the run: the first joint has it */
    ML_N_MARGIN
};

/* Name of the output that tells whether sweeps converge (analysis/sweep_residual.kern.c). */
#define ML_SWEEP_RESIDUAL "sweep_residual"

/* Name of the output that tells whether conditions were followed
 * (analysis/doubtful_condition.kern.c). */
#define ML_DOUBTFUL_CONDITION "doubtful_condition"

/* Outputs of the Lyapunov exponents; two are sums of the first, over the exponents. */
#define ML_LYAPUNOV_SPECTRUM "lyapunov_spectrum"
#define ML_LYAPUNOV_SUM "lyapunov_sum"
#define ML_MEAN_TRACE "mean_trace"

enum { ML_MAX_SEES = 3, ML_SEES_ENERGY = 1 << ML_MAX_SEES };

/* Statistics of a number that a study has observed (analysis/observe.kern.c). */
enum ml_statistic { ML_MAX, ML_MIN, ML_MEAN, ML_RMS, ML_INTEGRAL, ML_AT_END, ML_N_STATISTIC };

struct ml_observable {
    const char *name, *unit, *doc; /* of the dataset */
    enum ml_statistic statistic;
    int record, row; /* of the system: the number */
    double from;     /* s after the start: earlier values do not matter */
};

/* An indicator as one study uses it. */
struct ml_indicator_use {
    const struct ml_system *system;
    int n, n_x;                /* segments; rows of the state */
    int n_tangent;             /* tangent vectors kept orthonormal, for all indicators together */
    int n_sens;                /* derivatives that advance with the state */
    bool is_differentiated;    /* the study asks for the derivatives of this indicator's outputs */
    int n_differentiated;      /* rows of the outputs of all such indicators */
    bool is_adaptive;          /* runs choose their steps; those here are ticks */
    bool has_friction;         /* some joint has dry friction */
    bool has_controller;       /* some force brings angles to a target */
    bool has_samples;          /* some controller sees samples */
    bool has_sweeps;           /* the integrator solves implicit equations by a number of sweeps */
    bool has_conditions;       /* formulas have conditions that steps are searched for */
    double start, step;        /* s */
    int64_t n_step;            /* of a run that is not ended early */
    int64_t renormalise_every; /* steps */
    const double *settings;    /* values of the indicator's params; NaN where one is not given */
    const struct ml_observable *observables; /* [n_observable] of an indicator that takes them */
    int n_observable;
    int n_constraint;      /* of the system, if it looks at them */
    int sees[ML_MAX_SEES]; /* the system's records that it looks at; -1: it has none */
};

/* The state of a batch at one time, as indicators read it. Rows of ML_LANES. */
struct ml_observation {
    double step;                  /* number of the step; within one where an event ends the run */
    double time;                  /* s */
    const double *state;          /* at the end only: initial-state quantities, in the study's
                                     coordinates and the order of system->tables.state */
    const double *const *records; /* [n_record] of the system, those that some indicator sees */
    const double *kinetic;        /* [1] J; NULL like the next two if the system has no energy */
    const double *potential;      /* [1] J */
    const double *energy_scale;   /* [1] J, of the start */
    const double *rejected_steps; /* [1] of runs that choose their steps; else NULL */
    const double *sweep_residual; /* [1] of an integrator with sweeps, as of ml_clock; else NULL */
    const double *doubt;          /* [1] as of ml_switches; NULL without conditions */
    const double *loops[ML_N_LOOP]; /* of control loops; NULL if no indicator needs them */

    /* Derivatives of the above by the parameters; NULL on the way if no indicator needs them. */
    const double *state_deriv;          /* at the end only: [rows of the state][n_sens] */
    const double *const *record_derivs; /* [n_record] -> [rows][n_sens] */
    const double *kinetic_deriv;        /* [n_sens], like the next two */
    const double *potential_deriv;
    const double *energy_scale_deriv; /* of the start */

    /* At the end only, for indicators with takes_parameters. */
    const double *parameters;     /* [n_sens] */
    const double *differentiated; /* [n_differentiated] outputs, one after the other */
    const double *derivs;         /* [n_differentiated][n_sens] their derivatives */
};

/* The change of the tangent vectors since they were orthonormal last: they were multiplied by
 * Q R. The time is cut into intervals of renormalise_every steps; given steps change vectors at the
 * ends of these alone. Where lanes choose their steps, vectors change within intervals too, at
 * times of each lane, and at their ends nothing is left to change. */
struct ml_renormalisation {
    double begin;        /* number of the step at which the interval began */
    double step;         /* of its end; within a step where an event ends the run */
    bool is_start;       /* the start, where vectors are the unit ones */
    bool is_end;         /* the interval, or the run, is over */
    const double *time;  /* [1] s: since the start of the run */
    const double *span;  /* [1] s: since vectors were orthonormal last; 0: nothing has changed */
    const double *r;     /* [n_tangent(n_tangent+1)/2] rows of R, R_pc at ml_tri(c, p) */
    const double *log_r; /* [n_tangent] rows: logarithms of its diagonal */
    const double *rate;  /* [1] 1/s: at which the first vector grows; NULL: unknown */
    const double *trace; /* [1] integral of the Jacobian's trace over the interval; NULL unless
                            is_end, some indicator asks, and there are as many vectors as the state
                            has rows */
};

/* Bytes of an output's name with its final NUL; names of events are checked against it. */
enum { ML_MAX_OUTPUT_NAME = 256 };

/* How an output of a run follows from its value at an earlier end, and from its value over the
 * start and the steps behind that end. */
enum ml_join {
    ML_JOIN_NONE, /* it does not: other numbers of the way matter */
    ML_JOIN_LATER,
    ML_JOIN_LARGEST, /* NaN if either is, like the next */
    ML_JOIN_SMALLEST
};

/* Which of two numbers of an output is the better one, of outputs that a finished run lacks where
 * something never happened, such as settling: NaN then is worse than any number. */
enum ml_better { ML_BETTER_UNKNOWN, ML_BETTER_SMALLER, ML_BETTER_LARGER };

/* One dataset of /study/summary. */
struct ml_output {
    char name[ML_MAX_OUTPUT_NAME];
    const char *unit, *doc;
    enum ml_dim dim[ML_MAX_DIM]; /* extra dimensions after the grid's */
    int size[ML_MAX_DIM];        /* of those that are not the system's: exponents, times */
    double first, increment;     /* s: values of the dimension time */
    double last;           /* rad/s, like `first`: of the dimension frequency, whose values are
                              those of ml_spaced, in equal ratios */
    const char *label;     /* of its rows among the differentiated outputs; NULL: its name */
    bool is_angle;         /* grows with every turn: maps show NAME_wrapped, in -pi .. pi */
    const char *errors;    /* name of the output that has its standard errors: of one number
                              the first there, else one per row; NULL: none */
    enum ml_join join;     /* of rows without derivatives on the way */
    enum ml_better better; /* of finished runs NaN is the worst then */
    const struct ml_indicator *indicator; /* that writes it, set by ml_outputs_next as `which`;
                                             NULL: an event does */
    int which;                            /* of the outputs of that indicator or event */
};

/* Size of extra dimension k, 0 to ML_MAX_DIM - 1, of an output, 1 if it has none; product of all.
 *   n_segment  n of the instance */
static inline int ml_output_size(const struct ml_output *output, int k, int n_segment)
{
    return output->size[k] > 0 ? output->size[k] : ml_dim_size(output->dim[k], n_segment);
}
static inline int64_t ml_output_rows(const struct ml_output *output, int n_segment)
{
    int64_t rows = 1;
    for (int k = 0; k < ML_MAX_DIM; k++)
        rows *= ml_output_size(output, k, n_segment);
    return rows;
}

/* Quantities that kernels accumulate along a run in place of an indicator's `observe`, in the first
 * rows of its `keep`: `rates` or `drift` of struct ml_clock. */
enum ml_measure { ML_NO_MEASURE, ML_LARGEST_RATES, ML_ENERGY_DRIFT };

struct ml_indicator {
    const char *name, *doc;
    enum ml_measure measure;   /* where ml_is_measured holds; elsewhere `observe` does it */
    bool is_on_request;        /* measured only if the study names it below `analyse` */
    bool is_never_left_out;    /* kept whatever `save.summary` says: it tells of wrong numbers */
    enum ml_loop_measure loop; /* whose rows are its outputs, one after the other */
    bool integrates; /* over the observed times: a study that does not say `every` means 1 */
    const char *sees[ML_MAX_SEES]; /* records that it looks at on the way, by name */
    bool sees_constraints;         /* those of constraints too */
    const struct ml_param *params;
    int n_param;

    /* Describes the i-th dataset it writes; false past the last. */
    bool (*output)(const struct ml_indicator_use *use, int i, struct ml_output *output);

    int (*keep_rows)(const struct ml_indicator_use *use); /* rows it keeps along a run; NULL: 0 */

    /* At the start, with all that is kept 0, then at every observed step, the last step included;
     * NULL: nothing to do.
     *   keep  [keep_rows][ML_LANES] */
    void (*begin)(const struct ml_indicator_use *use, const struct ml_observation *observed,
                  double *keep);
    void (*observe)(const struct ml_indicator_use *use, const struct ml_observation *observed,
                    double *keep);

    /* In place of `observe`, of runs that choose their steps; NULL: it observes ticks. At every
     * step `look_at_ends` takes its ends, and says in which lanes there may be something in
     * between; `look` then takes the step, ends included, in parts. Either may be NULL; where
     * derivatives are needed all steps are looked into. */
    void (*look)(const struct ml_indicator_use *use, const struct ml_look *look, double *keep);
    unsigned (*look_at_ends)(const struct ml_indicator_use *use, const struct ml_look_ends *ends,
                             double *keep);

    /* Writes the datasets: out[i] is [rows of output i][ML_LANES]. The run may go on: of what is
     * kept it changes nothing that matters then. NULL of those with a `loop`. */
    void (*finish)(const struct ml_indicator_use *use, const struct ml_observation *observed,
                   double *keep, double *const *out);

    /* Only of indicators that measure how tangent vectors grow; the first of their params is
     * ML_PARAM_RENORMALISE. */
    int (*n_tangent)(const struct ml_indicator_use *use); /* vectors it needs, or more than n_x */
    bool needs_trace;
    bool needs_rate;       /* at which the first vector grows, where lanes choose their steps */
    bool takes_parameters; /* the study names the parameters to differentiate by: `to` */
    bool
        takes_observables; /* the study names the numbers it measures, and is shown these records */
    bool takes_poles;      /* the study names poles, [2 n][2] real and imaginary parts behind the
                              settings of params and joints */
    void (*renormalised)(const struct ml_indicator_use *use, const struct ml_renormalisation *by,
                         double *keep); /* as of ml_renormalisation */

    /* Only of indicators that can be differentiated by parameters: derivatives of the outputs'
     * rows, asked for after `finish` of indicators with use->is_differentiated. What they need on
     * the way they keep in rows of their own.
     *   out  [rows of all outputs][n_sens][ML_LANES] */
    void (*derivs)(const struct ml_indicator_use *use, const struct ml_observation *observed,
                   const double *keep, double *out);
    unsigned sees_derivs; /* derivatives that `observe` needs then, bit k: of the record sees[k];
                             ML_SEES_ENERGY: of the energies */

    /* Only of indicators that may end a run early, NULL otherwise. `extend`: the time at which it
     * ends at last though time.end is earlier, NaN if it does not; `is_done`: mask of lanes whose
     * run may end, asked for at renormalisations from time.end on. */
    double (*extend)(const struct ml_indicator_use *use);
    unsigned (*is_done)(const struct ml_indicator_use *use, const double *keep);
};

/* Whether a `measure` of an indicator is accumulated by kernels (ml_advance_fn, ml_largest_fn): of
 * given steps, without derivatives, of a system whose kernels can. */
static inline bool ml_is_measured(const struct ml_indicator_use *use, enum ml_measure measure)
{
    const bool can = measure == ML_LARGEST_RATES
                         ? use->system->dynamics.measures_rates
                         : measure == ML_ENERGY_DRIFT && use->system->dynamics.measures_drift;
    return can && !use->is_adaptive && !use->is_differentiated;
}

/* Whether an indicator looks at steps in place of ticks. */
static inline bool ml_looks_at_steps(const struct ml_indicator *indicator,
                                     const struct ml_indicator_use *use)
{
    return use->is_adaptive && (indicator->look || indicator->look_at_ends);
}

/* Finds the records that an indicator looks at, of use->system. */
static inline void ml_indicator_sees(const struct ml_indicator *indicator,
                                     struct ml_indicator_use *use)
{
    for (int k = 0; k < ML_MAX_SEES; k++)
        use->sees[k] = indicator->sees[k] ? ml_record(use->system, indicator->sees[k]) : -1;
    use->n_constraint = indicator->sees_constraints ? use->system->constraints.n : 0;
}

/* Whether an indicator looks at a record on the way. */
static inline bool ml_indicator_sees_record(const struct ml_indicator_use *use, int i_record)
{
    const int constraint = i_record - use->system->constraints.first;
    bool is_seen = constraint >= 0 && constraint < 2 * use->n_constraint;
    for (int k = 0; k < ML_MAX_SEES; k++)
        is_seen |= use->sees[k] == i_record;
    for (int k = 0; k < use->n_observable; k++)
        is_seen |= use->observables[k].record == i_record;
    return is_seen;
}

/* The first param of an indicator of tangent vectors. The smallest that a study gives holds for all
 * of them: what they measure does not depend on it, but for rounding. */
#define ML_PARAM_RENORMALISE                                                          \
    {                                                                                 \
        "renormalise", "s", (double)NAN, 0.0, 1e15, ML_DERIVED | ML_OPEN_LOW,         \
            ML_DOC_BY_RULE("time between orthonormalisations of the tangent vectors", \
                           "from how fast they grow in some of the runs")             \
    }
enum { ML_SETTING_RENORMALISE };

#endif
