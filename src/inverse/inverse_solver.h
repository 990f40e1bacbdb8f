/* One thread that turns motions into torques. */
#ifndef ML_INVERSE_INVERSE_SOLVER_H
#define ML_INVERSE_INVERSE_SOLVER_H

#include "inverse/inverse_set.h"

struct ml_inverse_solver {
    struct ml_segment_params segments;
    double *x;             /* [2 n][ML_LANES] absolute angles and rates of as many instants */
    double *sine, *cosine; /* [n][ML_LANES] of the angles */
    double *acceleration;  /* [n][ML_LANES] absolute */
    bool has_laws;         /* there are forces from outside, or limits of joints */
    double *work;          /* of ml_inverse_dynamics */
    double *law_work;      /* of laws: rows of ML_LANES */
    double *times, *base;  /* [ML_LANES], [6][ML_LANES] of as many instants: s; m, m/s, m/s^2 */
    double *law_load, *law_passive, *law_field; /* [n][3], [n], [2] rows, as of ml_loads */
    double *load[ML_N_TORQUE];                  /* [n] rows */
    double *coupling;                           /* [n][n] rows; NULL: too many */
    double *force;                              /* [n][2] rows */
    const struct ml_law *windows;               /* as of ml_load_windows, borrowed from the caller;
                                                   NULL: the ensemble's laws */
    struct ml_arena arena;                      /* owns them */
};

/* Takes memory; false without. Free with ml_inverse_solver_free, also then. */
bool ml_inverse_solver_init(struct ml_inverse_solver *solver, const struct ml_ensemble *ensemble);
void ml_inverse_solver_free(struct ml_inverse_solver *solver);

/* Torques and forces of a motion of solver->segments: sets as of ml_torque_numbers, the motion
 * among them in.
 *   time  [n_time] s */
void ml_inverse_solver_solve(struct ml_inverse_solver *solver, const struct ml_ensemble *ensemble,
                             int64_t n_time, const double *time, double *const sets[ML_N_SET]);

#endif
