/* The arcs of one start of multiple shooting: each experiment is cut into segments, an arc is the
 * run of a segment from an unknown state u, and arcs meet where one ends and the next begins
 * (H. G. Bock, in P. Deuflhard, E. Hairer (eds.), Numerical Treatment of Inverse Problems in
 * Differential and Integral Equations, Birkhaeuser 1983, p. 95). With the coordinates z of the fit
 *
 *   minimise sum over arcs r_k(z, u_k)^2 / 2 + weight gap_k^2 / 2,  gap_k = x_k(z, u_k) - u_{k+1}
 *
 * gaps in parts of the state's size. The weight grows until the gaps vanish (a quadratic penalty:
 * J. Nocedal, S. J. Wright, Numerical Optimization, 17.1). Arithmetic alone. */
#ifndef ML_FIT_ARCS_H
#define ML_FIT_ARCS_H

#include "config/sections/fit_spec.h"
#include "fit/descent.h"

/* Numbers of a run, by the d coordinates that vary the experiment, then the n_x of its start. */
struct ml_arc_numbers {
    struct ml_normal sums; /* of its residuals: d + n_x numbers */
    double *end;           /* [n_x] where the next arc begins; unused of the last arc */
    double *derivs;        /* [n_x][d + n_x] of that */
};

struct ml_arc {
    double *start, *trial;           /* [n_x] at the best point and the trial; of the first arc of
                                        an experiment unused: the study has it */
    struct ml_arc_numbers at, found; /* the same */
    double *factor; /* [n_x][2 n_x + d + 1] of its start: L, then the rows by the start before, by
                       z, and the slope */
};

struct ml_arcs {
    const struct ml_fit_spec *fit;
    int n_x, n_segment;
    struct ml_arc *arcs; /* [n_experiment][n_segment] */
    double *size;        /* [n_x] of the state */
    double *front;       /* [2 n_x + d + 1]^2 scratch */
    double weight;       /* of the square of a gap that is `size` */
    double soft;         /* the same of the first level, by which steps of starts are damped: not by
                            weights, which would hold arcs that meet where these are */
    int n_accepted;      /* of the descent when `at` was taken */
};

/* Half the sum of squares of an arc's gap to the next one.
 *   next  state where that begins */
double ml_arcs_gap(const struct ml_arcs *arcs, const double *end, const double *next);

/* Eliminates the starts, damped as the descent is: fills its slope and second derivatives at the
 * best point, without priors, and returns by how much the starts alone lower the cost; below 0: not
 * positive definite. */
double ml_arcs_eliminate(struct ml_arcs *arcs, const struct ml_descent *descent);

/* How an arc's start moves with the coordinates of its experiment, by the elimination before.
 *   moves  [n_segment][n_x][d] of all arcs of the experiment */
void ml_arcs_moves(const struct ml_arcs *arcs, int experiment, double *moves);

/* Starts of the trial, by the elimination before. */
void ml_arcs_follow(struct ml_arcs *arcs, const struct ml_descent *descent);

/* Puts the numbers of the trial in place of those of the best point. */
void ml_arcs_accept(struct ml_arcs *arcs);

#endif
