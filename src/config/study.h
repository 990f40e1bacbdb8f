/* The study as the rest of the program sees it: plain, typed and complete. Read by config/, without
 * integrating anything; then plan/ derives what it says it derives. No key is compared as text
 * again. */
#ifndef ML_CONFIG_STUDY_H
#define ML_CONFIG_STUDY_H

#include "config/native.h"
#include "config/optional.h"
#include "config/plugin.h"
#include "design/axis.h"
#include "engine/ensemble.h"
#include "manylink/study.h"
#include "yaml/node.h"
#include "yaml/pool.h"

/* HDF5 datasets have at most 32 dimensions, and an output of an indicator may add some. */
enum { ML_MAX_AXES = 32 - ML_MAX_DIM };

/* The motion that a study describes, for inverse dynamics. */
enum ml_planned_type { ML_NOT_PLANNED, ML_MINIMUM_JERK, ML_HAND_PATH };

struct ml_planned {
    enum ml_planned_type type;
    double onset, duration;
    double *start, *end; /* [n] rad, in the study's coordinates; of a hand path [2] m */
    double elbow;        /* 1 or -1: sign of the elbow's angle */
    struct ml_location location;
};

/* What inverse dynamics does to measured motions before their derivatives are taken. */
struct ml_smoothing {
    int order;                   /* of one pass of the Butterworth filter; 0: there is no filter */
    double cutoff;               /* Hz */
    bool is_validated;           /* the spline smooths as generalised cross-validation says */
    struct ml_location location; /* of the cutoff */
};

struct ml_study {
    char *name;       /* file name or what stands for it */
    char *definition; /* the text as given */
    char *overrides;  /* of its keys by --set, "PATH=VALUE", a line each; NULL: none */
    char *resolved;   /* canonical YAML: what the study says, then what was derived */
    char *filled;     /* the same with what was derived at its key, as results have it in which the
                         two are not told apart; NULL: nothing was derived that has a key */
    char *title;
    char *show;           /* name of the output or record that is shown first; NULL: by rule */
    const char **notices; /* [n_notice] lines for the user, see config/notices.h */
    int n_notice;

    char **segment_names; /* [ensemble.shape.n] of segments or degrees of freedom; NULL: there are
                             none */
    struct ml_force_use *forces;
    double *base;             /* [n_value] values before the sweep */
    const char **value_names; /* [n_value] their paths */
    double end;               /* s, as given */
    struct ml_planned planned;
    struct ml_smoothing smoothing;

    const double *const *settings; /* [indicator] as given; NULL: it is not asked for */
    double renormalise;        /* s, time between orthonormalisations that was derived; 0: none */
    struct ml_optional growth; /* 1/s, of tangent vectors, that it was derived from; not given where
                                  it stands below `derived` */

    int64_t accuracy; /* runs that are computed again with smaller steps; 0: as many as cost little,
                         -1: none */

    struct ml_plugin_file plugin; /* of a system from a file */
    char *plugin_path;            /* of it, as given */

    char **parameter_names;          /* [ensemble.shape.n_parameter] what to differentiate by */
    struct ml_direction *directions; /* the same as changes of the values */
    int *differentiated;             /* [ensemble.n_differentiated] as there */

    enum ml_sampling sampling;
    struct ml_axis
        *axes;      /* grid: [n_axis]; a sample has one axis of n_run holding all quantities */
    int n_axis;     /* 0: a single run */
    uint64_t seed;  /* of a sample */
    int64_t member; /* number of the one run that ml_study_keep_run left; -1: all are there */

    struct ml_ensemble ensemble; /* borrows from this study; what plan/ derives is said there */
    struct ml_results results;   /* of the ensemble */
    struct ml_pool pool;         /* owns all the above */
};

#endif
