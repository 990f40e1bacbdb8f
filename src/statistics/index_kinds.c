/* Which tables of indices there are. */
#include "manylink/indices.h"

#define FIRST_DOC "part of the variance that an input explains alone"
#define TOTAL_DOC "part of the variance that an input explains alone and with others"

static const struct ml_index_table_kinds tables[ML_N_INDEX_DESIGN] = {
    [ML_INDEX_POINTS] =
        {.design = "points",
         .points = "runs",
         .measures = "first order",
         .estimators = "bins, rank, rbd_fast, chaos and shapley",
         .first = ML_ESTIMATOR_BINS,
         .last = ML_ESTIMATOR_SHAPLEY,
         .least = 8,
         .has_halves = 1,
         .kinds = {{"first order", "first_order", FIRST_DOC ": lines in bins", 0},
                   {"PAWN", "pawn",
                    "median distance of the distributions in ten slices of the input to that of "
                    "all runs (Pianosi, Wagener, Environ. Model. Softw. 67, 2015)",
                    0},
                   {"regression", "regression",
                    "coefficient of the linear regression, of standardised numbers; NaN: an input "
                    "is the same in all runs, inputs depend on each other linearly, or inputs are "
                    "too many",
                    0},
                   {"rank correlation", "rank_correlation",
                    "Spearman's correlation of ranks; NaN: the input is the same in all runs", 0}},
         .whole = {"regression", "r_squared", "part of the variance that the regression explains",
                   0}},
    [ML_INDEX_SALTELLI] =
        {.design = "saltelli",
         .points = "points",
         .measures = "first order",
         .estimators = "saltelli, jansen and janon",
         .first = ML_ESTIMATOR_SALTELLI,
         .last = ML_ESTIMATOR_JANON,
         .least = 2,
         .resolved = 1,
         .has_halves = 1,
         .kinds = {{"first order", "first_order",
                    FIRST_DOC " (Saltelli et al., Comput. Phys. Commun. 181, 2010)", 0},
                   {"total", "total", TOTAL_DOC " (Jansen, Comput. Phys. Commun. 117, 1999)", 0}},
         .second = {"second order", "second_order",
                    "part of the variance that two inputs explain together, beyond each alone "
                    "(Saltelli et al., Comput. Phys. Commun. 181, 2010); NaN below the diagonal",
                    0}},
    [ML_INDEX_MORRIS] =
        {.design = "morris",
         .points = "trajectories",
         .measures = "effects",
         .estimators = "morris",
         .first = ML_ESTIMATOR_MORRIS,
         .last = ML_ESTIMATOR_MORRIS,
         .least = 2,
         .has_halves = 1,
         .kinds = {{"mu star", "mu_star",
                    "mean of absolute effects of a move through all levels (Campolongo, Cariboni, "
                    "Saltelli, Environ. Model. Softw. 22, 2007)",
                    1},
                   {"mu", "mu",
                    "mean effect of a move through all levels (Morris, Technometrics 33, 1991)", 1},
                   {"sigma", "sigma",
                    "standard deviation of the effects (Morris, Technometrics 33, 1991)", 1}}},
    [ML_INDEX_FAST] = {.design = "fast",
                       .points = "curves",
                       .measures = "indices",
                       .estimators = "fast",
                       .first = ML_ESTIMATOR_FAST,
                       .last = ML_ESTIMATOR_FAST,
                       .least = 1,
                       .resolved = 1,
                       .has_halves = 1,
                       .kinds = {{"first order", "first_order",
                                  FIRST_DOC " (Saltelli, Tarantola, Chan, Technometrics 41, 1999)",
                                  0},
                                 {"total", "total",
                                  TOTAL_DOC " (Saltelli, Tarantola, Chan, Technometrics 41, 1999)",
                                  0}}},
    [ML_INDEX_OAT] =
        {.design = "oat",
         .points = "runs",
         .measures = "effects",
         .estimators = "oat",
         .first = ML_ESTIMATOR_OAT,
         .last = ML_ESTIMATOR_OAT,
         .least = 3,
         .resolved = 2,
         .kinds = {{"at lowest", "at_lowest",
                    "change from the middle of all inputs to the lowest value of the input", 1},
                   {"at highest", "at_highest",
                    "change from the middle of all inputs to the highest value of the input", 1},
                   {"swing", "swing", "largest less smallest number along the input", 1},
                   {"elasticity", "elasticity",
                    "relative change of the number over that of the input, between the values "
                    "beside the middle",
                    0}},
         .whole = {"middle", "middle", "number with all inputs at their middle", 1}},
    [ML_INDEX_CHAOS] = {.design = "points",
                        .points = "runs",
                        .measures = "indices",
                        .estimators = "chaos",
                        .first = ML_ESTIMATOR_CHAOS,
                        .last = ML_ESTIMATOR_CHAOS,
                        .least = 8,
                        .resolved = 1,
                        .has_halves = 1,
                        .kinds = {{"first order", "first_order",
                                   FIRST_DOC " (Sudret, Reliab. Eng. Syst. Saf. 93, 2008)", 0},
                                  {"total", "total",
                                   TOTAL_DOC " (Sudret, Reliab. Eng. Syst. Saf. 93, 2008)", 0}}},
    [ML_INDEX_SHAPLEY] =
        {.design = "points",
         .points = "runs",
         .measures = "effects",
         .estimators = "shapley",
         .first = ML_ESTIMATOR_SHAPLEY,
         .last = ML_ESTIMATOR_SHAPLEY,
         .least = 8,
         .has_halves = 1,
         .kinds = {{"Shapley", "shapley",
                    "part of the variance, in which correlated inputs share their common part "
                    "(Owen, SIAM/ASA J. Uncertain. Quantif. 2, 2014)",
                    0},
                   {"first order", "first_order",
                    FIRST_DOC ", with all that it has in common with others", 0},
                   {"total", "total", "part of the variance that all other inputs leave", 0}},
         .whole =
             {"unexplained", "unexplained",
              "part of the variance that the estimator leaves of all inputs: the effects are as "
              "inexact",
              0}},
    [ML_INDEX_DERIVATIVES] =
        {.design = "points",
         .points = "runs",
         .measures = "measures",
         .estimators = "derivatives",
         .first = ML_ESTIMATOR_DERIVATIVES,
         .last = ML_ESTIMATOR_DERIVATIVES,
         .least = 2,
         .has_halves = 1,
         .kinds =
             {{"bound on total", "total_bound",
               "number above the total index: mean square of the derivative by the input, times "
               "the Poincare constant of its distribution, over the variance (Sobol', "
               "Kucherenko, Math. Comput. Simul. 79, 2009)",
               0},
              {"activity", "activity",
               "activity score in the active subspace, over the variance (Constantine, Diaz, "
               "Reliab. Eng. Syst. Saf. 162, 2017)",
               0},
              {"mean square", "mean_square",
               "mean square of the derivative by the input, in SI units", 0},
              {"eigenvalue", "eigenvalue",
               "eigenvalues of the mean products of derivatives by inputs in their standard "
               "deviations, over the variance, descending: of no input",
               0}}},
};

const struct ml_index_table_kinds *ml_index_table_kinds(enum ml_index_design design)
{
    return &tables[design];
}

const char *ml_estimator_word(enum ml_estimator estimator)
{
#define X(code, word) word,
    static const char *const words[] = {ML_ESTIMATOR_LIST(X)};
#undef X
    return words[estimator];
}
