/* Multiple shooting: starts that single runs would lead astray, since long or chaotic runs make
 * many minima, are fitted by arcs (fit/arcs.h) until the arcs meet. */
#ifndef ML_FIT_SHOOTING_H
#define ML_FIT_SHOOTING_H

#include "fit/arcs.h"
#include "fit/found.h"

/* Arcs meet where gaps are below this part of the state's size. */
#define ML_SHOOTING_GAP 1e-6

/* The part of all records between two samples. */
struct ml_segment {
    int64_t n_sample;                    /* from its start to that of the next */
    int64_t first;                       /* of the measured times */
    struct ml_measured_numbers measured; /* beside its samples; views */
    struct ml_ensemble ensemble;         /* an arc of each start and experiment */
    struct ml_fit_detail detail; /* of one start: rows of `jacobian` by all numbers of an arc */
};

struct ml_shooting {
    struct ml_starts starts; /* whose trials are those of arcs; `first` as the fit has them */
    int n_x;                 /* numbers of the state */
    int n_number;            /* that vary an arc: of the fit's, and its start */
    int (*state)[2];         /* [n_x] record and row */
    int n_segment;
    struct ml_segment *segments; /* [n_segment] */
    struct ml_arcs *arcs;        /* [n_start] */
    double squares;              /* of measured numbers in their deviations, of an experiment's
                                    segment */
    int at;                      /* segment whose arcs are run */
    bool is_guess;               /* arcs begin where those before end, or at measured numbers */
};

/* Cuts the runs of a fit, whose ensemble is prepared. ML_E_INPUT if they cannot be cut. Free in any
 * case. */
enum ml_status ml_shooting_init(struct ml_shooting *shooting, const struct ml_starts *fit,
                                struct ml_error *err);

/* Fits all starts by arcs, with weights that grow until the arcs meet. */
enum ml_status ml_shooting_find(struct ml_shooting *shooting, const struct ml_ensemble_options *how,
                                struct ml_error *err);

/* Runs the best point of arcs once as a single run, and notes in found->met how far the run follows
 * the arcs. The descents of the fit are not begun. */
enum ml_status ml_shooting_follow(const struct ml_shooting *shooting, struct ml_fit_found *found,
                                  struct ml_starts *fit, const struct ml_ensemble_options *how,
                                  struct ml_error *err);

/* Lets the starts of the fit begin where arcs have led. */
void ml_shooting_pass_on(const struct ml_shooting *shooting, struct ml_starts *fit);

void ml_shooting_free(struct ml_shooting *shooting);

#endif
