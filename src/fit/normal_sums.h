/* J^T J, J^T r and r^T r of one point, from the curves of the model. */
#ifndef ML_FIT_NORMAL_SUMS_H
#define ML_FIT_NORMAL_SUMS_H

#include "fit/descent.h"
#include "fit/measured.h"

/* Numbers at one point in full, in units of the deviation of each column. */
struct ml_fit_detail {
    double *model;    /* [n_column][n_time] the record there, in its unit */
    double *jacobian; /* [n][n_column n_time] by z; 0 where no number is measured */
    double *between;  /* [n_column][n_time] error of the record there by interpolation, about */
};

/* The measured numbers of a fit, and the samples of the model beside these. */
struct ml_comparison {
    const struct ml_fit_spec *fit;
    const struct ml_experiment *experiment; /* of the model */
    const struct ml_measured_numbers *measured;
    int64_t n_sample;                   /* of the model */
    int n_number;                       /* that vary the run */
    int n_direction;                    /* the same, or 0: there are no derivatives, and the cost
                                           alone is wanted */
    const double *scales;               /* [n_direction] d number / d coordinate */
    const int *rows;                    /* [n_direction] of detail->jacobian */
    const struct ml_fit_detail *detail; /* filled; NULL: not wanted */
    double scale;                       /* of the loss, as of ml_loss_at */
};

/* The model of one column. */
struct ml_fit_curve {
    const double *values; /* [n_sample] in its unit */
    const double *derivs; /* [n_direction][n_sample] by the varied numbers */
};

/* Fills in `found` of one experiment, by the coordinates that vary its run, and `detail` if there
 * is one.
 *   curves  [n_column of the experiment]; NULL: the run did not finish
 *   found   cost infinite if the run did not finish, or a number is not finite */
void ml_normal_sums(const struct ml_comparison *comparison, const struct ml_fit_curve *curves,
                    struct ml_normal *found);

#endif
