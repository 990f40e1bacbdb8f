/* Effects of parameters before the first step: derivatives of a batch's constants and initial state
 * along the directions of an ensemble. */
#ifndef ML_ENGINE_SLOPES_H
#define ML_ENGINE_SLOPES_H

#include "base/arena.h"
#include "engine/team/ensemble.h"

enum { ML_SLOPE_RUNS = 4 };

/* Scratch, cut from the arena of a batch; rows of ML_LANES unless said otherwise. All NULL without
 * parameters. */
struct ml_derivs {
    double *given;               /* [n_value] before `derive` */
    double *along;               /* [n_value] a direction, with its effect on derived slots */
    double *run[ML_SLOPE_RUNS];  /* [n_value] doubles each: of one run */
    double *values;              /* [n_value] where differences are taken */
    double *constants[2], *x[2]; /* [constant_rows], [n_x] there */
    double *record;              /* [rows of the state quantities] of one parameter */
    double *start_energy;        /* [n_sens] how the energy that a start is given changes */
    double *energy[2];           /* [n_sens] of kinetic and potential energy at the start */
    double *below[3];            /* [1] at one side of a difference: kinetic and potential energy,
                                    scale */
};

/* Change of a parameter that moves no number by more than a part in 1e5, where the errors of
 * central differences from rounding and from higher derivatives are about the same. value,
 * derivative [n] `stride` apart */
double ml_derivs_difference(int n, int stride, const double *value, const double *deriv);

/* Places the scratch in `arena`, or counts its bytes. */
void ml_derivs_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                      struct ml_derivs *derivs);

/* Fills the blocks of derivatives behind the constants, and the initial rows of the parameters'
 * tangent vectors. Exact where system and forces say how, else by central differences: some 1e-10
 * relative.
 *   first, n   runs in the lanes, the last one repeated
 *   values     [n_value] after `derive`
 *   constants  [ml_rows_constants] the first constant_rows given, the others out
 *   x          [n_x (1 + n_column)] the last n_sens vectors out */
void ml_derivs_load(const struct ml_ensemble *ensemble, const struct ml_derivs *derivs,
                    int64_t first, int n, const double *values, double *constants, double *x);

#endif
