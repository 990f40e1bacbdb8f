/* One thread that turns motions into torques. */
#ifndef ML_INVERSE_WORKER_H
#define ML_INVERSE_WORKER_H

#include "inverse/torques.h"

struct ml_worker {
    struct ml_bodies bodies;
    double *angle, *sine, *cosine; /* [n][ML_LANES] absolute angles of as many instants */
    double *now[4];                /* [n] of one instant: sine, cosine, rate, acceleration */
    double *work;                  /* of ml_inverse_dynamics */
    double *load[ML_N_TORQUE];     /* [n] */
    double *coupling;              /* [n][n]; NULL: too many */
    double (*force)[2];            /* [n] */
    struct ml_arena arena;         /* owns them */
};

/* Takes memory; false without. Free with ml_worker_free, also then. */
bool ml_worker_init(struct ml_worker *worker, const struct ml_ensemble *ensemble);
void ml_worker_free(struct ml_worker *worker);

/* Torques and forces of a motion of worker->bodies: sets as of ml_torque_numbers, the motion among
 * them in. */
void ml_worker_solve(struct ml_worker *worker, const struct ml_ensemble *ensemble, int64_t n_time,
                     double *const sets[ML_N_SET]);

#endif
