/* A study as plain data: read from YAML or calls, complete, without values derived by integration.
 * No value is compared as text again. */
#ifndef ML_CONFIG_STUDY_SPEC_H
#define ML_CONFIG_STUDY_SPEC_H

#include "analysis/registry.h"
#include "config/formulas/makers.h"
#include "config/sections/fit_spec.h"
#include "config/sections/tune_spec.h"
#include "design/axis.h"
#include "design/clock.h"
#include "design/continuation.h"
#include "design/correlation.h"
#include "design/direction.h"
#include "design/sample.h"
#include "design/saving.h"
#include "events/event.h"
#include "h5/extent.h"
#include "integrators/method.h"
#include "model/defined.h"
#include "yaml/node.h"
#include "yaml/pool.h"

/* HDF5 datasets have at most 32 dimensions, and an output of an indicator may add some. */
enum { ML_MAX_AXES = ML_MAX_RANK - ML_MAX_DIM };

/* The motion that a study describes, for inverse dynamics. */
enum ml_motion_type { ML_NO_MOTION, ML_MINIMUM_JERK, ML_HAND_PATH, ML_MEASURED };

/* The unit of angles in a file. */
enum ml_angle_unit { ML_UNIT_OF_FILE, ML_UNIT_RAD, ML_UNIT_DEG };

/* The unit of markers in a file. */
enum ml_length_unit { ML_LENGTH_OF_FILE, ML_LENGTH_M, ML_LENGTH_CM, ML_LENGTH_MM };

/* Where a table has a motion, and how its numbers become those of the study. */
enum { ML_MARKER_MOST = 4 };

/* A point: a marker, or the mean of several markers. */
struct ml_marker {
    int n; /* 0: no point */
    const char *names[ML_MARKER_MOST];
};

struct ml_measured {
    const char *file;               /* path; NULL: the file is named elsewhere */
    const char *time;               /* column of times; NULL: `time` */
    const char *base_columns[2];    /* of x and y of the first joint; NULL: base/x, base/y */
    const char **columns;           /* [n] of angles; NULL: the column named after the segment */
    struct ml_marker (*markers)[2]; /* [n] proximal and distal; without: the angle has a column */
    bool has_columns, has_markers;  /* the study names columns; markers */
    int plane[2];          /* 1 to 3: x to z of the room, that are x and y here; < 0: reversed */
    struct ml_marker base; /* the first joint; without: the joint stays */
    int length;            /* of markers, enum ml_length_unit */
    int unit;              /* enum ml_angle_unit */
    double *sign, *offset; /* [n] -1 or 1; rad, added */
    double rate;           /* Hz; NaN: by the times */
    double from, to;       /* s, of the samples that are taken; NaN: all */
    double gaps;           /* s, longest gap that a spline fills; NaN: gaps are refused */
    bool is_cut;           /* `from` or `to` is given */
    bool is_unwrapped;     /* angles are continued through a whole turn */
};

struct ml_motion_spec {
    enum ml_motion_type type;
    double onset, duration;
    double *start, *end; /* [n] rad, in the study's coordinates; of a hand path [2] m */
    int elbow;           /* 1 or -1: sign of the elbow's angle */
    struct ml_measured measured;
    struct ml_location location;
};

/* Numbers of a study itself, not of its system or forces, that runs can differ in. */
struct ml_of_runs {
    int scope;         /* enum ml_scope, of the number's key */
    const char *path;  /* of the number, or of the posture that has them */
    const double *own; /* [n] values in the study */
    int n, slot;       /* slot: of the first one, in the values of a run */
};

/* Treatment of measured motions before their derivatives are taken. */
struct ml_smoothing {
    int filter;                  /* 0: Butterworth */
    int order;                   /* of one pass of the Butterworth filter; 0: there is no filter */
    double cutoff;               /* Hz */
    bool is_validated;           /* the spline smooths as generalised cross-validation says */
    struct ml_location location; /* of the cutoff */
};

/* Which datasets results of inverse dynamics have, and their units. */
struct ml_inverse_outputs {
    unsigned kept;   /* bits of config/sections/inverse_sets.h; 0: the study does not say */
    double per_mass; /* kg, divides torques, forces, power and work; NaN: they are not divided */
    double from, to; /* s, of the samples that the summary is of; NaN: all */
};

/* What shows where cycles of a gait begin: loads, or the motion of a foot. */
enum { ML_STRIKES_ZENI, ML_STRIKES_OCONNOR };
struct ml_cycle_keys {
    bool is_given;
    int n_load, *loads; /* [n_load] of the study's forces; 0: the foot */
    int foot;           /* segment */
    int method;         /* by the foot, as above */
    double threshold;   /* N, upwards; NaN: 20 */
    double share;       /* of the body's weight, in place of that; NaN: not given */
    double shortest;    /* s, of a stance or a swing */
    const char *place;  /* "file:line:column: " of `of` */
};

/* A table that formulas call by its name, as the study has it. */
enum { ML_OUTSIDE_REFUSE, ML_OUTSIDE_HOLD };
struct ml_curve_keys {
    const char *name, *file, *x, *y;
    int outside;    /* of the range of x, as above */
    int has_stairs; /* the value of a sample holds up to the next */
    bool is_called; /* by some formula */
};

/* A record by formula, as the study names it. */
struct ml_named_formula {
    const char *name, *formula;
    const char *unit, *doc; /* NULL: not given */
};

/* A number that a study has observed: one of the statistics has it, as a path or formula. */
struct ml_observable_keys {
    const char *of[ML_N_STATISTIC]; /* NULL: another of them has it */
    double from;
    const char *unit, *doc; /* NULL: not given */
};

/* Bounds of a number of the summary; NaN: none. */
struct ml_requirement {
    const char *name; /* "settling_time.lower" */
    double above, below;
};

/* A name below `define`: a number, whose value is one of each run, or a formula. */
struct ml_definition {
    const char *name;
    const char *text;             /* the formula; NULL: it is a number */
    const char *unit, *doc;       /* of a number */
    double value;                 /* before the sweep */
    const struct ml_param *range; /* of a number of a controller; NULL: any number */
};

struct ml_study_spec {
    char *name;       /* file name or its substitute */
    char *definition; /* the text as given */
    char *overrides;  /* of its keys by --set, "PATH=VALUE", a line each; NULL: none */
    int64_t format;   /* version of the file's format */
    const char *title;
    const char *show; /* name of the output or record that is shown first; NULL: by rule */

    /* The system and its forces. */
    const struct ml_registry *registry; /* that names are looked up in */
    struct ml_instance model; /* without tangent vectors; its system is of the registry, or
                                 of a maker (config/formulas/makers.h) */
    char **segment_names;     /* [model.n] of segments or degrees of freedom; NULL: no names */
    struct ml_system_source source; /* of the system, where that has one */
    struct ml_force_use *forces;    /* [n_force] */
    struct ml_force_texts *texts;   /* [n_force] of those that are formulas */
    int n_force;

    /* Tables that formulas call, and records by formula. */
    struct {
        struct ml_curve_keys *keys;     /* [n_curve] */
        const struct ml_signal *curves; /* [n_curve] their samples */
        int n_curve;
        const struct ml_named_formula *quantities; /* [n_quantity] */
        int n_quantity;
    } formulas;

    /* Numbers of a run, of every study. */
    struct {
        double *base;            /* [n] before the sweep; NaN where none is given */
        const char **names;      /* [n] their paths */
        struct ml_param *params; /* [n] their ranges */
        int n;
        struct ml_definition *definitions; /* [n_definition] */
        int n_definition;
        struct ml_defined *defined;  /* numbers by formulas; NULL: nothing is defined */
        struct ml_formulas formulas; /* the same as text, by the paths of the numbers */
        struct ml_of_runs *of_runs;  /* [n_of_runs], see config/points/study_numbers.h */
        int n_of_runs;
    } numbers;

    /* Steps or, where lanes choose their steps, ticks, of every study. */
    struct {
        double start, step, end;  /* s */
        int64_t n_step;           /* 0: of a study for inverse dynamics that has no times */
        enum ml_clock_kind clock; /* whether all runs have the same step; if not, */
        int slot;         /* number of a run that sets its step or end: `step` holds for no run */
        int i_integrator; /* in ml_methods */
        bool is_adaptive; /* lanes choose their steps by the rules in `chosen` */
    } time;

    /* Of steps that lanes choose. */
    struct {
        struct ml_control control;
        double tolerance; /* `tolerance` that `control` follows from; NaN: not given */
        double first;     /* s; 0: from the start state */
    } chosen;

    /* Measurements of the runs, of every study. */
    struct {
        int64_t observe_every;         /* steps between observations, >= 1 */
        const char *cut;               /* name where a loop of equations is cut; NULL: no cut */
        const double *const *settings; /* [indicator] values of its params; NULL: it is not asked
                                          for */
        const struct ml_observable *observables; /* [n_observable], and how the study has them: */
        const struct ml_observable_keys *observable_keys;
        int n_observable;
        const struct ml_requirement *requirements; /* [n_requirement] */
        int n_requirement;
        const bool *left_out; /* [indicator] not measured unless it is asked for; NULL: none is */
        int64_t accuracy;     /* runs that are computed again with smaller steps; 0: as many as cost
                                 little, -1: none */
        double renormalise;   /* s, between orthonormalisations, as `derived` has it; NaN: it does
                                 not */
    } indicators;

    const struct ml_event *events; /* [n_event] */
    int n_event;
    struct ml_saving saving;

    /* Of derivatives by numbers of a run: `model.n_sens` is not 0. */
    struct {
        char **names;                    /* [model.n_sens] parameters of derivatives */
        struct ml_direction *directions; /* [model.n_sens] the same as changes of the values */
        int *differentiated;             /* [n_differentiated] indicators, in their order */
        int n_differentiated;
    } derivatives;

    /* Of inverse dynamics. */
    struct {
        struct ml_motion_spec motion;
        struct ml_smoothing smoothing;
        struct ml_inverse_outputs outputs;
        struct ml_cycle_keys cycles;
        const struct ml_signal **measured; /* [n_force] signals of loads before threshold and
                                              filter; NULL: without both */
    } inverse;

    /* The runs, of every study. */
    struct {
        struct ml_sample_points *sample; /* of the last axis, which moves all its quantities; NULL:
                                            no axis is a sample */
        struct ml_axis *axes;            /* [n_axis] */
        int n_axis;                      /* 0: a single run */
        int64_t n;
        struct ml_continuation continuation;
    } runs;

    struct ml_fit_spec fit;
    struct ml_tune_spec tune;

    struct ml_pool *pool; /* owns all the above */
};

/* Name of the i-th force that is a contact; NULL: there are not so many. */
static inline const char *ml_study_spec_contact(const struct ml_study_spec *spec, int i)
{
    for (int f = 0; f < spec->n_force; f++)
        if (spec->forces[f].type && ml_force_is_contact(spec->forces[f].type) && i-- == 0)
            return spec->forces[f].name;
    return NULL;
}

/* The axis of the points of a sample; NULL: the study has no sample. */
static inline struct ml_axis *ml_study_spec_sample(const struct ml_study_spec *spec)
{
    return spec->runs.sample ? &spec->runs.axes[spec->runs.n_axis - 1] : NULL;
}

/* Whether the runs are a sample alone, in no grid. */
static inline bool ml_study_spec_is_sample(const struct ml_study_spec *spec)
{
    return spec->runs.sample && spec->runs.n_axis == 1;
}

static inline const struct ml_method *ml_study_spec_method(const struct ml_study_spec *spec)
{
    return ml_methods[spec->time.i_integrator];
}

#endif
