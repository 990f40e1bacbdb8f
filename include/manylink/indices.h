/* Global sensitivity indices of an output: Sobol' indices of the runs of Saltelli's design and
 * of FAST, effects of Morris' design and of one input at a time, and measures of any sample. All
 * but effects of one input at a time have an interval by bootstrap from a fixed seed: the numbers
 * depend on the arguments alone. All functions are thread-safe. */
#ifndef MANYLINK_INDICES_H
#define MANYLINK_INDICES_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An estimate, and half of its 95 % interval: 1.96 standard deviations of the bootstrap. The half
 * is NaN if a resample has no such index: too few runs differ. */
struct ml_index {
    double value, half;
};

/* Estimators of first-order indices, with V the variance over A and B, and A_i that is A with input
 * i of B. */
enum ml_first_order {
    ML_FIRST_SALTELLI, /* mean of B (A_i - A) / V: Saltelli et al., Comput. Phys. Commun. 181, 2010
                        */
    ML_FIRST_JANSEN,   /* 1 - half the mean of (B - A_i)^2 / V: Jansen, ibid. 117, 1999 */
    ML_FIRST_JANON     /* covariance of B and A_i with a mean and a variance of both: Janon et al.,
                          ESAIM Probab. Stat. 18, 2014 */
};

struct ml_sobol_indices {
    size_t size;                    /* sizeof(struct ml_sobol_indices), set before */
    enum ml_first_order estimator;  /* set before */
    struct ml_index *first, *total; /* [n_input] of the caller */
    struct ml_index *second;        /* [n_input][n_input], row < column; NULL: not found */
    int64_t n_complete;             /* points of which all runs have a finite number */
    double variance;                /* of the output over A and B, in the square of its unit */
};

/* Returned by the functions below in place of 1 or 0. */
enum { ML_INDEX_NO_MEMORY = -1 };

/* Finds first-order indices; total indices, half the mean of (A - A_i)^2 over the variance (Jansen,
 * 1999); and of second order the mean of B_i A_j - A B over the variance, less both of first order
 * (Saltelli et al., 2010). Numbers are centred first.
 *   y           [n_point][2 + n_input], or with out->second [n_point][2 + 2 n_input]: A, A with one
 *               input of B, (B with one input of A,) B; changed: complete points come first
 *   n_resample  of the bootstrap, at least 2
 * Returns ML_INDEX_NO_MEMORY, or 0 with fewer than two complete points, and where the output is the
 * same in all runs of A and B. */
ML_API int ml_sobol_indices_find(double *y, int64_t n_point, int n_input, int n_resample,
                                 struct ml_sobol_indices *out);

/* Estimators of first-order indices of any sample. */
enum ml_given_estimator {
    ML_GIVEN_BINS,    /* part of the variance that lines of y over the input explain, one in each of
                         about sqrt(n)/2 bins with as many runs each, less the part of it that is
                         noise */
    ML_GIVEN_RANK,    /* products of neighbours in the order of the input: Gamboa et al., Bernoulli
                         28, 2022, after Chatterjee, J. Am. Stat. Assoc. 116, 2021; of independent
                         points only */
    ML_GIVEN_RBD_FAST /* ten harmonics along the order of the input: Tarantola et al., Reliab. Eng.
                         Syst. Saf. 91, 2006, less their bias (Tissot and Prieur, ibid. 107, 2012)
                       */
};

/* Values of the inputs of a sample, and their orders. */
struct ml_given_inputs;

/*   x  [n_input][n], n > 0; used until ml_given_inputs_free. NaN and infinite: the run is left out
 * Returns NULL without memory. */
ML_API struct ml_given_inputs *ml_given_inputs_make(const double *x, int64_t n, int n_input);
ML_API void ml_given_inputs_free(struct ml_given_inputs *inputs); /* may be NULL */

struct ml_given_indices {
    size_t size;                       /* sizeof(struct ml_given_indices), set before */
    enum ml_given_estimator estimator; /* set before */
    int is_even; /* set before, not 0: points of a sequence of low discrepancy, of which bins have
                    no noise to be taken off, and intervals of RBD-FAST have its bias */
    /* [n_input] of the caller; NULL: not found */
    struct ml_index *first;
    struct ml_index *pawn;       /* median distance (Kolmogorov, Smirnov) of the distribution in ten
                                    slices of the input to that of all: Pianosi and Wagener, Environ.
                                    Model. Softw. 67, 2015, with slices as SALib has them */
    struct ml_index *regression; /* coefficient of the linear regression, of standardised numbers */
    struct ml_index *spearman;   /* correlation of ranks */
    struct ml_index r_squared;   /* part of the variance that the regression explains */
    int64_t n_complete;          /* runs of which all inputs and the output are finite */
};

/* Finds the indices of an output.
 *   y           [n] of the runs of the inputs
 *   n_resample  of the bootstrap, at least 2
 * Measures of an input that is the same in all runs are NaN (`first` of bins: 0). Regression has
 * NaN where an input is the same in all runs, inputs depend on each other linearly, runs are fewer
 * than inputs + 2, or inputs more than 64.
 * Returns ML_INDEX_NO_MEMORY, or 0 with fewer than 8 complete runs, and where the output is the
 * same in all. */
ML_API int ml_given_indices_find(const struct ml_given_inputs *inputs, const double *y,
                                 int n_resample, struct ml_given_indices *out);

/* Indices of a polynomial that is fitted to any sample of independent inputs. */
struct ml_chaos_indices {
    size_t size;                    /* sizeof(struct ml_chaos_indices), set before */
    int is_even;                    /* set before, not 0: points of a sequence of low discrepancy */
    struct ml_index *first, *total; /* [n_input] of the caller */
    int degree, n_term;             /* of the polynomial */
    double explained;               /* part of the variance of runs that are left out of the fit */
    int64_t n_complete, n_used;     /* runs of which all inputs and the output are finite; of these
                                       the first are used */
};

/* Fits a polynomial of the inputs by least squares, and finds Sobol' indices from its coefficients:
 * Sudret, Reliab. Eng. Syst. Saf. 93, 2008. Factors are orthonormal polynomials of each input in
 * the distribution that the sample has: Oladyshkin and Nowak, ibid. 106, 2012. The degree up to 12
 * has the smallest error of leaving a run out (Blatman and Sudret, J. Comput. Phys. 230, 2011), of
 * at most n/2 terms. Of more than 16384 runs the first are used. Intervals are those of the noise
 * that the residuals leave in coefficients, and without is_even of the runs that are drawn: too
 * narrow where `explained` is far from 1.
 * Returns ML_INDEX_NO_MEMORY, or 0 with fewer than 8 complete runs or 2 n_input + 2, with more
 * inputs than sqrt(2e9 / runs) - 1 (the work grows with their square), and where the output is the
 * same in all runs or no polynomial explains half of its variance. */
ML_API int ml_chaos_indices_find(const struct ml_given_inputs *inputs, const double *y,
                                 int n_resample, struct ml_chaos_indices *out);

/* Effects of inputs that may depend on each other, of any independent points. */
enum { ML_SHAPLEY_INPUTS = 12 /* at most */ };
struct ml_shapley_effects {
    size_t size; /* sizeof(struct ml_shapley_effects), set before */
    /* [n_input] of the caller */
    struct ml_index *effects; /* Shapley effects, with the sum 1: mean over all orders of the inputs
                                 of the part of the variance that an input adds to those before it:
                                 Owen, SIAM/ASA J. Uncertain. Quantif. 2, 2014; Song, Nelson, Staum,
                                 ibid. 4, 2016 */
    struct ml_index *first;   /* part of the variance that the input explains, with all that it has
                                 in common with others */
    struct ml_index *total;   /* part that all others leave unexplained */
    struct ml_index unexplained; /* part that the estimator leaves of all inputs, which is 0 but for
                                    the distance of neighbours: the effects are as inexact */
    int64_t n_complete, n_used;  /* runs of which all inputs and the output are finite; of these */
};

/* Finds the effects from nearest neighbours in each set of inputs (Broto, Bachoc, Depecker,
 * SIAM/ASA J. Uncertain. Quantif. 8, 2020, with one neighbour), after a quadratic polynomial of
 * these inputs is taken off the output. Points of low discrepancy have wrong effects: neighbours in
 * one input have opposite values of others. Of more than 16384 runs, or sqrt(2e9 / 2^n_input), the
 * first are used.
 *   n_resample  of the bootstrap, at least 2
 * Returns ML_INDEX_NO_MEMORY, or 0 with more than 12 inputs, with fewer than 8 complete runs, and
 * where the output is the same in all. */
ML_API int ml_shapley_effects_find(const struct ml_given_inputs *inputs, const double *y,
                                   int n_resample, struct ml_shapley_effects *out);

/* Effects of Morris' design. */
struct ml_morris_indices {
    size_t size; /* sizeof(struct ml_morris_indices), set before */
    /* [n_input] of the caller, of the output's change by a step over the length of the step */
    struct ml_index *mu_star; /* mean of absolute effects: Campolongo, Cariboni, Saltelli, Environ.
                                 Model. Softw. 22, 2007 */
    struct ml_index *mu;      /* mean: Morris, Technometrics 33, 1991 */
    struct ml_index *sigma;   /* standard deviation (n - 1) */
    int64_t n_complete;       /* trajectories of which all runs have a finite number */
};

/* Finds the effects of trajectories, along which a run differs from the run before in one input.
 *   x           [n_point][n_input + 1][n_input] the inputs, of which the signs of changes count
 *   y           [n_point][n_input + 1]
 *   step        length of a step, > 0
 *   n_resample  of the bootstrap, at least 2
 * Returns ML_INDEX_NO_MEMORY, or 0 with fewer than two complete trajectories, and where a run of
 * these differs from the run before in another number of inputs. */
ML_API int ml_morris_indices_find(const double *x, const double *y, int64_t n_point, int n_input,
                                  double step, int n_resample, struct ml_morris_indices *out);

/* Indices of the curves of FAST. */
struct ml_fast_indices {
    size_t size;                    /* sizeof(struct ml_fast_indices), set before */
    struct ml_index *first, *total; /* [n_input] of the caller; NaN of a curve that is not complete
                                       or has the same output in all runs */
    int64_t n_complete;             /* curves that have indices */
};

/* Finds first-order and total indices from the spectrum of the output along the curve of each
 * input: the part that the first four harmonics of the input's frequency, floor((n_point - 1)/8),
 * have in the variance; and 1 less the part of frequencies up to half of this frequency (Saltelli,
 * Tarantola, Chan, Technometrics 41, 1999). The bootstrap draws periods of the input; interference
 * of frequencies is no part of the intervals.
 *   y           [n_input][n_point] along closed curves, 65 <= n_point < 2^31
 *   n_resample  of the bootstrap, at least 2
 * Returns ML_INDEX_NO_MEMORY, or 0 with fewer runs, and where no curve has indices. */
ML_API int ml_fast_indices_find(const double *y, int64_t n_point, int n_input, int n_resample,
                                struct ml_fast_indices *out);

/* Runs of a curve of `design: fast` from which on the frequencies of n_input inputs hardly
 * interfere: indices of Ishigami's function, of the G function of 8 inputs and of polynomials are
 * within 0.02 of the closed forms, of shorter curves within 0.07. 0: of so many inputs at no
 * length.
 */
ML_API int64_t ml_fast_indices_points(int n_input);

/* Effects on an output of one input that moves alone. */
struct ml_oat_effect {
    double at_lowest, at_highest; /* change from the middle of all inputs to the input's lowest and
                                     highest value; NaN where that run has no finite number */
    double swing;                 /* largest less smallest output of all values and the middle */
    double elasticity; /* relative change of the output over that of the input, between the values
                          beside the middle; NaN where input or output are 0 in the middle, or
                          below 1e-14 of the values beside, or a side has no finite number */
};

/* Finds the effects of inputs that move one at a time, the others at their middle.
 *   x        [n_input][1 + n_point n_input] the inputs of all runs: of the middle, then n_point runs
 *            along each input
 *   y        [1 + n_point n_input]
 *   effects  [n_input]
 * Returns how many runs have a finite number; 0 where that of the middle has none. */
ML_API int64_t ml_oat_effects_find(const double *x, const double *y, int64_t n_point, int n_input,
                                   struct ml_oat_effect *effects);

/* The distribution of an input, in the unit of the input, as attributes of /study/runs have it
 * (docs/result.md); numbers that the distribution does not have are NaN. */
struct ml_input_distribution {
    size_t size;      /* sizeof(struct ml_input_distribution) */
    const char *kind; /* "uniform", "normal", ..: a word of docs/sampling.md */
    int is_log;       /* not 0: `scale: log` of "uniform" */
    double from, to, mean, sd, mode, alpha, beta;
    const double *values, *weights; /* [n_value]; weights of intervals [n_value - 1], or NULL */
    int64_t n_value;
};

/* The Poincare constant C of a distribution, in the square of the input's unit: the least number
 * with Var f <= C E[f'^2] for all functions f of the input; with is_log and of "lognormal" of its
 * logarithm. Uniform: (length/pi)^2; normal: the variance; others to 1e-5 by the eigenvalue problem
 * of Roustant, Barthe, Iooss, Electron. J. Stat. 11, 2017. NaN without memory and where no constant
 * exists: of `discrete`, of a table with a gap, and of kinds that are unknown. */
ML_API double ml_poincare_constant(const struct ml_input_distribution *distribution);

/* Measures of an output by its exact derivatives by inputs. */
struct ml_derivative_measures {
    size_t size; /* sizeof(struct ml_derivative_measures), set before */
    /* [n_input] of the caller */
    struct ml_index *nu;    /* mean square of the derivative by the input, in the square of the
                               output's unit over that of the input: Sobol' and Kucherenko, Math.
                               Comput. Simul. 79, 2009 */
    struct ml_index *bound; /* C nu over the variance of the output, which is above the total index
                               of an input that is independent of others: Lamboni et al., ibid. 87,
                               2013; NaN where C is NaN */
    /* Active subspaces (Constantine, Dow, Wang, SIAM J. Sci. Comput. 36, 2014), from the matrix of
     * mean products of derivatives by inputs in their standard deviations, of their logarithms with
     * is_log. NaN of more than 64 inputs. */
    struct ml_index *activity;    /* activity score over the variance of the output: Constantine and
                                     Diaz, Reliab. Eng. Syst. Saf. 162, 2017, of `dimension`
                                     eigenvectors */
    struct ml_index *eigenvalues; /* over the variance of the output, descending */
    double *eigenvectors;         /* [n_input][n_input]: rows in the order of eigenvalues, each of
                                     length 1 and with its largest entry > 0 */
    int dimension;                /* eigenvalues before the largest factor between neighbours */
    double variance;              /* of the output, in the square of its unit */
    int64_t n_complete;           /* runs of which output, inputs and derivatives are finite */
};

/* Runs with derivatives. Each run must have inputs of their distributions, as those of Saltelli's
 * design have. */
struct ml_derivative_runs {
    size_t size;        /* sizeof(struct ml_derivative_runs) */
    int n_input, n_row; /* n_row consecutive runs are a point, drawn by the bootstrap as a whole */
    int64_t n_point;    /* the first n_point n_row runs count */
    int64_t stride;     /* runs of the arrays */
    const double *x;    /* [n_input][stride] inputs */
    const double *derivatives; /* [n_input][stride] of the output by the inputs */
    const double *y;           /* [n_point n_row] output */
    const double *constants;   /* [n_input] Poincare constants; NaN: unknown */
    const int *is_log;         /* [n_input] not 0: the constant is that of the input's logarithm */
};

/* Finds the measures.
 *   n_resample  of the bootstrap, at least 2
 * Returns ML_INDEX_NO_MEMORY, or 0 with fewer than two complete runs, and where the output is the
 * same in all. */
ML_API int ml_derivative_measures_find(const struct ml_derivative_runs *runs, int n_resample,
                                       struct ml_derivative_measures *out);
/* Tables of indices, as `manylink sensitivity` prints them and /study/sensitivity/global of a
 * result has them. */

/* Code, and word of `manylink sensitivity --estimator`; ML_ESTIMATOR_AUTO: the first that a design
 * has. */
#define ML_ESTIMATOR_LIST(X)             \
    X(ML_ESTIMATOR_AUTO, "auto")         \
    X(ML_ESTIMATOR_SALTELLI, "saltelli") \
    X(ML_ESTIMATOR_JANSEN, "jansen")     \
    X(ML_ESTIMATOR_JANON, "janon")       \
    X(ML_ESTIMATOR_MORRIS, "morris")     \
    X(ML_ESTIMATOR_FAST, "fast")         \
    X(ML_ESTIMATOR_OAT, "oat")           \
    X(ML_ESTIMATOR_BINS, "bins")         \
    X(ML_ESTIMATOR_RANK, "rank")         \
    X(ML_ESTIMATOR_RBD_FAST, "rbd_fast") \
    X(ML_ESTIMATOR_CHAOS, "chaos")       \
    X(ML_ESTIMATOR_SHAPLEY, "shapley")   \
    X(ML_ESTIMATOR_DERIVATIVES, "derivatives")
#define X(code, word) code,
enum ml_estimator { ML_ESTIMATOR_LIST(X) ML_N_ESTIMATOR };
#undef X

/* Designs of samples. */
enum ml_index_design {
    ML_INDEX_POINTS, /* any sample */
    ML_INDEX_SALTELLI,
    ML_INDEX_MORRIS,
    ML_INDEX_FAST,
    ML_INDEX_OAT,
    ML_INDEX_CHAOS,       /* any sample, to which a polynomial is fitted */
    ML_INDEX_SHAPLEY,     /* independent points, of inputs that may depend on each other */
    ML_INDEX_DERIVATIVES, /* points or saltelli, with derivatives by inputs: the table is that of
                             ml_derivative_measures_find */
    ML_N_INDEX_DESIGN
};

enum { ML_INDEX_KINDS = 4, ML_INDEX_RESAMPLES = 200 };

/* A column of a table. */
struct ml_index_kind {
    const char *word; /* "rank correlation"; NULL: no such column */
    const char *name; /* of datasets and of columns of CSV: "rank_correlation" */
    const char *doc;  /* meaning, and source */
    int is_of_output; /* not 0: in the unit of the output; else a number without unit */
};

/* The table of a design. */
struct ml_index_table_kinds {
    const char *design;     /* first word of attribute `design` of /study/runs */
    const char *points;     /* noun, in the plural: "trajectories" */
    const char *measures;   /* that follow the estimator: "first order" */
    const char *estimators; /* for messages: "saltelli, jansen and janon" */
    enum ml_estimator first, last;
    int least;                                  /* complete points that the indices need */
    int resolved;                               /* the kind that stands for the resolution */
    int has_halves;                             /* 0: the numbers have no intervals */
    struct ml_index_kind kinds[ML_INDEX_KINDS]; /* of an input */
    struct ml_index_kind second;                /* of two inputs */
    struct ml_index_kind whole;                 /* of all inputs together */
};

/* Static. */
ML_API const struct ml_index_table_kinds *ml_index_table_kinds(enum ml_index_design design);
ML_API const char *ml_estimator_word(enum ml_estimator estimator);

/* Points of a sample. */
struct ml_index_points {
    size_t size; /* sizeof(struct ml_index_points); this and the next eight are set before */
    enum ml_index_design design;
    enum ml_estimator estimator; /* that the design has */
    int n_input;    /* or of Saltelli's design groups, each of which stands for an input */
    int has_second; /* of Saltelli's design: B with one input of A */
    int is_even;    /* points of a sequence of low discrepancy */
    int levels;     /* of Morris' design */
    int64_t n_run;  /* of whole points */
    /* Set by ml_index_points_begin: runs of a point (of FAST of a step along all curves, of oat all
     * runs) and points; the inputs, if the design needs these. */
    int64_t n_row, n;
    double *x; /* without a design and of oat [n_input][n_run], of Morris' design [n_run][n_input],
                  else NULL */
    struct ml_given_inputs *given; /* without a design, else NULL */
};

/* Reads an input of runs 0 .. n - 1; 0 after a failure. */
typedef int ml_index_read_fn(void *context, int input, int64_t n, double *values);

/* Runs of a point, and takes the inputs. Returns 0 without memory or after a failure of `read`.
 * Free in any case. */
ML_API int64_t ml_index_rows(const struct ml_index_points *points);
ML_API int ml_index_points_begin(struct ml_index_points *points, ml_index_read_fn *read,
                                 void *context);
ML_API void ml_index_points_free(struct ml_index_points *points);

/* The indices of a number. */
struct ml_index_table {
    size_t size;                            /* sizeof(struct ml_index_table), set before */
    int64_t n, n_complete;                  /* points, of FAST curves, of oat runs */
    int is_found;                           /* 0: the numbers below are not set */
    struct ml_index *kinds[ML_INDEX_KINDS]; /* [n_input] each; NULL: no such kind */
    struct ml_index *second;                /* [n_input][n_input], row < column; NULL: none */
    struct ml_index whole;
    struct ml_chaos_indices chaos; /* of ML_INDEX_CHAOS */
    int64_t n_used;                /* of ML_INDEX_CHAOS and ML_INDEX_SHAPLEY: complete runs that are
                                      used */
};

/* Finds the indices of a number. The function of the design above has the equations.
 *   y     [n][n_row], of FAST [n_row][n]; changed
 *   room  [n_input * (n_input + ML_INDEX_KINDS)], where the indices are put
 * Returns is_found, or ML_INDEX_NO_MEMORY. */
ML_API int ml_index_table_find(const struct ml_index_points *points, double *y,
                               struct ml_index *room, struct ml_index_table *out);

#ifdef __cplusplus
}
#endif

#endif
