/* All starts of a fit, side by side: each iteration of Levenberg-Marquardt is a run of the starts
 * that are still underway, as an ensemble with tangent vectors along the varied numbers. */
#ifndef ML_FIT_STARTS_H
#define ML_FIT_STARTS_H

#include "engine/team/team.h"
#include "fit/normal_sums.h"
#include "inverse/inverse_task.h"

struct ml_starts {
    const struct ml_study *study;
    const struct ml_measured_numbers *measured;
    const struct ml_inverse_task *torques; /* the motion of which torques are compared; NULL: runs
                                              are compared */
    /* Computes the trials of the starts underway: as of fit/runs.h or fit/torques.h. */
    enum ml_status (*evaluate)(struct ml_starts *starts, const struct ml_ensemble_options *how,
                               struct ml_error *err);
    void *evaluated;             /* of another evaluate: its own */
    struct ml_ensemble ensemble; /* of the starts underway: the runs of a start are neighbours */
    int n;                       /* varied numbers */
    int n_direction;             /* along which runs have derivatives; 0: costs alone are wanted */
    int n_experiment;            /* runs of a start */
    double scale;                /* of the loss, in units of the deviations; 0: squares */
    bool is_near;                /* the starts are points near the minimum of another fit */
    bool is_led;                 /* they are those of multiple shooting */
    int64_t n_start;
    double *first;               /* [n_start][n] z of the starts */
    struct ml_descent *descents; /* [n_start] */
    struct ml_normal *found;     /* [n_start] at the trials */
    double seen[ML_FIT_MOST];    /* [n] largest diagonal of J^T J at the first trials */
    struct ml_normal *parts;     /* [n_start][n_experiment] of each run; of one experiment
                                    those in `found` */
    int64_t *underway;           /* [n_underway] starts */
    int64_t n_underway;
    const struct ml_fit_detail *detail; /* filled by the next run; NULL: not wanted */
    int64_t n_evaluation;               /* runs so far */
    double *more;                       /* [n][n_more] by z of conditions on these beside measured
                                           numbers and priors, at the point that was looked at */
    int64_t n_more;
    struct ml_pool pool; /* owns the arrays */
};

/* The starts are the runs of the study's sample; the first has the study's own numbers where these
 * are within the bounds. The caller prepares runs or torques. ML_E_MEMORY on failure. Free in any
 * case. */
enum ml_status ml_starts_init(struct ml_starts *starts, const struct ml_study *study,
                              const struct ml_measured_numbers *measured);

/* Values of a run of an experiment with these varied numbers [n]. */
void ml_starts_set(const struct ml_starts *starts, int experiment, const double *numbers,
                   double *values);

/* Points of the fit `like`, whose study, table and ensemble are borrowed, in each of which one
 * coordinate may stay. Free in any case.
 *   z       [n_start][like->n]
 *   fixed   [n_start] the coordinates that stay; NULL: none does
 *   enough  change of the cost that no further step is worth */
enum ml_status ml_starts_init_at(struct ml_starts *starts, const struct ml_starts *like,
                                 int64_t n_start, const double *z, const int *fixed, double enough);

void ml_starts_free(struct ml_starts *starts);

/* Computes `found` of the starts underway at their trials. */
enum ml_status ml_starts_evaluate(struct ml_starts *starts, const struct ml_ensemble_options *how,
                                  struct ml_error *err);

/* Adds the priors at a point z as residuals. */
void ml_starts_add_priors(const struct ml_starts *starts, const double *z, struct ml_normal *to);

/* Iterates the starts underway until all have ended.
 *   is_checked  numbers that the data do not see are reported */
enum ml_status ml_starts_iterate(struct ml_starts *starts, const struct ml_ensemble_options *how,
                                 int most, bool is_checked, struct ml_error *err);

/* Iterates until every start has ended. ML_E_INPUT if no run finishes at any start, or nothing of a
 * number is seen in the data, unless the starts are near a minimum. */
enum ml_status ml_starts_descend(struct ml_starts *starts, const struct ml_ensemble_options *how,
                                 struct ml_error *err);

/* Fits all starts again by the loss of the study, whose scale follows from the residuals of the
 * best start and those from the scale, until the scale stays.
 *   detail  room */
enum ml_status ml_starts_weigh(struct ml_starts *starts, const struct ml_fit_detail *detail,
                               const struct ml_ensemble_options *how, struct ml_error *err);

/* Takes a start that has ended on to its minimum, as exactly as rounding allows. */
enum ml_status ml_starts_refine(struct ml_starts *starts, int64_t start,
                                const struct ml_ensemble_options *how, struct ml_error *err);

/* Runs the best point of a start alone.
 *   detail  filled */
enum ml_status ml_starts_look(struct ml_starts *starts, int64_t start,
                              const struct ml_fit_detail *detail,
                              const struct ml_ensemble_options *how, struct ml_error *err);

#endif
