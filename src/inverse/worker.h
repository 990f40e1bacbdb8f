/* One thread that turns motions into torques. */
#ifndef ML_INVERSE_WORKER_H
#define ML_INVERSE_WORKER_H

#include "inverse/torques.h"

struct ml_worker {
    struct ml_bodies bodies;
    double *x;                 /* [2 n][ML_LANES] absolute angles and rates of as many instants */
    double *sine, *cosine;     /* [n][ML_LANES] of the angles */
    double *now[4];            /* [n] of one instant: sine, cosine, rate, acceleration */
    bool has_laws;             /* there are forces from outside, or limits of joints */
    double (*outside)[3];      /* [n] as of ml_instant */
    double *passive;           /* [n] likewise */
    double *work;              /* of ml_inverse_dynamics */
    double *law_work;          /* of laws: rows of ML_LANES */
    double *load[ML_N_TORQUE]; /* [n] */
    double *coupling;          /* [n][n]; NULL: too many */
    double (*force)[2];        /* [n] */
    struct ml_arena arena;     /* owns them */
};

/* Takes memory; false without. Free with ml_worker_free, also then. */
bool ml_worker_init(struct ml_worker *worker, const struct ml_ensemble *ensemble);
void ml_worker_free(struct ml_worker *worker);

/* Torques and forces of a motion of worker->bodies: sets as of ml_torque_numbers, the motion among
 * them in.
 *   time  [n_time] s */
void ml_worker_solve(struct ml_worker *worker, const struct ml_ensemble *ensemble, int64_t n_time,
                     const double *time, double *const sets[ML_N_SET]);

#endif
