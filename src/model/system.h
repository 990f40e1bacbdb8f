/* A system: a descriptor that drives the study file, `list`, the schema and the result file, and
 * pure functions on one batch. */
#ifndef ML_MODEL_SYSTEM_H
#define ML_MODEL_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/param.h"
#include "linalg/solve.h"
#include "model/law.h"
#include "simd/layout.h"

/* Extra dimensions of a quantity, besides run or grid and time. */
enum ml_dim {
    ML_DIM_NONE,
    ML_DIM_SEGMENT,    /* one per segment, labelled with the segments' names */
    ML_DIM_JOINT,      /* the same, of torques */
    ML_DIM_DOF,        /* one per degree of freedom of a system of arrays, with their names */
    ML_DIM_ENTRY,      /* one per entry of the arrays that formulas have: 1, 2, ... */
    ML_DIM_COORDINATE, /* x, y */
    ML_DIM_CONTACT,    /* of records: one per force that is a contact, labelled with their names */
    /* of outputs only: */
    ML_DIM_EXPONENT,  /* 1, 2, ... */
    ML_DIM_TIME,      /* s */
    ML_DIM_CROSSING,  /* 1, 2, ... of the events of a run */
    ML_DIM_POLE,      /* 1, 2, ... of a control loop */
    ML_DIM_FREQUENCY, /* rad/s */
    ML_DIM_OUTPUT,    /* differentiated outputs, by name */
    ML_DIM_PARAMETER, /* parameters, by name */
    ML_N_DIM
};

enum { ML_MAX_DIM = 3 };

/* A quantity that can be given (a state quantity) or recorded: shape [dim[0]][dim[1]]; dim[2] is
 * ML_DIM_NONE: only outputs have three. */
struct ml_quantity {
    const char *name, *unit, *doc;
    enum ml_dim dim[ML_MAX_DIM];
    double default_value;   /* of a state quantity: at the start */
    const double *defaults; /* [rows] of one with ML_DIM_ENTRY */
};

/* Records that indicators know by name: the force of the ground, [1], of a system that stands on
 * it; of one with controllers and actuators how far angles are from their targets, [SEGMENT], the
 * actuators' torque and power at each joint, [SEGMENT], and the power of all forces that have no
 * potential, [1]. */
#define ML_GROUND_FORCE "ground_force"
#define ML_CONTROL_ERROR "control_error"
#define ML_JOINT_TORQUE "joint_torque"
#define ML_JOINT_POWER "joint_power"
#define ML_POWER "power"

/* Record of a system with friction in its joints, how they slide, [SEGMENT]: ml_law_view.slip. */
#define ML_SLIP "slip"

enum { ML_MAX_CHOICE_VALUES = 4, ML_MAX_CHOICES = 4 };

/* A study key of the system that is one of a few words; the first is the default. */
struct ml_choice {
    const char *name, *doc;
    const char *values[ML_MAX_CHOICE_VALUES]; /* NULL-terminated unless full */
    const char *value_docs[ML_MAX_CHOICE_VALUES];
    const char *group; /* as of ml_param */
};

/* The group that makes segments parts of a body, of a system that has `parts`. */
#define ML_BODY "body"

/* How a start does not hold constraints. */
struct ml_misfit {
    enum { ML_FITS, ML_MISFIT_VALUE, ML_MISFIT_RATE, ML_MISFIT_DEPENDENT } kind;
    int constraint; /* 0 is the first: that which is off by most, or follows from those before it */
    double value;   /* constraint function: its value, or d/dt of its value */
};

/* The parts of M q'' = C + G + Q + D + E at one state, one lane, in the study's coordinates; forces
 * of constraints are in E. */
struct ml_terms {
    double *m;                 /* [n][n] */
    double *c, *g, *q, *d, *e; /* [n] */
    double *qdd;               /* [n] */
    struct ml_misfit *misfit;  /* out; NULL: not wanted */
};

/* Forces of laws on the segments at the times of a batch's lanes, without actuators: rows of
 * ML_LANES. */
struct ml_loads {
    const double *time; /* in: s */
    const double *base; /* [4] in: x and y of the first joint, m, and its velocity, m/s; NULL: at
                           rest in the origin */
    double *load;    /* [n][3] forces from outside, x and y, N, and their moment about the segment's
                        own joint, N m */
    double *passive; /* [n] generalised forces, N m, of laws with is_passive, for absolute angles */
    double *field;   /* [2] uniform acceleration besides the system's gravity, m/s^2 */
};

/* Rows that forces without a law of their own at every evaluation add to, once per batch. */
struct ml_joint_terms {
    double *torque;  /* row `stride` i of joint i: constant joint torque, N m */
    double *damping; /* the same row: viscous joint coefficient, N m s/rad */
    int stride;      /* rows from one joint to the next */
};

/* A condition of formulas, of which the right-hand side jumps or has a kink. The row `constant` of
 * the constants has its place, as of expr/latch.h. */
struct ml_switch {
    const char *text; /* the condition as a formula */
    int constant;
    bool is_whole;                      /* levels: the whole numbers; else 0 */
    const struct ml_breakpoints *table; /* levels: its samples; NULL: no table */
    bool is_kink;                       /* the right-hand side is the same on both sides */
    /* As long as no place changes: */
    bool is_of_time; /* the number depends on no state */
    bool is_affine;  /* the number is linear in time and the states */
    bool is_linear;  /* both */
    bool slides;     /* motions may slide on it (expr/slide.h) */
};

struct ml_method; /* of integrators/method.h */

/* A moment of the motions of lanes, or how it changes along a direction. */
struct ml_moment {
    const double *t;         /* [1] s; of a change NULL where formulas of time have no share */
    const double *constants; /* of a change NULL: they stay */
    const double *x;         /* [n_x] */
};

/* Energies of lanes, J, each [1][ML_LANES], or their derivatives. */
struct ml_energies {
    double *kinetic, *potential;
    double *scale; /* NULL: not asked for */
};

/* An instance of a system: the description that a batch of runs has in common. Values of one run
 * are one flat array of `n_value` slots, batched as rows, in this order:
 *
 *   [n_param]                  parameters of the system, those with ML_OF_START among them
 *   [n][n_segment_param]       parameters of segments, segment by segment
 *   [n_state][n or 1]          initial state, quantity by quantity; n for quantities by segment,
 *                              degree of freedom or entry
 *   [n_param of each force]    parameters of forces, in the study's order
 *
 * A slot that was not given and has no default is NaN (ML_DERIVED). */
struct ml_instance {
    const struct ml_system *system;
    int n;                      /* segments, degrees of freedom, or entries of the arrays of the
                                   state; 1 for a system without */
    int choice[ML_MAX_CHOICES]; /* index into each choice's values */
    bool has_joint_terms;       /* some force adds to ml_joint_terms */
    const struct ml_law *laws;  /* [n_law] forces with laws, borrowed */
    int n_law;
    int n_law_constant, n_law_state; /* their rows, behind the system's own */
    const int *part;     /* [n] which of the system's parts of a body each segment is; NULL:
                            there is no body */
    int n_column;        /* tangent vectors that advance with the state, unit ones at first */
    int n_sens;          /* of them the last: derivatives along a change of the values of a run */
    bool is_compensated; /* rows after the tangent vectors have the rounding errors of the state */
    enum ml_solver_kind solver;
    const void *own; /* data of the system's functions, borrowed: struct ml_plugin of a plugin,
                        struct ml_equations of formulas; NULL: none */
    const struct ml_quantities *quantities; /* records by formula, borrowed (model/quantities.h);
                                               NULL: none */
    int n_quantity_constant; /* rows of numbers that these take, behind the system's constants */
};

/* Lane masks, lane 0 in bit 0. */
struct ml_lane_faults {
    unsigned nonfinite, singular;
    unsigned too_short, too_many; /* of lanes that choose their steps: no step is short enough, or
                                     there were as many as are allowed */
    unsigned underway;            /* the same: not at the end yet, and sound */
};

/* Adds the faults that given steps can meet; too many are those that controllers see. */
static inline void ml_lane_faults_add(struct ml_lane_faults more, struct ml_lane_faults *faults)
{
    faults->nonfinite |= more.nonfinite;
    faults->singular |= more.singular;
    faults->too_many |= more.too_many;
}

/* When and how far the lanes of a batch advance. Lanes have clocks of their own; a method of fixed
 * step fills them all alike. */
struct ml_clock {
    const double *start, *step; /* [ML_LANES] s: step k begins at start + k step */
    int64_t k0, n_step;         /* steps k0 .. k0 + n_step - 1 are taken */
    unsigned active;            /* lanes that take them; the others keep their state */
    double *history; /* [..][n_x][ML_LANES] out: the states behind those steps k for which
                        k + 1 is a multiple of `every`, without tangent vectors; NULL:
                        they are not wanted */
    int64_t every;
    double *residual; /* [ML_LANES] in and out: sum over steps of the largest change of
                         any state component by the last sweep, in its unit; NULL: not
                         wanted */
    /* Quantities that a system may accumulate (measures_rates, measures_drift); NULL: not wanted.
     */
    double *rates; /* [n][ML_LANES] rad/s, in and out: largest |rate| of each segment behind those
                      steps k for which (k + 1) & rates_mask is 0 */
    int64_t rates_mask;
    bool is_plain; /* as of ml_system: a kernel for a spec need not know the study's choices */
    double *drift; /* [2][ML_LANES] J: energy at the start; in and out: its largest |change| since,
                      before those steps k that are multiples of drift_every */
    int64_t drift_every;
};

/* Tolerances for steps chosen by lanes. The error of a step is estimated row by row of the state;
 * the root of the mean square of error / (absolute + relative |x|) is at most 1. So is that of each
 * tangent vector, unless `is_of_state`, with the vector's largest row in place of |x|, and for
 * absolute: 0 of vectors that are made orthonormal, absolute over the size of the parameter of
 * derivatives. */
struct ml_control {
    double relative, absolute;
    bool is_of_state;
    double step_max;   /* s; INFINITY: none. Kernels see ML_STEP_CONTROL_MOST */
    double most_steps; /* of a run, accepted or not */
};

/* Rows that a lane with adaptive steps keeps between calls. */
enum {
    ML_STEP_CONTROL_TIME,     /* s */
    ML_STEP_CONTROL_STEP,     /* s: to try next */
    ML_STEP_CONTROL_ERROR,    /* logarithm of the error of the last accepted step, 1 allowed */
    ML_STEP_CONTROL_ACCEPTED, /* steps */
    ML_STEP_CONTROL_REJECTED,
    ML_STEP_CONTROL_HELD,    /* 1: the last try was rejected */
    ML_STEP_CONTROL_LONGEST, /* s: step tried so far */
    ML_STEP_CONTROL_BLOCKED, /* tries without finite numbers since the last step that was not very
                                short beside the longest */
    ML_STEP_CONTROL_MOST,    /* s: no step is longer; INFINITY: any step may be tried */
    ML_N_STEP_CONTROL
};

/* How far lanes go that choose their steps. */
struct ml_leg {
    const double *end;  /* [ML_LANES] s: where each stops exactly */
    int64_t most_tries; /* of this call; lanes may be underway after it */
    unsigned active;
    bool until_first;     /* returns when some lane has stopped, though others are underway */
    double *step_control; /* [ML_N_STEP_CONTROL][ML_LANES] in and out */
};

/* One time for all lanes. */
struct ml_times {
    _Alignas(64) double lane[ML_LANES]; /* s */
};

static inline struct ml_times ml_times(double t)
{
    struct ml_times times;
    for (int l = 0; l < ML_LANES; l++)
        times.lane[l] = t;
    return times;
}

/* Advances the active lanes of a batch.
 *   constants  rows from `prepare`, then for each parameter direction as many rows: their
 *              derivatives along it; then the sizes of the parameters
 *   x          [ml_rows_x][ML_LANES] in and out: the state, then its tangent vectors, then [n_x] rounding errors of the state, if sums are compensated
 *   work       [ml_rows_step][ML_LANES]
 * Lanes named in the result hold no meaningful state afterwards; the others are as if they had
 * been alone. */
typedef struct ml_lane_faults ml_advance_fn(const struct ml_instance *model,
                                            const struct ml_method *method,
                                            const struct ml_clock *clock, const double *constants,
                                            double *x, double *work);

/* Advances each active lane to its leg->end by steps that it chooses. The bits do not depend on how
 * many calls it takes. The rest as of ml_advance_fn; lanes with a fault keep the last state that
 * they accepted. */
typedef struct ml_lane_faults ml_adapt_fn(const struct ml_instance *model,
                                          const struct ml_method *method,
                                          const struct ml_control *control,
                                          const struct ml_leg *leg, const double *constants,
                                          double *x, double *work);

/* dx/dt of all lanes of a batch at time t [ML_LANES]: of the state and its tangent vectors, [n_x (1
 * + n_column)] rows like x. work as of ml_advance_fn. */
typedef void ml_rates_fn(const struct ml_instance *model, const double *t, const double *constants,
                         const double *x, double *dx, double *work);

/* Takes the rates of states x [n_state][n_x][ML_LANES] into the largest so far: `rates` as of
 * ml_clock, in and out. */
typedef void ml_largest_fn(const struct ml_instance *model, int64_t n_state, const double *x,
                           double *rates);

/* Defines the descriptor of a system or force: exported by the unit that has all of them, private
 * to the kernels of one. */
#ifdef ML_EXPORT_DESCRIPTORS
#define ML_DESCRIPTOR(type, name)                 \
    extern const struct type ML_K(type##_##name); \
    const struct type ML_K(type##_##name)
#else
#define ML_DESCRIPTOR(type, name) static const struct type ML_K(type##_##name)
#endif

/* A system: its tables, and its functions by subject. A part of which nothing is said is zeroed:
 * the system has none of it. */
struct ml_system {
    const char *name, *doc;          /* the name is that of its kernels too */
    const char *file_key, *file_doc; /* key below `system` of the file that has the equations and
                                        tables of the study's own system (config/formulas/makers.h),
                                        and its documentation; NULL: the tables are those here */
    bool has_formulas;               /* the study gives its equations and tables as formulas
                                        (config/formulas/read_equations.c); the tables are empty here */

    /* Numbers that a study gives and results have, of every system. */
    struct {
        const struct ml_param *params;
        int n_param;
        const struct ml_param *segment_params; /* NULL: the system has no segments */
        int n_segment_param;
        const struct ml_param *arrays; /* of a system of n degrees of freedom: numbers for each or,
                                          with ML_MATRIX, for each pair. A study's own system has
                                          them one by one as params (config/formulas/makers.h).
                                          NULL: no arrays */
        int n_array;
        const char *const
            *parts; /* names of the parts of a body, NULL-terminated; NULL: no bodies */
        const struct ml_choice *choices;
        int n_choice;
        const struct ml_quantity *records; /* records that save.trajectory.quantities may name */
        int n_record;
        const struct ml_quantity
            *state; /* keys below `initial`, default 0: the first of `records` */
        int n_state;
    } tables;

    /* The equations of motion, of every system. */
    struct {
        int (*n_x)(const struct ml_instance *model); /* state rows, without tangents */

        /* Whether the rows are the state quantities themselves, in their order; NULL: never. */
        bool (*is_plain)(const struct ml_instance *model);

        int (*constant_rows)(const struct ml_instance *model); /* rows `prepare` writes */
        int (*rhs_rows)(
            const struct ml_instance *model); /* rows of scratch of every function here */

        /* Positions x, the first rows of the state, of a system x'' = F(x, t), which splitting
         * methods are for; the rows behind them are their rates. 0: it has not this form. With
         * params that are ML_FRICTION it has it where these are 0. */
        int n_position;

        int recursive_from; /* number of segments from which its recursive solver is the fastest; 0:
                               it has none */
        bool has_tangents;  /* in closed form; else they are central differences */
        bool measures_rates, measures_drift; /* its kernels accumulate these of ml_clock */

        /* Values of each lane to constants and initial state. Leaves joint terms zero. */
        void (*prepare)(const struct ml_instance *model, const double *values, double *constants,
                        double *x);

        /* Writes record q at time t [ML_LANES] to out[q] ([rows of q][ML_LANES]) for each q with
         * out[q] not NULL. */
        void (*record)(const struct ml_instance *model, const double *t, const double *constants,
                       const double *x, double *work, double *const *out);

        /* Derivative of record q, a formula of the state with `has_derivs` (model/quantities.h),
         * along a direction: [1][ML_LANES] out; NULL: no record is a formula. */
        void (*formula_deriv)(const struct ml_instance *model, int q, const struct ml_moment *at,
                              const struct ml_moment *along, double *work, double *out);
    } dynamics;

    /* Of a system with an energy. */
    struct {
        /* Kinetic and potential energy, and the scale of energy of the system (not zero unless
         * there is no energy at all; not asked for if NULL), J, each [1][ML_LANES]; NULL if the
         * system has none. */
        void (*measure)(const struct ml_instance *model, const double *constants, const double *x,
                        double *work, double *kinetic, double *potential, double *scale);

        /* Derivatives of the three along parameter direction p, whose constants and tangent vector
         * are behind the others as ml_advance_fn has them; NULL: the engine takes differences of
         * `measure`. */
        void (*deriv)(const struct ml_instance *model, int p, const double *constants,
                      const double *x, double *work, const struct ml_energies *out);
    } energy;

    /* Of a system whose start can be given by other numbers than its state. */
    struct {
        /* State quantities first_rate .. first_rate + n_rate - 1 follow from the energy at the
         * start, the param with ML_OF_START, where a run is given one; the kinetic energy is a
         * quadratic form of them. They are scaled by one factor; or, with `finds_rate`, there is
         * one number of them, which has only its sign from the study. n_rate 0: that energy cannot
         * be given. */
        int first_rate, n_rate;
        bool finds_rate;

        /* Sets the state, and its derivatives along the parameter directions, from start values in
         * other quantities: params with ML_OF_START that are not NaN, besides the energy; NULL: no
         * such quantities.
         *   x  [n_x (1 + n_column)] in and out */
        void (*set)(const struct ml_instance *model, const double *t, const double *constants,
                    double *x, double *work);
    } start;

    /* Of a system of the form M q'' = f. */
    struct {
        const char *mass_unit, *force_unit;
        int n_freedom; /* degrees of freedom; 0: those of the instance, n */

        /* The terms of one lane at time t; NULL for a system that is not of this form and has no
         * choice of a solver. False if M is not positive definite. */
        bool (*write)(const struct ml_instance *model, double t, const double *constants,
                      const double *x, int lane, double *work, const struct ml_terms *out);
    } terms;

    /* Of a system that forces act on. */
    struct {
        /* Where forces add joint terms; NULL if the system has no joints. */
        struct ml_joint_terms (*joint_terms)(const struct ml_instance *model, double *constants);

        /* The loads of all lanes; NULL for a system without laws. */
        void (*loads)(const struct ml_instance *model, const double *constants, const double *x,
                      double *work, const struct ml_loads *out);
    } forces;

    /* Of a system with constraints on the motion. */
    struct {
        int first, n; /* records `first` and later are the value of each, 0 where it is held, and
                         after them the size of the compared terms of each */

        /* Lanes whose start does not hold the constraints, to 1e-6 of the sizes of their terms;
         * NULL if there are none.
         *   misfit  out: of lane 0; NULL: not wanted */
        unsigned (*misfits)(const struct ml_instance *model, const double *t,
                            const double *constants, const double *x, double *work,
                            struct ml_misfit *misfit);
    } constraints;

    /* Of a system of formulas whose conditions change along a run (engine/steps/switches.h). */
    struct {
        const struct ml_switch *conditions; /* [n] */
        int n;
        const char *left_jump; /* text of a condition at which formulas jump although `conditions`
                                  leaves it out; NULL: none is left out */

        /* Their numbers at times t [ML_LANES], and the derivatives of these by time: [n] out.
         *   number   [2 n] behind the numbers shares, of those that slide
         *   by_time  NULL: not wanted */
        void (*numbers)(const struct ml_instance *model, const double *t, const double *constants,
                        const double *x, double *work, double *number, double *by_time);

        /* Derivatives of these numbers along a direction of state and constants, [n] out. */
        void (*changes)(const struct ml_instance *model, const struct ml_moment *at,
                        const struct ml_moment *along, double *work, double *change);
    } switches;

    /* Of a system with slots that follow from others, or with derivatives by values of a run. */
    struct {
        /* Completes values[] of one run in place: derived slots get their number; NULL if there are
         * none. */
        void (*derive)(const struct ml_instance *model, double *values);

        /* The derivative of `derive` along a direction in the space of values, of a run; NULL: the
         * engine takes differences of `derive`.
         *   given    values before `derive`: NaN in the slots that it derives
         *   derived  values after it
         *   deriv    in place: slots in `given` stay; derived slots gain their derivative by the
         *            given ones */
        void (*derive_deriv)(const struct ml_instance *model, const double *given,
                             const double *derived, double *deriv);

        /* Derivatives of the results of `prepare` for `values`, along `derivative` ([n_value] rows
         * like them); NULL: the engine takes differences of `prepare`. Leaves joint terms zero.
         *   constants       rows from `prepare`
         *   constant_deriv  [constant_rows] out
         *   x_deriv         [n_x] out */
        void (*prepare_deriv)(const struct ml_instance *model, const double *values,
                              const double *deriv, const double *constants, double *constant_deriv,
                              double *x_deriv);
    } parameters;
};

/* The solver of `solver: auto` for n segments. The choice depends on the study alone, because the
 * bits do. */
enum ml_solver_kind ml_solver_auto(const struct ml_system *system, int n);

/* Degrees of freedom of a system with `terms`; 0 of others. */
static inline int ml_freedom(const struct ml_instance *model)
{
    const struct ml_system *system = model->system;
    return !system->terms.write          ? 0
           : system->terms.n_freedom > 0 ? system->terms.n_freedom
                                         : model->n;
}

/* Rows of the state alone. */
static inline int ml_n_x(const struct ml_instance *model)
{
    return model->system->dynamics.n_x(model);
}

/* Rows of the state and its tangent vectors. */
int ml_rows_x(const struct ml_instance *model);

/* Rows of the constants, of their derivatives along the parameter directions, and of the sizes of
 * the parameters. */
int ml_rows_constants(const struct ml_instance *model);

/* First row of parameter direction p: of the constants' derivatives, of its size (of its first
 * number, 1 for 0), and of its tangent vector. */
static inline int ml_row_constant_deriv(const struct ml_instance *model, int p)
{
    return (1 + p) * model->system->dynamics.constant_rows(model);
}

static inline int ml_row_parameter_size(const struct ml_instance *model, int p)
{
    return (1 + model->n_sens) * model->system->dynamics.constant_rows(model) + p;
}

static inline int ml_row_x_deriv(const struct ml_instance *model, int p)
{
    return (1 + model->n_column - model->n_sens + p) * ml_n_x(model);
}

/* Scratch of differences of the right-hand side: rows of the state, and of the constants. */
enum { ML_CENTRAL_STATES = 3, ML_CENTRAL_CONSTANTS = 1 };

/* Rows of scratch of a step of a method of n_stage evaluations: the state and its tangent vectors
 * when it begins, their derivatives at each stage, a stage, and the scratch of an evaluation.
 */
static inline int ml_rows_step(const struct ml_instance *model, int n_stage)
{
    const int n_x = ml_n_x(model);
    int rows = n_x * (1 + model->n_column) * (1 + n_stage) + 3 * n_x +
               model->system->dynamics.rhs_rows(model);
    if (model->is_compensated)
        rows += n_x;
    if (model->n_column > 0)
        rows += ML_CENTRAL_STATES * n_x +
                ML_CENTRAL_CONSTANTS * model->system->dynamics.constant_rows(model) +
                model->system->dynamics.rhs_rows(model);
    return rows;
}

/* Rows of scratch of a linearly implicit method: the matrix, the stages and three vectors; the
 * scratch of a Jacobian, whose columns are tangent vectors; and the derivatives of all these along
 * the study's tangent vectors.
 */
static inline int ml_rows_implicit(const struct ml_instance *model, int n_stage)
{
    const int n_x = ml_n_x(model), n = model->n_column;
    struct ml_instance wide = *model;
    wide.n_column = n_x;
    const int own = n_x * (n_x + n_stage + 3) + ml_rows_step(&wide, 1);
    const int derivs = n_x * (n * (2 * n_stage + 4) + 3 * (1 + n_stage) + 3) +
                       model->system->dynamics.constant_rows(model);
    return own + (n > 0 ? derivs : 0);
}

/* Index of the record of that name; -1 if the system has none. */
int ml_record(const struct ml_system *system, const char *name);

/* Whether the study's angles are those of joints. */
bool ml_counts_joints(const struct ml_instance *model);

/* Entries of a dimension that a quantity of n segments can have. */
int ml_dim_size(enum ml_dim dim, int n);

/* Entries of a dimension and rows of a record of an instance, whose contacts are known. */
int ml_instance_dim(const struct ml_instance *model, enum ml_dim dim);
int ml_instance_rows(const struct ml_instance *model, const struct ml_quantity *record);

/* Whether they have the names that the study gives to segments or degrees of freedom. */
static inline bool ml_dim_is_named(enum ml_dim dim)
{
    return dim == ML_DIM_SEGMENT || dim == ML_DIM_JOINT || dim == ML_DIM_DOF || dim == ML_DIM_ENTRY;
}

/* "segment" or "degree of freedom", the parts of which a system has n; NULL: no parts. */
const char *ml_system_part(const struct ml_system *system, int n);

/* Numbers of an array of n degrees of freedom. Those of a matrix are its rows; ml_tri is the index
 * of a pair in a symmetric matrix. */
int ml_array_size(const struct ml_param *array, int n);

/* Rows of a quantity of n segments. */
int ml_quantity_rows(const struct ml_quantity *quantity, int n);

/* Slots of the values of one run. */
static inline int ml_slot_param(int i_param) { return i_param; }
int ml_slot_segment(const struct ml_system *system, int i_segment, int i_param);
int ml_slot_initial(const struct ml_instance *model, int i_quantity, int i_segment);
int ml_slot_forces(const struct ml_instance *model); /* first slot of the first force */
int ml_slot_energy(const struct ml_system *system);  /* energy at the start; -1: none */

/* Whether a slot is of the start: of the state, or of a param with ML_OF_START. */
bool ml_slot_is_of_start(const struct ml_instance *model, int slot);

/* Removes start values in other quantities than the state: the state is given. */
void ml_slots_clear_start(const struct ml_system *system, double *values);

/* Sets the vectors behind a state: vector c is a difference in state row c alone. */
void ml_unit_vectors(int n_x, int n_tangent, double *x);

/* The same, each with parts in all rows: orthonormal, reflections of those, for systems whose first
 * rows may be directions in which nothing grows. */
void ml_slanted_vectors(int n_x, int n_tangent, double *x);

#endif
